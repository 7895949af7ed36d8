"""A parsed slice → its flow: the only walk over libcst statements. It keeps the lines and thinks nothing.

libcst drops the positions it parsed, and its position provider costs several times the parse. A slice's logical lines
stand in a table instead, and statements come in the same order: each header or simple line takes the next row.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import libcst as cst

from miner.flow import Block, Case, Flow, For, Handler, If, Match, Nested, Statement, Step, Try, While, With
from miner.locate import SiteMark, Unit
from miner.slices import Slice

_FIXED = frozenset(("str", "int", "float", "bool", "bytes", "complex", "None"))


class UnreadableError(ValueError):
    """A slice that libcst can't parse: the message is the reason."""


def read_flow(piece: Slice, marks: Sequence[SiteMark], kind: str) -> Flow:
    """Parse a slice and read its statements.

    Raises `UnreadableError` where it isn't Python, or not a Python that libcst knows.
    """
    try:
        module = cst.parse_module(piece.code)
    except cst.ParserSyntaxError as error:
        line = piece.lines[min(error.raw_line, len(piece.lines)) - 1] if piece.lines else 1
        raise UnreadableError(f"line {line}: {_first_line(error.message)}") from error
    reader = _Reader(iter(piece.lines), iter(marks))
    if kind == "module":
        flow = Flow((), reader.read_block(module.body))
    else:
        definition = module.body[0]
        if not isinstance(definition, cst.FunctionDef | cst.ClassDef):
            raise UnreadableError(f"line {piece.lines[0]}: a definition that can't be read")
        reader.take_line()
        parameters = _list_parameters(definition.params) if isinstance(definition, cst.FunctionDef) else ()
        annotated = [(p.name.value, p.annotation.annotation) for p in parameters if p.annotation and p.star != "**"]
        fixed = frozenset(name for name, annotation in annotated if is_fixed(annotation))
        flow = Flow(tuple(p.name.value for p in parameters), reader.read_suite(definition.body), fixed)
    reader.check_end()
    return flow


def read_parameters(text: str, unit: Unit) -> tuple[str, ...]:
    """Name the parameters of a function whose statements are left unread."""
    header = unit.header
    assert header is not None
    try:
        definition = cst.parse_statement(f"{text[header.start : header.end]} pass")
    except cst.ParserSyntaxError:
        return ()
    parameters = _list_parameters(definition.params) if isinstance(definition, cst.FunctionDef) else ()
    return tuple(parameter.name.value for parameter in parameters)


def _first_line(message: str) -> str:
    return message.strip().splitlines()[0] if message.strip() else "syntax error"


def _list_parameters(parameters: cst.Parameters) -> tuple[cst.Param, ...]:
    groups: tuple[object, ...] = (
        *parameters.posonly_params,
        *parameters.params,
        parameters.star_arg,
        *parameters.kwonly_params,
        parameters.star_kwarg,
    )
    return tuple(parameter for parameter in groups if isinstance(parameter, cst.Param))


def is_fixed(annotation: cst.BaseExpression) -> bool:
    """Tell whether an annotation allows nothing but numbers, texts and `None`: `int`, `Optional[str]`, `str | None`."""
    match annotation:
        case cst.Name(value=name):
            return name in _FIXED
        case cst.BinaryOperation(left=left, operator=cst.BitOr(), right=right):
            return is_fixed(left) and is_fixed(right)
        case cst.Subscript(value=cst.Name(value="Literal")):
            return True
        case cst.Subscript(value=cst.Name(value="Optional" | "Union"), slice=slices):
            return all(isinstance(each.slice, cst.Index) and is_fixed(each.slice.value) for each in slices)
        case _:
            return False


class _Reader:
    def __init__(self, lines: Iterator[int], marks: Iterator[SiteMark]) -> None:
        self._lines = lines
        self._marks = marks
        self._line = 0
        self._readers: dict[type[cst.CSTNode], Callable[..., Statement]] = {
            cst.If: self._read_if,
            cst.For: self._read_for,
            cst.While: self._read_while,
            cst.Try: self._read_try,
            cst.TryStar: self._read_try,
            cst.With: self._read_with,
            cst.Match: self._read_match,
            cst.FunctionDef: self._read_nested,
            cst.ClassDef: self._read_nested,
        }

    def take_line(self) -> int:
        self._line = next(self._lines, self._line)
        return self._line

    def check_end(self) -> None:
        if next(self._marks, None) is not None or next(self._lines, None) is not None:
            raise UnreadableError("statements and lines don't agree")

    def read_suite(self, suite: cst.BaseSuite) -> Block:
        if isinstance(suite, cst.SimpleStatementSuite):
            return tuple(self._read_small(suite.body))
        return self.read_block(suite.body)

    def read_block(self, body: Iterable[cst.CSTNode]) -> Block:
        statements: list[Statement] = []
        for node in body:
            if isinstance(node, cst.SimpleStatementLine):
                self.take_line()
                statements.extend(self._read_small(node.body))
            else:
                statements.append(self._readers[type(node)](node))
        return tuple(statements)

    def _read_small(self, body: Iterable[cst.BaseSmallStatement]) -> Iterator[Step]:
        for node in body:
            mark = None
            if isinstance(node, cst.Raise | cst.Assert):
                mark = next(self._marks, None)
                if mark is None or (mark.keyword == "raise") != isinstance(node, cst.Raise):
                    raise UnreadableError(f"line {self._line}: statements and sites don't agree")
            yield Step(mark.line if mark else self._line, node, mark)

    def _read_if(self, node: cst.If) -> If:
        line = self.take_line()
        body = self.read_suite(node.body)
        if isinstance(node.orelse, cst.If):
            return If(line, node.test, body, (self._read_if(node.orelse),))
        return If(line, node.test, body, self._read_else(node.orelse))

    def _read_else(self, node: cst.Else | cst.Finally | None) -> Block:
        if node is None:
            return ()
        self.take_line()
        return self.read_suite(node.body)

    def _read_for(self, node: cst.For) -> For:
        line = self.take_line()
        body = self.read_suite(node.body)
        return For(line, node.target, node.iter, node.asynchronous is not None, body, self._read_else(node.orelse))

    def _read_while(self, node: cst.While) -> While:
        line = self.take_line()
        body = self.read_suite(node.body)
        return While(line, node.test, body, self._read_else(node.orelse))

    def _read_try(self, node: cst.Try | cst.TryStar) -> Try:
        line = self.take_line()
        body = self.read_suite(node.body)
        handlers = tuple(self._read_handler(handler) for handler in node.handlers)
        orelse = self._read_else(node.orelse)
        return Try(line, body, handlers, orelse, self._read_else(node.finalbody))

    def _read_handler(self, node: cst.ExceptHandler | cst.ExceptStarHandler) -> Handler:
        line = self.take_line()
        name = node.name.name.value if node.name and isinstance(node.name.name, cst.Name) else None
        return Handler(line, node.type, name, self.read_suite(node.body))

    def _read_with(self, node: cst.With) -> With:
        line = self.take_line()
        items = tuple((item.item, item.asname.name if item.asname else None) for item in node.items)
        return With(line, items, self.read_suite(node.body))

    def _read_match(self, node: cst.Match) -> Match:
        line = self.take_line()
        return Match(line, node.subject, tuple(self._read_case(case) for case in node.cases))

    def _read_case(self, node: cst.MatchCase) -> Case:
        line = self.take_line()
        return Case(line, node.pattern, node.guard, self.read_suite(node.body))

    def _read_nested(self, node: cst.FunctionDef | cst.ClassDef) -> Nested:
        return Nested(self.take_line(), node.name.value)

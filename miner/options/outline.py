"""A module's text → its classes and functions, their rows read as assignments, parameters and decorators on demand."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import libcst as cst

from miner.facts import ModuleFacts, read_imports
from miner.lexing import LogicalLine, read_tokens
from miner.locate import Unit, locate_units
from miner.lookup import parse_value

_REMEMBERED = 50_000
_TARGET = re.compile(r"([A-Za-z_][\w.]*)\s*(?:(=)(?!=)|(:)(?!=))\s*")
_NOT_EQUALS = frozenset("=<>!:+-*/%&|^@~")
_AUGMENTED = re.compile(r"([A-Za-z_][\w.]*)\s*(?:\*\*|//|>>|<<|[-+*/%&|^@])=")
_SEVERAL = re.compile(r"([\w.,\s()\[\]*]+?)=(?!=)")
_WALRUS = re.compile(r"(\w+)\s*:=")
_AS = re.compile(r"\bas\s+\(?([\w,\s]+)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_FOR = re.compile(r"\bfor\b(.*?)\bin\b", re.DOTALL)


@lru_cache(_REMEMBERED)
def parse(text: str) -> cst.BaseExpression | None:
    """Parse an expression, once; `None` where it is none."""
    return parse_value(text)


@dataclass(frozen=True, slots=True)
class Assignment:
    """A plain assignment: one target, a name or an attribute."""

    name: str
    annotation: str | None
    value: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function."""

    name: str
    annotation: cst.BaseExpression | None
    default: cst.BaseExpression | None
    star: str
    """Empty, `*` or `**`."""
    by_name_only: bool


@dataclass(frozen=True)
class Outline:
    """A module that is open for questions."""

    facts: ModuleFacts
    text: str
    _parameters: dict[int, tuple[Parameter, ...]] = field(default_factory=dict, repr=False)
    _assignments: dict[int, tuple[Assignment, ...]] = field(default_factory=dict, repr=False)
    _texts: dict[int, list[tuple[int, int]]] = field(default_factory=dict, repr=False)
    _headers: dict[int, cst.FunctionDef | None] = field(default_factory=dict, repr=False)
    _imports: dict[int, Mapping[str, str]] = field(default_factory=dict, repr=False)
    _bound: dict[int, dict[str, list[LogicalLine]]] = field(default_factory=dict, repr=False)

    @cached_property
    def units(self) -> Mapping[str, Unit]:
        """The classes and functions by qualified name; of several of one name the first."""
        found: dict[str, Unit] = {}
        for unit in locate_units(self.text):
            found.setdefault(unit.qualname, unit)
        return found

    @cached_property
    def globals(self) -> Mapping[str, Assignment]:
        """What is assigned exactly once at the module's top level, also inside an `if` or `try`."""
        seen: dict[str, Assignment | None] = {}
        for each in self.read_assignments(self.units["<module>"]):
            seen[each.name] = None if each.name in seen else each
        return {name: each for name, each in seen.items() if each is not None}

    @cached_property
    def decorators(self) -> Mapping[int, tuple[LogicalLine, ...]]:
        """The decorators of each definition, by the offset of its header."""
        found: dict[int, tuple[LogicalLine, ...]] = {}
        for unit in self.units.values():
            waiting: list[LogicalLine] = []
            for row in unit.rows:
                if row.word == "" and self.text.startswith("@", row.start):
                    waiting.append(row)
                    continue
                if waiting and row.start in unit.nested:
                    found[row.start] = tuple(waiting)
                waiting = []
        return found

    def read_decorators(self, unit: Unit) -> tuple[str, ...]:
        """Give the text of each decorator, without the sign."""
        return tuple(self.text[row.start + 1 : row.end].strip() for row in self.list_decorator_rows(unit))

    def list_decorator_rows(self, unit: Unit) -> tuple[LogicalLine, ...]:
        """List the logical lines that decorate a definition."""
        return self.decorators.get(unit.header.start, ()) if unit.header is not None else ()

    def read_parameters(self, unit: Unit) -> tuple[Parameter, ...]:
        """Read a function's parameters in order."""
        key = unit.header.start if unit.header is not None else -1
        if key not in self._parameters:
            self._parameters[key] = self._read_parameters(unit)
        return self._parameters[key]

    def read_assignments(self, unit: Unit) -> tuple[Assignment, ...]:
        """Read a unit's plain assignments and annotated names in source order."""
        key = unit.header.start if unit.header is not None else -1
        if key not in self._assignments:
            self._assignments[key] = tuple(read_assignments(self.text, unit))
        return self._assignments[key]

    def locate(self, offset: int) -> tuple[LogicalLine, Unit] | None:
        """Find the logical line at an offset and the unit that runs it; `None` in a comment or a text."""
        starts, rows = self._lines
        index = bisect_right(starts, offset) - 1
        if index < 0 or offset >= rows[index][0].end:
            return None
        row, unit = rows[index]
        if row.start not in self._texts:
            tokens = read_tokens(self.text, row.start, row.end, row.line)
            spans = [(each.start, each.end) for each in tokens if each.kind in ("string", "comment")]
            self._texts[row.start] = spans
        spans = self._texts[row.start]
        before = bisect_right(spans, (offset, len(self.text))) - 1
        return None if before >= 0 and offset < spans[before][1] else (row, unit)

    @cached_property
    def _lines(self) -> tuple[list[int], list[tuple[LogicalLine, Unit]]]:
        rows = [(row, unit) for unit in self.units.values() for row in unit.rows]
        rows.sort(key=lambda pair: pair[0].start)
        return [row.start for row, _ in rows], rows

    def find_binding_rows(self, unit: Unit, name: str) -> list[LogicalLine]:
        """Find the logical lines of a unit that bind a name or attribute."""
        key = unit.header.start if unit.header is not None else -1
        if key not in self._bound:
            self._bound[key] = {}
            for row in unit.rows:
                for each in dict.fromkeys(find_bound(self.text, row)):
                    self._bound[key].setdefault(each, []).append(row)
        return self._bound[key].get(name, [])

    def _read_parameters(self, unit: Unit) -> tuple[Parameter, ...]:
        function = self._parse_header(unit)
        if function is None:
            return ()
        given = function.params
        found = [_make_parameter(each, "", False) for each in (*given.posonly_params, *given.params)]
        if isinstance(given.star_arg, cst.Param):
            found.append(_make_parameter(given.star_arg, "*", False))
        found += [_make_parameter(each, "", True) for each in given.kwonly_params]
        if given.star_kwarg is not None:
            found.append(_make_parameter(given.star_kwarg, "**", False))
        return tuple(found)

    def read_returned_type(self, unit: Unit) -> cst.BaseExpression | None:
        """Read a function's return annotation."""
        function = self._parse_header(unit)
        return function.returns.annotation if function is not None and function.returns is not None else None

    def _parse_header(self, unit: Unit) -> cst.FunctionDef | None:
        key = unit.header.start if unit.header is not None else -1
        if key not in self._headers:
            self._headers[key] = self._read_header(unit)
        return self._headers[key]

    def _read_header(self, unit: Unit) -> cst.FunctionDef | None:
        if unit.header is None or unit.kind != "function":
            return None
        text = self.text[unit.header.start : unit.header.end]
        depth_end = _find_colon(text)
        if depth_end is None:
            return None
        try:
            parsed = cst.parse_statement(text[:depth_end] + ": pass")
        except cst.ParserSyntaxError:
            return None
        return parsed if isinstance(parsed, cst.FunctionDef) else None

    def read_returns(self, unit: Unit) -> tuple[tuple[str, int], ...]:
        """Give what a function returns: the texts, with their lines."""
        rows = (row for row in unit.rows if row.word == "return")
        return tuple((self.text[row.start + 6 : row.end].strip(), row.line) for row in rows)

    def read_imports(self, unit: Unit | None) -> Mapping[str, str]:
        """Read what a function and the functions around it import."""
        key = unit.header.start if unit is not None and unit.header is not None else -1
        if key not in self._imports:
            self._imports[key] = self._read_imports(unit)
        return self._imports[key]

    def _read_imports(self, unit: Unit | None) -> Mapping[str, str]:
        names: dict[str, str] = {}
        while unit is not None and unit.kind != "module":
            if unit.kind == "function":
                found, _ = read_imports(self.text, unit.rows, self.facts.module, self.facts.is_package)
                names = {**found, **names}
            unit = unit.parent
        return names


def _make_parameter(each: cst.Param, star: str, by_name_only: bool) -> Parameter:
    annotation = each.annotation.annotation if each.annotation is not None else None
    return Parameter(each.name.value, unquote(annotation), each.default, star, by_name_only)


def unquote(annotation: cst.BaseExpression | None) -> cst.BaseExpression | None:
    """Read an annotation that is written as a string."""
    if isinstance(annotation, cst.SimpleString) and isinstance(annotation.evaluated_value, str):
        return parse_value(annotation.evaluated_value)
    return annotation


def _find_colon(text: str) -> int | None:
    for token in read_tokens(text, 0, len(text)):
        if token.depth == 0 and text[token.start] == ":" and token.kind == "other":
            return token.start
    return None


def read_assignments(text: str, unit: Unit) -> Iterator[Assignment]:
    """Read a unit's plain assignments and annotated names in source order."""
    for row in unit.rows:
        if row.start not in unit.nested:
            found = read_assignment(text, row)
            if found is not None:
                yield found


def read_assignment(text: str, row: LogicalLine) -> Assignment | None:
    """Read one logical line as a plain assignment."""
    found = _TARGET.match(text, row.start, row.end)
    if found is None or found[1] in ("else", "try", "finally", "lambda"):
        return None
    if found[2] is not None:
        return Assignment(found[1], None, text[found.end() : row.end].strip(), row.line)
    equals = _find_equals(text, found.end(), row)
    annotation = text[found.end() : equals if equals is not None else row.end].strip()
    value = text[equals + 1 : row.end].strip() if equals is not None else None
    return Assignment(found[1], annotation, value, row.line) if annotation else None


def _find_equals(text: str, start: int, row: LogicalLine) -> int | None:
    if text.find("=", start, row.end) < 0:
        return None
    for token in read_tokens(text, start, row.end, row.line):
        if (
            token.depth == 0
            and text[token.start] == "="
            and text[token.start + 1 : token.start + 2] != "="
            and text[token.start - 1] not in _NOT_EQUALS
        ):
            return token.start
    return None


def find_bound(text: str, row: LogicalLine) -> Iterator[str]:
    """Name what a logical line binds: names, and attributes as the source writes them."""
    piece = text[row.start : row.end]
    if ":=" in piece:
        yield from _WALRUS.findall(piece)
    match row.word:
        case "for" | "async":
            found = _FOR.search(piece)
            yield from _NAME.findall(found[1]) if found is not None else ()
        case "with" | "except" | "import" | "from":
            for names in _AS.findall(piece):
                yield from _NAME.findall(names)
            if row.word in ("import", "from"):
                yield from _NAME.findall(piece.partition("import")[2])
        case "case" | "del" | "global" | "nonlocal":
            yield from _NAME.findall(piece)
        case "def" | "class":
            yield from _NAME.findall(piece)[1:2]
        case "if" | "while" | "return" | "raise" | "assert" | "elif" | "else" | "try" | "pass":
            pass
        case _:
            yield from _find_assigned(piece)


def _find_assigned(piece: str) -> Iterator[str]:
    found = _TARGET.match(piece)
    if found is not None:
        yield found[1]
        return
    augmented = _AUGMENTED.match(piece)
    if augmented is not None:
        yield augmented[1]
        return
    several = _SEVERAL.match(piece)
    if several is not None and all(several[1].count(one) == several[1].count(other) for one, other in ("()", "[]")):
        yield from re.findall(r"[A-Za-z_][\w.]*", several[1])

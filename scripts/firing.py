"""Run a program and, each time a catalogued site fires in it, try the site's clauses in the very frame.

usage: firing.py TABLE.json OUT_PREFIX (-m MODULE | SCRIPT) [ARGUMENTS…]

Runs under the interpreter of what is tried, with nothing but the standard library. TABLE says where the sites are and
what must hold there; what was found goes to `OUT_PREFIX<process id>.json` when the process ends. Clauses that might
change something, or read an iterator to its end, are left alone and counted.
"""

import ast
import atexit
import hashlib
import json
import os
import re
import runpy
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

_FUNCTIONS = frozenset(
    """abs all any bool bytes callable dict divmod enumerate float frozenset getattr hasattr hash id int isinstance
    issubclass len list map max min ord range repr reversed round set sorted str sum tuple type zip""".split()
)
_METHODS = frozenset(
    """startswith endswith strip lstrip rstrip lower upper title split rsplit splitlines partition rpartition find
    rfind count index isdigit isalpha isalnum isidentifier isupper islower isspace isnumeric isdecimal get keys values
    items copy union intersection difference issubset issuperset isdisjoint bit_length removeprefix removesuffix
    replace is_integer casefold as_integer_ratio""".split()
)
_NODES = (
    *(ast.Expression, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Compare, ast.BoolOp, ast.UnaryOp),
    *(ast.BinOp, ast.Constant, ast.IfExp, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Call, ast.JoinedStr),
    *(ast.FormattedValue, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.comprehension, ast.Starred),
    *(ast.keyword, ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop),
)
_SET_BY_RAISING = frozenset(("__traceback__", "__context__", "__cause__"))
"""Attributes of an exception that are no longer, when it is seen, what they were at its statement."""
_RAISES = 130
"""The number of `RAISE_VARARGS` in every CPython so far."""
_PER_SITE = 300
"""A site that fires more often has been tried enough; it is only counted from there on."""


class Unfit(Exception):
    """A clause can't be tried: the message says why."""


def _mangle(tree: ast.AST, owner: str) -> None:
    """Give private names the form they have inside a class."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) if _is_private(name):
                node.id = f"_{owner}{name}"
            case ast.Attribute(attr=name) if _is_private(name):
                node.attr = f"_{owner}{name}"


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


class Trial:
    """One clause, compiled: what it reads, and its code."""

    def __init__(self, clause: dict[str, Any], qualname: str) -> None:
        self.clause = clause
        self.count = 0
        self.code: CodeType | None = None
        self.chains: tuple[CodeType, ...] = ()
        self.names: tuple[str, ...] = ()
        self.reason = "words"
        try:
            tree = ast.parse(clause["test"].strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError):
            return
        parts = [part for part in qualname.split(".") if part != "<locals>"]
        if len(parts) > 1:
            _mangle(tree, parts[-2].lstrip("_"))
        if not all(map(_is_harmless, ast.walk(tree))):
            self.reason = "calls"
            return
        if any(isinstance(node, ast.Attribute) and node.attr in _SET_BY_RAISING for node in ast.walk(tree)):
            self.reason = "set by raising"
            return
        inner = {
            name.id
            for part in ast.walk(tree)
            if isinstance(part, ast.comprehension)
            for name in ast.walk(part.target)
            if isinstance(name, ast.Name)
        }
        self.names = tuple({n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} - inner)
        chains = {ast.unparse(n) for n in ast.walk(tree) if isinstance(n, ast.Name | ast.Attribute)}
        outer = [c for c in chains if re.match(r"\w+", c) and re.match(r"\w+", c)[0] not in inner]  # type: ignore[index]
        self.chains = tuple(compile(chain, "<clause>", "eval") for chain in sorted(outer))
        self.code = compile(tree, "<clause>", "eval")

    def run(self, frame: FrameType) -> bool:
        """Tell whether the clause holds in a frame. Raises `Unfit` where that can't be told."""
        if self.code is None:
            raise Unfit(self.reason)
        own = frame.f_locals
        for name in self.names:
            if name not in own and (name in frame.f_code.co_varnames or name in frame.f_code.co_cellvars):
                raise Unfit("unbound")
        space = {**frame.f_globals, **own}
        try:
            iterates = any(hasattr(eval(chain, space), "__next__") for chain in self.chains)
            held = not iterates and bool(eval(self.code, space))
        except Exception as error:  # any object of the program may raise anything when it is asked
            raise Unfit(f"raises {type(error).__name__}") from error
        if iterates:
            raise Unfit("iterator")
        return held is not bool(self.clause["negated"])


def _is_harmless(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        match node.func:
            case ast.Name(id=name):
                return name in _FUNCTIONS
            case ast.Attribute(attr=name):
                return name in _METHODS
            case _:
                return False
    return isinstance(node, _NODES)


class Site:
    """A catalogued site and what has been seen of it."""

    def __init__(self, place: str, record: dict[str, Any]) -> None:
        self.place = place
        self.record = record
        self.fired = 0
        self.tried = 0
        self.trials: list[Trial] | None = None
        self.patterns = [re.compile(pattern, re.DOTALL) for pattern in record["patterns"]]

    def fire(self, frame: FrameType, value: BaseException, found: "Findings") -> None:
        """Try every clause, and the message."""
        self.fired += 1
        found.fired += 1
        if self.fired > _PER_SITE:
            return
        found.tried += 1
        if self.trials is None:
            qualname = getattr(frame.f_code, "co_qualname", frame.f_code.co_name)
            self.trials = [Trial(clause, qualname) for clause in self.record["clauses"]]
        for trial in self.trials:
            try:
                held = trial.run(frame)
            except Unfit as error:
                found.left[str(error)] = found.left.get(str(error), 0) + 1
                continue
            found.evaluated += 1
            if not held:
                trial.count += 1
                found.violations.setdefault(f"{self.place} {trial.clause}", self._describe(trial, frame))["count"] += 1
        if self.patterns:
            self._match(value, found)

    def _describe(self, trial: Trial, frame: FrameType) -> dict[str, Any]:
        values = {name: _show(frame.f_locals.get(name, frame.f_globals.get(name))) for name in trial.names}
        return {"place": self.place, "clause": trial.clause, "values": values, "count": 0}

    def _match(self, value: BaseException, found: "Findings") -> None:
        texts = list(_list_texts(value))
        found.messages += 1
        if not any(pattern.fullmatch(text) for pattern in self.patterns for text in texts):
            sample = {"place": self.place, "template": self.record["template"], "texts": texts[:3], "count": 0}
            found.mismatches.setdefault(self.place, sample)["count"] += 1


def _show(value: object) -> str:
    try:
        return repr(value)[:200]
    except Exception as error:  # noqa: BLE001 - any object of the program may raise anything when it is asked
        return f"<{type(error).__name__}>"


def _list_texts(value: BaseException) -> "list[str]":
    """Give what the exception prints; a `KeyError` prints its argument as code, which templates leave out."""
    texts: list[str] = []
    for item in (value, *(value.args[:1] if isinstance(value, KeyError) else ())):
        try:
            texts.append(str(item))
        except Exception:  # noqa: BLE001 - any object of the program may raise anything when it is asked
            continue
    return texts


class Findings:
    """What a process has shown."""

    def __init__(self) -> None:
        self.fired = self.tried = self.evaluated = self.messages = 0
        self.left: dict[str, int] = {}
        self.violations: dict[str, dict[str, Any]] = {}
        self.mismatches: dict[str, dict[str, Any]] = {}


class Watch:
    """The trace function, with the table of sites by file."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.found = Findings()
        self._table = table
        self._names = {path.rpartition("/")[2] for path in table}
        self._files: dict[str, dict[int, list[Site]] | None] = {}
        self.busy = threading.local()

    def enter(self, frame: FrameType, _event: str, _argument: object) -> Any:
        """Watch a frame whose file has sites."""
        name = frame.f_code.co_filename
        try:
            sites = self._files[name]
        except KeyError:
            sites = self._files[name] = self._find(name)
        if not sites:
            return None
        frame.f_trace_lines = False

        def see(frame: FrameType, event: str, argument: Any) -> Any:
            if event == "exception":
                here = sites.get(frame.f_lineno)
                if here is not None and frame.f_code.co_code[frame.f_lasti] == _RAISES:
                    self._fire(frame, here, argument)
            return see

        return see

    def _find(self, name: str) -> dict[int, list[Site]] | None:
        parts = Path(name).parts
        if not parts or parts[-1] not in self._names:
            return None
        for start in range(len(parts)):
            path = "/".join(parts[start:])
            if path in self._table and os.path.isfile(name):  # noqa: PTH113 - may be asked while paths are being tested
                if hashlib.sha256(Path(name).read_bytes()).hexdigest() != self._table[path]["sha256"]:
                    continue
                lines: dict[int, list[Site]] = {}
                for record in self._table[path]["sites"]:
                    lines.setdefault(record["line"], []).append(Site(f"{path}:{record['line']}", record))
                return lines
        return None

    def _fire(self, frame: FrameType, here: list[Site], argument: Any) -> None:
        column = _find_column(frame)
        for site in here:
            if len(here) == 1 or site.record["column"] == column:
                site.fire(frame, argument[1], self.found)


def _find_column(frame: FrameType) -> int | None:
    for index, position in enumerate(frame.f_code.co_positions()):
        if index == frame.f_lasti // 2:
            return position[2]
    return None


def main(table: str, prefix: str, arguments: list[str]) -> None:
    """Watch a module or script run."""
    watch = Watch(json.loads(Path(table).read_text(encoding="utf-8")))
    place = Path(prefix).absolute()

    def write() -> None:
        sys.settrace(None)
        Path(f"{place}{os.getpid()}.json").write_text(json.dumps(vars(watch.found)), encoding="utf-8")

    atexit.register(write)
    threading.settrace(watch.enter)
    module = arguments[0] == "-m"
    sys.argv = arguments[1:] if module else arguments
    sys.path[0] = "" if module else str(Path(arguments[0]).parent)
    sys.settrace(watch.enter)
    if module:
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])

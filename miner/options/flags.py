"""A function's rows → the command-line flags that it declares with `add_argument` and its wrappers.

A flag may take what it says from a field (`**get_kwargs(Config)["size"]`), and a loop or helper may make one flag of
each field of a class.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import libcst as cst

from miner.lexing import LexError, read_tokens
from miner.options.atlas import Atlas, Place
from miner.options.outline import Assignment, parse
from miner.options.wording import read_text, tidy
from miner.wording import write_expression

FLAG = re.compile(r"--?[A-Za-z][\w.-]*\Z")
MENTION = re.compile(r"add_\w*(?:arg|option|flag)\w*\s*\(|ArgumentParser\s*\(\s*[(\[\w]|\boption\s*\(|typer\.")
_CALL = re.compile(r"(?:[\w.]+\.)?_*(?:add_\w*(?:arg|option|flag)\w*|HfArgumentParser|\w*ArgumentParser)\s*(?=\()")
_LOOP = re.compile(r"for\s+(\w+)\s*,\s*(\w+)\s+in\s+([\w.]+)\.items\(\)\s*:")
_TURNED = re.compile(r"f?[\"']--\{(\w+)(\.replace\(\s*[\"']_[\"']\s*,\s*[\"']-[\"']\s*\))?\}[\"']\Z")
_MAX_HOPS = 4


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag of a command line, by all of its names."""

    names: tuple[str, ...]
    dest: str
    place: Place
    line: int
    source: tuple[Place, str] | None = None
    """The class and field that it is made from."""
    given: dict[str, cst.BaseExpression] = field(default_factory=dict)
    negations: Literal["never", "field", "always"] = "never"
    """Whether there also is a flag that switches it off: `field` when the field is a yes or no."""

    @property
    def owner(self) -> Place | None:
        """The class whose method declares it."""
        return self.place.owner

    def say(self, key: str) -> str | None:
        """Give a keyword argument of the declaration as text."""
        node = self.given.get(key)
        if node is None:
            return None
        if key == "help":
            words = read_text(node)
            return tidy(words) if words else None
        return write_expression(node)


@dataclass(frozen=True, slots=True)
class Generated:
    """A whole class whose fields are made into flags."""

    cls: Place
    how: str
    """`metadata` (only fields with a text or an `Arg`), `dashes` or `underscores` (every field)."""
    with_subclasses: bool
    negations: bool
    place: Place
    line: int


def find_flags(atlas: Atlas, place: Place) -> Iterator[Flag | Generated]:
    """Find the flags that a function or module body declares."""
    text, unit = place.outline.text, place.unit
    locals_: dict[str, Assignment] = {}
    loops: dict[str, tuple[str, str]] = {}
    if not any(_CALL.search(text, row.start, row.end) for row in unit.rows):
        return
    for each in place.outline.read_assignments(unit):
        locals_.setdefault(each.name, each)
    for row in unit.rows:
        if row.start in unit.nested:
            continue
        if row.word == "for" and (loop := _LOOP.match(text, row.start, row.end)):
            loops[loop[2]] = (loop[1], loop[3])
        for found in _CALL.finditer(text, row.start, row.end):
            is_code = place.outline.locate(found.start()) is not None
            call = read_call(text, found.start(), row.end) if is_code else None
            if call is not None:
                line = row.line + text.count("\n", row.start, found.start())
                yield from _Reader(atlas, place, locals_, loops).read(call, line)


def read_call(text: str, start: int, end: int) -> cst.Call | None:
    """Parse the call that begins at an offset."""
    opened = text.index("(", start)
    try:
        for token in read_tokens(text, opened, end):
            if token.kind == "close" and token.depth == 0:
                parsed = parse(text[start : token.end])
                return parsed if isinstance(parsed, cst.Call) else None
    except LexError:
        return None
    return None


@dataclass(frozen=True, slots=True)
class _Reader:
    atlas: Atlas
    place: Place
    locals: dict[str, Assignment]
    loops: dict[str, tuple[str, str]]

    def read(self, call: cst.Call, line: int) -> Iterator[Flag | Generated]:
        names = [
            text for each in call.args if each.keyword is None and not each.star and (text := read_text(each.value))
        ]
        names = [name for name in names if FLAG.match(name)]
        given = {each.keyword.value: each.value for each in call.args if each.keyword is not None}
        spread = next((each.value for each in call.args if each.star == "**"), None)
        generated = next(iter(self._read_generated(call, spread, line)), None)
        if generated is not None:
            yield generated
        elif names:
            source, negated = self._find_source(spread) if spread is not None else (None, False)
            long = [name for name in names if name.startswith("--")]
            always = "BooleanOptionalAction" in write_expression(given.get("action", cst.Name("_")))
            dest = read_text(given["dest"]) if "dest" in given else None
            yield Flag(
                tuple(dict.fromkeys(names)),
                dest or (long or names)[0].lstrip("-").replace("-", "_"),
                self.place,
                line,
                source,
                given,
                "always" if always else "field" if negated and "action" not in given else "never",
            )

    def _read_generated(self, call: cst.Call, spread: cst.BaseExpression | None, line: int) -> Iterator[Generated]:
        if isinstance(spread, cst.Name) and spread.value in self.loops:
            key, table = self.loops[spread.value]
            made = self._find_class_of(cst.Name(table), 0)
            shape = next(
                (turned for each in call.args if (turned := _TURNED.match(write_expression(each.value)))), None
            )
            if made is not None and shape is not None and shape[1] == key:
                how = "dashes" if shape[2] else "underscores"
                below = made.cls == self.place.owner
                yield Generated(made.cls, how, below, made.negations, self.place, line)
            return
        name = write_expression(call.func).rpartition(".")[2]
        if name == "add_argument" or spread is not None:
            return
        for each in call.args:
            nodes = [each.value]
            if isinstance(each.value, cst.Tuple | cst.List):
                nodes = [element.value for element in each.value.elements]
            for node in nodes:
                cls = self.atlas.resolve_class(node, self.place.outline, self.place.unit)
                if cls is not None and name.endswith("ArgumentParser"):
                    yield Generated(cls, "underscores", False, False, self.place, line)
                elif cls is not None:
                    yield Generated(cls, "metadata", False, False, self.place, line)

    def _find_source(self, spread: cst.BaseExpression) -> tuple[tuple[Place, str] | None, bool]:
        """Follow `**kwargs["key"]` to the class and the key."""
        for _ in range(_MAX_HOPS):
            if isinstance(spread, cst.Dict):
                starred = [each.value for each in spread.elements if isinstance(each, cst.StarredDictElement)]
                if len(starred) != 1:
                    break
                spread = starred[0]
            if isinstance(spread, cst.Subscript) and len(spread.slice) == 1:
                index = spread.slice[0].slice
                key = read_text(index.value) if isinstance(index, cst.Index) else None
                made = self._find_class_of(spread.value, 0)
                return ((made.cls, key), made.negations) if made is not None and key is not None else (None, False)
            found = self.locals.get(write_expression(spread))
            value = parse(found.value) if found is not None and found.value is not None else None
            if value is None:
                break
            spread = value
        return None, False

    def _find_class_of(self, node: cst.BaseExpression, depth: int) -> "_Made | None":
        """Follow a name to the call that makes a table of keyword arguments from a class's fields."""
        if isinstance(node, cst.Name) and depth < _MAX_HOPS:
            found = self.locals.get(node.value)
            value = parse(found.value) if found is not None and found.value is not None else None
            return self._find_class_of(value, depth + 1) if value is not None else None
        if not isinstance(node, cst.Call) or len(node.args) != 1 or node.args[0].star:
            return None
        argument = node.args[0].value
        if isinstance(argument, cst.Name) and argument.value == "cls" and self.place.owner is not None:
            cls: Place | None = self.place.owner
        else:
            cls = self.atlas.resolve_class(argument, self.place.outline, self.place.unit)
        if cls is None:
            return None
        maker = self.atlas.resolve(write_expression(node.func), self.place.outline, self.place.unit)
        found_maker = self.atlas.find(maker) if maker is not None else None
        text = found_maker.outline.text if found_maker is not None else ""
        return _Made(cls, "BooleanOptionalAction" in text)


@dataclass(frozen=True, slots=True)
class _Made:
    cls: Place
    negations: bool

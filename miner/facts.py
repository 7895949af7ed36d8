"""A module's logical lines → what other modules may need to know of it: imports, classes, constants.

Read without a parser, so that a whole package costs little more than splitting it into lines. Values stay source
text: the few that a message needs are parsed when it does.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from miner.leaving import find_leaving
from miner.lexing import LogicalLine, read_tokens
from miner.locate import Unit
from miner.wording import fold_lines

_IMPORT = re.compile(r"import\s+(.+)\Z", re.DOTALL)
_FROM = re.compile(r"from\s*(\.*(?:\s*\.)*)\s*([\w.]*)\s*\bimport\b\s*(.+)\Z", re.DOTALL)
_ALIAS = re.compile(r"([\w.]+|\*)(?:\s+as\s+(\w+))?\Z")
_ASSIGN = re.compile(r"(\w+)\s*(?::[^=\n]+)?=(?!=)\s*(?=(.+)\Z)", re.DOTALL)
_SET_ON_OBJECT = re.compile(r"\b(?:self|cls)\.(\w+)\s*(?::[^=\n]+)?=(?!=)")
_TEXTUAL = re.compile(r"[(\s]*(?:[\w.]*(?:dedent|cleandoc|gettext\w*|_)\()?[(\s]*(?:[rRbBfFuU]{1,2})?[\"']")
_QUOTE = re.compile("[\"']")
_CHOICES = re.compile(r"(?:typing\.|t\.)?Literal\[")
_MAX_VALUE = 4000


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """A class: what it derives from, and the texts among its attributes."""

    bases: tuple[str, ...]
    """Source text of each base, in order."""
    constants: Mapping[str, str]
    """Source text of the values that are texts."""
    methods: frozenset[str]
    line: int
    reset: frozenset[str] = frozenset()
    """Those of the constants that the module sets on objects, or anew in a class derived from this one."""


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """A module: its dotted name and what it binds at its top level."""

    module: str
    path: str
    is_package: bool
    imports: Mapping[str, str]
    """Local name → qualified name."""
    stars: tuple[str, ...]
    """Modules imported with `*`."""
    classes: Mapping[str, ClassFacts] = field(default_factory=dict)
    """By qualified name inside the module: `Outer.Inner`."""
    constants: Mapping[str, str] = field(default_factory=dict)
    functions: frozenset[str] = frozenset()
    leaving: frozenset[str] = frozenset()
    """Functions and methods that never return, by qualified name inside the module."""


def read_facts(text: str, units: Sequence[Unit], module: str, path: str) -> ModuleFacts:
    """Read a module's facts from its units."""
    is_package = path.endswith("__init__.py")
    imports: dict[str, str] = {}
    stars: list[str] = []
    classes: dict[str, ClassFacts] = {}
    constants: dict[str, str] = {}
    functions: set[str] = set()
    for unit in units:
        if unit.kind == "module":
            imports, found = read_imports(text, unit.rows, module, is_package)
            stars.extend(found)
            constants.update(_read_constants(text, unit.rows))
            functions.update(inner.name for inner in unit.nested.values() if inner.kind == "function")
        elif unit.kind == "class" and unit.header is not None:
            methods = frozenset(inner.name for inner in unit.nested.values() if inner.kind == "function")
            bases = tuple(_read_bases(text, unit.header))
            texts = dict(_read_constants(text, unit.rows))
            classes.setdefault(unit.qualname, ClassFacts(bases, texts, methods, unit.header.line))
    return ModuleFacts(
        module,
        path,
        is_package,
        imports,
        tuple(stars),
        _mark_reset(text, classes),
        constants,
        frozenset(functions),
        frozenset(find_leaving(text, units)),
    )


def _mark_reset(text: str, classes: Mapping[str, ClassFacts]) -> dict[str, ClassFacts]:
    """Note of each class the attributes of which its own text doesn't say what they are in every object."""
    texts = {attribute for class_ in classes.values() for attribute in class_.constants}
    if not texts:
        return dict(classes)
    reset = dict.fromkeys(classes, {found[1] for found in _SET_ON_OBJECT.finditer(text)} & texts)
    for name, class_ in classes.items():
        for base in _list_above(name, classes) if class_.constants else ():
            if base != name:
                reset[base] = reset[base] | class_.constants.keys()
    return {
        name: replace(class_, reset=frozenset(reset[name] & class_.constants.keys()))
        for name, class_ in classes.items()
    }


def _list_above(name: str, classes: Mapping[str, ClassFacts]) -> Iterator[str]:
    """List the classes of the same module that a class derives from, itself first."""
    seen: set[str] = set()
    queue = [name]
    while queue:
        at = queue.pop()
        if at in classes and at not in seen:
            seen.add(at)
            yield at
            queue += classes[at].bases


def read_imports(
    text: str, rows: Iterable[LogicalLine], module: str, is_package: bool
) -> tuple[dict[str, str], list[str]]:
    """Read what import statements bind, and the modules imported with `*`."""
    names: dict[str, str] = {}
    stars: list[str] = []
    for row in rows:
        if row.word not in ("import", "from"):
            continue
        for statement in fold_lines(text[row.start : row.end].replace("\\\n", " ")).split(";"):
            _read_import(statement.strip(), module, is_package, names, stars)
    return names, stars


def _read_import(statement: str, module: str, is_package: bool, names: dict[str, str], stars: list[str]) -> None:
    plain = _IMPORT.match(statement)
    if plain is not None:
        for found in _split_aliases(plain[1]):
            names[found[2] or found[1].split(".")[0]] = found[1] if found[2] else found[1].split(".")[0]
        return
    imported = _FROM.match(statement)
    if imported is None:
        return
    source = _resolve_relative(re.sub(r"\s", "", imported[1]), imported[2], module, is_package)
    for found in _split_aliases(imported[3]):
        if found[1] == "*":
            stars.append(source)
        else:
            names[found[2] or found[1]] = f"{source}.{found[1]}" if source else found[1]


def _split_aliases(text: str) -> Iterator[re.Match[str]]:
    for piece in text.strip().strip("()").split(","):
        found = _ALIAS.match(piece.strip())
        if found is not None:
            yield found


def _resolve_relative(dots: str, name: str, module: str, is_package: bool) -> str:
    if not dots:
        return name
    parts = module.split(".")
    up = len(dots) - (1 if is_package else 0)
    base = parts[: len(parts) - up] if up else parts
    return ".".join((*base, name)) if name else ".".join(base)


def _read_constants(text: str, rows: Iterable[LogicalLine]) -> Iterator[tuple[str, str]]:
    for row in rows:
        if not row.word or row.end - row.start > _MAX_VALUE:
            continue
        found = _ASSIGN.match(text, row.start, row.end)
        if found is not None and _is_constant(found[1], found[2]):
            yield found[1], found[2].strip()


def _is_constant(name: str, value: str) -> bool:
    """Tell whether a value may end up in a message, or says which values a field takes."""
    is_text = _TEXTUAL.match(value) is not None or _CHOICES.match(value) is not None
    return is_text or (name.isupper() and _QUOTE.search(value) is not None)


def _read_bases(text: str, header: LogicalLine) -> Iterator[str]:
    start: int | None = None
    for token in read_tokens(text, header.start, header.end, header.line):
        piece = text[token.start : token.end]
        if token.kind == "open" and token.depth == 0 and piece == "(":
            start = token.end
        elif start is not None and ((piece == "," and token.depth == 1) or (piece == ")" and token.depth == 0)):
            base = fold_lines(text[start : token.start])
            start = token.end
            if base and not re.match(r"\w+\s*=[^=]|\*", base):
                yield re.sub(r"\[.*", "", base, flags=re.DOTALL).strip()
            if piece == ")":
                return

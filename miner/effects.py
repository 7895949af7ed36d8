"""What an expression reads, and what a statement may change of it, so that a test is never trusted past its time.

Values are named by paths: `self.parallel_config.size` is `("self", "parallel_config", "size")`, an element is `[]`.
Aliases are met halfway: setting an attribute counts for every path with an attribute of that name.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import libcst as cst

from miner.nodes import LEAVES, list_inner

Path = tuple[str, ...]
Bound = Mapping[str, Path]
"""Names that an expression binds itself, each with the value whose items it goes through, where that is known."""

IDENTITY, CONTENT, REACHABLE = 0, 1, 2
RESUMED: Path = ("await",)
"""What comes back from outside while the function waits: no name, and never there on entry."""


class Share(Protocol):
    """What a read sees of a value under another name."""

    def is_disturbed(self, effect: "Effect") -> bool:
        """Tell whether an effect on that value changes what is read."""


@dataclass(frozen=True, slots=True)
class Read:
    """A value that an expression depends on."""

    path: Path
    depth: int
    """`IDENTITY`: which object it is; `CONTENT`: also what it holds; `REACHABLE`: anything it leads to."""
    shared: "tuple[Share, ...]" = field(default=(), compare=False)
    """What it sees under other names."""

    @property
    def name(self) -> str:
        """The path as the source writes it, up to an element."""
        return write_path(self.path)


@dataclass(frozen=True, slots=True)
class Rebind:
    """A name is bound anew, or an attribute set."""

    path: Path
    keys: tuple[str, ...] | None = None
    """Where what it holds is only looked up by name: the names for which it is another; `None`: for any."""


class Refinement(Protocol):
    """What is known of the function that a value is passed to."""

    def list_effects(self) -> "tuple[Effect, ...] | None":
        """List what it may do to the value, whose path stands as `("$",)`; `None` when that can't be told."""


class Knows(Protocol):
    """Knows functions by the calls of them."""

    def refine(self, call: cst.Call, slot: int | str) -> Refinement | None:
        """Tell what a call may do to an argument (its index or keyword) or to its receiver (`.`)."""


@dataclass(frozen=True, slots=True)
class Mutate:
    """An object may change inside; when `deep`, also the attributes of what it leads to."""

    path: Path
    deep: bool
    refined: Refinement | None = None
    """What the callee really does, asked only when it matters."""
    is_inner: bool = False
    """Only what the object leads to may change, not the object's own content."""
    keys: tuple[str, ...] | None = None
    """Where what it holds is only looked up by name: the names for which that changes; `None`: for any."""


Effect = Rebind | Mutate


def write_path(path: Path) -> str:
    """Write a path as the source does, up to the first element of a container."""
    return ".".join(path[: path.index("[]")] if "[]" in path else path)


def disturbs(effect: Effect, read: Read) -> bool:
    """Tell whether what was read may be another value after the effect."""
    path, target = read.path, effect.path
    if isinstance(effect, Rebind):
        if len(target) == 1:
            return path[0] == target[0]
        if target[-1] in path[1:] or (read.depth == REACHABLE and path == target[: len(path)]):
            return True
    elif path[0] == target[0] and _may_mutate(effect, read):
        known = effect.refined.list_effects() if effect.refined is not None else None
        if known is None or any(disturbs(put_at(inner, target), read) for inner in known):
            return True
    return bool(read.shared) and any(share.is_disturbed(effect) for share in read.shared)


def _may_mutate(effect: Mutate, read: Read) -> bool:
    path, target = read.path, effect.path
    if read.depth == REACHABLE and path == target[: len(path)]:
        return True
    if path[: len(target)] != target:
        return False
    if len(path) == len(target):
        return read.depth >= CONTENT and not effect.is_inner
    return effect.deep or path[len(target)] == "[]"


def put_at(effect: Effect, place: Path) -> Effect:
    """Put an effect on `$` where the value stands."""
    if effect.path[0] != "$":
        return effect
    path = (*place, *effect.path[1:])
    return replace(effect, path=path)


PURE_FUNCTIONS = frozenset(
    """abs all any ascii bin bool bytes callable chr complex dict dir divmod enumerate filter float format frozenset
    getattr hasattr hash hex id int isinstance issubclass len list map max min oct ord pow print range repr reversed
    round set slice sorted str sum super tuple type vars zip cast""".split()
)
_CONTENT_ONLY = PURE_FUNCTIONS - frozenset("getattr hasattr vars dir map filter cast repr str format print".split())
_HARMLESS_ROOTS = frozenset(
    """logger _logger logging log LOG LOGGER warnings os sys re math json inspect textwrap typing itertools functools
    np numpy torch platform importlib dataclasses operator string struct time datetime pathlib envs""".split()
)
QUERY_METHODS = frozenset(
    """get keys values items copy startswith endswith strip lstrip rstrip lower upper title split rsplit splitlines
    partition rpartition join format encode decode isdigit isalpha isalnum isidentifier isupper islower isspace
    isnumeric isdecimal find rfind index count replace casefold zfill removeprefix removesuffix union intersection
    difference issubset issuperset isdisjoint exists is_file is_dir is_absolute absolute resolve as_posix bit_length mro
    __class__ group groups start end span match search fullmatch findall total_seconds isoformat dim numel element_size
    stride size tolist most_common with_suffix relative_to""".split()
)
QUERY_PREFIXES = (
    "is_",
    "has_",
    "get_",
    "to_",
    "as_",
    "can_",
    "supports_",
    "should_",
    "_is_",
    "_has_",
    "_get_",
    "use_",
)
_CONSUMERS = frozenset(
    """pop popitem popleft clear remove append appendleft extend insert add discard update setdefault sort reverse read
    readline readlines send""".split()
)
_CONTENT_METHODS = QUERY_METHODS - {"format", "join"}


def find_path(node: cst.CSTNode) -> Path | None:
    """Read `a.b[i].c` as a path, or `None` where the expression is no plain chain from a name."""
    parts: list[str] = []
    while True:
        if type(node) is cst.Attribute:
            parts.append(node.attr.value)
            node = node.value
        elif type(node) is cst.Subscript:
            parts.append("[]")
            node = node.value
        elif type(node) is cst.Name:
            parts.append(node.value)
            return tuple(reversed(parts))
        elif type(node) is cst.Call and (named := _read_getattr(node)):
            parts.append(named[1])
            node = named[0]
        else:
            return None


def _read_getattr(node: cst.Call) -> tuple[cst.BaseExpression, str] | None:
    func = node.func
    named = isinstance(func, cst.Name) and func.value == "getattr" and len(node.args) in (2, 3)
    if not (named or (_is_of_object(func, "__getattribute__") and len(node.args) == 2)):
        return None
    name = node.args[1].value
    if isinstance(name, cst.SimpleString) and isinstance(name.evaluated_value, str):
        return node.args[0].value, name.evaluated_value
    return None


_Reader = Callable[..., Iterator[Read]]


def _is_of_object(func: cst.BaseExpression, name: str) -> bool:
    """Tell whether a function is that of `object` itself, which classes that hide their attributes go through."""
    return (
        isinstance(func, cst.Attribute)
        and func.attr.value == name
        and isinstance(func.value, cst.Name)
        and func.value.value == "object"
    )


def find_reads(node: cst.CSTNode) -> tuple[Read, ...]:
    """Find every value that an expression depends on, in order of appearance, each at its greatest depth."""
    deepest: dict[Path, int] = {}
    for read in _read(node, CONTENT, {}):
        deepest[read.path] = max(read.depth, deepest.get(read.path, IDENTITY))
    return tuple(Read(path, depth) for path, depth in deepest.items())


def _read(node: cst.CSTNode, depth: int, bound: Bound) -> Iterator[Read]:
    read: _Reader = _READERS.get(type(node), _read_inner)
    return read(node, depth, bound)


def _read_inner(node: cst.CSTNode, depth: int, bound: Bound) -> Iterator[Read]:
    for child in list_inner(node):
        yield from _read(child, depth, bound)


def _read_name(node: cst.Name, depth: int, bound: Bound) -> Iterator[Read]:
    if node.value not in bound and node.value not in ("True", "False", "None"):
        yield Read((node.value,), depth)


def _read_chain(node: cst.Attribute | cst.Subscript, depth: int, bound: Bound) -> Iterator[Read]:
    path = find_path(node)
    if path is None:
        for child in list_inner(node):
            if not (isinstance(node, cst.Attribute) and child is node.attr):
                yield from _read(child, depth, bound)
        return
    if path[0] not in bound:
        yield Read(path, depth)
    elif len(path) > 1 and bound[path[0]]:
        yield Read((*bound[path[0]], "[]", *path[1:]), depth)
    yield from _read_indexes(node, bound)


def _read_comparison(node: cst.Comparison, _: int, bound: Bound) -> Iterator[Read]:
    identity = all(isinstance(c.operator, cst.Is | cst.IsNot) for c in node.comparisons)
    for operand in (node.left, *(c.comparator for c in node.comparisons)):
        yield from _read(operand, IDENTITY if identity else CONTENT, bound)


def _read_lambda(node: cst.Lambda, _: int, bound: Bound) -> Iterator[Read]:
    names = {p.name.value: () for p in (*node.params.params, *node.params.kwonly_params)}
    yield from _read(node.body, REACHABLE, {**bound, **names})


def _read_walrus(node: cst.NamedExpr, depth: int, bound: Bound) -> Iterator[Read]:
    yield from _read(node.value, depth, bound)


def _read_resumed(node: cst.Await | cst.Yield, depth: int, bound: Bound) -> Iterator[Read]:
    yield Read(RESUMED, IDENTITY)
    yield from _read_inner(node, depth, bound)


def _read_indexes(node: cst.CSTNode, bound: Bound) -> Iterator[Read]:
    while isinstance(node, cst.Attribute | cst.Subscript):
        if isinstance(node, cst.Subscript):
            for element in node.slice:
                yield from _read(element, CONTENT, bound)
        node = node.value


def _read_call(node: cst.Call, depth: int, bound: Bound) -> Iterator[Read]:
    path = find_path(node)
    if path is not None:
        if path[0] not in bound:
            yield Read(path, depth)
        for argument in node.args[2:]:
            yield from _read(argument.value, depth, bound)
        return
    inside = REACHABLE
    match node.func:
        case cst.Name():
            if node.func.value in _CONTENT_ONLY:
                inside = IDENTITY if node.func.value in ("isinstance", "type", "id", "callable", "super") else CONTENT
            if node.func.value not in bound:
                yield Read((node.func.value,), IDENTITY)
        case cst.Attribute():
            name = node.func.attr.value
            inside = CONTENT if name in _CONTENT_METHODS else REACHABLE
            yield from _read(node.func.value, inside, bound)
        case _:
            yield from _read(node.func, REACHABLE, bound)
    for argument in node.args:
        yield from _read(argument.value, inside, bound)


def find_items(reads: Sequence[Read]) -> Path:
    """Find what holds the items that an iterable gives, of all that it reads; nothing where it isn't one value."""
    paths = [read.path for read in reads if read.path[0] not in PURE_FUNCTIONS]
    return paths[0] if len(paths) == 1 else ()


def _read_comprehension(node: cst.BaseComp | cst.DictComp, _: int, bound: Bound) -> Iterator[Read]:
    clause: cst.CompFor | None = node.for_in
    names = bound
    while clause is not None:
        items = tuple(_read(clause.iter, CONTENT, names))
        yield from items
        names = {**names, **{path[0]: find_items(items) for path in find_targets(clause.target)}}
        for test in clause.ifs:
            yield from _read(test.test, CONTENT, names)
        clause = clause.inner_for_in
    elements = (node.key, node.value) if isinstance(node, cst.DictComp) else (node.elt,)  # type: ignore[attr-defined]
    for element in elements:
        yield from _read(element, CONTENT, names)


_READERS: dict[type[cst.CSTNode], _Reader] = {
    cst.Name: _read_name,
    cst.Attribute: _read_chain,
    cst.Subscript: _read_chain,
    cst.Call: _read_call,
    cst.Comparison: _read_comparison,
    cst.Lambda: _read_lambda,
    cst.ListComp: _read_comprehension,
    cst.SetComp: _read_comprehension,
    cst.GeneratorExp: _read_comprehension,
    cst.DictComp: _read_comprehension,
    cst.NamedExpr: _read_walrus,
    cst.Await: _read_resumed,
    cst.Yield: _read_resumed,
}


def find_targets(node: cst.CSTNode) -> Iterator[Path]:
    """Find what an assignment target binds: names, attributes (`self.x`) and elements (`x[]`)."""
    match node:
        case cst.Tuple() | cst.List():
            for element in node.elements:
                yield from find_targets(element.value)
        case cst.StarredElement():
            yield from find_targets(node.value)
        case cst.Name() | cst.Attribute() | cst.Subscript():
            path = find_path(node)
            if path is not None:
                yield path
            elif isinstance(node, cst.Attribute):
                yield ("?", node.attr.value)
        case _:
            return


def bind_target(path: Path) -> Effect:
    """Give the effect of assigning to a target."""
    return Mutate(path[:-1], deep=False) if path[-1] == "[]" else Rebind(path)


def find_effects(node: cst.CSTNode, knows: Knows | None = None) -> list[Effect]:
    """Find what evaluating an expression may change: walrus targets, and what calls are given."""
    found: list[Effect] = []
    _add_effects(node, knows, found)
    return found


def _add_effects(node: cst.CSTNode, knows: Knows | None, found: list[Effect]) -> None:
    if type(node) is cst.Lambda:
        return
    if type(node) is cst.NamedExpr:
        found.extend(map(bind_target, find_targets(node.target)))
    elif type(node) is cst.Call:
        found.extend(_find_call_effects(node, knows))
    for child in list_inner(node):
        if type(child) not in LEAVES:
            _add_effects(child, knows, found)


def _find_call_effects(node: cst.Call, knows: Knows | None) -> Iterator[Effect]:
    if _is_of_object(node.func, "__setattr__"):
        yield from _find_setattr(node)
        return
    if _is_of_object(node.func, "__getattribute__"):
        return
    match node.func:
        case cst.Name(value=name):
            if name in PURE_FUNCTIONS or name.lstrip("_")[:1].isupper():
                return
            if name == "setattr":
                yield from _find_setattr(node)
                return
        case cst.Attribute(attr=cst.Name(value=name)):
            path = find_path(node.func)
            if path and path[0] in _HARMLESS_ROOTS:
                return
            if name in QUERY_METHODS or name.startswith(QUERY_PREFIXES) or name.lstrip("_")[:1].isupper():
                return
            receiver = path[:-1] if path and len(path) > 1 else None
            if isinstance(node.func.value, cst.Call) and _is_super(node.func.value):
                receiver = ("self",)
            if receiver and not _is_constant_name(receiver):
                yield Mutate(receiver, True, knows.refine(node, ".") if knows is not None else None)
        case _:
            pass
    for index, argument in enumerate(node.args):
        slot = argument.keyword.value if argument.keyword is not None else index
        for path in _find_argument_paths(argument.value):
            plain = argument.star == "" and path == find_path(argument.value)
            yield Mutate(path, True, knows.refine(node, slot) if knows is not None and plain else None)


def _find_setattr(node: cst.Call) -> Iterator[Effect]:
    path = find_path(node.args[0].value) if node.args else None
    if path is None:
        return
    name = node.args[1].value if len(node.args) > 1 else None
    if isinstance(name, cst.SimpleString) and isinstance(name.evaluated_value, str):
        yield Rebind((*path, name.evaluated_value))
    else:
        yield Mutate(path, deep=True)


def _is_super(node: cst.Call) -> bool:
    return isinstance(node.func, cst.Name) and node.func.value == "super"


def _is_constant_name(path: Path) -> bool:
    """Tell whether a path is the bare name of a class or constant, which no call changes."""
    return len(path) == 1 and path[0].lstrip("_")[:1].isupper()


def _find_argument_paths(node: cst.CSTNode) -> Iterator[Path]:
    path = find_path(node)
    if path is not None:
        if not _is_constant_name(path):
            yield path
    elif isinstance(node, cst.Tuple | cst.List):
        for element in node.elements:
            yield from _find_argument_paths(element.value)


def find_consumed(node: cst.CSTNode) -> list[Effect]:
    """Find what evaluating an expression surely changes: `names.pop()`, `next(items)`, a walrus."""
    found: list[Effect] = []
    _add_consumed(node, found)
    return found


def _add_consumed(node: cst.CSTNode, found: list[Effect]) -> None:
    if type(node) is cst.Lambda:
        return
    if type(node) is cst.NamedExpr:
        found.extend(map(bind_target, find_targets(node.target)))
    elif type(node) is cst.Call:
        found.extend(_find_consumed_by(node))
    for child in list_inner(node):
        if type(child) not in LEAVES:
            _add_consumed(child, found)


def _find_consumed_by(node: cst.Call) -> Iterator[Effect]:
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=name), value=receiver)) if name in _CONSUMERS:
            path = find_path(receiver)
            if path is not None:
                yield Mutate(path, deep=True)
        case cst.Call(func=cst.Name(value="next"), args=[first, *_]):
            path = find_path(first.value)
            if path is not None:
                yield Mutate(path, deep=True)
        case _:
            pass


def find_statement_effects(node: cst.BaseSmallStatement, knows: Knows | None = None) -> Iterator[Effect]:
    """Find what a simple statement may change, in the order in which it does."""
    yield from find_effects(node, knows)
    match node:
        case cst.Assign():
            for target in node.targets:
                yield from map(bind_target, find_targets(target.target))
        case cst.AnnAssign():
            if node.value is not None:
                yield from map(bind_target, find_targets(node.target))
        case cst.AugAssign():
            for path in find_targets(node.target):
                yield bind_target(path)
        case cst.Del():
            yield from map(bind_target, find_targets(node.target))
        case _:
            return


def name_imports(node: cst.Import | cst.ImportFrom) -> Iterable[str]:
    """Name what an import statement binds."""
    if isinstance(node.names, cst.ImportStar):
        return
    for alias in node.names:
        if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
            yield alias.asname.name.value
        else:
            path = find_path(alias.name)
            if path:
                yield path[0]

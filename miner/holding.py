"""The names of a unit → what each may share with another: the same object, or one that a call put inside its result.

`stash = args.overrides` and `view = View(args)` go on showing what happens to `args`. So what changes one of the two
also changes the other.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import libcst as cst

from miner.effects import REACHABLE, Effect, Mutate, Path, Read, Rebind, disturbs, find_path, find_targets, put_at
from miner.flow import Block, Flow, Step, list_blocks

_MAX_SHARES = 20
_MAX_TRACE = 4
_HERE: Path = ("$",)


@dataclass(frozen=True, slots=True)
class View:
    """How a call's result shows what it was given."""

    inside: Path
    """The part of the value that it holds, by attributes; all of it where there are none."""
    names: frozenset[str] | None
    """Attributes that the code of its class names, and so may read for any other; `None`: it is the part itself."""
    keyed: frozenset[str] = frozenset()
    """Those of them in which it looks for the asked name alone."""


class Link(Protocol):
    """A value passed to a call: the question what the result shows of it."""

    def list_views(self) -> tuple[View, ...]:
        """List how the result may show the value; nothing where it doesn't."""


class FindsLinks(Protocol):
    """Knows functions by the calls of them."""

    def link(self, call: cst.Call, slot: int | str) -> Link | None:
        """Ask whether a call's result may hold an argument (its index or keyword) or its receiver (`.`)."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A name or attribute that shows what happens to another value."""

    name: Path
    path: Path
    link: Link | None
    """`None`: it is that value itself."""


@dataclass(frozen=True, slots=True)
class _Share:
    """What a read sees of a value under another name."""

    path: Path
    link: Link | None
    rest: Path
    depth: int

    def is_disturbed(self, effect: Effect) -> bool:
        """Tell whether an effect on that value changes what is read."""
        if effect.path[0] != self.path[0] or not _overlap(effect, self.path):
            return False
        read = Read((*_HERE, *self.rest), self.depth)
        return any(disturbs(shown, read) for shown in self._list_shown(effect))

    def _list_shown(self, effect: Effect) -> Iterator[Effect]:
        """List what is seen of an effect, on what is read from, which stands as `$`."""
        if self.link is None:
            is_around = len(effect.path) < len(self.path)
            yield from _carry(_list_done(effect) if is_around else (effect,), View(self.path, None))
            return
        views = self.link.list_views()
        done = _list_done(effect) if views else ()
        for view in views:
            yield from _carry(done, replace(view, inside=(*self.path, *view.inside)))


class Holders:
    """What the names of one unit share."""

    def __init__(self, assigned: Iterable[tuple[Path, cst.BaseExpression]], knows: FindsLinks | None) -> None:
        self._knows = knows
        self._assigned: dict[str, list[tuple[Path, cst.BaseExpression]]] = {}
        self._by_head: dict[str, list[Holder]] = {}
        for name, value in assigned:
            self._assigned.setdefault(name[0], []).append((name, value))
            path = find_path(value)
            if path is not None and path != name:
                self._by_head.setdefault(path[0], []).append(Holder(path, name, None))
        self._found: dict[str, tuple[Holder, ...]] = {}
        self._known: dict[tuple[Path, int], tuple[_Share, ...]] = {}

    def _find(self, head: str) -> tuple[Holder, ...]:
        """Find what the names that begin with one share: they are asked for one by one, and most never are."""
        if head not in self._found:
            own = (
                Holder(name, path, link)
                for name, value in self._assigned.get(head, ())
                for path, link in list_held(value, self._knows)
                if path != name
            )
            self._found[head] = tuple(dict.fromkeys((*own, *self._by_head.get(head, ()))))
        return self._found[head]

    def attach(self, reads: tuple[Read, ...]) -> tuple[Read, ...]:
        """Give each read what it sees under other names."""
        if not any(read.path[0] in self._assigned or read.path[0] in self._by_head for read in reads):
            return reads
        return tuple(self._attach(read) for read in reads)

    def _attach(self, read: Read) -> Read:
        if not self._find(read.path[0]):
            return read
        key = (read.path, read.depth)
        if key not in self._known:
            self._known[key] = tuple(self._list_shares(*key))[:_MAX_SHARES]
        return replace(read, shared=self._known[key])

    def _list_shares(self, path: Path, depth: int) -> Iterator[_Share]:
        """List the shares of a path, and where they are the very object, what that shares again."""
        seen, queue = {path}, [path]
        while queue and len(seen) < _MAX_SHARES:
            one = queue.pop(0)
            for holder in self._find(one[0]):
                if holder.name == one[: len(holder.name)]:
                    rest = one[len(holder.name) :]
                elif depth == REACHABLE and one == holder.name[: len(one)]:
                    rest = ()
                else:
                    continue
                yield _Share(holder.path, holder.link, rest, depth)
                other = (*holder.path, *rest)
                if holder.link is None and other not in seen:
                    seen.add(other)
                    queue.append(other)


def _carry(effects: Iterable[Effect], view: View) -> Iterator[Effect]:
    """Put effects on a value, or around it, in the words of what shows it, which stands as `$`."""
    path, names = view.inside, view.names
    for effect in effects:
        inside = effect.path[len(path) :]
        if not _overlap(effect, path):
            continue
        if len(effect.path) < len(path):
            yield Mutate(_HERE, deep=True, is_inner=True)
        elif names is not None and (not inside or inside[0] in names):
            if effect.keys is not None and len(inside) == 1 and inside[0] in view.keyed:
                yield from (Rebind((*_HERE, key)) for key in effect.keys)
            else:
                yield Mutate(_HERE, deep=True)
        else:
            yield replace(effect, path=(*_HERE, *inside))


def _overlap(effect: Effect, path: Path) -> bool:
    """Tell whether an effect is on a value, on something in it, or on all that something around it leads to."""
    target = effect.path
    if target[: len(path)] == path:
        return isinstance(effect, Mutate) or len(target) > len(path)
    return isinstance(effect, Mutate) and effect.deep and path[: len(target)] == target


def _list_done(effect: Effect) -> tuple[Effect, ...]:
    """List what an effect comes to, once its function has been asked."""
    if not isinstance(effect, Mutate) or effect.refined is None:
        return (effect,)
    known = effect.refined.list_effects()
    if known is None:
        return (Mutate(effect.path, effect.deep),)
    return tuple(put_at(inner, effect.path) for inner in known)


def find_holders(block: Block, knows: FindsLinks | None) -> Holders:
    """Find what the names of a unit share, whichever way control runs."""
    return Holders(_list_assigned(block), knows)


def _list_assigned(block: Block) -> Iterator[tuple[Path, cst.BaseExpression]]:
    for statement in block:
        match statement:
            case Step(node=cst.Assign(targets=targets, value=value)):
                for target in targets:
                    yield from _bind(target.target, value)
            case Step(node=cst.AnnAssign(target=target, value=cst.BaseExpression() as value)):
                yield from _bind(target, value)
            case _:
                for inner in list_blocks(statement):
                    yield from _list_assigned(inner)


def _bind(target: cst.CSTNode, value: cst.BaseExpression) -> Iterator[tuple[Path, cst.BaseExpression]]:
    if isinstance(target, cst.Tuple | cst.List):
        if isinstance(value, cst.Tuple | cst.List) and len(value.elements) == len(target.elements):
            for left, right in zip(target.elements, value.elements, strict=True):
                yield from _bind(left.value, right.value)
        return
    name = next(find_targets(target), None)
    if name is not None and "[]" not in name and name[0] != "?":
        yield name, value


def list_held(value: cst.BaseExpression, knows: FindsLinks | None) -> Iterator[tuple[Path, Link | None]]:
    """List what the value of an expression is or holds: paths, each with the call that may have put it there."""
    path = find_path(value)
    if path is not None:
        yield path, None
        return
    match value:
        case cst.BooleanOperation(left=left, right=right):
            yield from list_held(left, knows)
            yield from list_held(right, knows)
        case cst.IfExp(body=body, orelse=orelse):
            yield from list_held(body, knows)
            yield from list_held(orelse, knows)
        case cst.Call() if knows is not None:
            yield from _list_passed(value, knows)
        case _:
            return


def _list_passed(call: cst.Call, knows: FindsLinks) -> Iterator[tuple[Path, Link | None]]:
    if isinstance(call.func, cst.Attribute) and (receiver := find_path(call.func.value)) is not None:
        link = knows.link(call, ".")
        if link is not None:
            yield receiver, link
    for index, argument in enumerate(call.args):
        link = knows.link(call, argument.keyword.value if argument.keyword is not None else index)
        if link is not None and not argument.star:
            yield from ((path, link) for path, inner in list_held(argument.value, knows) if inner is None)


def trace_returns(flow: Flow, parameter: str, knows: FindsLinks) -> Iterator[View]:
    """Trace what a function returns back to one of its parameters."""
    holders = [
        Holder(name, path, link) for name, value in _list_assigned(flow.body) for path, link in list_held(value, knows)
    ]
    for value in _list_returned(flow.body):
        for path, link in list_held(value, knows):
            yield from _trace(path, link, parameter, holders, 0)


def _trace(path: Path, link: Link | None, parameter: str, holders: list[Holder], depth: int) -> Iterator[View]:
    if path[0] == parameter:
        yield from link.list_views() if link is not None else (View(path[1:], None),)
    if depth > _MAX_TRACE or path[0] == parameter:
        return
    for holder in holders:
        if holder.name == path[: len(holder.name)]:
            rest = path[len(holder.name) :]
            for view in _trace(holder.path, holder.link, parameter, holders, depth + 1):
                inner = View((*view.inside, *rest), None) if view.names is None else view
                yield from _see_through(link, inner) if link is not None else (inner,)


def _see_through(link: Link, inner: View) -> Iterator[View]:
    for view in link.list_views():
        if view.names is None and inner.names is None:
            yield View((*inner.inside, *view.inside), None)
        else:
            names = (inner.names or frozenset()) | (view.names or frozenset())
            yield View(inner.inside, names, _join_keyed(inner, view))


def _join_keyed(inner: View, outer: View) -> frozenset[str]:
    """Give what is only looked up by name where one view may be of another: of two, nothing is."""
    if inner.names is not None and outer.names is not None:
        return frozenset()
    return inner.keyed or outer.keyed


def _list_returned(block: Block) -> Iterator[cst.BaseExpression]:
    for statement in block:
        match statement:
            case Step(node=cst.Return(value=cst.BaseExpression() as value)):
                yield value
            case _:
                for inner in list_blocks(statement):
                    yield from _list_returned(inner)

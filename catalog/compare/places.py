"""Which function of one catalog is which of the other?

A name that both sides have is taken to be the same thing. The others are matched by what they hold: files first,
then classes, then functions, each with one assignment over all that is left.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from catalog.compare.assignment import find_best_pairs
from catalog.compare.containers import Key, Member, match_containers
from catalog.compare.evidence import weigh
from catalog.compare.traits import Place, Traits

Functions = Mapping[Place, list[Traits]]

_FUNCTION_POINTS = 8.5
_SAME_FILE = 4.0
_SAME_METHOD = 3.5
_SAME_NAME = 1.5
_SAME_SIGNATURE = 1.0
_SAME_DOCSTRING = 1.5
_TELLING_SIGNATURE = 12
_COMPANY = 1.0
_MOST_COMPANY = 2.0
"""What is alike in two functions counts for more when it is several entries."""
_MOST_SHARERS = 20
"""What more functions than this share tells nothing."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the functions of the old catalog are in the new one."""

    functions: Mapping[Place, Place]
    """Those that are found again."""
    moved: Mapping[Place, Place]
    """All of them, with the file and class that theirs became."""


def group_functions(traits: Iterable[Traits]) -> Functions:
    """Give the entries of a catalog by the function they stand in."""
    functions: dict[Place, list[Traits]] = defaultdict(list)
    for each in traits:
        functions[each.place].append(each)
    return dict(functions)


def match_places(old: Functions, new: Functions) -> Places:
    """Find for each function of the old catalog the one in the new catalog that it is, where there is one."""
    files = match_containers(_list_files(old), _list_files(new))
    moved = {(path, qualname): (files.get((path,), (path,))[0], qualname) for path, qualname in old}
    classes = match_containers(
        _list_owners({moved[place]: members for place, members in old.items()}), _list_owners(new)
    )
    moved = {place: _rename_owner(target, classes) for place, target in moved.items()}
    found = {place: target for place, target in moved.items() if target in new}
    gone = [place for place in sorted(old) if place not in found]
    taken = set(found.values())
    fresh = [place for place in sorted(new) if place not in taken]
    return Places(found | _match_functions(gone, fresh, moved, old, new), moved)


def _list_files(functions: Functions) -> dict[Key, list[Member]]:
    files: dict[Key, list[Member]] = defaultdict(list)
    for (path, qualname), members in functions.items():
        files[path,].extend((qualname, each.exception, each.skeleton) for each in members)
    return files


def _list_owners(functions: Functions) -> dict[Key, list[Member]]:
    owners: dict[Key, list[Member]] = defaultdict(list)
    for (path, qualname), members in functions.items():
        for owner, name in _split_qualname(qualname):
            owners[path, owner].extend((name, each.exception, each.skeleton) for each in members)
    return owners


def _split_qualname(qualname: str) -> Iterator[tuple[str, str]]:
    """Give every way to read a qualname as an owner and what is in it, the longest owner first."""
    for at in range(len(qualname) - 1, 0, -1):
        if qualname[at] == ".":
            yield qualname[:at], qualname[at + 1 :]


def _rename_owner(place: Place, classes: Mapping[Key, Key]) -> Place:
    path, qualname = place
    for owner, name in _split_qualname(qualname):
        if (path, owner) in classes:
            new_path, new_owner = classes[path, owner]
            return new_path, f"{new_owner}.{name}"
    return place


def _match_functions(
    gone: list[Place], fresh: list[Place], moved: Mapping[Place, Place], old: Functions, new: Functions
) -> dict[Place, Place]:
    weights = {}
    for left, right in _find_candidates([old[place] for place in gone], [new[place] for place in fresh], moved):
        points = _weigh_functions(old[gone[left]], moved[gone[left]], new[fresh[right]], fresh[right])
        if points >= _FUNCTION_POINTS:
            weights[left, right] = points
    return {gone[left]: fresh[right] for left, right in find_best_pairs(weights)}


def _find_candidates(
    gone: list[list[Traits]], fresh: list[list[Traits]], moved: Mapping[Place, Place]
) -> set[tuple[int, int]]:
    """Find the functions that share a file, a name or something they say; the others needn't be looked at."""
    holders: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for right, members in enumerate(fresh):
        for hint in _list_hints(members, members[0].place):
            holders[hint].add(right)
    return {
        (left, right)
        for left, members in enumerate(gone)
        for hint in _list_hints(members, moved[members[0].place])
        if len(holders[hint]) <= _MOST_SHARERS or hint[0] == "file"
        for right in holders[hint]
    }


def _list_hints(members: list[Traits], place: Place) -> Iterator[tuple[str, ...]]:
    yield "file", place[0]
    yield "name", place[1]
    for member in members:
        if member.letters:
            yield "message", member.exception, member.skeleton
        if member.own_guard.innermost:
            yield "test", member.exception, member.own_guard.innermost


def _weigh_functions(old: list[Traits], moved: Place, new: list[Traits], place: Place) -> float:
    """Give the points for two functions being the same: what they hold, on average, and what they are called."""
    few, many = sorted((old, new), key=len)
    points = sum(max(weigh(one, other) for other in many) for one in few) / len(few)
    points += min(_MOST_COMPANY, _COMPANY * (len(few) - 1))
    one, two = old[0].entry.site, new[0].entry.site
    if one.signature == two.signature and len(one.signature or "") >= _TELLING_SIGNATURE:
        points += _SAME_SIGNATURE
    if one.docstring and one.docstring == two.docstring:
        points += _SAME_DOCSTRING
    if moved[1] == place[1]:
        points += _SAME_METHOD if "." in place[1] else _SAME_NAME
    elif moved[1].rpartition(".")[2] == place[1].rpartition(".")[2] and not place[1].endswith("__"):
        points += _SAME_NAME
    return points + (_SAME_FILE if moved[0] == place[0] else 0.0)

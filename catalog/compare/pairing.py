"""Which entry of one catalog is which of the other?

Step by step, from certain to likely: each step pairs only what the earlier ones left, and the likely ones ask for the
points of evidence stated in `_STEPS`. A wrong pair is worse than an added and a removed entry, so the wider a step
looks, the more it asks for.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from catalog.compare.assignment import find_best_pairs
from catalog.compare.evidence import weigh, weigh_edited, weigh_message
from catalog.compare.gaps import Gaps
from catalog.compare.places import Places, group_functions, match_places
from catalog.compare.traits import Place, Traits, read_traits
from catalog.identity import identify
from catalog.records import Entry

Scope = Literal["function", "gap", "class", "file", "content", "message", "company"]
Pair = tuple[Traits, Traits]
Groups = dict[Hashable, list[Traits]]
Weigh = Callable[[Traits, Traits], float]


@dataclass(frozen=True, slots=True)
class Step:
    """Look for partners in one scope, with so many points of evidence in all and so many for the message alone."""

    scope: Scope
    points: float
    message: float | None = None


_STEPS = (
    Step("function", 6.0),
    Step("content", 6.0),
    Step("gap", 1.85),
    Step("gap", 1.85),
    Step("class", 4.0),
    Step("file", 4.5),
    Step("class", 1.6, message=2.0),
    Step("file", 2.0, message=2.4),
    Step("message", 3.0),
    Step("company", 1.0),
)
"""A full message and a full test, both alike, give 4 points each; see `catalog.compare.evidence`.

`function` and `gap` are one function under whichever name, `content` is the same exception, message and test anywhere,
`message` the same message anywhere, `company` where another entry of the same function went. The points were set by
reading what releases of two large projects leave over: a test without a message, for one, is too often found
elsewhere. The second look into gaps sees those that the first made.
"""

_TELLING_LETTERS = 12
_MOST_SHARERS = 60
"""What more entries than this share is no reason to compare them all."""
_STEP_AWAY = 0.02
"""What each place of distance in a function costs: it decides only between equals."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Every entry of both sides once, in the order of the sites."""

    pairs: tuple[tuple[Traits, Traits], ...]
    removed: tuple[Traits, ...]
    added: tuple[Traits, ...]


def pair_entries(old: Iterable[Entry], new: Iterable[Entry]) -> Pairing:
    """Pair the entries of two catalogs of one target."""
    before, after = read_traits(old), read_traits(new)
    if list(map(_order, after)) < list(map(_order, before)):
        # Ties are broken in one direction, whichever side comes first: the diff back is the diff, mirrored.
        pairs = [(left, right) for right, left in _Matching(after, before).find_pairs()]
    else:
        pairs = _Matching(before, after).find_pairs()
    ended = {id(each) for pair in pairs for each in pair}
    pairs.sort(key=lambda pair: _order(pair[1]))
    return Pairing(
        tuple(pairs),
        tuple(each for each in sorted(before, key=_order) if id(each) not in ended),
        tuple(each for each in sorted(after, key=_order) if id(each) not in ended),
    )


class _Matching:
    """What is still alone on both sides, getting less with each step."""

    def __init__(self, old: list[Traits], new: list[Traits]) -> None:
        self.whole = (old, new)
        self.old, self.new = old, new
        self.pairs: list[Pair] = []

    def find_pairs(self) -> list[Pair]:
        """Take all the steps."""
        self._take(pair for pair in _pair_same(self.old, self.new) if _share_id(*pair))
        self._take(_pair_carried(self.old, self.new))
        self._take(_pair_same(self.old, self.new))
        self._take(_pair_named(self.old, self.new, _find_unique(self.whole[0]) & _find_unique(self.whole[1])))
        if self.old and self.new:
            places = match_places(group_functions(self.whole[0]), group_functions(self.whole[1]))
            self._take(_pair_same(self.old, self.new, places.functions))
            for step in _STEPS:
                self._take(self._pair_likely(step, places))
        return self.pairs

    def _pair_likely(self, step: Step, places: Places) -> list[Pair]:
        """Pair what has enough evidence within one scope."""
        candidates = (
            self._find_company() if step.scope == "company" else _find_candidates(self.old, self.new, step, places)
        )
        if step.message is not None:
            least = step.message
            candidates = ((left, right) for left, right in candidates if weigh_message(left, right) >= least)
        weigh_pair = {"gap": Gaps(self.pairs).weigh, "company": weigh_edited, "message": weigh_edited}
        return _assign(candidates, step.points, weigh_pair.get(step.scope, weigh))

    def _find_company(self) -> Iterator[Pair]:
        """Find candidates where other entries of the same function went."""
        went: dict[Place, set[Place]] = defaultdict(set)
        for left, right in self.pairs:
            if left.place != right.place:
                went[left.place].add(right.place)
        waiting = _group((each.place, each) for each in self.new)
        for left in self.old:
            for place in sorted(went.get(left.place, ())):
                yield from ((left, right) for right in waiting.get(place, ()))

    def _take(self, pairs: Iterable[Pair]) -> None:
        taken = list(pairs)
        self.pairs += taken
        ended = {id(each) for pair in taken for each in pair}
        self.old = [each for each in self.old if id(each) not in ended]
        self.new = [each for each in self.new if id(each) not in ended]


def _share_id(left: Traits, right: Traits) -> bool:
    return not {left.entry.id, *left.entry.previous}.isdisjoint((right.entry.id, *right.entry.previous))


def _pair_carried(old: list[Traits], new: list[Traits]) -> Iterator[Pair]:
    """Pair by ids that an earlier lineage gave: one id under two names can't come from the names.

    What is still where it was has been paired before, so that its name's id isn't taken for a lineage.
    """
    by_id = {alias: each for each in new for alias in each.entry.previous} | {each.entry.id: each for each in new}
    taken: set[int] = set()
    for left in sorted(old, key=lambda each: each.entry.id not in by_id):
        for alias in (left.entry.id, *left.entry.previous):
            right = by_id.get(alias)
            if right and id(right) not in taken and _read_name(left) != _read_name(right):
                taken.add(id(right))
                yield left, right
                break


def _pair_same(old: list[Traits], new: list[Traits], moved: Mapping[Place, Place] | None = None) -> Iterator[Pair]:
    """Pair what is the same word for word in the same function; among several, by what stands around them."""
    before = _group((_read_words(each, moved.get(each.place) if moved else each.place), each) for each in old)
    after = _group((_read_words(each, each.place), each) for each in new)
    for words, lefts in before.items():
        rights = after.get(words, [])
        if len(lefts) == len(rights) == 1:
            yield lefts[0], rights[0]
        elif rights:
            yield from _assign(((left, right) for left in lefts for right in rights), least=-100.0, weigh_pair=weigh)


def _pair_named(old: list[Traits], new: list[Traits], unique: set[Hashable]) -> Iterator[Pair]:
    """Pair what has the same id, where that can mean only one entry on each side."""
    by_id = {each.entry.id: each for each in new}
    for left in old:
        right = by_id.get(left.entry.id)
        if right and _read_name(left) == _read_name(right) in unique and (left.letters or weigh(left, right) >= 0):
            yield left, right


def _find_candidates(old: list[Traits], new: list[Traits], step: Step, places: Places) -> Iterator[Pair]:
    """Find what shares the scope; the contents and messages that many have tell nothing."""
    lefts = _group((key, each) for each in old if (key := _read_key(each, step.scope, places)))
    rights = _group((key, each) for each in new if (key := _read_key(each, step.scope, None)))
    most = _MOST_SHARERS if step.scope in ("content", "message") else len(old) + len(new)
    for key, members in lefts.items():
        if key in rights and max(len(members), len(rights[key])) <= most:
            yield from ((left, right) for left in members for right in rights[key])


def _assign(candidates: Iterable[Pair], least: float, weigh_pair: Weigh) -> list[Pair]:
    """Pair what weighs enough, so that all together weighs most."""
    found: dict[tuple[int, int], Pair] = {}
    weights: dict[tuple[int, int], float] = {}
    lefts: dict[int, int] = {}
    rights: dict[int, int] = {}
    for left, right in candidates:
        points = weigh_pair(left, right)
        if points >= least:
            edge = lefts.setdefault(id(left), len(lefts)), rights.setdefault(id(right), len(rights))
            found[edge] = left, right
            weights[edge] = points - least + 1.0 - min(0.5, _STEP_AWAY * abs(left.rank - right.rank))
    return [found[edge] for edge in find_best_pairs(weights)]


def _read_key(each: Traits, scope: Scope, places: Places | None) -> Hashable:
    """Give what two entries must share to be compared in this scope; old ones are asked for their new place."""
    match scope:
        case "function" | "gap":
            return places.functions.get(each.place) if places else each.place
        case "class" | "file":
            path, qualname = places.moved[each.place] if places else each.place
            owner = qualname.rpartition(".")[0]
            return path if scope == "file" else (path, owner) if owner else None
        case "content":
            return each.content
    return each.skeleton if each.letters >= _TELLING_LETTERS else None


def _find_unique(traits: list[Traits]) -> set[Hashable]:
    return {name for name, members in _group((_read_name(each), each) for each in traits).items() if len(members) == 1}


def _read_name(each: Traits) -> Hashable:
    """Give what an id is made of, its place among equals apart."""
    return identify("", each.entry)


def _read_words(each: Traits, place: Place | None) -> Hashable:
    return place, each.exception, each.template, each.entry.guard.condition


def _order(each: Traits) -> tuple[object, ...]:
    site = each.entry.site
    return site.path, site.line, site.column, site.qualname, each.exception, each.template, each.entry.id


def _group(items: Iterable[tuple[Hashable, Traits]]) -> Groups:
    groups: Groups = defaultdict(list)
    for key, each in items:
        groups[key].append(each)
    return dict(groups)

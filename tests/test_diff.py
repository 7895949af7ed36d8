"""What two catalogs have to do with each other: single edits in a table, and laws over any edits."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from factories import make_catalog, make_entry, mine
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.compare.pairing import pair_entries
from catalog.diff import Added, Altered, Change, Removed, check_comparable, find_changes, list_kinds
from catalog.errors import QuestionError
from catalog.records import Catalog, Entry, OptionUse, Skipped

CART = '''
class Cart:
    def resize(self, size, limit):
        """Change how much fits in."""
        if size <= 0:
            raise ValueError(f"size must be positive, got {size}")
        if size > limit:
            raise ValueError(f"size {size} does not fit into {limit}")
        self.size = size

    def lock(self, owner):
        if self.owner is not None:
            raise RuntimeError("the cart is locked by somebody else already")
        assert owner, "an owner is needed to lock a cart"
        assert owner.is_known


def open_cart(path):
    if not path.exists():
        raise FileNotFoundError(f"no cart lies at {path}")
'''


def mine_files(files: dict[str, str]) -> Catalog:
    entries = [entry for path, source in files.items() for entry in mine(source, path=path)]
    return make_catalog(entries)


def tell(changes: Sequence[Change]) -> list[tuple[str, str, str]]:
    """Give kinds, place and title of each change, sorted."""
    told = []
    for change in changes:
        entry = change.old if isinstance(change, Removed) else change.new
        told.append((" ".join(list_kinds(change)), entry.site.qualname, entry.title))
    return sorted(told)


def edit(*replacements: tuple[str, str]) -> str:
    source = CART
    for old, new in replacements:
        assert source.count(old) >= 1, old
        source = source.replace(old, new)
    return source


SIZE, FIT = "size must be positive, got {size}", "size {size} does not fit into {limit}"
LOCKED, OWNER = "the cart is locked by somebody else already", "an owner is needed to lock a cart"
KNOWN, LIES = "assert owner.is_known", "no cart lies at {path}"

EDITS = [
    ("nothing", edit(), []),
    ("lines moved", edit(("class Cart", "import os\n\n\nclass Cart")), []),
    ("another style", edit(("size <= 0", "(size<=0)")), []),
    (
        "a message reworded",
        edit(("must be positive, got", "has to be above zero, not")),
        [("reworded", "Cart.resize", "size has to be above zero, not {size}")],
    ),
    (
        "a hole written otherwise",
        edit(("got {size}", "got {size!r}")),
        [("reworded", "Cart.resize", f"{SIZE[:-1]}!r}}")],
    ),
    ("a guard tightened", edit(("size <= 0", "size < 0")), [("reguarded tightened", "Cart.resize", SIZE)]),
    ("a guard loosened", edit(("size > limit", "size >= limit")), [("reguarded loosened", "Cart.resize", FIT)]),
    (
        "a guard written otherwise",
        edit(("if not path.exists()", "if path.exists() is False or not path.exists()")),
        [("reguarded equivalent", "open_cart", LIES)],
    ),
    (
        "a guard turned around",
        edit(("size > limit", "limit < size")),
        [("reguarded equivalent", "Cart.resize", FIT)],
    ),
    (
        "another guard under the same message",
        edit(("self.owner is not None", "not self.is_free(owner)")),
        [("reguarded changed", "Cart.lock", LOCKED)],
    ),
    ("another exception", edit(("RuntimeError", "PermissionError")), [("retyped", "Cart.lock", LOCKED)]),
    (
        "message, guard and exception at once",
        edit(
            ("RuntimeError", "PermissionError"),
            ("by somebody else already", "by somebody else"),
            ("self.owner is not None", "self.owner is not None and self.owner != owner"),
        ),
        [("reworded reguarded retyped tightened", "Cart.lock", "the cart is locked by somebody else")],
    ),
    ("a function renamed", edit(("open_cart", "read_cart")), [("renamed", "read_cart", LIES)]),
    (
        "a class renamed",
        edit(("class Cart", "class Basket")),
        [
            ("renamed", "Basket.lock", LOCKED),
            ("renamed", "Basket.lock", OWNER),
            ("renamed", "Basket.lock", KNOWN),
            ("renamed", "Basket.resize", SIZE),
            ("renamed", "Basket.resize", FIT),
        ],
    ),
    (
        "a check removed",
        edit(('        assert owner, "an owner is needed to lock a cart"\n', "")),
        [("removed", "Cart.lock", OWNER)],
    ),
    (
        "a check added in front of others",
        edit(
            (
                '        """Change how much fits in."""\n',
                '        """Change how much fits in."""\n        if self.closed:\n'
                '            raise RuntimeError("nothing fits into a closed cart")\n',
            )
        ),
        [("added", "Cart.resize", "nothing fits into a closed cart")],
    ),
    (
        "an early return in front of others",
        edit(("        if size <= 0:", "        if self.closed:\n            return\n        if size <= 0:")),
        [("reguarded tightened", "Cart.resize", SIZE), ("reguarded tightened", "Cart.resize", FIT)],
    ),
    (
        "an assert turned into a raise",
        edit(
            (
                '        assert owner, "an owner is needed to lock a cart"\n',
                '        if not owner:\n            raise TypeError("an owner is needed to lock a cart")\n',
            )
        ),
        [("retyped", "Cart.lock", OWNER)],
    ),
    (
        "a name computed otherwise",
        edit(("        if size > limit:", "        limit = limit * 2\n        if size > limit:")),
        [("reguarded changed", "Cart.resize", FIT)],
    ),
]


@pytest.mark.parametrize(("what", "new", "expected"), EDITS, ids=[edit[0] for edit in EDITS])
def test_an_edit_is_named_and_nothing_else_is(what: str, new: str, expected: list[tuple[str, str, str]]) -> None:
    old = mine_files({"shop/cart.py": CART})
    assert tell(list(find_changes(old, mine_files({"shop/cart.py": new})))) == sorted(expected)


def test_swapped_checks_stay_themselves() -> None:
    first = '        if size <= 0:\n            raise ValueError(f"size must be positive, got {size}")\n'
    second = '        if size > limit:\n            raise ValueError(f"size {size} does not fit into {limit}")\n'
    swapped = CART.replace(first + second, second + first)
    assert swapped != CART
    assert list(find_changes(mine_files({"shop/cart.py": CART}), mine_files({"shop/cart.py": swapped}))) == []


def test_swapped_checks_with_one_message_stay_themselves_though_their_ids_swap() -> None:
    source = (
        "def check(low, high):\n"
        "    if low < 0:\n        raise ValueError('a bound is out of range')\n"
        "    if high > 9:\n        raise ValueError('a bound is out of range')\n"
    )
    turned = source.replace("low < 0", "X").replace("high > 9", "low < 0").replace("X", "high > 9")
    old, new = mine(source), mine(turned)
    assert old[0].id == new[0].id, "ids by themselves only count"
    pairs = [(left.entry.guard.branch, right.entry.guard.branch) for left, right in pair_entries(old, new).pairs]
    assert [(before.split(" and ")[-1], after.split(" and ")[-1]) for before, after in pairs] == [
        ("high > 9", "high > 9"),
        ("low < 0", "low < 0"),
    ]


def test_a_function_moved_to_another_file_keeps_its_entries() -> None:
    start = CART.index("\n\ndef open_cart")
    split = {"shop/cart.py": CART[:start], "shop/files.py": CART[start:]}
    assert tell(list(find_changes(mine_files({"shop/cart.py": CART}), mine_files(split)))) == [
        ("moved", "open_cart", LIES)
    ]


def test_a_renamed_file_keeps_its_entries_and_a_moved_one_too() -> None:
    old = mine_files({"shop/cart.py": CART})
    renamed = list(find_changes(old, mine_files({"shop/basket.py": CART})))
    moved = list(find_changes(old, mine_files({"market/cart.py": CART})))
    assert {list_kinds(change) for change in renamed} == {("renamed",)}
    assert {list_kinds(change) for change in moved} == {("moved",)}
    assert len(renamed) == len(moved) == len(old.entries)


def test_a_check_taken_out_into_a_helper_has_moved() -> None:
    helper = edit(
        (
            '        if size > limit:\n            raise ValueError(f"size {size} does not fit into {limit}")\n',
            "        check_fit(size, limit)\n",
        ),
        (
            "\n\ndef open_cart",
            "\n\ndef check_fit(size, limit):\n    if size > limit:\n"
            '        raise ValueError(f"size {size} does not fit into {limit}")\n\n\ndef open_cart',
        ),
    )
    changes = list(find_changes(mine_files({"shop/cart.py": CART}), mine_files({"shop/cart.py": helper})))
    assert ("moved", "check_fit", FIT) in tell(changes)
    assert not [change for change in changes if isinstance(change, Added | Removed) and _reads(change, FIT)]


def _reads(change: Change, title: str) -> bool:
    return (change.old if isinstance(change, Removed) else change.new).title == title


NEAR_MISSES = [
    # One message for two options: the checks have nothing to do with each other.
    (
        "def check(low):\n    if low < 0:\n        raise ValueError('must not be below zero')\n",
        "def check_other(high, wide):\n    if high in wide:\n        raise ValueError('must not be among the wide')\n",
    ),
    # Abstract methods of two classes.
    (
        "class Reader:\n    def load(self):\n        raise NotImplementedError\n",
        "class Painter:\n    def load(self, colour, brush):\n        raise NotImplementedError\n",
    ),
    # Two asserts without a message about two values.
    (
        "def send(packet):\n    assert isinstance(packet, bytes)\n",
        "def send(address):\n    assert isinstance(address, str)\n",
    ),
]


@pytest.mark.parametrize(("old", "new"), NEAR_MISSES)
def test_errors_that_only_look_alike_are_added_and_removed(old: str, new: str) -> None:
    changes = list(find_changes(make_catalog(mine(old)), make_catalog(mine(new))))
    assert sorted(type(change).__name__ for change in changes) == ["Added", "Removed"]


def test_ids_that_a_lineage_gave_are_followed() -> None:
    (old,) = mine("def a(x):\n    if x > 3:\n        raise ValueError('far too many of these')\n")
    (new,) = mine("def b(y):\n    if not y:\n        raise KeyError('nothing of the kind is here')\n", path="pkg/b.py")
    carried = dataclasses.replace(new, id=old.id)
    aliased = dataclasses.replace(new, previous=(old.id,))
    for heir in (carried, aliased):
        (change,) = find_changes(make_catalog([old]), make_catalog([heir]))
        assert isinstance(change, Altered)
    assert len(list(find_changes(make_catalog([old]), make_catalog([new])))) == 2


def test_options_gained_and_lost_are_told_beside_the_kinds() -> None:
    old = make_entry(id="a" * 16, options=(OptionUse("Cart.size", "size", ("guard",), ()),))
    new = make_entry(id="a" * 16, options=(OptionUse("Cart.limit", "limit", ("guard",), ()),))
    (change,) = find_changes(make_catalog([old]), make_catalog([new]))
    assert isinstance(change, Altered)
    assert (change.kinds, change.options_gained, change.options_lost) == ((), ("Cart.limit",), ("Cart.size",))
    assert list_kinds(change) == ("options",)


def test_other_bases_are_another_exception_and_unknown_ones_are_not() -> None:
    def make(*bases: str) -> Catalog:
        return make_catalog([make_entry(id="a" * 16, exception__name="CartError", exception__bases=bases)])

    (change,) = find_changes(make("ValueError"), make("RuntimeError"))
    assert isinstance(change, Altered)
    assert change.kinds == ("retyped",)
    assert not list(find_changes(make("ValueError"), make()))


def test_what_a_scan_had_to_skip_is_neither_added_nor_removed() -> None:
    whole = mine_files({"shop/cart.py": CART, "shop/gone.py": "raise ValueError('this is at module level')\n"})
    broken = make_catalog(mine(CART, path="shop/cart.py"), skipped=(Skipped("shop/gone.py", "syntax error"),))
    assert list(find_changes(whole, broken)) == []
    assert list(find_changes(broken, whole)) == []


def test_catalogs_of_two_targets_or_scopes_are_refused() -> None:
    shop, market = make_catalog().target, make_catalog(target__name="market").target
    narrow = make_catalog(target__scope=("config",)).target
    with pytest.raises(QuestionError, match="two targets, shop and market"):
        check_comparable(shop, market)
    with pytest.raises(QuestionError, match="scope all and the new one config"):
        check_comparable(shop, narrow)
    check_comparable(shop, narrow, scoped=True)
    check_comparable(shop, make_catalog(target__release="2.0").target)


# Laws. Catalogs are made of few names and texts, so that equal, similar and swapped entries are frequent.

_TESTS = ("size > 3", "size > 5", "size is None", "not ready", "mode in ('a', 'b')", "mode == 'a'", "True")
_TEXTS = (
    None,
    "",
    "{}",
    "the size is out of range",
    "the size {size} is out of range",
    "a size of {size} is far out of range",
    "this mode of operation is unknown",
)


@st.composite
def make_entries(draw: st.DrawFn) -> list[Entry]:
    count = draw(st.integers(0, 7))
    entries = []
    for number in range(count):
        test = draw(st.sampled_from(_TESTS))
        entries.append(
            make_entry(
                id=f"{draw(st.integers(0, 9)) if draw(st.booleans()) else number + 20:016x}",
                site__path=draw(st.sampled_from(("shop/cart.py", "shop/box.py"))),
                site__qualname=draw(st.sampled_from(("Cart.resize", "Cart.lock", "Box.lock", "open_cart"))),
                site__line=10 * number + 5,
                exception__name=draw(st.sampled_from(("ValueError", "KeyError"))),
                message=draw(st.sampled_from(_TEXTS)),
                guard__condition=test,
                guard__branch=test,
            )
        )
    unique = {entry.id: entry for entry in entries}
    return list(unique.values())


def _mirror(changes: Sequence[Change]) -> Counter[tuple[object, ...]]:
    """Describe changes so that those of a mirrored diff read the same."""
    opposite = {"tightened": "loosened", "loosened": "tightened"}
    told: Counter[tuple[object, ...]] = Counter()
    for change in changes:
        match change:
            case Added(new):
                told["removed", new.id] += 1
            case Removed(old):
                told["added", old.id] += 1
            case Altered(old, new, kinds, guard):
                became = opposite.get(guard.change, guard.change) if guard else None
                told[new.id, old.id, kinds, became] += 1
    return told


def _describe(changes: Sequence[Change]) -> Counter[tuple[object, ...]]:
    told: Counter[tuple[object, ...]] = Counter()
    for change in changes:
        match change:
            case Added(new):
                told["added", new.id] += 1
            case Removed(old):
                told["removed", old.id] += 1
            case Altered(old, new, kinds, guard):
                told[old.id, new.id, kinds, guard.change if guard else None] += 1
    return told


@settings(max_examples=150, deadline=None)
@given(make_entries())
def test_nothing_changes_between_a_catalog_and_itself(entries: list[Entry]) -> None:
    assert list(find_changes(make_catalog(entries), make_catalog(entries))) == []


@settings(max_examples=300, deadline=None)
@given(make_entries(), make_entries())
def test_swapping_the_sides_mirrors_every_change(old: list[Entry], new: list[Entry]) -> None:
    there = list(find_changes(make_catalog(old), make_catalog(new)))
    back = list(find_changes(make_catalog(new), make_catalog(old)))
    assert _mirror(back) == _describe(there)


@settings(max_examples=300, deadline=None)
@given(make_entries(), make_entries())
def test_every_entry_of_both_sides_has_exactly_one_fate(old: list[Entry], new: list[Entry]) -> None:
    pairing = pair_entries(old, new)
    lefts = [left.entry for left, _ in pairing.pairs] + [each.entry for each in pairing.removed]
    rights = [right.entry for _, right in pairing.pairs] + [each.entry for each in pairing.added]
    assert Counter(entry.id for entry in lefts) == Counter(entry.id for entry in old)
    assert Counter(entry.id for entry in rights) == Counter(entry.id for entry in new)


@settings(max_examples=200, deadline=None)
@given(make_entries(), make_entries(), st.randoms(use_true_random=False))
def test_the_order_of_the_entries_makes_no_difference(
    old: list[Entry], new: list[Entry], random: "Callable[..., object]"
) -> None:
    expected = list(find_changes(make_catalog(old), make_catalog(new)))
    shuffled_old, shuffled_new = list(old), list(new)
    random.shuffle(shuffled_old)  # type: ignore[attr-defined]
    random.shuffle(shuffled_new)  # type: ignore[attr-defined]
    before = dataclasses.replace(make_catalog(old), entries=tuple(shuffled_old))
    after = dataclasses.replace(make_catalog(new), entries=tuple(shuffled_new))
    assert list(find_changes(before, after)) == expected

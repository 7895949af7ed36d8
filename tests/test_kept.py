"""What a unit gave in an earlier scan is taken where it would be mined the same, and nowhere else."""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.entries import SourceText
from miner.kept import Keeper, KeptUnit
from miner.lexing import LexError
from miner.library import Library
from miner.mine import Mined, find_facts, mine_text
from miner.names import World
from miner.questions import Questions
from miner.recall import Recall, merge_answers
from miner.visitor import UnreadableError

FILES = {
    "shop/__init__.py": "from shop.errors import *\nfrom .texts import FULL as LIMIT\n",
    "shop/texts.py": "FULL = 'the cart is full'\nEMPTY = 'nothing in it'\nKINDS = {'a': 'one', 'b': 'two'}\n",
    "shop/errors.py": (
        "class ShopError(ValueError):\n    def say(self):\n        return 'from the shop'\n\n\n"
        "class CartError(ShopError):\n    message = 'no cart'\n\n"
        "    def __init__(self, text, size=3):\n        self.size = size\n"
        "        super().__init__(f'{text}: {size}')\n\n"
        ""
        "    def __str__(self):\n        return f'cart: {self.size}' + self.say()\n"
    ),
    "shop/helpers.py": (
        "import sys\nfrom typing import NoReturn\nfrom .errors import CartError, ShopError\n"
        "from .texts import EMPTY\n\n\n"
        ""
        "def refuse(text):\n    raise CartError(text)\n\n\n"
        "def give_up(text) -> NoReturn:\n    sys.exit(text)\n\n\n"
        "def make(size):\n    if size:\n        return ShopError(EMPTY)\n    return CartError('none', size)\n\n\n"
        "def settle(config, size=1):\n    config.size = size\n    return config\n\n\n"
        "def look(config):\n    return config.size\n\n\n"
        "def tell(config):\n    return settle(look(config))\n\n\n"
        "TABLE = {'one': settle, 'two': look}\n"
    ),
    "shop/views.py": (
        "class View:\n    def __init__(self, config):\n        self._config = config\n\n"
        "    def __getattr__(self, name):\n        for layer in self._config.layers:\n"
        "            if name in layer:\n                return layer[name]\n"
        "        return getattr(self._config, name)\n\n"
        ""
        "    def settle_all(self):\n        self._config.size = 0\n\n"
        "    def fail_all(self):\n        raise NotImplementedError\n"
    ),
    "shop/cart.py": (
        "from shop import LIMIT, CartError\nfrom shop.helpers import TABLE, look, make, refuse, settle, tell\n"
        "from shop.helpers import give_up as stop\nfrom shop.texts import FULL, KINDS\n"
        "from shop.views import View\n\n\n"
        ""
        "class Cart(View):\n    note = 'a note'\n\n"
        "    def check(self, count):\n        if count < 0:\n            self.fail_all()\n"
        "        assert count, self.note\n        raise CartError(FULL)\n\n"
        "    def fail_all(self):\n        raise CartError('all')\n\n\n"
        "def add(config, count):\n    view = View(config)\n    size = config.size\n"
        "    if count > size:\n        raise CartError(LIMIT, size=size)\n"
        "    settle(config)\n    look(config)\n"
        "    if config.size > 3:\n        refuse(f'{count} is odd')\n"
        "    TABLE[count](config)\n    view.settle_all()\n"
        "    if not view.size:\n        raise make(count)\n"
        "    if config.size < 0:\n        stop('size')\n"
        "    tell(config)\n    assert config.size == view.size\n"
        "    for name in KINDS:\n        if name == count:\n            return config\n"
        "    raise CartError(f'{FULL} of {name!r}')\n\n\n"
        "def many(config):\n    errors = []\n    if config.size:\n        errors.append('size')\n"
        "    if errors:\n        raise ValueError(', '.join(errors))\n\n"
        "    def inner(count):\n        from shop.texts import EMPTY\n        if count: raise KeyError(EMPTY)\n"
        "    return inner\n"
    ),
}
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass
class Results:
    """What a target gave, and how many of its units were taken from before."""

    mined: dict[str, Mined | str]
    kept: dict[str, bytes]
    taken: int = 0
    answers: bytes | None = None


class CountingKeeper(Keeper):
    """A keeper that counts what it finds."""

    taken = 0

    def find(self, key: str) -> KeptUnit | None:
        """Find what is kept, and count it."""
        found = super().find(key)
        self.taken += found is not None
        return found


def mine_all(
    files: Mapping[str, str],
    before: Mapping[str, bytes] | None,
    answers: bytes | None = None,
    *,
    backwards: bool = False,
) -> Results:
    """Mine each module of a target, with what an earlier run has kept or without any keeping."""
    sources = {path: SourceText(path, _name(path), text) for path, text in files.items()}
    facts = {}
    for source in sources.values():
        try:
            facts[source.module] = find_facts(source)
        except LexError:
            continue
    world = World(facts)
    library = Library(world, {source.module: source.text.encode() for source in sources.values()})
    questions, results = Questions(library), Results({}, {})
    recall = Recall(answers, questions)
    library.bodies.recall = recall if before is not None else None
    for path, source in sorted(sources.items(), reverse=backwards):
        keeper = CountingKeeper(before.get(path), questions) if before is not None else None
        try:
            results.mined[path] = mine_text(source, world, "target", library, keeper)
        except (LexError, UnreadableError) as error:
            results.mined[path] = str(error)
            continue
        if keeper is not None:
            results.taken += keeper.taken
            data = keeper.dump()
            assert data is not None
            results.kept[path] = data
    new = recall.take_new()
    results.answers = merge_answers(answers, [new]) if new is not None else answers
    return results


def _name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def test_units_that_moved_are_taken() -> None:
    first = mine_all(FILES, {})
    count = len([kept for data in first.kept.values() for kept in re.findall(rb'"key":', data)])
    assert first.mined == mine_all(FILES, None).mined
    assert first.taken == 0
    again = mine_all(FILES, first.kept)
    assert (again.taken, again.kept) == (count, first.kept)
    moved = {path: f"# a comment\n\n{text}" for path, text in FILES.items()}
    later = mine_all(moved, first.kept)
    assert later.mined == mine_all(moved, None).mined
    assert later.taken == count
    assert later.kept == first.kept


def test_a_comment_or_blank_line_inside_a_unit_leaves_it_the_same() -> None:
    first = mine_all(FILES, {})
    changed = {
        **FILES,
        "shop/cart.py": FILES["shop/cart.py"].replace("    settle(config)\n", "\n    # so\n    settle(config)\n"),
    }
    later = mine_all(changed, first.kept)
    assert later.mined == mine_all(changed, None).mined
    assert later.taken == mine_all(FILES, first.kept).taken


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("shop/texts.py", "the cart is full", "the cart overflows"),
        ("shop/texts.py", "EMPTY = ", "EMPTIED = "),
        ("shop/__init__.py", ".texts import FULL", ".texts import EMPTY"),
        ("shop/__init__.py", "import *", "import ShopError"),
        ("shop/errors.py", "ShopError(ValueError)", "ShopError(KeyError)"),
        ("shop/errors.py", "f'cart: {self.size}'", "f'basket: {self.size}'"),
        ("shop/errors.py", "size=3", "size=4"),
        ("shop/helpers.py", "raise CartError(text)", "raise ShopError(text)"),
        ("shop/helpers.py", "    sys.exit(text)", "    return print(text)"),
        ("shop/helpers.py", "return ShopError(EMPTY)", "return ShopError('so')"),
        ("shop/helpers.py", "    config.size = size\n", "    config.kind = size\n"),
        ("shop/helpers.py", "    return config.size", "    config.size += 1"),
        ("shop/helpers.py", "'two': look}", "'two': look, 'three': tell}"),
        ("shop/helpers.py", "settle(look(config))", "look(config)"),
        ("shop/views.py", "self._config.size = 0", "self._config.kind = 0"),
        ("shop/views.py", "if name in layer", "if layer"),
        ("shop/views.py", "    def settle_all(self):\n", "    def settle_some(self):\n"),
        (
            "shop/more.py",
            "",
            "class Other:\n    def settle_all(self):\n        pass\n\n    def fail_all(self):\n        pass\n",
        ),
        ("shop/cart.py", "note = 'a note'", "note = 'another'"),
        ("shop/cart.py", "Cart(View)", "Cart"),
        ("shop/cart.py", "    def fail_all", "    def rename(self):\n        self.note = 'all'\n\n    def fail_all"),
        (
            "shop/errors.py",
            "    message = 'no cart'\n",
            "    message = 'no cart'\n\n    def say(self):\n        return 'from the cart'\n",
        ),
        ("shop/more.py", "", "from shop.cart import Cart\n\n\nclass Most(Cart):\n    note = 'most'\n"),
    ],
)
def test_a_change_elsewhere_is_seen(path: str, old: str, new: str) -> None:
    first = mine_all(FILES, {})
    text = FILES.get(path, "")
    assert old in text
    changed = {**FILES, path: text.replace(old, new) if text else new}
    later = mine_all(changed, first.kept)
    assert later.mined == mine_all(changed, None).mined
    assert later.taken > 0


def edit(files: Mapping[str, str], pick: random.Random) -> dict[str, str]:
    """Edit a target at random: words, lines, functions and whole files change places, come and go."""
    changed = dict(files)
    path = pick.choice(sorted(changed))
    lines = changed[path].split("\n")
    at = pick.randrange(len(lines))
    words = sorted({word for text in files.values() for word in _WORD.findall(text)})
    match pick.randrange(8):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, pick.choice(("", "# a comment", lines[pick.randrange(len(lines))])))
        case 2 | 3 | 4:
            places = list(_WORD.finditer(lines[at]))
            if places:
                found = pick.choice(places)
                lines[at] = f"{lines[at][: found.start()]}{pick.choice(words)}{lines[at][found.end() :]}"
        case 5:
            other = pick.choice(sorted(files))
            lines += ["", *files[other].split("\n\n\n")[-1].split("\n")]
        case 6:
            changed[f"shop/more{pick.randrange(3)}.py"] = changed[path]
        case _:
            pieces = changed[path].split("\n\n\n")
            pick.shuffle(pieces)
            lines = "\n\n\n".join(pieces).split("\n")
    changed[path] = "\n".join(lines)
    if pick.random() < 0.05:
        del changed[path]
    return changed


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 4))
def test_whatever_is_edited_a_unit_that_is_taken_is_what_mining_gives(seed: int, steps: int) -> None:
    pick, files = random.Random(seed), dict(FILES)
    first = mine_all(files, {})
    kept, answers = first.kept, first.answers
    for _ in range(steps):
        for _ in range(pick.randrange(1, 4)):
            files = edit(files, pick)
        cold = mine_all(files, None)
        assert cold.mined == mine_all(files, None, backwards=True).mined
        later, told = mine_all(files, kept, answers), mine_all(files, {}, answers)
        assert later.mined == told.mined == cold.mined
        kept, answers = later.kept, told.answers


def test_what_is_known_of_functions_is_taken() -> None:
    first = mine_all(FILES, {})
    assert first.answers is not None
    assert b'"shop.helpers.settle"' in first.answers
    again = mine_all(FILES, {}, first.answers)
    assert (again.mined, again.answers) == (first.mined, first.answers)
    assert mine_all(FILES, {}, b"no answers").mined == first.mined


def test_what_cant_be_read_is_mined_again() -> None:
    first = mine_all(FILES, {})
    for spoilt in (b"", b"{}", b"[]", b'{"questions":1}'):
        again = mine_all(FILES, dict.fromkeys(FILES, spoilt))
        assert (again.mined, again.taken, again.kept) == (first.mined, 0, first.kept)

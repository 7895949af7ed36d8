"""A function that only looks at what it is given, told from its text."""

import pytest

from miner.glance import only_looks
from miner.locate import locate_units

LOOKS = (
    "return args.size > 1",
    "if args.kind == 'a' and not args.size:\n        return 1",
    "size = int(3)\n    return args.get_size() + size",
    "if args.size <= 3 and args.limits.low != 2:\n        pass",
    "if other or args.limits:\n        pass",
    "other.args = 3",
    "print('none')",
)
MORE = (
    "args.size = 1",
    "args.size += 1",
    "args.limits['low'] = 1",
    "kept = args",
    "kept = args.limits",
    "kept = other or args.limits",
    "kept = [args]",
    "change(args)",
    "change(1, args.limits)",
    "change(limits=args.limits)",
    "args.limits.update(low=1)",
    "del args.size",
)


@pytest.mark.parametrize("body", LOOKS)
def test_looking_is_seen_at_a_glance(body: str) -> None:
    assert glance(body)


@pytest.mark.parametrize("body", MORE)
def test_more_than_looking_takes_a_second_look(body: str) -> None:
    assert not glance(body)


def glance(body: str) -> bool:
    text = f"def f(args, other):\n    {body}\n"
    return only_looks(text, locate_units(text)[1], "args")

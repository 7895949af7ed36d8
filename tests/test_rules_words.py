"""Conditions in plain words."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from catalog.notes.places import Place
from catalog.notes.words.conditions import say_condition
from catalog.notes.words.demands import say_demand
from catalog.notes.words.names import Sort, find_sort
from catalog.records import Option


def _make_place(name: str, type_: str, *, default: str | None = None, inside: str | None = None) -> Place:
    flag = inside or f"--{name.replace('_', '-')}"
    option = Option(f"Config.{name}", "field", name, (flag,), "Config", type_, default, (), None, "pkg/config.py", 1)
    return Place(option, flag, (name,) if inside else ())


@dataclass(frozen=True)
class _Names:
    places: Mapping[str, Place]

    def find(self, node: ast.expr) -> Place | None:
        return self.places.get(ast.unparse(node))

    def trace(self, node: ast.expr) -> tuple[Place, ...]:
        return (self.places["self.width"],) if ast.unparse(node) == "wide" else ()

    def sort(self, node: ast.expr) -> Sort:
        place = self.find(node)
        return find_sort(place.option) if place is not None else "any"


_NAMES = _Names(
    {
        "length": _make_place("max_length", "int | None", inside="--draft"),
        "self.width": _make_place("width", "int"),
        "self.height": _make_place("height", "int"),
        "self.eager": _make_place("eager", "bool"),
        "self.mode": _make_place("mode", "Optional[str]", default="None"),
        "self.stops": _make_place("stops", "list[str]"),
    }
)


def _parse(condition: str) -> ast.expr:
    return ast.parse(condition, mode="eval").body


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("length is not None and length > limit", "`max_length` (in `--draft`) is set and greater than `limit`"),
        ("self.width < 1", "`--width` is less than 1"),
        ("not self.width >= 1", "`--width` is less than 1"),
        ("not rate >= 1", "`rate` is not at least 1"),
        ("1 > self.width", "`--width` is less than 1"),
        ("not 0 < self.width <= 1", "`--width` is outside the range from 0 (excluded) to 1"),
        ("-2 <= self.width <= 2", "`--width` is in the range from -2 to 2"),
        ('not 0 <= rate < float("inf")', "`rate` is not finite or not at least 0"),
        ("self.width % self.height != 0", "`--width` is not divisible by `--height`"),
        ("self.width % 8", "`--width` is not divisible by 8"),
        ("self.width * self.height % n == 0", "`--width` times `--height` is divisible by `n`"),
        ("self.width != self.height", "`--width` differs from `--height`"),
        ("self.mode == 'fast'", '`--mode` is `"fast"`'),
        ("self.mode != 'fast'", '`--mode` is not `"fast"`'),
        ("self.mode is None", "`--mode` is not set"),
        ("other is None", "`other` is `None`"),
        ("self.mode not in ('a', 'b')", '`--mode` is neither `"a"` nor `"b"`'),
        ("self.mode not in ('a', 'b', 'c')", '`--mode` is none of `"a"`, `"b"` and `"c"`'),
        ("self.mode not in (None, 'a')", '`--mode` is set but not `"a"`'),
        ("self.mode in (None, 'a')", '`--mode` is `"a"` or unset'),
        ("other in (None, 'a')", '`other` is `None` or `"a"`'),
        ("'x' in names", '`names` contains `"x"`'),
        ("key not in table.keys()", "`key` is not a key of `table`"),
        ("self.eager", "`--eager` is on"),
        ("not self.eager", "`--eager` is off"),
        ("not self.mode", "`--mode` is not set"),
        ("self.stops", "`--stops` is not empty"),
        ("len(self.stops) == 0", "`--stops` is empty"),
        ("len(self.stops) > 4", "`--stops` has more than 4 items"),
        ("len(self.stops) < 1", "`--stops` is empty"),
        ("not len(self.stops) > 0", "`--stops` is empty"),
        ("len(self.stops) < 2", "`--stops` has fewer than 2 items"),
        ("len(a) != len(b)", "`a` differs in length from `b`"),
        ("len(a) != 3", "`a` has a length other than 3"),
        ("len(a) != len(set(a))", "`a` has a value more than once"),
        ("not isinstance(a, int)", "`a` is not an `int`"),
        ("isinstance(a, (list, tuple))", "`a` is a `list` or `tuple`"),
        ("not hasattr(a, 'go')", "`a` has no attribute `go`"),
        ("not a.startswith('x')", '`a` does not start with `"x"`'),
        ("a.startswith(('x', 'y'))", '`a` starts with `"x"` or `"y"`'),
        ("not math.isfinite(self.width)", "`--width` is not finite"),
        ("any(x < 0 for x in self.stops)", "for some `x` in `--stops`, `x` is less than 0"),
        ("not all(x in known for x in given)", "for some `x` in `given`, `x` is not in `known`"),
        ("not any(x for x in given)", "for every `x` in `given`, `x` is false"),
        ("a and b or c", "`a` and `b` are true, or `c` is true"),
        ("a and (b or self.width > 1)", "`a` is true and either `b` is true or `--width` is greater than 1"),
        ("not (a and b)", "`a` or `b` is false"),
        ("(a, b) == (1, 2)", "`a` is 1 and `b` is 2"),
        ("current_platform.is_cuda()", "the platform is CUDA"),
        ("not get_platform().is_npu", "the platform is not an NPU"),
        ("(self.width or 1) != 1", "`--width` (or 1 when that is not set) is not 1"),
        ("self.mode.upper() != 'FAST'", '`--mode` (in any case) is not `"FAST"`'),
        ("self.mode.strip().lower() == 'fast'", '`--mode` (case and blanks around it aside) is `"fast"`'),
        ("text.strip() == ''", "`text` is blank"),
        ("self.eager is False", "`--eager` is off"),
        ("sum([self.eager, wide]) > 1", "more than one of `--eager` and `--width` is in use at once"),
        ("self.width > 2**10", "`--width` is greater than 1024"),
        ("kind is Kind.FAST", "`kind` is `Kind.FAST`"),
        ("max(self.width, self.height) > 4", "the largest of `--width` and `--height` is greater than 4"),
        ("f(a)", "`f(a)` is true"),
        ("(x := self.width) > 3", "`--width` is greater than 3"),
        ("True", "always"),
        ("bool(self.mode) != on", "whether there is `--mode` differs from `on`"),
        ("self.mode.strip()", "`--mode` is not blank"),
        ("set(given) <= known", "`given` is at most `known`"),
        ("self.stops <= known", "`--stops` is a subset of `known`"),
        ("[x for x in self.stops if x < 0]", "for some `x` in `--stops`, `x` is less than 0"),
        ("self.mode != Mode.A and self.mode == Mode.B", "`--mode` is not `Mode.A` and is `Mode.B`"),
        ("load(a, b, first_argument_of_many, second_argument_of_many, third_argument_of_many)", "`load(…)` is true"),
        ("wide", "the value computed from `--width` is true"),
        ("wide.now > 3", "`now` of the value computed from `--width` is greater than 3"),
        (
            "self.width > 3 and self.width < x and self.width < 9",
            "`--width` is greater than 3, `--width` is less than `x`, and `--width` is less than 9",
        ),
        ("(a is None) == (b is None)", "`a` and `b` are both `None` or both not"),
        ("(a is None) != (self.mode is None)", "exactly one of `a` and `--mode` is set"),
    ],
)
def test_a_condition_reads_as_a_person_would_say_it(condition: str, words: str) -> None:
    assert say_condition(_parse(condition), _NAMES) == words


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("not self.width < 1", "`--width` must be at least 1"),
        ("self.mode is None", "`--mode` must be left unset"),
        ("self.mode is not None", "`--mode` must be set"),
        ("not self.eager", "`--eager` must be off"),
        ("self.width == self.height", "`--width` must equal `--height`"),
        ("self.mode in ('a', 'b')", '`--mode` must be `"a"` or `"b"`'),
        ("self.mode and self.stops", "`--mode` must be set and `--stops` must not be empty"),
        ("os.path.exists(path)", "`path` must exist"),
        ("hasattr(a, 'go')", "`a` must have an attribute `go`"),
    ],
)
def test_a_condition_reads_as_what_must_be(condition: str, words: str) -> None:
    assert say_demand(_parse(condition), _NAMES) == words

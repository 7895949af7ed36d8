"""Values come back out of a message, and go into the condition that raised it."""

from textwrap import dedent

import pytest
from explaining import explain, find_best, index_shop
from factories import make_catalog, make_entry, make_message, mine

from catalog.explain.answer import AnsweredMatch
from catalog.explain.conditions import put_values
from catalog.explain.stored import index_catalog
from catalog.explain.telling import tell_finding
from catalog.explain.values import Value
from catalog.records import Binding, Clause, Guard, Option, OptionUse


def ask(statement: str, log: str) -> AnsweredMatch:
    """Mine a function with this statement and ask about a log that comes from it."""
    source = f"def load(shelf, most, port, error):\n{dedent(statement)}"
    indented = source.replace("\n", "\n    ")
    best = find_best(log, [index_shop({"shop/load.py": indented})])
    assert best is not None
    return best


def list_values(statement: str, log: str) -> list[tuple[str, str]]:
    return [(value.expr.strip(), value.text) for value in ask(statement, log).values]


@pytest.mark.parametrize(
    ("message", "printed", "expected"),
    [
        ('f"the {shelf} shelf of the warehouse is lost"', "the top shelf of the warehouse is lost", [("shelf", "top")]),
        (
            'f"the warehouse lost {shelf=} and {most = }"',
            "the warehouse lost shelf=7 and most = 3",
            [("shelf", "7"), ("most", "3")],
        ),
        ('f"the warehouse lost shelf {shelf!r}"', "the warehouse lost shelf 'it\\'s'", [("shelf", "'it\\'s'")]),
        ('f"the warehouse lost {most:.2f} percent"', "the warehouse lost 3.14 percent", [("most", "3.14")]),
        ('"the warehouse lost %s of 100%%" % most', "the warehouse lost 7 of 100%", [("most", "7")]),
        (
            '"the warehouse lost {} and {}".format(shelf, most)',
            "the warehouse lost a and b",
            [("shelf", "a"), ("most", "b")],
        ),
        ('"use the warehouse template {shelf}/%04d"', "use the warehouse template {shelf}/%04d", []),
        (
            'f"the warehouse (of {shelf}) lost {most!r})"',
            "the warehouse (of ants) lost Crane('a (b)'))",
            [("shelf", "ants"), ("most", "Crane('a (b)')")],
        ),
    ],
)
def test_values_come_back_from_every_kind_of_hole(message: str, printed: str, expected: list[tuple[str, str]]) -> None:
    statement = f"raise ValueError({message})"

    assert list_values(statement, f"ValueError: {printed}") == expected
    assert ask(statement, f"ValueError: {printed}").exact


def test_values_come_back_from_a_damaged_message() -> None:
    statement = 'raise ValueError(f"the warehouse lost `{shelf}` under pile {most}")'
    match = ask(statement, "ValueError: the ware\nhouse lost top shelf under   pile **7**")

    assert [(value.expr, value.text) for value in match.values] == [("shelf", "top shelf"), ("most", "**7**")]
    assert not match.exact


def test_a_value_at_the_end_stops_where_the_surroundings_go_on() -> None:
    statement = 'raise ValueError(f"the warehouse lost its {shelf}")'
    wrapped = (
        "1 validation error for Shop\n  Value error, the warehouse lost its cat [type=value_error, "
        "input_value=1, input_type=int]"
    )

    assert list_values(statement, wrapped) == [("shelf", "cat")]
    assert list_values(statement, '{"message": "the warehouse lost its cat", "code": 3}') == [("shelf", "cat")]
    assert list_values(statement, "ValueError: the warehouse lost its cat\n\nthanks for any help") == [("shelf", "cat")]


def test_a_value_may_be_a_traceback_of_its_own() -> None:
    statement = 'raise ValueError(f"the warehouse lost its crane. Original error:\\n{error}")'
    log = (
        "1 validation error for Shop\n  Value error, the warehouse lost its crane. Original error:\n"
        'Traceback (most recent call last):\n  File "/srv/crane.py", line 1, in <module>\n    import rope\n'
        "ModuleNotFoundError: No module named 'rope'\n [type=value_error, input_value=1, input_type=int]"
    )
    [(expr, text)] = list_values(statement, log)

    assert expr == "error"
    assert text.startswith("Traceback") and text.endswith("'rope'")


def test_the_answer_quotes_only_the_message() -> None:
    log = 'It stops with "ValueError: cart size=7 cannot exceed the warehouse shelf most=3" and I wonder.'

    assert explain(log).findings[0].message is not None
    assert str(explain(log).findings[0].message).startswith("cart size=7 cannot exceed the warehouse shelf most=3")


def guard(branch: str, *bindings: tuple[str, str]) -> Guard:
    clauses = (Clause("past", "early", True, 3, ()), Clause("if", branch, False, 4, ()))
    bound = tuple(Binding(name, value, 2) for name, value in bindings)
    return Guard(branch, branch, clauses, bound, exact=True, closed=True, inexact_because=())


@pytest.mark.parametrize(
    ("branch", "values", "filled", "because"),
    [
        ("a > b", {"a": "65536", "b": "32768"}, "65536 > 32768", "65536 > 32768"),
        ("a is not None and a > b", {"a": "7", "b": "3"}, "7 is not None and 7 > 3", "7 > 3"),
        ("self.a % self.b != 0", {"self.a": "7", "self.b": "3"}, "7 % 3 != 0", "7 % 3 != 0"),
        ("a < 0 or a > b", {"a": "7", "b": "3"}, "7 < 0 or 7 > 3", "7 > 3"),
        ("kind not in ('x', 'y')", {"kind": "z"}, "'z' not in ('x', 'y')", "'z' not in ('x', 'y')"),
        ("kind == 'x' and not ok", {"kind": "'x'"}, "'x' == 'x' and not ok", "'x' == 'x'"),
        ("len(reqs) > self.size()", {"len(reqs)": "7", "self.size()": "3"}, "7 > 3", "7 > 3"),
        ("x and (a if a else b) > 1", {"a": "2"}, "x and (2 if 2 else b) > 1", "(2 if 2 else b) > 1"),
        ("a > b", {"c": "1"}, "a > b", None),
        ("a > b", {}, "a > b", None),
        ("\u00e4 > b", {"\u00e4": "7"}, "7 > b", "7 > b"),
        ("(a >\n b)", {"a": "7", "b": "3"}, "(7 >\n 3)", "7 >\n 3"),
    ],
)
def test_values_go_into_the_condition(branch: str, values: dict[str, str], filled: str, because: str | None) -> None:
    tripped = put_values(guard(branch), [Value(expr, text) for expr, text in values.items()])

    assert (tripped.branch.strip("()"), tripped.because) == (filled.strip("()"), because)


def test_a_name_bound_to_what_the_message_shows_gets_its_value() -> None:
    tripped = put_values(guard("tokens > most", ("tokens", "len(self.parcels)")), [Value("len(self.parcels)", "9")])

    assert tripped.branch == "9 > most"


def test_the_step_that_led_here_is_the_innermost_branch() -> None:
    tripped = put_values(guard("a > b"), [])

    assert tripped.clause is not None
    assert (tripped.clause.kind, tripped.clause.line) == ("if", 4)


@pytest.mark.parametrize(
    "text", ["(" * 10_000, "9" * 5_000, "1e999999", "[" * 80 + "]" * 80, "\x00", "\ud800", "a\nb", "f'{'", "-"]
)
def test_a_hostile_value_is_shown_and_not_run(text: str) -> None:
    tripped = put_values(guard("a > 3 and b"), [Value("a", text)])

    assert len(tripped.branch) < 200


def test_options_are_told_with_their_values() -> None:
    source = """
    def load(shelf_size, most):
        if shelf_size > most:
            raise ValueError(f"the warehouse has no shelf of {shelf_size=}, only {most=}")
    """
    [entry] = mine(dedent(source), path="shop/load.py")
    use = OptionUse("ShopArgs.shelf_size", "shelf_size", ("guard", "message"), ("cli.py:3",))
    option = Option(
        "ShopArgs.shelf_size", "field", "shelf_size", ("--shelf-size",), "ShopArgs", "int", "4", (), None, "cli.py", 3
    )
    changed = make_entry(**{field: getattr(entry, field) for field in entry.__slots__} | {"options": (use,)})
    catalog = index_catalog(make_catalog([changed], options=(option,)), "shop")
    best = find_best("ValueError: the warehouse has no shelf of shelf_size=9, only most=4", [catalog])

    assert best is not None
    assert [(each.flags, each.value) for each in best.options] == [(("--shelf-size",), "9")]
    assert best.because == "9 > 4"


@pytest.mark.parametrize(
    ("id_", "flags", "name", "told"),
    [
        ("Shelf.size", ("--shelf",), "size", "size inside --shelf = 9"),
        ("Shelf.size", ("--shelf",), "shelf_size", "size inside --shelf (here shelf_size) = 9"),
        ("Shelf.size", ("--shelf-size", "--shelf"), "size", "--shelf-size, --shelf (here size) = 9"),
        ("Shop.size", ("--size", "-s"), "size", "--size, -s (here size) = 9"),
        ("Shop.size", (), "Shop.size", "Shop.size = 9"),
        ("Attic.size", ("--shelf",), "size", "--shelf (here size) = 9"),
    ],
)
def test_an_option_inside_anothers_value_is_told_by_its_key(
    id_: str, flags: tuple[str, ...], name: str, told: str
) -> None:
    def make_option(id_: str, type_: str, *flags: str) -> Option:
        owner, field = id_.split(".")
        return Option(id_, "field", field, flags, owner, type_, None, (), None, "shop/config.py", 3)

    option = make_option(id_, "int", *flags)
    holder = make_option("Shop.shelf", "Shelf | None", "--shelf")
    entry = make_entry(
        message=make_message(f"no room on the shelf for {{{name}}} parcels"),
        options=(OptionUse(id_, name, ("message",), ()),),
    )
    [finding] = explain(
        "ValueError: no room on the shelf for 9 parcels",
        [index_catalog(make_catalog([entry], options=(option, holder)), "shop")],
    ).findings

    assert f"options      {told}" in tell_finding(finding).plain

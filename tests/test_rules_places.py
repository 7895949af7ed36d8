"""Where users set an option."""

import pytest
from factories import make_catalog

from catalog.notes.facts import Facts
from catalog.notes.places import find_place
from catalog.records import Option


def _make_option(id_: str, *flags: str, type_: str = "int") -> Option:
    owner, name = id_.split(".")
    return Option(id_, "field", name, flags, owner, type_, None, (), None, "pkg/config.py", 1)


_OPTIONS = (
    _make_option("Server.width", "--width", "-w"),
    _make_option("Server.draft", "--draft", type_="Draft | None"),
    _make_option("Draft.length", "--draft"),
    _make_option("Draft.passes", "--draft", type_="Passes"),
    _make_option("Draft.late", "--draft", type_="Passes"),
    _make_option("Passes.fuse", "--draft", type_="bool"),
    _make_option("Cache.kind", "--cache-kind", type_="str"),
    _make_option("Server.cache", "--cache", type_="Cache"),
    _make_option("Sampling.heat", type_="float"),
    Option("APP_DEBUG", "env", "APP_DEBUG", (), None, "bool", None, (), None, "pkg/envs.py", 1),
)


@pytest.mark.parametrize(
    ("id_", "source_name", "flag", "keys", "name"),
    [
        ("Server.width", "self.width", "--width", (), "--width"),
        ("Server.draft", "self.draft", "--draft", (), "--draft"),
        ("Draft.length", "length", "--draft", ("length",), "length"),
        ("Passes.fuse", "self.passes.fuse", "--draft", ("passes", "fuse"), "passes.fuse"),
        ("Passes.fuse", "self.late.fuse", "--draft", ("late", "fuse"), "late.fuse"),
        ("Cache.kind", "cache.kind", "--cache-kind", (), "--cache-kind"),
        ("Sampling.heat", "self.heat", None, (), "heat"),
        ("APP_DEBUG", "APP_DEBUG", None, (), "APP_DEBUG"),
    ],
)
def test_an_option_is_set_where_its_flag_or_what_holds_it_is(
    id_: str, source_name: str, flag: str | None, keys: tuple[str, ...], name: str
) -> None:
    facts = Facts.of(make_catalog([], options=_OPTIONS))
    place = find_place(facts.options[id_], facts, source_name)
    assert (place.flag, place.keys, place.name) == (flag, keys, name)


def test_classes_that_hold_each_other_end_the_search() -> None:
    options = (
        _make_option("One.two", "--outer", type_="Two"),
        _make_option("Two.one", "--outer", type_="One"),
    )
    facts = Facts.of(make_catalog([], options=options))
    assert find_place(options[0], facts).keys == ()

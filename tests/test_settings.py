"""Snippets in, settings and their options out."""

import pytest
from factories import make_catalog, make_entry

from catalog.notes.choices import Choices, find_choices
from catalog.notes.facts import Facts
from catalog.notes.settings import Setting, SnippetError, Unreadable, Words, read_settings
from catalog.notes.situation import Situation, Surroundings
from catalog.records import Binding, Entry, Option, OptionUse


def _option(
    id_: str, *flags: str, type_: str | None = "int", default: str | None = "None", kind: str = "field"
) -> Option:
    owner, _, name = id_.rpartition(".")
    return Option(id_, kind, name, flags, owner or None, type_, default, (), None, "shop/settings.py", 3)  # type: ignore[arg-type]


OPTIONS = (
    _option("ShopConfig.oven", "--oven", type_="OvenConfig | None"),
    _option("OvenConfig.heat", "--oven", type_="int | None"),
    _option("OvenConfig.fan", "--oven", type_="FanConfig"),
    _option("FanConfig.speed", "--oven", type_="float"),
    _option("ShopConfig.sizes", "--sizes", type_="list[int]", default="list()"),
    _option("ShopConfig.open", "--open", "--no-open", type_="bool", default="True"),
    _option("ShopConfig.name", "--name", "-n", type_="str", default='"corner"'),
    _option("ShopConfig.extra", "--extra", type_="dict[str, Any]", default="dict()"),
    _option("ShopConfig.workers", "--workers", default="1"),
    _option("SHOP_PORT", kind="env", default='"80"'),
    _option("Recipe.steps", default="1"),
)


def _entry(**changes: object) -> Entry:
    return make_entry(
        site__qualname="Oven.warm",
        site__signature="(self, oven_heat: int, limit: int = 3) -> None",
        options=(OptionUse("OvenConfig.heat", "oven_heat", ("guard",), ()),),
        **changes,
    )


FACTS = Facts.of(make_catalog([_entry()], options=OPTIONS))


@pytest.mark.parametrize(
    ("snippet", "language", "settings"),
    [
        ("--workers 4", "sh", [Setting("flag", "--workers", Words(("4",)))]),
        ("shop serve cake --workers=4 -n x", "sh", [("--workers", Words(("4",))), ("-n", Words(("x",)))]),
        ("--sizes 1 2 -3 \\\n  --open", "sh", [("--sizes", Words(("1", "2", "-3"))), ("--open", Words(()))]),
        ("""--oven '{\n "heat": 3\n}'""", "sh", [("--oven", {"heat": 3})]),
        ("--oven.fan.speed 2", "sh", [Setting("flag", "--oven", Words(("2",)), ("fan", "speed"))]),
        (
            "SHOP_PORT=8 shop --open # don't\n--workers 2",
            "sh",
            [("SHOP_PORT", Words(("8",))), ("--open", Words(())), ("--workers", Words(("2",)))],
        ),
        ("export SHOP_PORT=8", "sh", [Setting("variable", "SHOP_PORT", Words(("8",)))]),
        ("python -m shop --workers $N", "sh", [("--workers", Unreadable("$N"))]),
        (
            "Shop(workers=4, oven={'heat': 3})",
            "python",
            [Setting("keyword", "workers", 4, (), "Shop"), ("oven", {"heat": 3})],
        ),
        ("shop = Shop(oven=OvenConfig(heat=3))", "python", [("heat", 3), ("oven", {"heat": 3})]),
        ("oven = {'heat': 1 + 2}\nShop(oven=oven)", "python", [("oven", {"heat": 3})]),
        (
            "args.workers = 4\nimport os\nos.environ['SHOP_PORT'] = '8'",
            "python",
            [("workers", 4), Setting("variable", "SHOP_PORT", "8")],
        ),
        ("config.oven.fan.speed = 2", "python", [Setting("keyword", "oven", 2, ("fan", "speed"))]),
        ("oven_config['heat'] = 3", "python", [Setting("keyword", "oven_config", 3, ("heat",))]),
        ("Shop(name=load())", "python", [("name", Unreadable("load()"))]),
        ('{"workers": 4, "oven": {"heat": null}}', "json", [("workers", 4), ("oven", {"heat": None})]),
        ("workers: 4\nmodel-path: x\n", "yaml", [("workers", 4), Setting("flag", "--model-path", "x")]),
    ],
)
def test_reads_what_a_snippet_sets(snippet: str, language: str, settings: list[Setting | tuple[str, object]]) -> None:
    found = read_settings(snippet, language).settings
    assert [
        (setting.name, setting.value) if isinstance(wanted, tuple) else setting
        for setting, wanted in zip(found, settings, strict=True)
    ] == settings


@pytest.mark.parametrize(
    ("snippet", "language", "reason"),
    [
        ("--name 'x", "sh", "no closing quotation"),
        ("""--oven '{"heat": 3'""", "sh", "the value of --oven is not JSON"),
        ("""--oven '"heat": 3}'""", "sh", "the value of --oven is not JSON"),
        ("--sizes [1,2", "sh", "bracket that is not closed"),
        ("Shop(workers=4", "python", "line 1: '(' was never closed"),
        ("for x in y: Shop(x)", "python", "does not decide or loop"),
        ('{"workers": 4', "json", "not JSON"),
        ("[1]", "json", "no object of options"),
        ('{"--workers": 4}', "json", "an object has keys, not flags"),
        ("workers: [1", "yaml", "not YAML"),
        ("!!python/object/apply:os.system ['true']", "yaml", "not YAML"),
        ("--workers 4\n# given: x is small", "sh", "is not NAME = LITERAL"),
        ("--workers 4", "toml", "none of the languages"),
        ("-" * 30_000, "python", "too long"),
        ("(" * 3000, "python", "does not parse"),
        ("-" * 9000 + "1", "python", "Python"),
        ("[" * 9000, "json", "not JSON"),
        ("[" * 9000, "yaml", "not YAML"),
        (
            "a: &a [x, x, x, x, x, x, x, x, x]\n"
            + "".join(f"{n}: &{n} [{', '.join([f'*{o}'] * 9)}]\n" for o, n in zip("abcdefg", "bcdefgh", strict=True)),
            "yaml",
            "too much",
        ),
    ],
)
def test_what_is_no_snippet_says_why(snippet: str, language: str, reason: str) -> None:
    with pytest.raises(SnippetError) as caught:
        read_settings(snippet, language)
    assert reason in caught.value.reason
    assert "\n" not in caught.value.reason


def test_givens_are_any_expression_of_the_condition() -> None:
    snippet = "--workers 4  # given: limit = 3\n# given: cfg.get( 'x' ) == 1 = True\n# given: sizes=[1, 2]\n"
    assert read_settings(snippet, "sh").givens == {"limit": 3, "cfg.get('x') == 1": True, "sizes": [1, 2]}


def _choose(snippet: str, language: str = "sh") -> Choices:
    return find_choices(read_settings(snippet, language), _entry(), FACTS)


@pytest.mark.parametrize(
    ("snippet", "language", "values"),
    [
        ("--workers 4", "sh", {"ShopConfig.workers": 4}),
        ("--no-open", "sh", {"ShopConfig.open": False}),
        ("--open cake", "sh", {"ShopConfig.open": True}),
        ("--sizes 1 2", "sh", {"ShopConfig.sizes": [1, 2]}),
        ("--sizes '[1, 2]'", "sh", {"ShopConfig.sizes": [1, 2]}),
        ("-n 3", "sh", {"ShopConfig.name": "3"}),
        ("""--oven '{"heat": 3}'""", "sh", {"ShopConfig.oven": {"heat": 3}, "OvenConfig.heat": 3}),
        ("--oven.fan.speed 2", "sh", {"FanConfig.speed": 2.0}),
        ("SHOP_PORT=8", "sh", {"SHOP_PORT": Words(("8",))}),
        ("Recipe(steps=0)", "python", {"Recipe.steps": 0}),
        ("OvenConfig(heat=3)", "python", {"OvenConfig.heat": 3}),
        ("config.oven.heat = 3", "python", {"OvenConfig.heat": 3}),
        ("oven_config['heat'] = 3", "python", {"OvenConfig.heat": 3}),
        ("""--extra '{"anything": 3}'""", "sh", {"ShopConfig.extra": {"anything": 3}}),
    ],
)
def test_finds_the_options_behind_the_names(snippet: str, language: str, values: dict[str, object]) -> None:
    assert _choose(snippet, language).values == values


@pytest.mark.parametrize(
    ("snippet", "language", "complaint"),
    [
        ("--worker 4", "sh", "`--worker` is no flag; did you mean `--workers`?"),
        ("--frobnicate", "sh", "`--frobnicate` is no flag"),
        (
            """--oven '{"oven_heat": 3}'""",
            "sh",
            "`oven_heat` is no key of `--oven`: it is what the source calls `heat` inside `--oven`, so set that",
        ),
        ("""--oven '{"heet": 3}'""", "sh", "`heet` is no key of `--oven`; did you mean `heat`?"),
        ("""--oven '{"speed": 3}'""", "sh", "`speed` is no key of `--oven`: it is set as `fan.speed` inside `--oven`"),
        ("OvenConfig(oven_heat=3)", "python", "`oven_heat` is no option of `OvenConfig`: it is what the source calls"),
        ("Shop(heat=3)", "python", "`heat` is no option of `Shop`: it is set as `heat` inside `--oven`"),
        ("SHOP_POTR=3", "sh", "`SHOP_POTR` is no environment variable that is read; did you mean `SHOP_PORT`?"),
    ],
)
def test_a_name_that_leads_nowhere_is_told_with_what_to_try(snippet: str, language: str, complaint: str) -> None:
    (stranger,) = _choose(snippet, language).strangers
    assert complaint in stranger


def test_an_argument_of_the_function_that_raises_needs_no_option() -> None:
    assert _choose("oven.warm(limit=0)", "python").arguments == {"limit": 0}
    assert _choose("oven.cool(limit=0)", "python").strangers


@pytest.mark.parametrize(
    ("condition", "snippet", "holds"),
    [
        ("oven_heat > limit", """--oven '{"heat": 5}'\n# given: limit = 3""", True),
        ("oven_heat > limit", """--oven '{"heat": 3}'\n# given: limit = 3""", False),
        ("oven_heat is None", "--workers 1", True),  # the default
        ("hot", "--oven.heat 9", True),  # a binding, worked out
        ("hot", "--oven.heat 8", False),
        ("cfg.heat > 3", "--oven.heat 4", True),  # a path that ends with the option's name
    ],
)
def test_a_condition_is_read_in_the_situation_of_a_snippet(condition: str, snippet: str, holds: bool) -> None:
    entry = _entry(guard__bindings=(Binding("heat", "cfg.heat * 2", 4), Binding("hot", "heat > 16", 5)))
    settings = read_settings(snippet, "sh")
    situation = Situation(Surroundings.of(entry, FACTS), settings.givens, find_choices(settings, entry, FACTS))
    assert situation.holds(condition) is holds


def test_a_name_that_is_adjusted_has_the_users_value_in_its_own_definition() -> None:
    entry = _entry(guard__bindings=(Binding("self.heat", "self.heat + 1 if self.heat else 7", 5),))
    settings = read_settings("--oven.heat 2", "sh")
    situation = Situation(Surroundings.of(entry, FACTS), {}, find_choices(settings, entry, FACTS))
    assert situation["self.heat"] == 3


def test_of_several_definitions_none_counts() -> None:
    entry = _entry(guard__bindings=(Binding("cfg.heat", "9", 5), Binding("cfg.heat", "7", 3)))
    settings = read_settings("--oven.heat 2", "sh")
    situation = Situation(Surroundings.of(entry, FACTS), {}, find_choices(settings, entry, FACTS))
    assert situation["cfg.heat"] == 2

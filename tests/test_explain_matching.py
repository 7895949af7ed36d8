"""A log leads to the entry it came from, for stated reasons, and to none when it came from elsewhere."""

from textwrap import dedent

import pytest
from explaining import FILES, TILL, explain, find_best, find_place, index_shop

from catalog.explain.values import Value

EXCEEDS = "cart {size=} cannot exceed the warehouse shelf {most=}"
EMPTY = "nobody put coins into the till drawer"
LOCKED = "Please unlock `drawer_key` before anyone counts."
SETTLING = "settling the day failed, the till said: {error}. Count again tomorrow."


def traceback(path: str, line: int, function: str, source: str, error: str) -> str:
    return (
        "Traceback (most recent call last):\n"
        f'  File "/usr/lib/python3/site-packages/{path}", line {line}, in {function}\n    {source}\n{error}'
    )


@pytest.mark.parametrize(
    "log",
    [
        "ValueError: cart size=7 cannot exceed the warehouse shelf most=3",
        "ValueErrror: cart size=7 cannot exceed the warehouse shelf most=3",
        "cart size=7 cannot exceed the warehouse shelf most=3",
        'It says "ValueError: cart size=7 cannot exceed the warehouse shelf most=3" and dies.',
        "> **cart size=7 cannot exceed the warehouse shelf most=3**",
        '{"error":{"message":"Value error, cart size=7 cannot exceed the warehouse shelf most=3","code":400}}',
        '{"detail": "cart size=7 cannot exceed the warehouse shelf most=3", "sta',
        "ValueError: cart size=7 cannot exc\need the warehouse shelf most=3",
        "ValueError: cart size=7 can\u00adnot   exceed the warehouse\n    shelf most=3",
        "ValueError: cart size=7 cannot exceed the warehou",
        "RuntimeError: worker died: ValueError('cart size=7 cannot exceed the warehouse shelf most=3')",
        "(Worker_TP0 pid=3) ERROR 01-02 03:04 [w:1] ValueError: cart size=7 cannot exceed the warehouse shelf most=3",
    ],
)
def test_a_message_leads_to_its_entry_however_it_is_dressed(log: str) -> None:
    assert find_place(log) == ("Cart.resize", EXCEEDS)


@pytest.mark.parametrize(
    "log",
    [
        "ValueError: cart size=7 may exceed the warehouse shelf most=3",
        "ValueError: shelf exceeded",
        "the cart cannot exceed the warehouse",
        "WARNING 01-02 03:04:05 [cart.py:3] cart size=7 cannot exceed the warehouse shelf most=3",
        "KeyError: 'size'",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
        traceback("other/cart.py", 7, "resize", "raise ValueError(", "ValueError: cart is too large"),
        "",
        "\n\n\n",
    ],
)
def test_what_comes_from_elsewhere_leads_nowhere(log: str) -> None:
    match = find_best(log)

    assert match is None or match.sure == "similar"


def test_the_same_text_raised_by_another_package_is_not_the_shops() -> None:
    log = traceback(
        "depot/store.py",
        9,
        "fill",
        "raise ValueError(",
        "ValueError: cart size=7 cannot exceed the warehouse shelf most=3",
    )

    assert find_best(log) is None


def test_another_package_that_passes_on_what_it_was_handed_hides_nothing() -> None:
    log = traceback(
        "futures/base.py",
        9,
        "result",
        "raise self._exception",
        "ValueError: cart size=7 cannot exceed the warehouse shelf most=3",
    )

    assert find_place(log) == ("Cart.resize", EXCEEDS)


def test_a_thin_template_never_wins_alone() -> None:
    assert find_best("TillError: Coin error: 12") is None
    assert find_best("RuntimeError: parcel: harbour") is None


def test_a_thin_template_wins_with_a_frame() -> None:
    line = TILL.split("\n").index('        raise TillError(f"Coin error: {coins}")') + 1
    log = traceback(
        "shop/till.py", line, "count", 'raise TillError(f"Coin error: {coins}")', "TillError: Coin error: 12"
    )

    assert find_place(log) == ("count", "Coin error: {coins}")


def test_equal_texts_are_tied_unless_a_frame_decides() -> None:
    message = "RuntimeError: Please unlock drawer_key before anyone counts."
    tied = explain(message).findings[0]

    assert tied.tied
    assert {match.site.qualname for match in tied.matches} == {"open_drawer", "close_drawer"}

    decided = explain(traceback("shop/till.py", 99, "close_drawer", "raise RuntimeError(", message)).findings[0]
    assert not decided.tied
    assert decided.matches[0].site.qualname == "close_drawer"


def test_of_two_texts_that_begin_alike_the_fuller_one_wins() -> None:
    source = """
    def load(shelf, most):
        if shelf:
            raise ValueError("Not enough space on the northern shelf.")
        raise ValueError(f"Not enough space on the northern shelf. {shelf=}, {most=}")
    """
    catalog = index_shop({"shop/load.py": dedent(source)})

    full = find_best("ValueError: Not enough space on the northern shelf. shelf=None, most=3", [catalog])
    short = find_best("ValueError: Not enough space on the northern shelf.", [catalog])
    assert full is not None and full.template is not None and full.template.endswith("{most=}")
    assert short is not None and short.template is not None and short.template.endswith("shelf.")


def test_an_assert_without_a_message_is_found_by_its_line_of_source_where_lines_have_moved() -> None:
    log = traceback("shop/cart.py", 400, "weigh", "assert scale.drift % scale.step == 0", "AssertionError")

    assert find_place(log) == ("Cart.weigh", "not (scale.drift % scale.step == 0)") or find_place(log) == (
        "Cart.weigh",
        "scale.drift % scale.step != 0",
    )


def test_a_line_of_source_alone_is_enough() -> None:
    assert find_place('I only have\n\n    raise TillError("nobody put coins into the till drawer")') == ("count", EMPTY)


def test_only_the_last_frame_is_enough_when_it_stands_at_a_raise() -> None:
    line = TILL.split("\n").index('        raise TillError("nobody put coins into the till drawer")') + 1

    assert find_place(f'  File "/srv/shop/till.py", line {line}, in count') == ("count", EMPTY)
    assert find_place('  File "/srv/shop/till.py", line 2, in count') is None


def test_an_error_that_python_raises_in_a_function_with_a_raise_is_not_that_raise() -> None:
    line = TILL.split("\n").index("    if len(coins) > 9:") + 1
    log = traceback("shop/till.py", line, "count", "if len(coins) > 9:", "TypeError: object of type 'int' has no len()")

    assert find_best(log) is None


def test_eaten_underscores_and_indentation_do_no_harm() -> None:
    source = """
    class Field:
        def __bool__(self):
            raise RuntimeError("Please ask the `field` for its value")

        def __len__(self):
            raise RuntimeError("Please ask the `field` for its value")
    """
    catalog = index_shop({"shop/field.py": dedent(source)})
    log = (
        'Traceback (most recent call last):\nFile "/srv/shop/field.py", line 3, in bool\nraise RuntimeError(\n'
        "RuntimeError: Please ask the field for its value"
    )
    best = find_best(log, [catalog])

    assert best is not None
    assert best.site.qualname == "Field.__bool__"


def test_a_file_of_the_same_name_elsewhere_does_not_count() -> None:
    files = {**FILES, "shop/harbour/till.py": TILL}
    log = traceback(
        "shop/harbour/till.py", 9, "count", "raise TillError(", "TillError: nobody put coins into the till drawer"
    )
    best = find_best(log, [index_shop(files)])

    assert best is not None
    assert best.site.path == "shop/harbour/till.py"


def test_the_cause_in_a_chain_comes_before_what_it_caused() -> None:
    log = """
    Traceback (most recent call last):
      File "/srv/shop/till.py", line 9, in count
        raise TillError("nobody put coins into the till drawer")
    shop.till.TillError: nobody put coins into the till drawer

    The above exception was the direct cause of the following exception:

    Traceback (most recent call last):
      File "/srv/shop/till.py", line 26, in settle
        raise ValueError(f"settling the day failed, the till said: {error}. Count again tomorrow.") from error
    ValueError: settling the day failed, the till said: nobody put coins into the till drawer. Count again tomorrow.

    During handling of the above exception, another exception occurred:

    asyncio.exceptions.CancelledError
    """
    findings = explain(dedent(log)).findings

    assert [finding.matches[0].template if finding.matches else None for finding in findings] == [EMPTY, SETTLING, None]


def test_what_a_wrapper_quotes_is_told_before_the_wrapper() -> None:
    log = (
        "ValueError: settling the day failed, the till said: nobody put coins into the till drawer. "
        "Count again tomorrow."
    )

    assert [finding.matches[0].template for finding in explain(log).findings] == [EMPTY, SETTLING]


def test_an_error_that_every_rank_reports_is_told_once() -> None:
    log = "\n".join(
        f"(Worker_TP{rank} pid={rank}) ERROR 01-02 03:04:05 [w.py:1] TillError: nobody put coins into the till drawer"
        for rank in range(8)
    )
    findings = explain(log).findings

    assert [finding.times for finding in findings] == [8]


def test_an_echo_of_the_cause_comes_after_it() -> None:
    source = """
    def start(core):
        raise RuntimeError("The harbour engine failed to start. See the root cause above.")
    """
    catalog = index_shop({**FILES, "shop/engine.py": dedent(source)})
    log = (
        "RuntimeError: The harbour engine failed to start. See the root cause above.\n"
        "full log:\nTillError: nobody put coins into the till drawer"
    )

    assert next(finding.matches[0].template for finding in explain(log, [catalog]).findings) == EMPTY


def test_similar_wording_is_said_to_be_only_that() -> None:
    source = """
    def load(shelf):
        raise ValueError("the northern warehouse refuses parcels heavier than its crane can lift at night")
    """
    catalog = index_shop({**FILES, "shop/load.py": dedent(source)})
    log = "ValueError: the northern warehouse refuses parcels heavier than its crane may lift at night"
    best = find_best(log, [catalog])

    assert best is not None
    assert best.sure == "similar"
    assert not best.exact
    assert any("similar" in reason for reason in best.reasons)


def test_each_match_says_why() -> None:
    line = TILL.split("\n").index('        raise TillError("nobody put coins into the till drawer")') + 1
    source = 'raise TillError("nobody put coins into the till drawer")'
    best = find_best(
        traceback("shop/till.py", line, "count", source, "TillError: nobody put coins into the till drawer")
    )

    assert best is not None
    assert best.sure == "certain"
    assert best.exact
    assert best.reasons == (
        "the message has the entry's fixed text, in order",
        "it begins where the message begins",
        "it ends where the message ends",
        "the exception is TillError",
        f"the traceback ends at line {line}, in count()",
        "it is the entry's text letter by letter",
    )


CUSTOMS = """
class BadParcel(Exception):
    pass


class Quarantine(Exception):
    pass


def clear(parcel, days):
    if not parcel:
        raise BadParcel(f"the customs keep {parcel} until somebody pays")
    if days:
        raise Quarantine(f"the customs keep {parcel} until somebody pays")
"""


@pytest.mark.parametrize(
    ("before", "behind", "exception"),
    [
        ("(Worker pid=3) ERROR 01-02 03:04:05 [w.py:1] shop.customs.BadParcel: ", "", "shop.customs.BadParcel"),
        ("(Worker pid=3) ERROR 01-02 03:04:05 [w.py:1] worker died: BadParcel: ", "", "BadParcel"),
        ("step failed (shop.customs.BadParcel: ", ")", "shop.customs.BadParcel"),
        ("BadParcel: ", "", "BadParcel"),
        ("Quarantine: ", "", "Quarantine"),
        ("shop.customs.Quarantine: ", "", "shop.customs.Quarantine"),
        ("raise BadParcel: ", "", None),
        ("GoodParcel: ", "", None),
        ("Parcels in Quarantine: ", "", None),
    ],
)
def test_a_class_of_any_name_is_known_when_the_catalog_raises_it(
    before: str, behind: str, exception: str | None
) -> None:
    log = f"{before}the customs keep 3 until somebody pays{behind}"
    [finding] = explain(log, [index_shop({"shop/customs.py": CUSTOMS})]).findings

    assert finding.exception == exception
    assert finding.matches[0].values == (Value("parcel", "3"),)


LAZY = """
def __getattr__(name):
    if name not in shelves:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
"""


def test_a_message_that_names_its_module_comes_from_that_one() -> None:
    catalogs = [index_shop({"shop/attic.py": LAZY, "shop/cellar.py": LAZY})]
    best = find_best("AttributeError: module 'shop.cellar' has no attribute 'wine'", catalogs)

    assert best is not None
    assert best.site.path == "shop/cellar.py"
    assert find_best("AttributeError: module 'numpy' has no attribute 'wine'", catalogs) is None


HARBOURS = """
def moor(ship, quay):
    if quay is None:
        raise ValueError(f"Unknown HarbourQuay: {ship}")
    if quay.is_closed:
        raise ValueError(f"Unknown harbour quay {ship}")
    if ship < 0:
        raise ValueError(f"{ship} must be non-negative")
    if not isinstance(quay, Quay):
        raise TypeError(f"the harbour has no mooring for {type(ship)} at all")
"""


@pytest.mark.parametrize(
    ("message", "template"),
    [
        ("Unknown HarbourQuay: 3", "Unknown HarbourQuay: {ship}"),
        ("Unknown harbour quay 3", "Unknown harbour quay {ship}"),
        ("the harbour has no mooring for <class 'Raft'> at all", "the harbour has no mooring for {type(ship)} at all"),
        ("lo must be non-negative", None),
    ],
)
def test_of_texts_with_the_same_letters_the_one_written_alike_wins(message: str, template: str | None) -> None:
    best = find_best(f"ValueError: {message}", [index_shop({"shop/quay.py": HARBOURS})])

    assert (best and best.template) == template


def test_a_value_that_its_hole_cannot_have_speaks_against_the_entry() -> None:
    [finding] = explain("the harbour has no mooring for 7 at all", [index_shop({"shop/quay.py": HARBOURS})]).findings

    assert "a value is none that could stand there" in finding.matches[0].reasons

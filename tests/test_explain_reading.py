"""Errors are read out of text however it is dressed: the exception, the message, the frames."""

from textwrap import dedent

import pytest

from catalog.explain.logs import Log, Report, read_log


def read(log: str) -> Log:
    return read_log(dedent(log).strip("\n"))


def tell(log: Log, report: Report) -> tuple[str | None, str]:
    return report.exception, log.text[report.message_start : report.message_end].strip()


def list_errors(log: str) -> list[tuple[str | None, str]]:
    found = read(log)
    return [tell(found, report) for report in found.reports]


def list_frames(log: str) -> list[tuple[str, int | None, str | None, str | None]]:
    return [
        (frame.path, frame.line, frame.function, frame.source)
        for report in read(log).reports
        for frame in report.frames
    ]


def test_a_plain_traceback() -> None:
    log = """
        Traceback (most recent call last):
          File "/srv/shop/till.py", line 12, in count
            raise TillError(
                  ^^^^^^^^^
        shop.till.TillError: nobody put coins in
    """

    assert list_errors(log) == [("shop.till.TillError", "nobody put coins in")]
    assert list_frames(log) == [("/srv/shop/till.py", 12, "count", "raise TillError(")]


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        ('File "/srv/shop/till.py", line 12, in count', ("/srv/shop/till.py", 12, "count")),
        ("File \u201c/srv/shop/till.py\u201d, line 12, in count", ("/srv/shop/till.py", 12, "count")),
        ("File /srv/shop/till.py, line 12, in count", ("/srv/shop/till.py", 12, "count")),
        ('File "/srv/shop/till.py", line 12 in count', ("/srv/shop/till.py", 12, "count")),
        ('File "D:\\My Shop\\till.py", line 12, in <module>', ("D:\\My Shop\\till.py", 12, "<module>")),
        ('File "/srv/shop/till_\n2.py", line 12, in count', ("/srv/shop/till_2.py", 12, "count")),
        ("File C:\\shop\\till.py:12, in Till.count(self)", ("C:\\shop\\till.py", 12, "Till.count")),
        ("/srv/shop/till.py:12 in count", ("/srv/shop/till.py", 12, "count")),
        ("/srv/shop/till.py in count at line 12", ("/srv/shop/till.py", 12, "count")),
        ("count (/srv/shop/till.py:12)", ("/srv/shop/till.py", 12, "count")),
    ],
)
def test_a_frame_in_each_style(frame: str, expected: tuple[str, int, str]) -> None:
    assert [found[:3] for found in list_frames(f"  {frame}")] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "the file till.py has a line 12 in it",
        "see /srv/shop/till.py:12 for more",
        "File a complaint, line up in front of the till",
        "count(till.py, 12)",
    ],
)
def test_prose_about_files_is_no_frame(text: str) -> None:
    assert list_frames(text) == []


def test_a_notebook_listing_gives_the_line_at_its_arrow() -> None:
    log = """
        ---------------------------------------------------------------------------
        Closed                                    Traceback (most recent call last)
        Cell In[12], line 2
              1 shop = open_shop()
        ----> 2 shop.count()

        /usr/lib/shop/till.py in count(self, coins)
             34     x = 1
        ---> 35     raise Closed(
             36         "come back tomorrow"
             37     )

        Closed: come back tomorrow
    """

    assert list_frames(log)[-1] == ("/usr/lib/shop/till.py", 35, "count", "raise Closed(")
    assert list_errors(log) == [("Closed", "come back tomorrow")]


def test_pytest_names_the_place_below_the_message() -> None:
    log = """
            def count(coins):
        >       raise TillError("no coins")
        E       shop.till.TillError: no coins

        src/shop/till.py:12: TillError
    """

    assert list_errors(log) == [("shop.till.TillError", "no coins")]
    assert list_frames(log)[-1] == ("src/shop/till.py", 12, None, 'raise TillError("no coins")')


def test_a_chain_gives_each_error_in_order() -> None:
    log = """
        OSError: [Errno 2] No such file

        The above exception was the direct cause of the following exception:

        Traceback (most recent call last):
          File "/srv/shop/till.py", line 12, in count
            raise TillError(path)
        TillError: /tmp/x
    """

    assert list_errors(log) == [("OSError", "[Errno 2] No such file"), ("TillError", "/tmp/x")]
    assert len(list_frames(log)) == 1


def test_a_group_gives_its_members() -> None:
    log = """
          + Exception Group Traceback (most recent call last):
          |   File "/srv/app.py", line 3, in main
          |     async with TaskGroup() as group:
          | ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)
          +-+---------------- 1 ----------------
            | Traceback (most recent call last):
            |   File "/srv/shop/till.py", line 12, in count
            |     raise TillError("one")
            | TillError: one
            +---------------- 2 ----------------
            | TillError: two
            +------------------------------------
    """

    assert list_errors(log)[1:] == [("TillError", "one"), ("TillError", "two")]


def test_a_validation_error_gives_its_own_errors_with_its_frames() -> None:
    log = """
          File "/srv/app.py", line 3, in main
            return ShopConfig(**options)
        pydantic_core._pydantic_core.ValidationError: 2 validation errors for ShopConfig
        size
          Value error, too many shelves [type=value_error, input_value=7, input_type=int]
            For further information visit https://errors.pydantic.dev/2.11/v/value_error
        most
          Input should be a valid integer [type=int_parsing, input_value='x', input_type=str]
    """
    found = read(log)
    wrapped = [report for report in found.reports if report.kind == "wrapped"]

    assert [tell(found, report)[1].split(" [type=")[0] for report in wrapped] == [
        "too many shelves",
        "Input should be a valid integer",
    ]
    assert wrapped[0].exception == "ValueError"
    assert wrapped[0].frames[-1].function == "main"


def test_a_remote_task_names_the_error_that_follows() -> None:
    log = """
        ray.exceptions.RayTaskError(TillError): ray::Shop.count() (pid=7, ip=10.0.0.1)
          File "/srv/shop/till.py", line 12, in count
            raise TillError("no coins")
        TillError: no coins
    """

    assert list_errors(log) == [("TillError", "no coins")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('it stops with "ValueError: no shelf." and I wonder', ("ValueError", 'no shelf." and I wonder')),
        ("**_ValueError: no shelf_**", ("_ValueError", "no shelf_**")),
        ("ValueErrror: no shelf", ("ValueErrror", "no shelf")),
        ("shop.errors.TillException: no shelf", ("shop.errors.TillException", "no shelf")),
        ("Transfer failed with KVError(room=3): no shelf", ("KVError", "no shelf")),
        ("caused by NewTillError('no shelf')", ("NewTillError", "no shelf')")),
        ("shopctl: error: no shelf", (None, "no shelf")),
        ("Error: no shelf", (None, "no shelf")),
        ('{"error": {"message": "no shelf"}}', (None, 'no shelf"}}')),
    ],
)
def test_a_message_in_the_middle_of_things(text: str, expected: tuple[str | None, str]) -> None:
    assert list_errors(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "except ValueError: pass",
        "class ValueError(Exception): ...",
        "Error handling is hard",
        "Note: the shop is closed",
        "the ValueError that I saw",
    ],
)
def test_what_only_mentions_an_exception_is_no_report(text: str) -> None:
    assert list_errors(text) == []


def test_frames_without_a_message_are_a_report() -> None:
    found = read('  File "/srv/shop/till.py", line 12, in count\n    raise TillError(')

    assert [report.kind for report in found.reports] == ["frames"]


def test_a_line_of_source_alone_is_a_report() -> None:
    found = read('My terminal kept only this:\n\n    raise TillError("nobody paid")')

    assert [(report.kind, report.exception) for report in found.reports] == [("statement", "TillError")]


def test_everything_on_one_line() -> None:
    log = (
        'Traceback (most recent call last):   File "/srv/shop/till.py", line 12, in count     '
        "raise TillError( TillError: no coins"
    )

    assert list_errors(log) == [("TillError", "no coins")]
    assert list_frames(log) == [("/srv/shop/till.py", 12, "count", "raise TillError(")]


def test_a_message_ends_where_the_next_record_names_an_exception() -> None:
    log = """
        2026-01-02 03:04:05 ERROR [a.py:1] request 1 failed: ValueError: one
        2026-01-02 03:04:06 ERROR [a.py:1] request 2 failed: ValueError: two
    """

    assert [message.split("\n")[0] for _, message in list_errors(log)] == ["one", "two"]


def test_a_message_of_several_lines_with_a_prefix_on_each() -> None:
    log = """
        [rank0]: ValueError: bad shelf 'x'.
        [rank0]: The shop has only: 'a', 'b'.
        [rank0]:[W1109 07:31:26.604118552 socket.cpp:767] [c10d] The client socket cannot be initialized
    """

    assert list_errors(log) == [("ValueError", "bad shelf 'x'.\nThe shop has only: 'a', 'b'.")]

"""Ten ways in which an error reaches the person who asks about it."""

import html
import json
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from catalog.records import Entry, Hole, Part, Text


@dataclass(frozen=True, slots=True)
class Raised:
    """An error as it would have been raised at an entry's site."""

    exception: str
    message: str
    path: str
    line: int
    function: str
    source: str


def render(parts: tuple[Part, ...], values: Callable[[Hole], str]) -> str:
    """Write a message out of its parts, as the interpreter would."""
    written = []
    for part in parts:
        match part:
            case Text(text):
                written.append(text)
            case Hole(expr=expr, self_documenting=documenting):
                written.append((f"{expr}=" if documenting else "") + values(part))
    return "".join(written)


def raise_entry(entry: Entry, parts: tuple[Part, ...], values: Callable[[Hole], str]) -> Raised:
    """Raise what an entry describes."""
    lines = entry.excerpt.text.split("\n")
    source = lines[entry.site.line - entry.excerpt.start_line].strip()
    function = entry.site.qualname.rsplit(".", 1)[-1]
    path = f"/opt/venv/lib/python3.12/site-packages/{entry.site.path.removeprefix('python/').removeprefix('src/')}"

    def fill(hole: Hole) -> str:
        # What the interpreter itself fills in is no value that a test may choose.
        if hole.expr in ("__name__", "__package__"):
            return repr(entry.site.module) if hole.conversion == "r" else entry.site.module
        if hole.expr.startswith("type(") and hole.expr.endswith(")"):
            return "<class 'int'>"
        return "12" if hole.expr.startswith(("len(", "int(")) else values(hole)

    return Raised(entry.exception.name, render(parts, fill), path, entry.site.line, function, source)


def _trace(raised: Raised, indent: str = "  ") -> str:
    return (
        f"Traceback (most recent call last):\n"
        f'{indent}File "/srv/app/run.py", line 12, in <module>\n{indent}{indent}main()\n'
        f'{indent}File "{raised.path}", line {raised.line}, in {raised.function}\n'
        f"{indent}{indent}{raised.source}\n{raised.exception}: {raised.message}"
    )


def wrap_plain(raised: Raised) -> str:
    """Give a traceback as the interpreter prints it."""
    return _trace(raised)


def wrap_worker(raised: Raised) -> str:
    """Put a worker's prefix before every line."""
    prefix = "(EngineCore_DP0 pid=31337) ERROR 03-14 15:09:26 [core.py:535] "
    return "\n".join(prefix + line for line in _trace(raised).split("\n"))


def wrap_ranked(raised: Raised) -> str:
    """Begin like a scheduler that logs one record, and let the next record follow."""
    stamp = "[2026-03-14 15:09:26 DP1 TP3]"
    return f"{stamp} Scheduler hit an exception: {_trace(raised)}\n\n{stamp} Decode batch, #running-req: 3, #token: 99"


def wrap_validation(raised: Raised) -> str:
    """Let pydantic report it, who hides the frames; other classes come out of a remote task."""
    if raised.exception in ("ValueError", "AssertionError"):
        kind = raised.exception.removesuffix("Error")
        tag = "value_error" if kind == "Value" else "assertion_error"
        return (
            f"pydantic_core._pydantic_core.ValidationError: 1 validation error for Config\n  {kind} error, "
            f"{raised.message} [type={tag}, input_value=ArgsKwargs((), {{'a': 1}}), input_type=ArgsKwargs]\n"
            f"    For further information visit https://errors.pydantic.dev/2.11/v/{tag}"
        )
    return f"ray.exceptions.RayTaskError({raised.exception}): ray::Actor.run() (pid=7, ip=10.0.0.1)\n{_trace(raised)}"


def wrap_body(raised: Raised) -> str:
    """Put the message alone into the body of an answer."""
    body = {"error": {"message": raised.message, "type": "BadRequestError", "param": None, "code": 400}}
    return f"HTTP/1.1 400 Bad Request\ncontent-type: application/json\n\n{json.dumps(body)}"


def wrap_columns(raised: Raised) -> str:
    """Break every line at the eightieth column, in the middle of words."""
    prefix = "(Worker_TP1 pid=4242) "
    lines = [prefix + line for line in _trace(raised).split("\n")]
    return "\n".join(line[start : start + 80] for line in lines for start in range(0, len(line), 80))


def wrap_box(raised: Raised) -> str:
    """Draw a box around the frames and break the message between words."""
    inner = 76
    place = f"{raised.path}:{raised.line} in {raised.function}"
    rows = textwrap.wrap(place, inner, break_on_hyphens=False)
    rows += ["", *(f"\u2771 {raised.line:>5} \u2502   {raised.source}"[:inner],), ""]
    head = "\u256d\u2500 Traceback (most recent call last) ".ljust(inner + 3, "\u2500") + "\u256e"
    body = [f"\u2502 {row:<{inner}} \u2502" for row in rows]
    foot = "\u2570" + "\u2500" * (inner + 2) + "\u256f"
    told = [part for line in f"{raised.exception}: {raised.message}".split("\n") for part in textwrap.wrap(line, 80)]
    return "\n".join([head, *body, foot, *told])


def wrap_pipeline(raised: Raised) -> str:
    """Put a pipeline's clock before every line and colours around the class."""
    coloured = _trace(raised).replace(f"{raised.exception}: ", f"\x1b[1;31m{raised.exception}\x1b[0m: ")
    stamps = (f"2026-03-14T15:09:26.{number:07d}Z " for number in range(1_000_000))
    return "\n".join(stamp + line for stamp, line in zip(stamps, coloured.split("\n"), strict=False))


def wrap_markdown(raised: Raised) -> str:
    """Let an issue tracker eat the indentation, the double underscores and the backticks."""
    eaten = "\n".join(line.strip() for line in _trace(raised).split("\n"))
    return f"Since the update:\n\n{eaten.replace('__', '').replace('`', '')}\n\nAny idea what to do?"


def wrap_syslog(raised: Raised) -> str:
    """Write it all on one line, escaped for the page it was copied from."""
    line = "Mar 14 15:09:26 node-3 app[99]: " + _trace(raised).replace("\n", "#012")
    return html.escape(line)


WRAPPINGS: dict[str, Callable[[Raised], str]] = {
    "traceback": wrap_plain,
    "worker prefix": wrap_worker,
    "ranked record": wrap_ranked,
    "validation": wrap_validation,
    "JSON body": wrap_body,
    "80 columns": wrap_columns,
    "box": wrap_box,
    "pipeline": wrap_pipeline,
    "Markdown": wrap_markdown,
    "syslog": wrap_syslog,
}


def hides_frames(wrapping: str, raised: Raised) -> bool:
    """Tell whether no frame can be told from an error in this wrapping."""
    return wrapping == "JSON body" or (
        wrapping == "validation" and raised.exception in ("ValueError", "AssertionError")
    )

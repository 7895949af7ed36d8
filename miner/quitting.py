"""Calls that end a program and print why: `sys.exit("…")`, `parser.error("…")`, `ctx.fail("…")`."""

from dataclasses import dataclass

import libcst as cst

from catalog.records import ExceptionType
from miner.effects import find_path
from miner.noreturn import is_parser
from miner.templates import Draft, Scope, read_drafts

_QUITS = (("sys", "exit"), ("exit",), ("quit",))
_SYSTEM_EXIT = ExceptionType("SystemExit", "builtins.SystemExit", ("BaseException",))
_USAGE_ERROR = ExceptionType("UsageError", "click.exceptions.UsageError", ("ClickException", "Exception"))


@dataclass(frozen=True, slots=True)
class Quit:
    """What such a call throws, and the text it prints."""

    exception: ExceptionType
    drafts: tuple[Draft, ...]
    argument: cst.BaseExpression


def read_quit(call: cst.Call, scope: Scope) -> Quit | None:
    """Read a call that ends the program; `None` for any other, and for one that prints nothing."""
    path = find_path(call.func)
    if path is None or not call.args or call.args[0].star:
        return None
    exception, argument, always = _SYSTEM_EXIT, call.args[0].value, True
    if path in _QUITS:
        always = False
    elif len(path) > 1 and path[-1] == "fail" and path[-2].lstrip("_") in ("ctx", "context", "click_ctx"):
        exception = _USAGE_ERROR
    elif is_parser(path) and path[-1] == "exit":
        named = {a.keyword.value: a.value for a in call.args if a.keyword is not None}
        message = named.get("message") or (call.args[1].value if len(call.args) > 1 else None)
        if message is None:
            return None
        argument = message
    elif not (is_parser(path) and path[-1] == "error"):
        return None
    drafts = read_drafts(argument, scope)
    if not (always or any(draft.has_text for draft in drafts)):
        return None
    return Quit(exception, drafts, argument)

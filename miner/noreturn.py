"""Which calls never return."""

import libcst as cst

from miner.effects import find_path

_FUNCTIONS = frozenset({("sys", "exit"), ("os", "_exit"), ("os", "abort"), ("exit",), ("quit",)})
_PARSER_NAMES = ("parser", "argparser", "arg_parser")


def leaves_for_good(call: cst.Call) -> bool:
    """Tell whether a call is one that never returns: `sys.exit`, `parser.error`, `pytest.fail` and their like."""
    path = find_path(call.func)
    if path is None:
        return False
    if path in _FUNCTIONS:
        return True
    if len(path) >= 2 and path[-1] in ("error", "exit") and path[-2].lstrip("_").endswith(_PARSER_NAMES):
        return True
    return path in (("pytest", "fail"), ("pytest", "skip"), ("ctx", "fail"), ("ctx", "exit"), ("ctx", "abort"))

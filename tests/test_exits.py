"""Calls that end a program and say why → entries of kind `exit`."""

import pytest

from miner.scan import mine_source

EXITS = [
    ("sys.exit('bye')", "SystemExit", "bye"),
    ("sys.exit(f'no {a}')", "SystemExit", "no {a}"),
    ("exit('bye')", "SystemExit", "bye"),
    ("quit('bye')", "SystemExit", "bye"),
    ("message = f'no {a}'\n    sys.exit(message)", "SystemExit", "no {a}"),
    ("parser.error('bad --x')", "SystemExit", "bad --x"),
    ("self.parser.error(f'bad {a}')", "SystemExit", "bad {a}"),
    ("parser.exit(2, 'bad')", "SystemExit", "bad"),
    ("parser.exit(message='bad')", "SystemExit", "bad"),
    ("ctx.fail('bad')", "UsageError", "bad"),
]


@pytest.mark.parametrize(("statement", "exception", "template"), EXITS)
def test_an_exit_with_a_text_is_a_site(statement: str, exception: str, template: str) -> None:
    (entry,) = mine_source(f"import sys\ndef f(self, a, parser, ctx):\n    {statement}\n")
    assert entry.message is not None
    assert (entry.kind, entry.exception.name, entry.message.template) == ("exit", exception, template)


SILENT = [
    "sys.exit()",
    "sys.exit(1)",
    "sys.exit(main())",
    "sys.exit(status)",
    "exit(code)",
    "parser.exit()",
    "ctx.exit(1)",
    "logger.error('x')",
    "on_exit('x')",
    "system.exit_code('x')",
    "print('sys.exit(1)')",
]


@pytest.mark.parametrize("statement", SILENT)
def test_an_exit_without_a_text_is_none(statement: str) -> None:
    assert mine_source(f"import sys\ndef f(a, parser, ctx):\n    {statement}\n") == ()


def test_raising_system_exit_stays_a_raise() -> None:
    (entry,) = mine_source("raise SystemExit('bye')\n")
    assert entry.kind == "raise"


def test_an_exit_has_the_guard_of_its_place() -> None:
    source = "def f(args, parser):\n    if args.a:\n        return\n    if args.b:\n        parser.error('no b')\n"
    (entry,) = mine_source(source)
    assert entry.guard.condition == "not args.a and args.b"
    assert entry.guard.branch == "args.b"
    assert (entry.site.line, entry.site.column) == (5, 8)

"""Calls of helpers that raise what they are given → entries of kind `call`; and what such calls say of later sites."""

import pytest
from modules import mine_modules

from catalog.records import Entry
from miner.scan import mine_source

HELPERS = """
from typing import NoReturn

def fail(message, code=1):
    if code == 2:
        raise KeyError(message)
    raise ValueError(f"failed: {message}")

def toss(error) -> NoReturn:
    raise error

def typed(kind, text):
    raise kind(text)

def tried(text):
    try:
        return_nothing()
    except ValueError:
        raise RuntimeError("again " + text)
    else:
        raise RuntimeError("again " + text)

def chosen(flag, text):
    if flag:
        raise TypeError("flag " + text)
    else:
        raise OSError("none " + text)

async def later(text):
    raise ValueError("later " + text)

def fixed():
    raise RuntimeError("always this")

def maybe(text):
    if text:
        raise ValueError(text)

def gives(text):
    if not text:
        return 1
    raise ValueError(text)

def abstract(text):
    raise NotImplementedError(text)

class Owner:
    def _fail(self, what):
        raise TypeError(f"{self.name}: {what}")

    def hook(self, what):
        raise ValueError(what)

    def open_file(self, what):
        raise ValueError(what)

    def fail_softly(self, what):
        raise ValueError(what)

    @staticmethod
    def _raise_static(what):
        raise ValueError("static " + what)

class Child(Owner):
    def hook(self, what):
        return what

    def fail_softly(self, what):
        return what
"""


def mine_site(*lines: str, around: str = "    def site(self, a, b, c):") -> tuple[Entry, ...]:
    body = "\n".join(f"        {line}" for line in lines)
    entries = mine_source(f"{HELPERS}\nclass Site(Owner):\n{around}\n{body}\n")
    return tuple(entry for entry in entries if entry.site.qualname == "Site.site")


CALLS = [
    ("fail('no a')", "ValueError", "failed: no a", "True"),
    ("fail(f'no {a}', code=2)", "KeyError", "no {a}", "True"),
    ("return fail(message='gone')", "ValueError", "failed: gone", "True"),
    ("x = a or fail('empty')", "ValueError", "failed: empty", "not a"),
    ("x = a and fail('full')", "ValueError", "failed: full", "a"),
    ("x = 1 if a > b else fail('small')", "ValueError", "failed: small", "not a > b"),
    ("x = [fail(f'item {i}') for i in a if i < b]", "ValueError", "failed: item {i}", "i < b"),
    ("if a: fail('one line')", "ValueError", "failed: one line", "a"),
    ("toss(OSError(f'tossed {a}'))", "OSError", "tossed {a}", "True"),
    ("typed(TypeError, 'typed')", "TypeError", "typed", "True"),
    ("tried('x')", "RuntimeError", "again x", "True"),
    ("chosen(True, 'x')", "TypeError", "flag x", "True"),
    ("self._fail(f'got {a}')", "TypeError", "{self.name}: got {a}", "True"),
    ("self._raise_static('x')", "ValueError", "static x", "True"),
    ("await later('x')", "ValueError", "later x", "True"),
    ("six.raise_from(ValueError('from six'), None)", "ValueError", "from six", "True"),
]


@pytest.mark.parametrize(("line", "exception", "template", "branch"), CALLS)
def test_a_call_throws_what_its_helper_makes_of_it(line: str, exception: str, template: str, branch: str) -> None:
    (entry,) = mine_site(line, around="    async def site(self, a, b, c):")
    assert entry.message is not None and entry.helper is not None
    assert (entry.kind, entry.exception.name, entry.message.template) == ("call", exception, template)
    assert entry.guard.branch == branch


def test_a_helper_that_chooses_gives_alternatives() -> None:
    (entry,) = mine_site("chosen(a, 'x')")
    assert entry.message is not None
    assert [(each.template, each.condition) for each in entry.message.alternatives] == [
        ("flag x", "a"),
        ("none x", "not a"),
    ]


NEAR_MISSES = [
    "fixed()",
    "maybe('x')",
    "gives('x')",
    "abstract('x')",
    "self.hook('x')",
    "self.open_file('x')",
    "self.fail_softly('x')",
    "later('x')",
    "other.fail('x')",
    "fail",
    "print('fail(1)')",
    "def fail(x): return x",
    "x = lambda: fail('x')",
]


@pytest.mark.parametrize("line", NEAR_MISSES)
def test_other_calls_are_no_sites(line: str) -> None:
    assert mine_site(line) == ()


def test_a_call_stands_where_its_statement_does() -> None:
    (entry,) = mine_site("if a:", "    fail(", "        'no a',", "    )")
    source = f"{HELPERS}\nclass Site(Owner):\n"
    first = source.count("\n") + 3
    assert (entry.site.line, entry.site.end_line, entry.site.column) == (first, first + 2, 12)
    assert entry.helper == "module.fail"


def test_the_helpers_own_raise_stays_an_entry() -> None:
    entries = mine_source(HELPERS)
    own = [entry for entry in entries if entry.site.qualname == "fail"]
    assert [entry.kind for entry in own] == ["raise", "raise"]
    assert not any(entry.kind == "call" for entry in entries)


def test_what_comes_after_such_a_call_knows_that_its_test_failed() -> None:
    entries = mine_site("if a:", "    fixed()", "if b:", "    self._fail('x')", "raise ValueError('end')")
    assert entries[-1].guard.condition == "not a and not b"
    assert entries[-1].guard.exact


def test_what_comes_after_a_method_that_another_class_overrides_knows_nothing() -> None:
    entries = mine_site("if a:", "    self.fail_softly('x')", "raise ValueError('end')")
    assert entries[-1].guard.condition == "True"


def test_a_nested_helper_is_found_by_its_function() -> None:
    entries = mine_site("def inner(text):", "    raise ValueError('inner ' + text)", "if a:", "    inner('x')")
    (call,) = (entry for entry in entries if entry.kind == "call")
    assert call.message is not None and call.message.template == "inner x"
    assert call.guard.condition == "a"


IMPORTS = [
    ("from pkg.errors import fail", "fail('x')"),
    ("from . import errors", "errors.fail('x')"),
    ("import pkg.errors", "pkg.errors.fail('x')"),
]


@pytest.mark.parametrize(("statement", "call"), IMPORTS)
def test_a_helper_of_another_module_is_found(statement: str, call: str) -> None:
    files = {"pkg/__init__.py": "", "pkg/errors.py": HELPERS, "pkg/use.py": f"{statement}\n\ndef f(a):\n    {call}\n"}
    (entry,) = mine_modules(files, "pkg/use.py")
    assert entry.message is not None
    assert (entry.kind, entry.message.template, entry.helper) == ("call", "failed: x", "pkg.errors.fail")


def test_a_name_that_an_import_or_a_branch_may_bind_anew_is_no_helper() -> None:
    source = "try:\n    from os import fail\nexcept ImportError:\n    def fail(x):\n        raise ValueError(x)\n"
    entries = mine_source(source + "def site():\n    fail('x')\n")
    assert [entry.kind for entry in entries] == ["raise"]


RENAMED = """
import argparse

parser = argparse.ArgumentParser()

def fail(text):
    raise ValueError("failed " + text)

def stop(text):
    parser.error(f"bad use: {text}")

def caught(text):
    try:
        raise KeyError(text)
    except KeyError:
        raise ValueError("again " + text)

def caught_by_another(text):
    try:
        raise TypeError("inner " + text)
    except KeyError:
        pass
    raise ValueError("again " + text)
"""
FOLLOWED = [
    ("give_up('x')", "ValueError", ["failed x"]),
    ("die('x')", "ValueError", ["failed x"]),
    ("stop('x')", "SystemExit", ["bad use: x"]),
    ("h.stop('x')", "SystemExit", ["bad use: x"]),
    ("caught('x')", "ValueError", ["again x"]),
    ("caught_by_another('x')", "TypeError | ValueError", ["inner x", "again x"]),
]


@pytest.mark.parametrize(("call", "exception", "texts"), FOLLOWED)
def test_a_helper_is_followed_under_any_name_to_what_comes_out_of_it(
    call: str, exception: str, texts: list[str]
) -> None:
    use = "from pkg import h\nfrom pkg.h import caught, caught_by_another, stop\nfrom pkg.h import fail as give_up\n"
    body = f"def f(a):\n    from pkg.h import fail as die\n    if a:\n        {call}\n    assert a is None\n"
    files = {"pkg/__init__.py": "", "pkg/h.py": RENAMED, "pkg/use.py": use + body}
    called, later = mine_modules(files, "pkg/use.py")
    assert (called.kind, called.exception.name) == ("call", exception)
    assert called.message is not None
    found = [text.template for text in called.message.alternatives] or [called.message.template]
    assert found == texts
    assert later.guard.condition == "not a and a is not None"

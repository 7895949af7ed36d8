"""What is thrown → its message: classes and functions that make the text, groups, and what stays unknown."""

import re

import pytest
from modules import mine_modules

from catalog.records import Entry
from miner.scan import mine_source

CLASSES = """
class Plain(ValueError):
    pass

class Fixed(Exception):
    def __init__(self):
        super().__init__("the disk is full")

class Formatted(Exception):
    def __init__(self, name, size=3):
        self.name = name
        super().__init__(f"{name} takes {size:>4} blocks")

class Shown(Exception):
    def __init__(self, name, place):
        text = f"no {name} in {place!r}"
        self.text = text

    def __str__(self):
        return self.text

class Extended(Exception):
    def __init__(self, message, *, key=None, value=None):
        super().__init__(message)
        self.key = key
        self.value = value

    def __str__(self):
        base = super().__str__()
        extras = []
        if self.key is not None:
            extras.append(f"key={self.key}")
        if self.value is not None:
            extras.append(f"value={self.value}")
        return f"{base} [{', '.join(extras)}]" if extras else base

class Derived(Extended):
    def __init__(self, limit, got):
        super().__init__(f"limit {limit}, got {got}", key="limit")

class Constant(Exception):
    TEXT = "gone for good"

    def __init__(self, *args, **kwargs):
        super().__init__(self.TEXT, *args, **kwargs)

class Unprinted(Exception):
    message = "never shown"

class Named(Exception):
    def __init__(self, reason):
        Exception.__init__(self, "because " + reason)

class Skipping(Derived):
    def __init__(self, text):
        Extended.__init__(self, "skipped: " + text)

class Barest(Formatted):
    def __init__(self, text):
        Exception.__init__(self, "barest " + text)

class Kept(Exception):
    def __init__(self, code):
        self.args = ("code", code)

class Silent(Exception):
    def __init__(self, code):
        self.code = code

class Branching(Exception):
    def __init__(self, name=None):
        if name is None:
            super().__init__("no name")
        else:
            super().__init__(f"bad name {name}")

class Described(Exception):
    note = None

    def __init__(self, note=None):
        super().__init__()
        if note is not None:
            self.note = note

    def __str__(self):
        return f"answer: {self.note}"

class Standing(Described):
    note = "as it stands"

class Narrower(Standing):
    pass

class Stopped(AssertionError, Named):
    def __init__(self, scheme):
        super().__init__(f"no scheme {scheme}")

class Passed(Plain, Named):
    def __init__(self, scheme):
        super().__init__(f"scheme {scheme}")

class Diamond(Standing, Described):
    pass

class Exchanged(Exception):
    def __init__(self, place, text=None):
        if text is None:
            text, place = place, ""
        self.text = text
        self.place = place

    def say(self):
        return f"{self.text}!"

    def __str__(self):
        return self.say()

class Louder(Exchanged):
    def say(self):
        return f"{self.text}!!"
"""


def thrown(expression: str, classes: str = CLASSES) -> Entry:
    return mine_source(f"{classes}\ndef site(a, b):\n    raise {expression}\n")[-1]


TEXTS = [
    ("Fixed()", "the disk is full", "class"),
    ("Fixed", "the disk is full", "class"),
    ("Formatted(a)", "{a} takes {3:>4} blocks", "class"),
    ("Formatted('x', b)", "x takes {b:>4} blocks", "class"),
    ("Formatted(size=b, name=a + 1)", "{a + 1} takes {b:>4} blocks", "class"),
    ("Shown('it', a.home)", "no it in {a.home!r}", "class"),
    ("Shown(a, 'it')", "no {a} in 'it'", "class"),
    ("Extended('bad')", "bad", "class"),
    ("Extended(f'bad {a}', key='k')", "bad {a} [key=k]", "class"),
    ("Extended('bad', value=3)", "bad [value=3]", "class"),
    ("Derived(a.limit, b)", "limit {a.limit}, got {b} [key=limit]", "class"),
    ("Constant()", "gone for good", "class"),
    ("Named('of ' + a)", "because of {a}", "class"),
    ("Skipping('x')", "skipped: x", "class"),
    ("Barest('x')", "barest x", "class"),
    ("Kept(a)", "('code', {a!r})", "class"),
    ("Silent('as given')", "as given", "class"),
    ("Branching()", "no name", "class"),
    ("Branching('x')", "bad name x", "class"),
    ("Standing()", "answer: as it stands", "class"),
    ("Standing(f'host {a!r}')", "answer: host {a!r}", "class"),
    ("Narrower('given')", "answer: given", "class"),
    ("Described('given')", "answer: given", "class"),
    ("Diamond()", "answer: as it stands", "class"),
    ("Stopped(a)", "no scheme {a}", "class"),
    ("Passed('x')", "scheme x", "class"),
    ("Exchanged(a)", "{a}!", "class"),
    ("Exchanged(a, 'gone')", "gone!", "class"),
    ("Louder(a, f'gone {b}')", "gone {b}!!", "class"),
    ("Plain('one')", "one", "literal"),
    ("Plain('one', 2)", "('one', 2)", "literal"),
    ("Plain('one', a)", "('one', {a!r})", "literal"),
    ("Unprinted('given')", "given", "literal"),
]


@pytest.mark.parametrize(("expression", "template", "resolution"), TEXTS)
def test_a_class_makes_its_text_of_what_it_is_given(expression: str, template: str, resolution: str) -> None:
    message = thrown(expression).message
    assert message is not None
    assert (message.template, message.resolution) == (template, resolution)


def test_a_class_prints_what_the_real_one_prints() -> None:
    names: dict[str, object] = {}
    exec(CLASSES, names)
    for expression, _, _ in TEXTS:
        values = {**names, "a": _Value("a"), "b": _Value("b")}
        raised = eval(expression, values)
        shown = str(raised() if isinstance(raised, type) else raised)
        message = thrown(expression).message
        assert message is not None
        template = re.sub(r"\{([^{}!:]*)(![rs])?(:[^{}]*)?\}", r"{\1\2\3}", message.template)
        assert eval(f"f{template!r}", values) == shown, expression


class _Value:
    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> "_Value":
        if name.startswith("__"):
            raise AttributeError(name)
        return _Value(f"{self._name}.{name}")

    def __add__(self, other: object) -> str:
        return f"{self._name}+{other}"

    def __radd__(self, other: object) -> str:
        return f"{other}{self._name}"

    def __repr__(self) -> str:
        return f"<{self._name}>"

    def __str__(self) -> str:
        return self._name

    def __format__(self, spec: str) -> str:
        return format(self._name, spec)


SILENT = ["Unprinted()", "Unprinted", "Plain()", "Plain"]


@pytest.mark.parametrize("expression", SILENT)
def test_a_class_that_prints_nothing_has_no_message(expression: str) -> None:
    assert thrown(expression).message is None


def test_what_the_arguments_leave_open_gives_alternatives() -> None:
    message = thrown("Extended('bad', value=a)").message
    assert message is not None
    assert [(each.template, each.condition) for each in message.alternatives] == [
        ("bad [value={a}]", "a is not None"),
        ("bad", "a is None"),
    ]


def test_an_attribute_that_may_have_been_set_prints_either_text() -> None:
    message = thrown("Standing(a)").message
    assert message is not None
    assert [(each.template, each.condition) for each in message.alternatives] == [
        ("answer: {a}", "a is not None"),
        ("answer: as it stands", "a is None"),
    ]


def test_several_arguments_of_a_class_behind_which_nothing_is_known_are_no_tuple() -> None:
    classes = """
from elsewhere import Unknown

class Known(Exception):
    pass

class Cut(Known, Unknown):
    def __init__(self, partial, expected):
        self.partial = partial
"""
    message = thrown("Cut(a.read, b)", classes).message
    assert message is not None and message.resolution == "dynamic"


def test_what_is_computed_is_never_none() -> None:
    for value in ("len(a)", "a * 2 + 1", "[x for x in a]", "not a", "str(a)", "f'{a}'"):
        message = thrown(f"Extended('bad', value={value})").message
        assert message is not None and not message.alternatives, value
    for value in ("a", "get(a)", "a[0]"):
        message = thrown(f"Extended('bad', value={value})").message
        assert message is not None and len(message.alternatives) == 2, value


def test_a_class_of_another_module_makes_its_text_too() -> None:
    files = {
        "pkg/errors.py": CLASSES,
        "pkg/__init__.py": "from pkg.errors import Derived\n",
        "pkg/use.py": "from pkg import Derived\n\ndef f(x):\n    raise Derived(x, 2)\n",
    }
    (entry,) = mine_modules(files, "pkg/use.py")
    assert entry.message is not None and entry.message.template == "limit {x}, got 2 [key=limit]"
    assert entry.exception.qualified == "pkg.errors.Derived"
    assert entry.exception.bases[:2] == ("Extended", "Exception")


def test_a_class_is_found_through_modules_that_take_everything_from_each_other() -> None:
    files = {
        "pkg/errors.py": "from pkg.more import *\n" + CLASSES,
        "pkg/more.py": "from pkg.errors import *\n",
        "pkg/core.py": "from pkg.errors import *\n",
        "pkg/__init__.py": "",
        "pkg/use.py": "from pkg.core import *\n\ndef f(x):\n    raise Exchanged(x, 'gone')\n",
    }
    (entry,) = mine_modules(files, "pkg/use.py")
    assert entry.message is not None and entry.message.template == "gone!"
    assert entry.exception.qualified == "pkg.errors.Exchanged"


FACTORIES = """
def make(kind, value):
    if kind == "a":
        return ValueError(f"bad {value}")
    return KeyError(f"worse {value}")

def pick(flag):
    return flag

class Owner:
    def _error(self, text):
        return TypeError("owner: " + text)

    def site(self, a, b):
        raise THROWN
"""


MADE = [
    ("make('a', b)", "ValueError", "bad {b}"),
    ("make('z', 'it')", "KeyError", "worse it"),
    ("make(a, b)", "ValueError | KeyError", "bad {b}"),
    ("self._error(f'no {a}')", "TypeError", "owner: no {a}"),
    ("ValueError(f'no {a}') if b else self._error('x')", "ValueError | TypeError", "no {a}"),
]


@pytest.mark.parametrize(("expression", "exception", "template"), MADE)
def test_a_factory_is_followed_to_what_it_returns(expression: str, exception: str, template: str) -> None:
    entry = mine_source(FACTORIES.replace("THROWN", expression))[-1]
    assert entry.message is not None
    assert (entry.kind, entry.exception.name, entry.message.template) == ("raise", exception, template)


def test_a_factory_that_returns_no_new_exception_stays_unknown() -> None:
    entry = mine_source(FACTORIES.replace("THROWN", "pick(a)"))[-1]
    assert entry.exception.qualified is None
    assert entry.message is not None and entry.message.resolution == "dynamic" and entry.message.reason


GROUPS = [
    ("ExceptionGroup('two', [ValueError(1), KeyError(2)])", ["two (2 sub-exceptions)"]),
    ("ExceptionGroup('one', [ValueError(1)])", ["one (1 sub-exception)"]),
    ("ExceptionGroup(f'{a}', b)", ["{a} ({len(b)} sub-exceptions)", "{a} (1 sub-exception)"]),
]


@pytest.mark.parametrize(("expression", "templates"), GROUPS)
def test_a_group_says_how_many_it_holds(expression: str, templates: list[str]) -> None:
    message = thrown(expression).message
    assert message is not None
    found = [each.template for each in message.alternatives] or [message.template]
    assert found == templates


DATA = ["KeyError(a)", "IndexError(a)", "AttributeError(a.name)", "StopIteration(a)"]


@pytest.mark.parametrize("expression", DATA)
def test_a_value_thrown_as_data_is_no_unknown_text(expression: str) -> None:
    message = thrown(expression).message
    assert message is not None and message.resolution != "dynamic" and message.reason is None


@pytest.mark.parametrize("expression", ["ValueError(a)", "RuntimeError(str(a))", "a.error", "Formatted(*a)"])
def test_a_text_that_cannot_be_read_says_why(expression: str) -> None:
    message = thrown(expression).message
    assert message is not None
    assert (message.resolution == "dynamic") == (message.reason is not None)


LISTS = [
    ("parts = ['x', f'{a}']", ["x, {a}"]),
    ("parts = []\n    parts.append('x')\n    parts.append(f'{a}')", ["x, {a}"]),
    ("parts = ['x']\n    parts += ['y']\n    parts.extend(['z'])", ["x, y, z"]),
    ("parts = ['x']\n    if a:\n        parts.append('y')", ["x, y", "x"]),
    ("parts = ['x']\n    for i in a:\n        parts.append(i)", ['{", ".join(parts)}']),
    ("parts = ['x']\n    if a:\n        parts.append('y')\n    parts.reverse()", ['{", ".join(parts)}']),
    ("parts = ['x']\n    if a:\n        parts.append('y')\n    sort_out(parts)", ['{", ".join(parts)}']),
    ("parts = list(a)\n    parts.append('y')", ['{", ".join(parts)}']),
]


@pytest.mark.parametrize(("statements", "texts"), LISTS)
def test_a_list_that_is_joined_is_read_where_it_is_filled(statements: str, texts: list[str]) -> None:
    for ending in (
        'raise ValueError("bad: " + ", ".join(parts))',
        'm = "bad: " + ", ".join(parts)\n    raise ValueError(m)',
    ):
        message = mine_source(f"def f(a, b):\n    {statements}\n    {ending}\n")[-1].message
        assert message is not None
        found = [each.template for each in message.alternatives] or [message.template]
        assert found == [f"bad: {text}" for text in texts]


def test_a_list_that_is_known_to_hold_something_is_never_empty() -> None:
    source = (
        "def f(a, b):\n    found = []\n    if a:\n        found.append('a')\n    if b:\n        found.append('b')\n"
    )
    message = mine_source(f"{source}    if found:\n        raise ValueError('; '.join(found))\n")[-1].message
    assert message is not None
    assert [(each.template, each.condition) for each in message.alternatives] == [
        ("a; b", "a and b"),
        ("a", "a and not b"),
        ("b", "not a and b"),
    ]


CONSTANTS = """
from enum import Enum
from typing import NamedTuple

TEXT = "the text"

class Words(str, Enum):
    GONE = "it is gone"

class Holder:
    WHY = "why not"

class Pair(NamedTuple):
    short: str
    long: str

PAIR = Pair(short="brief", long="at length")
"""

NAMED = [
    ("TEXT", "the text"),
    ("words.TEXT", "the text"),
    ("Words.GONE", "it is gone"),
    ("Words.GONE.value", "it is gone"),
    ("Holder.WHY", "why not"),
    ("PAIR.long", "at length"),
    ("words.PAIR.short", "brief"),
    ("Holder.WHY + f': {a}'", "why not: {a}"),
]


@pytest.mark.parametrize(("expression", "template"), NAMED)
def test_a_constant_of_another_module_is_read(expression: str, template: str) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/words.py": CONSTANTS,
        "pkg/use.py": f"from pkg import words\nfrom pkg.words import *\n\ndef f(a):\n"
        f"    raise ValueError({expression})\n",
    }
    (entry,) = mine_modules(files, "pkg/use.py")
    assert entry.message is not None
    assert (entry.message.template, entry.message.resolution) == (template, "constant")


PIECES = [
    ("msg = 'it broke'\n    raise ValueError(f'{msg} here')", ["it broke here"]),
    ("msg = f'it broke {a}'\n    raise ValueError(f'{msg} here')", ["it broke {a} here"]),
    ("msg = a\n    raise ValueError(f'{msg} here')", ["{msg} here"]),
    ("hint = ' (try b)' if b else ''\n    raise ValueError(f'no a{hint}')", ["no a{hint}"]),
    ("msg = 'it broke'\n    raise ValueError(f'{msg!r} here')", ["{msg!r} here"]),
    ("msg = 'it broke'\n    if a:\n        msg = b\n    raise ValueError(f'{msg} here')", ["{msg} here"]),
    ("raise ValueError(f'one of {KINDS}')", ["one of ('a', 'b')"]),
    ("raise ValueError(TEXTS['gone'])", ["it is gone"]),
    ("raise ValueError(TEXTS['gone'] + f': {a}')", ["it is gone: {a}"]),
    ("raise ValueError(TEXTS[a])", ["{TEXTS[a]}"]),
    ("raise ValueError(TEXTS['other'])", ["{TEXTS['other']}"]),
    ("raise ValueError(('a %s', b))", ["('a %s', {b!r})"]),
    ("raise ValueError(('alone',))", ["('alone',)"]),
    ("assert a, ('a %s', b)", ["('a %s', {b!r})"]),
    ("raise ValueError(describe(a))", ["{a} is bad"]),
    ("raise ValueError(describe('x'))", ["x is bad"]),
    ("raise ValueError(choose(a))", ["one", "many: {a}"]),
    ("raise ValueError(find(a))", ["{find(a)}"]),
    ("raise Silent('unheard')", []),
    ("raise Loud('heard')", ["heard"]),
    ("raise ExceptionGroup('several', [a, b])", ["several (2 sub-exceptions)"]),
]
AROUND = """
KINDS = ("a", "b")
TEXTS = {"gone": "it is gone", "late": "it is late"}

class Silent(ValueError):
    def __init__(self, text):
        super().__init__()
        self.text = text

class Loud(ValueError):
    def __init__(self, text):
        self.text = text

if old:
    class ExceptionGroup(Exception):
        def __init__(self, message, exceptions):
            self.message = message

def describe(what):
    return f"{what} is bad"

def choose(what):
    if what == 1:
        return "one"
    return f"many: {what}"

def find(what):
    return what.text

def f(a, b):
    """


@pytest.mark.parametrize(("body", "texts"), PIECES, ids=[body for body, _ in PIECES])
def test_pieces_of_a_message_are_read_where_they_are_set(body: str, texts: list[str]) -> None:
    entry = next(entry for entry in mine_source(f"{AROUND}{body}\n") if entry.site.qualname == "f")
    message = entry.message
    found = [] if message is None else [text.template for text in message.alternatives] or [message.template]
    assert found == texts

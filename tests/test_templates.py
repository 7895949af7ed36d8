"""Message expressions → templates: fixed text and holes, as the source has them."""

import pytest

from catalog.records import Hole, Message, Text
from miner.scan import mine_source


def message_of(source: str) -> Message:
    message = mine_source(source)[-1].message
    assert message is not None
    return message


def read(expression: str) -> Message:
    return message_of(f"raise ValueError({expression})\n")


LITERALS: list[tuple[str, str | None, str]] = [
    ("'a b'", "a b", "a b"),
    ("'a' 'b'", "ab", "ab"),
    ("('a'\n    'b')", "ab", "ab"),
    ("'a\\tb\\x41\\u00e9'", "a\tbAé", "a\tbAé"),
    ("r'a\\b'", "a\\b", "a\\b"),
    ("'''a\nb'''", "a\nb", "a\nb"),
    ("'{}'", "{{}}", "{}"),
    ("'a {b}'", "a {{b}}", "a {b}"),
    ("f'a'", "a", "a"),
    ("u'a'", "a", "a"),
    ("'a' + 'b'", "ab", "ab"),
    ("'50%'", "50%", "50%"),
]
F_STRINGS: list[tuple[str, str | None, str]] = [
    ("f'{a}'", "{a}", "{}"),
    ("f'a {b.c[0]} d'", "a {b.c[0]} d", "a {} d"),
    ("f'a {b!r} {c!s} {d!a}'", "a {b!r} {c!s} {d!a}", "a {} {} {}"),
    ("f'{a:.2f}|{b!r:>8}'", "{a:.2f}|{b!r:>8}", "{}|{}"),
    ("f'{a:{b}.{c}}'", "{a:{b}.{c}}", "{}"),
    ("f'{a=}'", "{a=}", "a={}"),
    ("f'{a = }'", None, "a = {}"),
    ("f'{a.b=!r}'", "{a.b=!r}", "a.b={}"),
    ("f'{{a}} {b}'", "{{a}} {b}", "{a} {}"),
    ("f'{a}' 'b' f'{c}'", "{a}b{c}", "{}b{}"),
    ("f'{d[\"k\"]}'", '{d["k"]}', "{}"),
    ("f'{d['k']}'", "{d['k']}", "{}"),
    ("f'{', '.join(xs)}'", "{', '.join(xs)}", "{}"),
    ("f'{x if y else z} w'", "{x if y else z} w", "{} w"),
    ("f'{\n a\n}'", "{a}", "{}"),
    ("rf'\\d{a}'", "\\d{a}", "\\d{}"),
    ("f'\\t{a}'", "\t{a}", "\t{}"),
    ("f'\\N{BULLET} {a}'", "• {a}", "• {}"),
    ("f'{a:%Y-%m}'", "{a:%Y-%m}", "{}"),
]
OPERATORS: list[tuple[str, str | None, str]] = [
    ("'a ' + b", "a {b}", "a {}"),
    ("'a ' + b + ' c'", "a {b} c", "a {} c"),
    ("'a ' + str(b)", "a {str(b)}", "a {}"),
    ("f'{a} ' + 'b'", "{a} b", "{} b"),
    ("'a %s' % b", "a {b}", "a {}"),
    ("'a %s %d' % (b, c)", "a {b} {c}", "a {} {}"),
    ("'a %r' % (b,)", "a {b!r}", "a {}"),
    ("'a %(k)s' % {'k': b}", "a {b}", "a {}"),
    ("'a %(k)s' % b", "a {b['k']}", "a {}"),
    ("'%d%%' % a", "{a}%", "{}%"),
    ("'%.2f' % a", "{a:.2f}", "{}"),
    ("'%5s|%-5s' % (a, b)", "{a:>5}|{b:<5}", "{}|{}"),
    ("'%x' % a", "{a:x}", "{}"),
    ("'a %s' 'b' % c", "a {c}b", "a {}b"),
    ("'a {}'.format(b)", "a {b}", "a {}"),
    ("'a {0} {1} {0}'.format(b, c)", "a {b} {c} {b}", "a {} {} {}"),
    ("'a {k}'.format(k=b)", "a {b}", "a {}"),
    ("'{!r:>5}'.format(a)", "{a!r:>5}", "{}"),
    ("'{0.x[k]}'.format(a)", "{a.x['k']}", "{}"),
    ("'{{}} {}'.format(a)", "{{}} {a}", "{} {}"),
    ("'{a} {}'.format(b, a=c)", "{c} {b}", "{} {}"),
    ("'a {}'.format(*b)", "a {0}", "a {}"),
]


@pytest.mark.parametrize(("expression", "template", "skeleton"), LITERALS + F_STRINGS + OPERATORS)
def test_an_expression_gives_its_template(expression: str, template: str | None, skeleton: str) -> None:
    message = read(expression)
    assert message.skeleton == skeleton
    assert template is None or message.template == template
    assert message.resolution == "literal" or skeleton == "{}"


RAISES_IT = """
    def f(self):
        raise ValueError(f"no {self.msg}")
"""
KINDS = """
class Flags:
    desc = "option"
    def f(self):
        raise ValueError(f"no {{self.desc}}")

class Others({base}):
    desc = "diagnostic"
"""


@pytest.mark.parametrize(
    ("source", "template", "resolution"),
    [
        ("def f(a):\n    msg = f'bad {a}'\n    raise ValueError(msg)", "bad {a}", "variable"),
        ("def f(a):\n    msg = 'bad '\n    msg += str(a)\n    raise ValueError(msg)", "bad {str(a)}", "variable"),
        ("def f(a):\n    msg = 'bad %s'\n    raise ValueError(msg % a)", "bad {a}", "variable"),
        ("def f(a):\n    msg = 'bad {}'\n    raise ValueError(msg.format(a))", "bad {a}", "variable"),
        ("MSG = 'bad'\ndef f(a):\n    raise ValueError(MSG)", "bad", "constant"),
        ("MSG = 'bad {}'\ndef f(a):\n    raise ValueError(MSG.format(a))", "bad {a}", "constant"),
        ("class C:\n    msg = 'bad'\n    def f(self):\n        raise ValueError(self.msg)", "bad", "constant"),
        (KINDS.format(base="Flags"), "no {self.desc}", "literal"),
        (KINDS.format(base="object"), "no option", "constant"),
        (
            "class C:\n    msg = 'bad'\n    def g(self, x):\n        self.msg = x\n" + RAISES_IT,
            "no {self.msg}",
            "literal",
        ),
        (
            "class C:\n    msg = 'bad'\n    def g(self, x):\n        return self.msg == x\n" + RAISES_IT,
            "no bad",
            "constant",
        ),
        ("def f(a, b):\n    x, y = f'bad {a}', a\n    raise ValueError(x)", "bad {a}", "variable"),
        ("def f(a, b):\n    a, b = f'bad {b}', ''\n    raise ValueError(a)", "bad {b}", "variable"),
        ("def f(a):\n    raise make(f'bad {a}')", "bad {a}", "literal"),
        ("def f(a):\n    raise ValueError(_('bad %s') % a)", "bad {a}", "literal"),
        ("def f(a):\n    raise ValueError(dedent('''\n      bad\n        {}'''.format(a)))", "\nbad\n  {a}", "literal"),
        ("def f(a):\n    raise ValueError(' '.join(['bad', 'luck']))", "bad luck", "literal"),
        ("def f(a):\n    e = ValueError(f'bad {a}')\n    raise e", "bad {a}", "variable"),
        ("def f(a):\n    raise ValueError(f'bad {a}') from None", "bad {a}", "literal"),
        ("def f(a):\n    raise ValueError(f'bad {a}').with_traceback(None)", "bad {a}", "literal"),
        ("def f(a):\n    raise Problem(code=1, message=f'bad {a}')", "bad {a}", "literal"),
        ("def f(a):\n    assert a, f'bad {a}'", "bad {a}", "literal"),
        ("def f(a):\n    assert a, ('bad', a)", None, None),
        ("def f(a):\n    raise OSError(2, 'gone', a)", "[Errno {2}] gone: {a!r}", "literal"),
        ("def f(a):\n    raise ValueError('bad', a)", "('bad', {a!r})", "literal"),
        ("def f(a):\n    raise SyntaxError('bad', ('<it>', a, 2, 'x'))", "bad (<it>, line {a})", "literal"),
        ("def f(a):\n    raise TabError('bad', (None, a, 2, 'x'))", "bad (line {a})", "literal"),
        ("def f(a):\n    raise SyntaxError('bad', a)", "bad", "literal"),
    ],
)
def test_a_message_is_followed_to_where_it_is_made(source: str, template: str | None, resolution: str | None) -> None:
    message = message_of(source + "\n")
    if template is not None:
        assert (message.template, message.resolution) == (template, resolution)


@pytest.mark.parametrize(
    "source",
    [
        "def f(msg):\n    raise ValueError(msg)",
        "def f(msg):\n    msg = g()\n    raise ValueError(msg)",
        "def f(a):\n    msg = 'bad'\n    for x in a:\n        msg = x\n    raise ValueError(msg)",
        "MSG = 'bad'\ndef f(MSG):\n    raise ValueError(MSG)",
        "def f(a):\n    raise ValueError(a.text)",
        "def f(a, b):\n    a, b = b, a\n    raise ValueError(a)",
        "def f(cache, a):\n    key = (a, 1)\n    value = cache.get(key)\n    raise value",
        "def f(cache, a):\n    raise cache.get((a, 'one'))",
    ],
)
def test_a_message_that_comes_from_elsewhere_is_dynamic_and_says_why(source: str) -> None:
    message = message_of(source + "\n")
    assert message.resolution == "dynamic"
    assert message.reason
    assert not any(isinstance(part, Text) for part in message.parts)


def test_a_message_that_chooses_has_alternatives_with_their_conditions() -> None:
    message = message_of("def f(a):\n    raise ValueError('none' if a is None else f'bad {a}')\n")
    assert [(each.template, each.condition) for each in message.alternatives] == [
        ("none", "a is None"),
        ("bad {a}", "a is not None"),
    ]
    assert message.template == "none"


@pytest.mark.parametrize("source", ["raise ValueError", "raise ValueError()", "assert a"])
def test_a_site_without_a_text_has_no_message(source: str) -> None:
    assert mine_source(source + "\n")[0].message is None


def test_parts_carry_expression_conversion_and_format() -> None:
    assert read("f'a {b!r:>{w}} {c=:.1f}'").parts == (
        Text("a "),
        Hole("b", "r", ">{w}", False),
        Text(" "),
        Hole("c", None, ".1f", True),
    )


@pytest.mark.parametrize("literal", ["'\\ud800'", "'a\\udc80b'", "f'\\ud800{a}'"])
def test_a_lone_surrogate_becomes_its_escape(literal: str) -> None:
    message = read(literal)
    message.template.encode()
    assert "\\ud" in message.skeleton


_VALUES = {"a": 3, "b": "x", "c": 2.5}


@pytest.mark.parametrize(
    "expression",
    [
        "f'{a} and {b!r} or {c:.1f}'",
        "f'{a=} {b=!s} {c=:.2f}'",
        "f'{{{a}}} {b:>5}|'",
        "'%d is %s, %r and %.2f' % (a, b, b, c)",
        "'%5d|%-5s|%05d' % (a, b, a)",
        "'{} {!r} {:>6}'.format(a, b, c)",
        "'{0} {1} {0}'.format(a, b)",
        "'a' + str(a) + f'{b}' 'c'",
        "f'{a = }'",
        "f'{a + 1:03d}%'",
        "'100%% of %x' % a",
    ],
)
def test_a_template_read_as_an_f_string_prints_what_the_source_prints(expression: str) -> None:
    template = read(expression).template
    assert eval("f" + repr(template), dict(_VALUES)) == eval(expression, dict(_VALUES))

"""Catalogs that exports are tried on: a plain one, and one whose texts want to be something else."""

from factories import make_catalog, make_entry

from catalog.records import (
    Binding,
    Catalog,
    Check,
    Clause,
    Entry,
    Example,
    Fingerprint,
    Message,
    Note,
    Option,
    OptionUse,
    Text,
    Verification,
)

NASTY = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<!-- never closed",
    "<![CDATA[ <?php ",
    "[click](javascript:alert(1))",
    "![x](http://evil.example/x.png)",
    "`` ` ``` code",
    "{{ 7 * 7 }} {% raw %} ${x}",
    "# heading\n\n- item\n\n    block\n\n---",
    "| a | b |\n|---|---|",
    "{ref}`x` {{x}} :ref:`y` $x$ |sub|",
    "\x1b[31mred\x07\x00\u202eright\u2066",
    "=HYPERLINK(1)\t;+1\r\n@x",
    "a\\nb \\",
    "[^1] [ref][1] <http://evil.example>",
    "```{toctree}\n/etc/passwd\n```",
    "(target)=\n% comment\n+++\n:::{note}\n:::",
    "*a* _b_ ~~c~~ ==d== H~2~O ^x^",
    "\ud800 lone",
    "&lt;b&gt; &#60;",
)
"""Texts that some reader takes for more than text."""


def make_note(entry: Entry, **changes: object) -> Note:
    text = str(changes.get("text", "The size is too small; set `--size`."))
    return Note(
        entry=entry.id,
        fingerprint=entry.fingerprint,
        author="errmine",
        model=None,
        date=None,
        status="derived",
        meaning=text,
        solutions=(text,),
        example=Example(text, text, "sh"),
        check=Check("validation", text),
        prevention=(text,),
        trigger=text,
        situations=(text,),
        verified=(Verification("names", True, text),),
    )


def make_shop() -> Catalog:
    """Give a catalog of three errors in two files, two options and a note."""
    resize = make_entry(
        id="1" * 16,
        guard__clauses=(
            Clause("past", "self.is_closed", True, 9, ()),
            Clause("if", "size <= 0", False, 11, ()),
        ),
        guard__bindings=(Binding("size", "int(given)", 10),),
        options=(OptionUse("CartConfig.size", "size", ("guard", "message"), ()),),
        related=("2" * 16, "3" * 16),
        permalink="https://git.example/acme/shop/blob/c0ffee/shop/cart.py#L12",
        message="size must be positive, got {size}",
    )
    close = make_entry(
        id="2" * 16,
        kind="assert",
        title="assert not self.is_closed",
        message=None,
        exception__name="AssertionError",
        exception__qualified="builtins.AssertionError",
        exception__bases=("Exception",),
        guard__branch="self.is_closed",
        guard__condition="self.is_closed",
        site__line=30,
        site__qualname="Cart.close",
        family="wrong-state",
        related=("1" * 16,),
        excerpt__text="    def close(self):\n        assert not self.is_closed\n",
    )
    pay = make_entry(
        id="3" * 16,
        title="no {} account",
        message="no {self.bank!r} account",
        site__path="shop/pay/__init__.py",
        site__module="shop.pay",
        site__qualname="pay",
        exception__name="PaymentError",
        exception__qualified="shop.errors.PaymentError",
        exception__bases=("ValueError", "Exception"),
        guard__branch="True",
        guard__condition="bank is not None",
        guard__exact=False,
        guard__inexact_because=("it stands in an exception handler",),
        family="not-found",
    )
    size = Option("CartConfig.size", "field", "size", ("--size",), "CartConfig", "int", "8", (), "How big.", "c.py", 3)
    debug = Option("SHOP_DEBUG", "env", "SHOP_DEBUG", (), None, None, None, ("0", "1"), None, "c.py", 9)
    return make_catalog([resize, close, pay], options=(size, debug), notes=(make_note(resize),))


def make_hostile() -> Catalog:
    """Give a catalog in which every text of a target is one of the nasty ones."""
    entries, options, notes = [], [], []
    for number, text in enumerate(NASTY):
        message = Message(text, text, (Text(text),), "literal")
        entry = make_entry(
            id=f"{number:016x}",
            title=text,
            message=message,
            exception__name=text,
            exception__qualified=text,
            exception__bases=(text,),
            guard__branch=text,
            guard__condition=text,
            guard__exact=False,
            guard__inexact_because=(text,),
            guard__clauses=(Clause("if", text, False, 1, (text,)), Clause("case", text, True, 2, ())),
            guard__bindings=(Binding(text, text, 1),),
            site__path=f"shop/../{text}/{text}.py",
            site__module=text,
            site__qualname=text,
            site__signature=text,
            site__docstring=text,
            excerpt__start_line=12,
            excerpt__text=text,
            permalink=f"javascript:{text}",
            options=(OptionUse(text, text, ("guard",), (text,)),),
            family=text,
            related=(f"{(number + 1) % len(NASTY):016x}",),
            fingerprint=Fingerprint("0" * 16, "0" * 16),
            remarks=(text,),
        )
        entries.append(entry)
        options.append(Option(text, "field", text, (text,), text, text, text, (text,), text, text, 1))
        notes.append(make_note(entry, text=text))
    target = {"target__name": NASTY[1], "target__repo": NASTY[0], "target__url": "javascript:alert(1)"}
    return make_catalog(entries, options=tuple(options), notes=tuple(notes), target__release=NASTY[8], **target)

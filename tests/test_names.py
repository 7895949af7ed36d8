"""What names mean across a target: imports, re-exports, bases, constants."""

from collections.abc import Mapping

import pytest

from miner.entries import SourceText
from miner.mine import find_facts
from miner.names import World, is_builtin_exception, list_builtin_bases

FILES = {
    "shop/__init__.py": "from .errors import CartError as PublicError\nfrom shop.texts import *\nfrom . import deep\n",
    "shop/errors.py": (
        "import json\n"
        "class ShopError(Exception): pass\n"
        "class CartError(ShopError, ValueError):\n    text = 'cart'\n    class Inner(KeyError): pass\n"
        "class Loop(Loop): pass\n"
        "class Odd(json.JSONDecodeError): pass\n"
        "class Generic_(CartError[int], metaclass=M): pass\n"
        "class Foreign(other.Error): pass\n"
        "ValueError_ = ValueError\n"
    ),
    "shop/texts.py": "GREETING = 'hello'\nLIMIT = 3\nLONG = (\n    'a'\n    'b'\n)\n",
    "shop/deep/__init__.py": "from ..errors import *\nfrom ..errors import CartError\nfrom .. import texts as t\n",
    "shop/deep/cart.py": (
        "from . import CartError\nfrom ...shop.errors import ShopError\nimport shop.errors as e\nimport shop.texts\n"
        "from shop import PublicError, GREETING\nfrom .nowhere import Missing\nclass ValueError(CartError): pass\n"
    ),
    "shop/again.py": "from shop.back import A\n",
    "shop/back.py": "from shop.again import A\n",
}


def build(files: Mapping[str, str]) -> World:
    modules = {}
    for path, text in files.items():
        module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        modules[module] = find_facts(SourceText(path, module, text))
    return World(modules)


WORLD = build(FILES)


@pytest.mark.parametrize(
    ("module", "name", "qualified"),
    [
        ("shop", "PublicError", "shop.errors.CartError"),
        ("shop", "GREETING", "shop.texts.GREETING"),
        ("shop", "deep.CartError", "shop.errors.CartError"),
        ("shop.deep", "ShopError", "shop.errors.ShopError"),
        ("shop.deep", "t.GREETING", "shop.texts.GREETING"),
        ("shop.deep.cart", "CartError", "shop.errors.CartError"),
        ("shop.deep.cart", "CartError.Inner", "shop.errors.CartError.Inner"),
        ("shop.deep.cart", "e.ShopError", "shop.errors.ShopError"),
        ("shop.deep.cart", "shop.texts.LIMIT", "shop.texts.LIMIT"),
        ("shop.deep.cart", "PublicError", "shop.errors.CartError"),
        ("shop.deep.cart", "GREETING", "shop.texts.GREETING"),
        ("shop.deep.cart", "Missing", "shop.deep.nowhere.Missing"),
        ("shop.deep.cart", "ValueError", "shop.deep.cart.ValueError"),
        ("shop.deep.cart", "KeyError", "builtins.KeyError"),
        ("shop.errors", "ShopError", "shop.errors.ShopError"),
        ("shop.errors", "json.JSONDecodeError", "json.JSONDecodeError"),
        ("shop.errors", "nothing", None),
        ("shop.errors", "print", None),
        ("shop.texts", "CartError", None),
    ],
)
def test_a_name_means_what_its_module_imports(module: str, name: str, qualified: str | None) -> None:
    assert WORLD.resolve(name, WORLD.modules[module], {}) == qualified


def test_a_functions_own_import_comes_first() -> None:
    facts = WORLD.modules["shop.texts"]
    assert WORLD.resolve("E", facts, {"E": "shop.PublicError"}) == "shop.errors.CartError"


def test_imports_in_a_circle_end() -> None:
    assert WORLD.resolve("A", WORLD.modules["shop.again"], {}) in ("shop.back.A", "shop.again.A")


@pytest.mark.parametrize(
    ("qualified", "bases"),
    [
        ("shop.errors.CartError", ("ShopError", "ValueError", "Exception")),
        ("shop.errors.CartError.Inner", ("KeyError", "LookupError", "Exception")),
        ("shop.errors.Loop", ("Loop",)),
        ("shop.errors.Odd", ("JSONDecodeError", "ValueError", "Exception")),
        ("shop.errors.Generic_", ("CartError", "ShopError", "ValueError", "Exception")),
        ("shop.errors.Foreign", ("Error",)),
        ("builtins.KeyError", ("LookupError", "Exception")),
        ("builtins.Exception", ("BaseException",)),
        ("builtins.KeyboardInterrupt", ("BaseException",)),
        ("builtins.UnicodeDecodeError", ("UnicodeError", "ValueError", "Exception")),
        ("elsewhere.Error", ()),
        (None, ()),
    ],
)
def test_bases_are_nearest_first_up_to_exception(qualified: str | None, bases: tuple[str, ...]) -> None:
    assert WORLD.list_bases(qualified) == bases


@pytest.mark.parametrize(
    ("qualified", "text"),
    [
        ("shop.GREETING", "'hello'"),
        ("shop.texts.LONG", "(\n    'a'\n    'b'\n)"),
        ("shop.errors.CartError.text", "'cart'"),
        ("shop.errors.Generic_.text", "'cart'"),
        ("shop.texts.LIMIT", None),
        ("shop.texts.NOTHING", None),
        ("elsewhere.TEXT", None),
    ],
)
def test_a_constants_text_is_found_where_it_is_defined(qualified: str, text: str | None) -> None:
    found = WORLD.find_constant(qualified)
    assert (found[1] if found is not None else None) == text


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("import a", {"a": "a"}),
        ("import a.b", {"a": "a"}),
        ("import a.b as c", {"c": "a.b"}),
        ("import a, b.c as d", {"a": "a", "d": "b.c"}),
        ("from a import b, c as d", {"b": "a.b", "d": "a.c"}),
        ("from a import (\n    b,  # why\n    c,\n)", {"b": "a.b", "c": "a.c"}),
        ("from . import a", {"a": "pack.a"}),
        ("from .a.b import c", {"c": "pack.a.b.c"}),
        ("from .. import a", {"a": "a"}),
        ("from.a import b", {"b": "pack.a.b"}),
        ("import a; from b import c", {"a": "a", "c": "b.c"}),
        ("from a \\\n  import b", {"b": "a.b"}),
        ("if x:\n    import a\nelse:\n    import b as a", {"a": "b"}),
        ("try:\n    import a\nexcept ImportError:\n    a = None", {"a": "a"}),
        ("importer = 1", {}),
        ("'''\nimport a\n'''", {}),
    ],
)
def test_imports_are_read_in_every_form(statement: str, names: dict[str, str]) -> None:
    assert dict(find_facts(SourceText("pack/mod.py", "pack.mod", statement + "\n")).imports) == names


def test_a_package_resolves_its_dots_from_itself() -> None:
    facts = find_facts(SourceText("pack/sub/__init__.py", "pack.sub", "from .a import b\nfrom ..c import d\n"))
    assert dict(facts.imports) == {"b": "pack.sub.a.b", "d": "pack.c.d"}


def test_missing_modules_are_found_through_what_is_imported() -> None:
    partial = World({name: facts for name, facts in WORLD.modules.items() if name != "shop.errors"})
    assert set(partial.find_missing(["shop.PublicError"], {"shop.errors", "shop.texts"})) == {"shop.errors"}


def test_builtin_exceptions_are_known_also_those_of_newer_pythons() -> None:
    assert is_builtin_exception("ValueError")
    assert is_builtin_exception("PythonFinalizationError")
    assert not is_builtin_exception("print")
    assert list_builtin_bases("PythonFinalizationError") == ("RuntimeError", "Exception")

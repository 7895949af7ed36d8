import pytest
from optionworld import attach, list_ids, list_uses

CLASSES = """
from dataclasses import dataclass, field
import copy
import os
import argparse

ALIAS = os.environ.get("CART_ALIAS", "x")

@dataclass
class WheelConfig:
    width: int = 2
    spokes: int = 9

    @property
    def is_wide(self):
        return self.width > 3

    def measure(self):
        return self.spokes * 2

@dataclass
class CartConfig:
    size: int = 3
    name: str = ""
    wheel_config: WheelConfig = None
    spare_config: WheelConfig = None
    made_config: WheelConfig = field(init=False)

    def prepare(self):
        self.spare_config = WheelConfig(width=self.size)
        self.made_config = WheelConfig()
        self.total = self.size * 2

def args_view(args):
    return View(args)

def doubled(cart: CartConfig):
    return cart.size * 2

def both(cart: CartConfig):
    return cart.size, cart.name
"""

METHODS = [
    # the field itself, in the guard, the message or both
    ("if self.size < 0:\n    raise ValueError", ["CartConfig.size"]),
    ('if bad:\n    raise ValueError(f"{self.size=}")', ["CartConfig.size"]),
    ("assert self.size > 0", ["CartConfig.size"]),
    # bindings and conversions
    ("n = int(self.size)\nif n < 0:\n    raise ValueError", ["CartConfig.size"]),
    ("n = self.size\nm = n + 1\nif m < 0:\n    raise ValueError", ["CartConfig.size"]),
    ("n = self.name.strip().lower()\nif not n:\n    raise ValueError", ["CartConfig.name"]),
    ("n = min(self.size, len(self.name))\nif n < 0:\n    raise ValueError", ["CartConfig.name", "CartConfig.size"]),
    ("if (n := self.size) < 0:\n    raise ValueError(n)", ["CartConfig.size"]),
    # through other objects
    ("if self.wheel_config.width < 0:\n    raise ValueError", ["WheelConfig.width"]),
    ("w = self.wheel_config\nif w.width < 0:\n    raise ValueError", ["WheelConfig.width"]),
    ("w = copy.deepcopy(self.wheel_config)\nif w.width < 0:\n    raise ValueError", ["WheelConfig.width"]),
    ("if self.wheel_config.is_wide:\n    raise ValueError", ["WheelConfig.width"]),
    ("if self.wheel_config.measure() > 3:\n    raise ValueError", ["WheelConfig.spokes"]),
    ('if getattr(self, "size") < 0:\n    raise ValueError', ["CartConfig.size"]),
    ('if getattr(self.wheel_config, "width", 0) < 0:\n    raise ValueError', ["WheelConfig.width"]),
    ("if doubled(self) < 0:\n    raise ValueError", ["CartConfig.size"]),
    ("n = both(self)[1]\nif not n:\n    raise ValueError", ["CartConfig.name"]),
    ("v = args_view(self)\nif v.size < 0:\n    raise ValueError", ["CartConfig.size"]),
    ("if args_view(self).size < 0:\n    raise ValueError", ["CartConfig.size"]),
    ("if self.total < 0:\n    raise ValueError", ["CartConfig.size"]),
    # what was made in sight is as it was made
    ("w = WheelConfig(width=self.size)\nif w.width < 0:\n    raise ValueError", ["CartConfig.size"]),
    ("if self.spare_config.width < 0:\n    raise ValueError", ["CartConfig.size"]),
    # the environment
    ('if os.environ.get("CART_COLOUR") == "red":\n    raise ValueError', ["CART_COLOUR"]),
    ('if os.environ["CART_COLOUR"] == "red":\n    raise ValueError', ["CART_COLOUR"]),
    ('if ALIAS == "y":\n    raise ValueError', ["CART_ALIAS"]),
    # a name that two branches define alike is one of both
    ("if not any(n > self.size for n in numbers):\n    raise ValueError", ["CartConfig.size"]),
]


def write_method(body: str) -> str:
    indented = "\n".join(f"        {line}" for line in body.splitlines())
    return CLASSES.replace("def args_view", f"    def check(self):\n{indented}\n\ndef args_view", 1)


@pytest.mark.parametrize(("body", "ids"), METHODS)
def test_a_name_in_a_method_leads_to_the_option(body: str, ids: list[str]) -> None:
    assert list_ids(write_method(body)) == ids


NEAR_MISSES = [
    # a local, loop variable or import of the same name
    "size = 4\nif size < 0:\n    raise ValueError",
    "for size in sizes:\n    if size < 0:\n        raise ValueError",
    "from sizes import size\nif size < 0:\n    raise ValueError",
    "if any(size < 0 for size in sizes):\n    raise ValueError",
    # another object of unknown class
    "if other.size < 0:\n    raise ValueError",
    "other = make()\nif other.size < 0:\n    raise ValueError",
    # what was made without it, or for the target itself
    "w = WheelConfig(width=3)\nif w.spokes < 0:\n    raise ValueError",
    "if self.spare_config.spokes < 0:\n    raise ValueError",
    "if self.made_config.width < 0:\n    raise ValueError",
    # no such field, no such literal
    "if self.weight < 0:\n    raise ValueError",
    "if getattr(self, name) < 0:\n    raise ValueError",
    # a value that only passed through an unknown function
    "n = look_up(self.size)\nif n < 0:\n    raise ValueError",
    # redefined on one of two ways
    "n = self.size\nif odd:\n    n = 3\nelse:\n    n = other(n)\nif n < 0:\n    raise ValueError",
    "def inner():\n    self.size\nif inner < 0:\n    raise ValueError",
    'if "CART_COLOUR" in table:\n    raise ValueError',
]


@pytest.mark.parametrize("body", NEAR_MISSES)
def test_a_near_miss_leads_nowhere(body: str) -> None:
    assert list_ids(write_method(body)) == []


PARAMETERS = [
    # (the function with the site, the call, what it leads to)
    ("def check(n):\n    if n < 0:\n        raise ValueError", "check(self.size)", ["CartConfig.size"]),
    ("def check(n, m=0):\n    if m < 0:\n        raise ValueError", "check(1, m=self.size)", ["CartConfig.size"]),
    ("def check(*, n):\n    if n < 0:\n        raise ValueError", "check(n=int(self.size))", ["CartConfig.size"]),
    ("def check(n):\n    m = n\n    if m < 0:\n        raise ValueError", "check(self.size)", ["CartConfig.size"]),
    (
        "def check(n):\n    def inner():\n        if n < 0:\n            raise ValueError",
        "check(self.size)",
        ["CartConfig.size"],
    ),
    ("def check(cart: CartConfig):\n    if cart.size < 0:\n        raise ValueError", "check(x)", ["CartConfig.size"]),
    ("def check(cart: 'CartConfig | None'):\n    if cart.size < 0:\n        raise ValueError", "", ["CartConfig.size"]),
    ("def check(cart):\n    if cart.size < 0:\n        raise ValueError", "check(self)", ["CartConfig.size"]),
    ("def check(cart_config):\n    if cart_config.size < 0:\n        raise ValueError", "", ["CartConfig.size"]),
    # near misses
    ("def check(n):\n    if n < 0:\n        raise ValueError", "check(3)", []),
    ("def check(n):\n    if n < 0:\n        raise ValueError", "other.check(self.size)", []),
    ("def check(n):\n    if n < 0:\n        raise ValueError", "check(*self.size)", []),
    ("def check(n, m=0):\n    if m < 0:\n        raise ValueError", "check(self.size)", []),
    ("def check(n):\n    n = 3\n    if n < 0:\n        raise ValueError", "check(self.size)", []),
    ("def check(n):\n    for n in range(3):\n        if n < 0:\n            raise ValueError", "check(self.size)", []),
    ("def check(n):\n    def inner(n):\n        if n < 0:\n            raise ValueError", "check(self.size)", []),
    ("def check(size):\n    if size < 0:\n        raise ValueError", "", []),
    (
        "class Other:\n    def check(self, n):\n        if n < 0:\n            raise ValueError",
        "self.check(self.size)",
        [],
    ),
    ("class Other:\n    def check(self):\n        if self.size < 0:\n            raise ValueError", "", []),
    ("def check(cart: Other):\n    if cart.size < 0:\n        raise ValueError", "check(self)", []),
]


@pytest.mark.parametrize(("function", "call", "ids"), PARAMETERS)
def test_a_parameter_is_what_calls_give_for_it(function: str, call: str, ids: list[str]) -> None:
    method = f"    def use(self, x: CartConfig, other):\n        {call or 'pass'}\n\ndef args_view"
    assert list_ids(f"{CLASSES.replace('def args_view', method, 1)}\n{function}\n") == ids


HELPER = """
    from dataclasses import dataclass
    @dataclass
    class CartConfig:
        size: int = 3
        width: int = 2

        def check(self):
            self._limit(self.size, self.width)

        @staticmethod
        def _limit(cart_size, cart_width):
            if cart_size > cart_width:
                raise ValueError(f"{cart_size=} is more than {cart_width=}")
"""


def test_the_steps_are_told_with_their_places() -> None:
    first, second = list_uses(HELPER)
    assert (first.id, first.as_, first.in_) == ("CartConfig.size", "cart_size", ("guard", "message"))
    assert first.via == ("parameter cart_size of CartConfig._limit", "shop/config.py:9: self.size")
    assert second.id == "CartConfig.width"


@pytest.mark.parametrize(
    ("declared", "sides"),
    [
        ("choices=[1, 2]", ("guard", "message")),
        # what a conversion refuses is in no test that the target writes
        ("type=int", ("message",)),
    ],
)
def test_a_declared_flag_is_in_the_guard_only_where_there_is_one(declared: str, sides: tuple[str, ...]) -> None:
    (use,) = list_uses(
        f'import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument("--cart-size", {declared})\n'
    )
    assert (use.id, use.in_) == ("--cart-size", sides)


@pytest.mark.parametrize(
    ("copy", "id_"),
    [
        ("self.inner = self.size", "CartConfig.size"),
        # not always, not whole, or not from a field
        ("if self.inner is None:\n            self.inner = self.size", "CartConfig.inner"),
        ("self.inner = self.inner or self.size", "CartConfig.inner"),
        ("self.inner = self.other", "CartConfig.inner"),
    ],
)
def test_a_field_that_is_always_a_copy_is_the_field_it_copies(copy: str, id_: str) -> None:
    source = f"""
    from dataclasses import dataclass

    @dataclass
    class CartConfig:
        size: int = 3
        inner: int = None

        def __post_init__(self):
            print(self.size)
            {copy.replace("            ", "                ")}

        def check(self):
            if self.inner < 0:
                raise ValueError(self.inner)
    """
    assert list_ids(source) == [id_]


def test_several_callers_give_each_its_option() -> None:
    source = HELPER.replace(
        "self._limit(self.size, self.width)", "self._limit(self.size, 3)\n            self._limit(4, self.width)"
    )
    assert list_ids(source + "\n") == ["CartConfig.size", "CartConfig.width"]
    swapped = HELPER.replace(
        "self._limit(self.size, self.width)", "self._limit(self.width, 1)\n            self._limit(self.size, 1)"
    )
    assert [(use.id, use.as_) for use in list_uses(swapped)] == [
        ("CartConfig.width", "cart_size"),
        ("CartConfig.size", "cart_size"),
    ]


def test_a_call_in_another_module_counts() -> None:
    sources = {
        "shop/config.py": """
            from dataclasses import dataclass
            from shop.limits import limit as check_limit
            @dataclass
            class CartConfig:
                size: int = 3
                def check(self):
                    check_limit(self.size)
        """,
        "shop/limits.py": """
            def limit(n):
                if n > 3:
                    raise ValueError("too much")
        """,
    }
    assert list_ids(sources) == ["CartConfig.size"]


def test_a_validator_is_about_the_fields_it_names() -> None:
    source = """
        from pydantic import BaseModel, field_validator
        class CartConfig(BaseModel):
            size: int = 3
            width: int = 3
            @field_validator("size", mode="before")
            @classmethod
            def check(cls, value, info):
                if value < 0:
                    raise ValueError("less than nothing")
    """
    assert list_ids(source) == ["CartConfig.size"]


def test_the_parsed_command_line_leads_to_flags_and_fields() -> None:
    source = """
        import argparse
        def build(parser):
            parser.add_argument("--cart-size")
        def run(args: argparse.Namespace):
            if args.cart_size < 0:
                raise ValueError("less than nothing")
    """
    assert list_ids(source) == ["--cart-size"]
    assert list_ids(source.replace("args: argparse.Namespace", "args")) == []


def test_a_parameter_of_a_command_is_its_flag() -> None:
    source = """
        import click
        @click.command()
        @click.option("--cart-size")
        def run(cart_size):
            if cart_size < 0:
                raise ValueError("less than nothing")
    """
    assert list_ids(source) == ["--cart-size"]


@pytest.mark.parametrize(
    ("message", "ids", "unknown"),
    [
        ("use --cart-size", ["--cart-size"], ()),
        ("use `--cart-size`, not 3", ["--cart-size"], ()),
        ("use --cart_size=3", ["--cart-size"], ()),
        ("use --cart-width", [], ("--cart-width",)),
        ("use --cart-{size,width}", [], ()),
        ("use my--cart-size or -- size", [], ()),
    ],
)
def test_flags_named_in_a_message_are_options_or_reported(
    message: str, ids: list[str], unknown: tuple[str, ...]
) -> None:
    source = (
        f'def build(parser):\n    parser.add_argument("--cart-size")\ndef run(x):\n    raise ValueError("{message}")\n'
    )
    attached = attach(source)
    assert [use.id for use in attached.entries[0].options] == ids
    assert attached.unknown_flags == unknown


def test_variables_of_a_module_or_object_that_lists_them() -> None:
    sources = {
        "shop/envs.py": """
            import os
            variables = {"CART_SIZE": lambda: os.getenv("CART_SIZE")}
            class Envs:
                CART_WIDTH = EnvInt(3)
            envs = Envs()
        """,
        "shop/use.py": """
            import shop.envs as table
            from shop.envs import envs
            def run():
                width = envs.CART_WIDTH.get()
                if table.CART_SIZE or width > 3:
                    raise ValueError("too much")
        """,
    }
    assert list_ids(sources) == ["CART_SIZE", "CART_WIDTH"]
    other = {
        **sources,
        "shop/use.py": sources["shop/use.py"].replace("import shop.envs as table", "import tables as table"),
    }
    assert list_ids(other) == ["CART_WIDTH"]


def test_workers_change_nothing() -> None:
    source = CLASSES + "\n".join(
        f"\ndef check{n}(cart: CartConfig):\n    if cart.size < {n}:\n        raise ValueError('{n}')\n"
        for n in range(300)
    )
    assert attach(source, workers=1) == attach(source, workers=2)

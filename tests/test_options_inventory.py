import pytest
from optionworld import attach, find_option

FIELDS = [
    ("from dataclasses import dataclass\n@dataclass\nclass CartConfig:\n    size: int = 3\n", "int", "3"),
    ("import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass CartConfig:\n    size: int\n", "int", None),
    (
        "from pydantic import BaseModel\nclass CartConfig(BaseModel):\n    size: int | None = None\n",
        "int | None",
        "None",
    ),
    (
        "from pydantic import BaseModel, Field\nclass CartConfig(BaseModel):\n    size: int = Field(default=3, gt=0)\n",
        "int",
        "3",
    ),
    ("from pydantic.dataclasses import dataclass\n@dataclass\nclass CartConfig:\n    size: int = 3\n", "int", "3"),
    ("import msgspec\nclass CartConfig(msgspec.Struct, frozen=True):\n    size: int = 3\n", "int", "3"),
    ("import attr\n@attr.s(auto_attribs=True)\nclass CartConfig:\n    size: int = attr.ib(default=3)\n", "int", "3"),
    (
        "from attrs import define, field\n@define\nclass CartConfig:\n    size: list = field(factory=list)\n",
        "list",
        "list()",
    ),
    (
        "from dataclasses import dataclass, field\n@dataclass\nclass CartConfig:\n"
        "    size: dict[str, int] = field(default_factory=lambda: {})\n",
        "dict[str, int]",
        "{}",
    ),
    (
        "from typing import Annotated\nfrom dataclasses import dataclass\n@dataclass\nclass CartConfig:\n"
        '    size: Annotated[int, "How many."] = 3\n',
        "int",
        "3",
    ),
    (
        "from typing import dataclass_transform\nfrom dataclasses import dataclass\n@dataclass_transform()\n"
        "def config(cls):\n    return dataclass(cls)\n@config\nclass CartConfig:\n    size: int = 3\n",
        "int",
        "3",
    ),
]


@pytest.mark.parametrize(("source", "type_", "default"), FIELDS)
def test_a_field_is_an_option_with_type_and_default(source: str, type_: str, default: str | None) -> None:
    option = find_option(source, "CartConfig.size")
    assert (option.kind, option.name, option.owner, option.type, option.default) == (
        "field",
        "size",
        "CartConfig",
        type_,
        default,
    )


NO_FIELDS = [
    "class CartConfig:\n    size: int = 3\n",
    "from dataclasses import dataclass\n@dataclass\nclass Cart:\n    size: int = 3\n",
    "from dataclasses import dataclass\n@dataclass\nclass CartConfig:\n    size = 3\n",
    "from dataclasses import dataclass\nfrom typing import ClassVar\n@dataclass\nclass CartConfig:\n"
    "    size: ClassVar[int] = 3\n",
    "from dataclasses import dataclass, field\n@dataclass\nclass CartConfig:\n"
    "    size: int = field(default=3, init=False)\n",
    "from dataclasses import dataclass\n@dataclass\nclass CartConfig:\n    _size: int = 3\n",
    "from dataclasses import dataclass\n@dataclass\nclass CartConfig:\n    def f(self):\n        size: int = 3\n",
]


@pytest.mark.parametrize("source", NO_FIELDS)
def test_what_nobody_can_set_is_no_option(source: str) -> None:
    assert attach(source).options == ()


def test_where_a_project_marks_its_configuration_a_plain_dataclass_is_none() -> None:
    source = """
        from dataclasses import dataclass
        from typing import dataclass_transform

        @dataclass_transform()
        def config(cls):
            return dataclass(cls)

        @config
        class CartConfig:
            size: int = 3

        @dataclass
        class WheelConfig:
            width: int = 1
    """
    assert [option.id for option in attach(source).options] == ["CartConfig.size"]


DESCRIBED = [
    ('    size: int = 3\n    """How many\n    fit."""\n', "How many fit."),
    ("    # How many\n    # fit.\n    size: int = 3\n", "How many fit."),
    ("    size: int = 3  # How many fit.\n", "How many fit."),
    ('    size: int = field(default=3, metadata={"help": "How many " "fit."})\n', "How many fit."),
    ('    size: Annotated[int, "How many fit."] = 3\n', "How many fit."),
    ("    size: int = 3  # type: ignore\n", None),
    ("    # -----------\n    size: int = 3\n", None),
]


@pytest.mark.parametrize(("body", "help_"), DESCRIBED)
def test_a_field_is_described_by_what_stands_around_it(body: str, help_: str | None) -> None:
    source = (
        f"from dataclasses import dataclass, field\nfrom typing import Annotated\n@dataclass\nclass CartConfig:\n{body}"
    )
    assert find_option(source, "CartConfig.size").help == help_


CHOICES = [
    ('kind: Literal["red", "blue"] = "red"', ("red", "blue")),
    ('kind: Literal["red", 2] | None = None', ("red", "2")),
    ("kind: Colour = None", ("red", "blue")),
    ("kind: Optional[Colour] = None", ("red", "blue")),
    ("kind: int = Field(default=1, ge=1, lt=9)", (">= 1", "< 9")),
    ("kind: int = 1", ()),
]


@pytest.mark.parametrize(("body", "choices"), CHOICES)
def test_a_field_says_what_it_takes(body: str, choices: tuple[str, ...]) -> None:
    source = (
        "from typing import Literal, Optional\nfrom pydantic import BaseModel, Field\n"
        f'Colour = Literal["red", "blue"]\nclass CartConfig(BaseModel):\n    {body}\n'
    )
    assert find_option(source, "CartConfig.kind").choices == choices


def test_an_inherited_field_belongs_to_the_class_that_declares_it() -> None:
    source = """
        from dataclasses import dataclass
        @dataclass
        class CartConfig:
            size: int = 3
        @dataclass
        class BigCartConfig(CartConfig):
            wheels: int = 8
    """
    assert [option.id for option in attach(source).options] == ["BigCartConfig.wheels", "CartConfig.size"]


def test_a_class_put_together_from_others_has_their_fields() -> None:
    sources = {
        "shop/parts.py": """
            import msgspec
            class Wheels(msgspec.Struct):
                width: A[int, "How wide."] = 2
        """,
        "shop/args.py": """
            import msgspec
            from shop.parts import Wheels
            class CartArgs:
                @staticmethod
                def add_cli_args(parser):
                    add_cli_args_from_class(parser, CartArgs)
            PARTS = [Wheels]
            names, defaults = collect(PARTS)
            CartArgs.__annotations__ = {**names}
            CartArgs = msgspec.defstruct("CartArgs", names)
        """,
    }
    option = find_option(sources, "CartArgs.width")
    assert (option.owner, option.flags, option.path) == ("Wheels", ("--width",), "shop/parts.py")


def test_a_default_that_is_another_field_is_followed() -> None:
    source = """
        from dataclasses import dataclass, field
        @dataclass
        class CartConfig:
            size: int = 3
        @dataclass
        class ShopArgs:
            cart_size: int = CartConfig.size
            other: int = get_field(CartConfig, "size")
    """
    options = {option.id: option.default for option in attach(source).options}
    assert (options["ShopArgs.cart_size"], options["ShopArgs.other"]) == ("3", "3")


def test_two_classes_of_one_name_are_told_apart() -> None:
    text = "from dataclasses import dataclass\n@dataclass\nclass Args:\n    size: int = 3\n"
    ids = [option.id for option in attach({"shop/args.py": text, "shop/deep/args.py": text}).options]
    assert ids == ["Args.size", "shop.deep.args.Args.size"]


VARIABLES = [
    ('import os\nx = os.environ.get("CART_SIZE", "3")\n', '"3"'),
    ('import os\nx = os.environ["CART_SIZE"]\n', None),
    ('import os\nx = os.getenv("CART_SIZE", default="3")\n', '"3"'),
    ('from os import getenv\nx = getenv("CART_SIZE")\n', None),
    ('import os\nx = "CART_SIZE" in os.environ\n', None),
    ('x = get_int_env_var("CART_SIZE", 3)\n', "3"),
    ('import os\ntable = {\n    "CART_SIZE": lambda: int(os.getenv("CART_SIZE", "3")),\n}\n', '"3"'),
    ("class Envs:\n    CART_SIZE = EnvInt(3)\n", "3"),
]


@pytest.mark.parametrize(("source", "default"), VARIABLES)
def test_a_variable_is_an_option(source: str, default: str | None) -> None:
    option = find_option(source, "CART_SIZE")
    assert (option.kind, option.default) == ("env", default)


NO_VARIABLES = [
    'import os\n# os.environ["CART_SIZE"]\n',
    "import os\nx = \"os.environ.get('CART_SIZE')\"\n",
    'import os\nos.environ["CART_SIZE"] = "3"\n',
    'x = table.get("CART_SIZE")\n',
    "import os\nx = os.environ.get(name)\n",
    'import os\nx = os.environ.get("cart size")\n',
]


@pytest.mark.parametrize("source", NO_VARIABLES)
def test_what_is_not_read_from_the_environment_is_no_variable(source: str) -> None:
    assert attach(source).options == ()


def test_a_table_of_variables_describes_them_by_its_comments() -> None:
    source = """
        import os
        variables = {
            # How many
            # fit.
            "CART_SIZE": lambda: os.getenv("CART_SIZE", "3"),
        }
    """
    option = find_option(source, "CART_SIZE")
    assert (option.help, option.line) == ("How many fit.", 6)

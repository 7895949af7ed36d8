import pytest
from optionworld import attach, find_option

FLAGS = [
    ('parser.add_argument("--size")', "--size", ("--size",)),
    ('parser.add_argument("-s", "--size", type=int, default=3)', "--size", ("-s", "--size")),
    ('group.add_argument("-s")', "-s", ("-s",)),
    ('parser.add_argument("--fast", action=argparse.BooleanOptionalAction)', "--fast", ("--fast", "--no-fast")),
    ('parser.add_mutually_exclusive_group().add_argument("--size")', "--size", ("--size",)),
    ('add_cart_argument(parser, "--size", help="How many.")', "--size", ("--size",)),
]


@pytest.mark.parametrize(("call", "id_", "flags"), FLAGS)
def test_a_flag_without_a_field_is_an_option(call: str, id_: str, flags: tuple[str, ...]) -> None:
    option = find_option(f"import argparse\ndef build(parser, group):\n    {call}\n", id_)
    assert (option.kind, option.owner, option.flags) == ("flag", None, flags)


NO_FLAGS = [
    'parser.add_argument("size")',
    'print("--size")',
    "parser.add_argument(name)",
    'parser.add_argument("--", "--  ")',
    "x = \"parser.add_argument('--size')\"",
]


@pytest.mark.parametrize("call", NO_FLAGS)
def test_what_declares_no_flag_is_no_option(call: str) -> None:
    assert attach(f"def build(parser, name):\n    {call}\n").options == ()


def test_a_flag_says_what_it_takes() -> None:
    call = 'parser.add_argument("--kind", choices=["red", "blue"], default="red", type=str, help="Which\\n  one.")'
    option = find_option(f"def build(parser):\n    {call}\n", "--kind")
    assert (option.choices, option.default, option.type, option.help) == (("red", "blue"), '"red"', "str", "Which one.")


FILLED = [
    ('parser.add_argument("--cart-size", type=int)', ("--cart-size",)),
    ('parser.add_argument("--size-of-cart", dest="cart_size")', ("--size-of-cart",)),
]


@pytest.mark.parametrize(("call", "flags"), FILLED)
def test_a_flag_fills_the_field_of_its_name(call: str, flags: tuple[str, ...]) -> None:
    source = f"""
from dataclasses import dataclass
@dataclass
class ShopArgs:
    cart_size: int = 3
    @staticmethod
    def add_cli_args(parser):
        {call}
"""
    assert [(option.id, option.flags) for option in attach(source).options] == [("ShopArgs.cart_size", flags)]


MADE_FROM_A_FIELD = """
    from dataclasses import dataclass
    import argparse
    from pairing import BooleanOptionalAction

    def get_kwargs(cls):
        return {name: {"action": argparse.BooleanOptionalAction} for name in cls}

    @dataclass
    class CartConfig:
        size: int = 3
        fast: bool = False
        named: bool | str | None = None

    @dataclass
    class ShopConfig:
        cart_config: CartConfig = None

    @dataclass
    class ShopArgs:
        cart_size: int = CartConfig.size

        @staticmethod
        def add_cli_args(parser):
            cart_kwargs = get_kwargs(CartConfig)
            group = parser.add_argument_group("cart")
            group.add_argument("--cart-size", "-s", **cart_kwargs["size"])
            group.add_argument("--fast", **cart_kwargs["fast"])
            named = cart_kwargs["named"]
            group.add_argument("--named", **{**named, "default": 1})
            group.add_argument("--cart-config", **get_kwargs(ShopConfig)["cart_config"])
"""


def test_a_flag_made_from_a_field_sets_that_field_and_the_one_it_fills() -> None:
    flags = {option.id: option.flags for option in attach(MADE_FROM_A_FIELD).options}
    assert flags["CartConfig.size"][:2] == ("--cart-size", "-s")
    assert flags["ShopArgs.cart_size"] == ("--cart-size", "-s")


def test_a_yes_or_no_made_from_a_field_has_a_flag_that_switches_it_off() -> None:
    flags = {option.id: option.flags for option in attach(MADE_FROM_A_FIELD).options}
    assert flags["CartConfig.fast"][:2] == ("--fast", "--no-fast")
    assert flags["CartConfig.named"][:1] == ("--named",)
    assert "--no-named" not in flags["CartConfig.named"]


def test_the_keys_of_a_flag_that_takes_json_have_that_flag_last() -> None:
    flags = {option.id: option.flags for option in attach(MADE_FROM_A_FIELD).options}
    assert flags["ShopConfig.cart_config"] == ("--cart-config",)
    assert flags["CartConfig.size"][-1] == "--cart-config"
    assert "--cart-config" not in flags["ShopArgs.cart_size"]


def test_an_action_of_the_targets_own_pairs_flags() -> None:
    source = """
        import argparse
        class Pairing(argparse.BooleanOptionalAction):
            pairs = {"--enable-": "--disable-"}
        def build(parser):
            parser.add_argument("--enable-x", action=argparse.BooleanOptionalAction)
            parser.add_argument("--able-x", action=argparse.BooleanOptionalAction)
    """
    flags = {option.id: option.flags for option in attach(source).options}
    assert flags["--enable-x"] == ("--enable-x", "--no-enable-x", "--disable-x")
    assert flags["--able-x"] == ("--able-x", "--no-able-x")


def test_a_loop_over_the_fields_makes_a_flag_of_each_for_the_class_that_users_meet() -> None:
    source = """
        from dataclasses import dataclass
        @dataclass
        class BaseArgs:
            cart_size: int = 3
            @classmethod
            def add_cli_args(cls, parser):
                kwargs = get_kwargs(cls)
                kwargs = cls.customize(kwargs)
                for key, value in kwargs.items():
                    parser.add_argument(f"--{key.replace('_', '-')}", **value)
        @dataclass
        class ShopArgs(BaseArgs):
            open_late: bool = False
    """
    found = {option.id: (option.flags, option.owner) for option in attach(source).options}
    assert found == {
        "ShopArgs.cart_size": (("--cart-size",), "BaseArgs"),
        "ShopArgs.open_late": (("--open-late",), "ShopArgs"),
    }


ANNOTATED = [
    ('size: A[int, "How many."] = 3', ("--size",)),
    ('size: A[int, Arg(help="How many.", aliases=["--cart-size", "-s"])] = 3', ("--size", "--cart-size", "-s")),
    ('cart_size: A[int, Arg(cli_name="--size")] = 3', ("--size",)),
    ('size: A[bool, Arg(help="x", action=argparse.BooleanOptionalAction)] = True', ("--size", "--no-size")),
    ("size: A[int, Arg(no_cli=True)] = 3", ()),
    ("size: int = 3", ()),
]


@pytest.mark.parametrize(("body", "flags"), ANNOTATED)
def test_an_annotated_field_makes_its_own_flag(body: str, flags: tuple[str, ...]) -> None:
    source = f"""
import argparse
from dataclasses import dataclass
from typing import Annotated as A
@dataclass
class ShopArgs:
    {body}
def build(parser):
    add_cli_args_from_dataclass(parser, ShopArgs)
"""
    assert [option.flags for option in attach(source).options] == [flags]


COMMANDS = [
    ('@click.option("--size", default=3)\ndef run(size): ...', "--size", ("--size",)),
    ('@click.option("-s", "--size", "cart_size")\ndef run(cart_size): ...', "--size", ("-s", "--size")),
    ('@cli.command()\n@click.option("--fast/--slow")\ndef run(fast): ...', "--fast", ("--fast", "--slow")),
    ('def run(size: int = typer.Option(3, "--size", "-s")): ...', "--size", ("--size", "-s")),
    ('def run(cart_size: Annotated[int, typer.Option(help="x")] = 3): ...', "--cart-size", ("--cart-size",)),
    ("def run(fast: Annotated[bool, typer.Option()] = False): ...", "--fast", ("--fast", "--no-fast")),
]


@pytest.mark.parametrize(("source", "id_", "flags"), COMMANDS)
def test_commands_of_click_and_typer_have_flags(source: str, id_: str, flags: tuple[str, ...]) -> None:
    assert find_option(f"import click, typer\nfrom typing import Annotated\n{source}\n", id_).flags == flags

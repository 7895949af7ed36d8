"""What is a name of the source to the person who reads about it?"""

import ast
from typing import Literal, Protocol

from catalog.notes.places import Place
from catalog.records import Option

Sort = Literal["yes or no", "number", "text", "several", "any"]
"""What being true says of a value: that it is so, not zero, not empty text, or not an empty collection."""

_BOOLEANS = ("bool",)
_NUMBERS = ("int", "float", "PositiveInt", "NonNegativeInt")
_TEXTS = ("str", "Literal", "Path")
_COLLECTIONS = ("list", "List", "dict", "Dict", "tuple", "Tuple", "set", "Set", "Sequence", "Mapping")


class Names(Protocol):
    """What is known of the names in a condition."""

    def find(self, node: ast.expr) -> Place | None:
        """Find the option whose value an expression is."""

    def trace(self, node: ast.expr) -> tuple[Place, ...]:
        """Give the options that a name was computed from."""

    def sort(self, node: ast.expr) -> Sort:
        """Tell what sort of value an expression has, as far as the source shows it."""


def find_sort(option: Option) -> Sort:
    """Tell what sort of value an option takes, from how its type begins."""
    if option.type is None and option.default in ("True", "False"):
        return "yes or no"
    declared = (option.type or "").removeprefix("Optional[").removeprefix("Annotated[").replace("None | ", "")
    head = declared.partition("[")[0].partition("|")[0].strip(" ]").rpartition(".")[2]
    for sort, heads in _SORTS:
        if head in heads:
            return sort
    return "any"


_SORTS: tuple[tuple[Sort, tuple[str, ...]], ...] = (
    ("yes or no", _BOOLEANS),
    ("number", _NUMBERS),
    ("text", _TEXTS),
    ("several", _COLLECTIONS),
)


def is_bound(choice: str) -> bool:
    """Tell a rule among an option's choices, as `>= 1` and `length <= 3`, from a value."""
    return choice.removeprefix("length ").startswith(("<", ">"))


def may_be_unset(option: Option) -> bool:
    """Tell whether an option can be None."""
    return option.default == "None" or "None" in (option.type or "") or (option.type or "").startswith("Optional")

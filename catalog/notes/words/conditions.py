"""How does a condition read, said as a person would?"""

import ast
import re
from dataclasses import dataclass

from catalog.notes.places import Place
from catalog.notes.words.calls import say_call
from catalog.notes.words.comparisons import say_comparison
from catalog.notes.words.names import Names, Sort, may_be_unset
from catalog.notes.words.nouns import say_noun, write_code
from catalog.notes.words.phrases import Each, Phrase, Said, join, write
from catalog.notes.words.platforms import find_platform

_ITEMS = re.compile(r"(?:[Ll]ist|[Ss]equence|[Tt]uple|[Ss]et|Iterable)\[(str|int|float)\b")


def say_condition(node: ast.expr, names: Names, wanted: bool = True) -> str:
    """Say that a condition holds, or that it does not, as what follows `when` in a sentence."""
    return write(read_condition(node, names, wanted))


def read_condition(node: ast.expr, names: Names, wanted: bool = True) -> Said:
    """Read a condition, or its negation, as statements about subjects."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return read_condition(operand, names, not wanted)
        case ast.BoolOp(op=op, values=values):
            return _read_sequence(values, names, wanted, isinstance(op, ast.And))
        case ast.Compare():
            return say_comparison(node, names, wanted)
        case ast.NamedExpr(value=value):
            return read_condition(value, names, wanted)
        case ast.Call(func=ast.Name(id="bool"), args=[value], keywords=[]):
            return read_condition(value, names, wanted)
        case ast.Call(func=ast.Name(id="any" | "all" as name), args=[argument], keywords=[]):
            return _read_quantified(name, argument, names, wanted)
        case ast.ListComp(
            elt=ast.Name(id=name), generators=[ast.comprehension(target=ast.Name(id=item), ifs=[test])]
        ) if name == item:
            (loop,) = node.generators
            lead = f"for {'some' if wanted else 'every'} `{item}` in {say_noun(loop.iter, names)}"
            return Each(lead, read_condition(test, _enter(loop, names), wanted))
        case ast.Constant(value=value):
            return Phrase("", "always" if bool(value) is wanted else "never")
        case ast.BinOp(op=ast.Mod(), left=base, right=by):
            return Phrase(say_noun(base, names), f"is {'not ' if wanted else ''}divisible by {say_noun(by, names)}")
        case ast.IfExp(test=test, body=body, orelse=orelse):
            taken = join("and", (read_condition(test, names, True), read_condition(body, names, wanted)))
            other = join("and", (read_condition(test, names, False), read_condition(orelse, names, wanted)))
            return join("or", (taken, other))
    platform = find_platform(node)
    if platform is not None:
        return Phrase("the platform", f"is {'' if wanted else 'not '}{platform}")
    said = say_call(node, names, wanted) if isinstance(node, ast.Call) else None
    return said or _read_truth(node, names, wanted)


def _read_sequence(values: list[ast.expr], names: Names, wanted: bool, is_and: bool) -> Said:
    return join("and" if is_and is wanted else "or", (read_condition(value, names, wanted) for value in values))


@dataclass(frozen=True, slots=True)
class _Items:
    """What is known of names inside a loop over an option's items, whose type says what these are."""

    names: Names
    item: str
    kind: Sort

    def find(self, node: ast.expr) -> Place | None:
        """Find the option whose value an expression is."""
        return self.names.find(node)

    def trace(self, node: ast.expr) -> tuple[Place, ...]:
        """Give the options that a name was computed from."""
        return self.names.trace(node)

    def sort(self, node: ast.expr) -> Sort:
        """Tell what sort of value an expression has."""
        return self.kind if isinstance(node, ast.Name) and node.id == self.item else self.names.sort(node)


def _enter(loop: ast.comprehension, names: Names) -> Names:
    """Give the names inside a loop."""
    place = names.find(loop.iter)
    found = _ITEMS.search(place.option.type or "") if place is not None else None
    if found is None or not isinstance(loop.target, ast.Name):
        return names
    return _Items(names, loop.target.id, "text" if found[1] == "str" else "number")


def _read_quantified(name: str, argument: ast.expr, names: Names, wanted: bool) -> Said:
    match argument:
        case ast.GeneratorExp(elt=test, generators=[loop]) | ast.ListComp(elt=test, generators=[loop]):
            every = (name == "all") is wanted
            where = "".join(f" where {say_condition(each, names)}" for each in loop.ifs)
            target = f"`{write_code(loop.target)}`"
            lead = f"for {'every' if every else 'some'} {target} in {say_noun(loop.iter, names)}{where}"
            return Each(lead, read_condition(test, _enter(loop, names), wanted))
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return _read_sequence(elements, names, wanted, name == "all")
    word = {("any", True): "some", ("any", False): "none", ("all", True): "each", ("all", False): "not each"}[
        name, wanted
    ]
    return Phrase("", f"{word} of {say_noun(argument, names)} is true")


def _read_truth(node: ast.expr, names: Names, wanted: bool) -> Phrase:
    """Say that a value counts as true, in the way its sort does."""
    match node:
        case ast.Call(func=ast.Attribute(value=text, attr="strip"), args=[], keywords=[]):
            return Phrase(say_noun(text, names), "is not blank" if wanted else "is blank")
    subject = say_noun(node, names)
    place = names.find(node)
    unset = place is not None and may_be_unset(place.option)
    match names.sort(node):
        case "yes or no" if place is not None:
            return Phrase(subject, "is on" if wanted else "is off")
        case "number":
            return Phrase(subject, "is not 0" if wanted else "is 0 or not set" if unset else "is 0")
        case "text" if place is None:
            return Phrase(subject, "is not empty" if wanted else "is empty")
        case "text":
            return Phrase(subject, "is set" if wanted else "is not set" if unset else "is empty")
        case "several":
            return Phrase(subject, "is not empty" if wanted else "is empty or not set" if unset else "is empty")
    if place is not None:
        return Phrase(subject, "is set" if wanted else "is not set")
    return Phrase(subject, "is true" if wanted else "is false")

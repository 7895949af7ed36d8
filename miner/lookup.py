"""What a name stands for at a site: a definition that arrives there, or a constant of the target."""

from collections.abc import Mapping
from dataclasses import dataclass

import libcst as cst

from miner.effects import CONTENT, IDENTITY, Read, find_path
from miner.facts import ModuleFacts
from miner.names import World
from miner.templates import Found, Scope
from miner.trail import Trail, find_definition, is_disturbed


@dataclass(frozen=True, slots=True)
class Context:
    """Where a unit stands: its module's facts, its own imports and local names, and its class."""

    world: World
    facts: ModuleFacts
    imports: Mapping[str, str]
    """Imported inside the unit, or in the functions around it."""
    local: frozenset[str]
    """Names that the unit or a function around it binds: never the module's."""
    owner: str | None
    """Qualified name of the class whose method this is."""
    is_exact: bool = False
    """`self` is of this very class, and what its constructor sets is known apart from this."""

    def find_import(self, name: str) -> str | None:
        """Find what a name is imported from."""
        return self.imports.get(name) or self.world.find_import(self.facts, name)

    def resolve(self, dotted: str) -> str | None:
        """Give the qualified name of a dotted one; `None` for a local name or one that nothing binds."""
        head = dotted.partition(".")[0]
        if head in self.local and head not in self.imports:
            return None
        return self.world.resolve(dotted, self.facts, self.imports)


def make_scope(context: Context, trail: Trail, end: int) -> Scope:
    """Make the look-up for expressions that are evaluated at an index of the trail."""

    def look(node: cst.BaseExpression) -> Found | None:
        path = find_path(node)
        if path is None or "[]" in path:
            return None
        found = find_definition(Read(path, IDENTITY), trail, end)
        if found is not None:
            index, definition = found
            if definition.path != path:
                return None
            if not definition.value:  # an import inside the function
                return find_constant(context, path)
            value = parse_value(definition.value)
            if value is None:
                return None
            mutable = isinstance(value, cst.List | cst.Set | cst.Dict)
            if mutable and is_disturbed(Read(path, CONTENT), trail[index + 1 : end]):
                return None
            return Found(value, "variable", make_scope(context, trail, index))
        if any(is_disturbed(Read(path, IDENTITY), (event,)) for event in trail[:end]):
            return None
        return find_constant(context, path)

    return look


def find_constant(context: Context, path: tuple[str, ...], *, is_qualified: bool = False) -> Found | None:
    """Find the text constant that a path means: of this module, another one, or a class."""
    if is_qualified:
        qualified: str | None = ".".join(path)
    elif path[0] in ("self", "cls") and context.owner is not None and len(path) == 2:
        if not context.is_exact and context.world.may_be_reset(context.owner, path[1]):
            return None
        qualified = f"{context.owner}.{path[1]}"
    else:
        qualified = context.resolve(".".join(path))
    if qualified is None:
        return None
    if qualified.endswith(".value"):
        qualified = qualified.removesuffix(".value")
    found = context.world.find_constant(qualified)
    value = parse_value(found[1]) if found is not None else None
    if found is None:
        owner, _, attribute = qualified.rpartition(".")
        found = context.world.find_constant(owner)
        value = _read_attribute(found[1], attribute) if found is not None else None
    if found is None or value is None:
        return None
    facts = found[0]
    inner = Context(context.world, facts, {}, frozenset(), None)
    return Found(value, "constant", make_scope(inner, (), 0))


def _read_attribute(text: str, name: str) -> cst.BaseExpression | None:
    """Read an attribute of a record that a constant makes with keywords: `PAIR = Pair(short="…")`."""
    record = parse_value(text)
    if not isinstance(record, cst.Call):
        return None
    return next((a.value for a in record.args if a.keyword is not None and a.keyword.value == name), None)


def parse_value(text: str) -> cst.BaseExpression | None:
    """Parse the source text of a value; `None` where it is no expression."""
    try:
        return cst.parse_expression(text if "\n" not in text else f"({text})")
    except cst.ParserSyntaxError:
        return None

"""The names of the target for who mines a unit: what is asked of them is noted in a ledger."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from miner.facts import ClassFacts, ModuleFacts
from miner.ledger import Ledger
from miner.names import World


@dataclass(frozen=True, slots=True)
class AskedWorld(World):
    """A world that notes what it is asked; facts of a module it gives only for names to be asked about in them."""

    plain: World = field(default_factory=World)
    ledger: Ledger = field(default_factory=Ledger)

    def split(self, qualified: str) -> tuple[ModuleFacts, str] | None:
        """Split a qualified name into the module that is known and the name inside it."""
        self.ledger.note("split", qualified)
        return self.plain.split(qualified)

    def knows(self, qualified: str) -> bool:
        """Tell whether a name lies in a module that is known."""
        self.ledger.note("knows", qualified)
        return self.plain.knows(qualified)

    def settle(self, qualified: str) -> str:
        """Follow re-exports to the module that defines a name, as far as it is known."""
        self.ledger.note("settle", qualified)
        return self.plain.settle(qualified)

    def resolve(self, dotted: str, facts: ModuleFacts, local: Mapping[str, str]) -> str | None:
        """Give the qualified name of a dotted one as a module (with a function's own imports) sees it."""
        head, _, rest = dotted.partition(".")
        if head in local:
            return self.settle(f"{local[head]}.{rest}" if rest else local[head])
        self.ledger.note("resolve", facts.module, dotted)
        return self.plain.resolve(dotted, facts, {})

    def find_import(self, facts: ModuleFacts, name: str) -> str | None:
        """Find what a module imports under a name."""
        self.ledger.note("import", facts.module, name)
        return self.plain.find_import(facts, name)

    def has_class(self, qualified: str) -> bool:
        """Tell whether the target defines a class of this name."""
        self.ledger.note("class", qualified)
        return self.plain.has_class(qualified)

    def find_method(self, owner: str, name: str) -> str | None:
        """Find a method of a class or of those it derives from, by its qualified name."""
        self.ledger.note("method", owner, name)
        return self.plain.find_method(owner, name)

    def find_class(self, qualified: str) -> tuple[ModuleFacts, ClassFacts] | None:
        """Find a class of the target by its qualified name."""
        self.ledger.note("ancestry", qualified)
        return self.plain.find_class(qualified)

    def find_constant(self, qualified: str) -> tuple[ModuleFacts, str] | None:
        """Find the source text of a constant, of a module or of a class and its bases."""
        self.ledger.note("constant", qualified)
        return self.plain.find_constant(qualified)

    def list_ancestry(self, qualified: str) -> Iterator[tuple[ModuleFacts, ClassFacts]]:
        """List a class of the target and those it derives from, nearest first, as far as the target defines them."""
        self.ledger.note("ancestry", qualified)
        return self.plain.list_ancestry(qualified)

    def may_be_reset(self, owner: str, attribute: str) -> bool:
        """Tell whether an object of a class may hold another text than the class does, as far as its modules say."""
        self.ledger.note("reset", owner, attribute)
        return self.plain.may_be_reset(owner, attribute)

    def find_builtin(self, qualified: str | None) -> str | None:
        """Find the nearest builtin a class derives from; `None` where a class in between isn't known."""
        if qualified is not None:
            self.ledger.note("builtin", qualified)
        return self.plain.find_builtin(qualified)

    def list_bases(self, qualified: str | None) -> tuple[str, ...]:
        """List the short names of the classes an exception derives from, nearest first, up to `Exception`."""
        if qualified is not None:
            self.ledger.note("bases", qualified)
        return self.plain.list_bases(qualified)


def listen_to(world: World, ledger: Ledger) -> AskedWorld:
    """Give a world whose questions a ledger notes."""
    return AskedWorld(world.modules, world, ledger)

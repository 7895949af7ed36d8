"""What a worker knows of the whole target while it mines a file."""

from collections.abc import Mapping

from miner.bodies import Bodies
from miner.functions import Functions
from miner.names import World
from miner.noreturn import Leaving


class Library:
    """The target's names, the bodies of its functions, and which of them never return."""

    def __init__(self, world: World, sources: Mapping[str, bytes]) -> None:
        self.bodies = Bodies(world, sources)
        self.ledger = self.bodies.ledger
        """Notes what is asked of the target."""
        self.world = self.bodies.world
        self.functions = Functions(self.bodies)
        self.leaving = Leaving(world, self.ledger)

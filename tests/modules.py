"""Several modules as one target: texts by path in, the entries of one of them out."""

from collections.abc import Mapping

from catalog.records import Entry
from miner.entries import SourceText
from miner.library import Library
from miner.mine import find_facts, mine_text
from miner.names import World


def mine_modules(files: Mapping[str, str], path: str) -> tuple[Entry, ...]:
    """Mine one module of a target that has several."""
    sources = {_name(each): SourceText(each, _name(each), text) for each, text in files.items()}
    world = World({module: find_facts(source) for module, source in sources.items()})
    library = Library(world, {module: source.text.encode() for module, source in sources.items()})
    return mine_text(sources[_name(path)], world, "target", library).entries


def _name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

"""Sources in, options out: a small target made of a few modules, mined and traced."""

from collections.abc import Mapping
from textwrap import dedent

from catalog.records import Entry, Option, OptionUse
from miner.entries import SourceText
from miner.mine import find_facts, mine_text
from miner.names import World
from miner.options.atlas import Atlas
from miner.options.attach import Attached, attach_options


def attach(sources: Mapping[str, str] | str, workers: int = 1) -> Attached:
    """Mine modules and attach their options; a lone text is the module `shop.config`."""
    given = {"shop/config.py": sources} if isinstance(sources, str) else sources
    texts = [SourceText(path, _name_module(path), dedent(text)) for path, text in sorted(given.items())]
    world = World({facts.module: facts for facts in map(find_facts, texts)})
    entries: list[Entry] = []
    for text in texts:
        entries += mine_text(text, world, "shop").entries
    atlas = Atlas(world, {text.module: text.text.encode() for text in texts})
    return attach_options(entries, atlas, sorted(world.modules), workers)


def _name_module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def find_option(sources: Mapping[str, str] | str, id_: str) -> Option:
    """Find one option of a target by its id."""
    options = {option.id: option for option in attach(sources).options}
    return options[id_]


def list_uses(sources: Mapping[str, str] | str) -> tuple[OptionUse, ...]:
    """List the options of the last entry of a target."""
    return attach(sources).entries[-1].options


def list_ids(sources: Mapping[str, str] | str) -> list[str]:
    """List the ids of the options of the last entry of a target."""
    return sorted({use.id for use in list_uses(sources)})

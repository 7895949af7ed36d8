"""A class that is put together from others at run time → the classes whose fields it takes.

`Args = defstruct("Args", …)` and `Args.__annotations__ = …` name, directly or through module-level names, a list of
classes: their fields are the fields of `Args`.
"""

import re
from collections.abc import Iterator

from miner.options.atlas import Atlas, Place
from miner.options.fields import holds_fields
from miner.options.outline import Outline, find_bound

_MADE = re.compile(r"(?:[\w.]+\.)?(?:defstruct|make_dataclass|create_model|make_class)\s*\(")
MENTION = re.compile(r"\b(?:defstruct|make_dataclass|create_model|make_class)\s*\(|\.__annotations__\s*=")
_NAME = re.compile(r"[A-Za-z_]\w*")
_MAX_HOPS = 5


def find_assembled(atlas: Atlas, outline: Outline) -> Iterator[tuple[Place, tuple[Place, ...]]]:
    """Find the classes of a module that are assembled, each with its parts in order."""
    if MENTION.search(outline.text) is None:
        return
    module = outline.units["<module>"]
    seeds: dict[str, list[str]] = {}
    for each in outline.read_assignments(module):
        name = each.name.removesuffix(".__annotations__")
        made = each.value is not None and _MADE.match(each.value) is not None
        if name in outline.units and outline.units[name].kind == "class" and (made or name != each.name):
            seeds.setdefault(name, []).append(each.value or "")
    values = _list_values(outline)
    for name, texts in seeds.items():
        parts = tuple(_list_parts(atlas, outline, texts, values, name))
        if parts:
            yield Place(outline, outline.units[name]), parts


def _list_values(outline: Outline) -> dict[str, list[str]]:
    """List the text of each row that binds a module-level name, also several at once."""
    values: dict[str, list[str]] = {}
    module = outline.units["<module>"]
    for row in module.rows:
        if row.start not in module.nested and row.word not in ("import", "from", "if", "for"):
            for name in find_bound(outline.text, row):
                values.setdefault(name, []).append(outline.text[row.start : row.end])
    return values


def _list_parts(
    atlas: Atlas, outline: Outline, texts: list[str], values: dict[str, list[str]], own: str
) -> Iterator[Place]:
    seen: set[str] = {own}
    for _ in range(_MAX_HOPS):
        following: list[str] = []
        for name in dict.fromkeys(name for text in texts for name in _NAME.findall(text)):
            if name in seen:
                continue
            seen.add(name)
            following += values.get(name, ())
            qualified = atlas.resolve(name, outline) if name not in values else None
            place = atlas.find(qualified) if qualified is not None else None
            if place is not None and place.unit.kind == "class" and holds_fields(atlas, place):
                yield place
        texts = following

"""Which calls never return."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import libcst as cst

from miner.effects import Path, find_path
from miner.facts import ModuleFacts
from miner.ledger import Ledger
from miner.names import World

_FUNCTIONS = frozenset({("sys", "exit"), ("os", "_exit"), ("os", "abort"), ("exit",), ("quit",)})
_PARSER_NAMES = ("parser", "argparser", "arg_parser")


def leaves_for_good(call: cst.Call) -> bool:
    """Tell whether a call is one that never returns: `sys.exit`, `parser.error`, `pytest.fail` and their like."""
    path = find_path(call.func)
    if path is None:
        return False
    if path in _FUNCTIONS or path[-1] == "raise_from":
        return True
    if is_parser(path) and path[-1] in ("error", "exit"):
        return True
    return path in (("pytest", "fail"), ("pytest", "skip"), ("ctx", "fail"), ("ctx", "exit"), ("ctx", "abort"))


def is_parser(path: Path) -> bool:
    """Tell whether a path is an attribute of something that is named as a parser of arguments."""
    return len(path) >= 2 and path[-2].lstrip("_").endswith(_PARSER_NAMES)


class Leaving:
    """The functions of the target that never return, save methods that another class overrides with one that does."""

    def __init__(self, world: World, ledger: Ledger) -> None:
        self._world = world
        self._ledger = ledger
        self._functions: dict[str, list[str]] = {}
        self._methods: dict[str, list[tuple[str, str]]] = {}
        for facts in world.modules.values():
            for name in facts.leaving:
                owner, _, short = name.rpartition(".")
                if owner in facts.classes:
                    self._methods.setdefault(short, []).append((facts.module, owner))
                else:
                    self._functions.setdefault(short, []).append(f"{facts.module}.{name}")
        self._overriders = dict(self._list_overriders())

    def _list_overriders(self) -> Iterator[tuple[str, list[str]]]:
        """List, by method, the classes that define one of this name which does return."""
        found: dict[str, list[str]] = {name: [] for name in self._methods}
        for facts in self._world.modules.values():
            for owner, class_ in facts.classes.items():
                for name in class_.methods & found.keys():
                    if f"{owner}.{name}" not in facts.leaving:
                        found[name].append(f"{facts.module}.{owner}")
        return iter(found.items())

    def knows(self, name: str, source: str | None) -> bool:
        """Tell whether some function of this short name never returns, or of the one that it is imported from."""
        self._ledger.note("leaver", name, source or "")
        if name in self._functions or name in self._methods:
            return True
        return source is not None and source.rpartition(".")[2] in self._functions

    def has(self, qualified: str) -> bool:
        """Tell whether a function never returns, whoever calls it through `self`."""
        self._ledger.note("leaves", qualified)
        split = self._world.split(qualified)
        if split is None or split[1] not in split[0].leaving:
            return False
        owner, _, short = split[1].rpartition(".")
        if owner not in split[0].classes:
            return True
        home = f"{split[0].module}.{owner}"
        return not any(self._derives(other, home) for other in self._overriders.get(short, ()))

    def _derives(self, qualified: str, base: str) -> bool:
        found = self._world.find_class(base)
        return found is not None and any(class_ is found[1] for _, class_ in self._world.list_ancestry(qualified))

    def list_names(self, facts: ModuleFacts, text: str) -> tuple[str, ...]:
        """List the short names under which a file may call such functions."""
        names = {
            name for name, homes in self._functions.items() if name in text and self._is_near(facts, text, name, homes)
        }
        names.update(_list_renamed(self._functions, text))
        for name, owners in self._methods.items():
            if name not in names and f".{name}" in text and any(self._inherits(facts, owner) for owner in owners):
                names.add(name)
        return tuple(sorted(names))

    def _is_near(self, facts: ModuleFacts, text: str, name: str, homes: Sequence[str]) -> bool:
        if any(home.rpartition(".")[0].startswith(facts.module) for home in homes):
            return True
        if name in facts.imports or f"import {name}" in text:
            return True
        return any(facts.imports.keys() & home.split(".")[:-1] for home in homes)

    def _inherits(self, facts: ModuleFacts, owner: tuple[str, str]) -> bool:
        module, name = owner
        return any(self._derives(f"{facts.module}.{own}", f"{module}.{name}") for own in facts.classes)


def _list_renamed(functions: Iterable[str], text: str) -> Iterator[str]:
    """List the names that imports give to such functions: `from m import fail as give_up`."""
    for name in functions:
        if f"{name} as " in text:
            yield from re.findall(rf"\b{name} as (\w+)", text)


@lru_cache(maxsize=512)
def compile_calls(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Compile a pattern that finds calls by these names; `None` of no names."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\s*\(") if names else None

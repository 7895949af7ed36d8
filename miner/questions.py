"""What a ledger has noted → how the target answers it now, as a digest: the same answer means the same mining."""

from bisect import bisect_left
from collections.abc import Iterable

from catalog.identity import digest
from miner.facts import ClassFacts, ModuleFacts
from miner.ledger import Question
from miner.library import Library
from miner.locate import Unit

_PRINTS = ("__init__", "__str__")


class Questions:
    """Answers, each worked out once a process."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._known: dict[Question, str] = {}

    def answer(self, question: Question) -> str:
        """Answer a question; one that makes no sense any more has an answer of its own."""
        if question not in self._known:
            with self._library.ledger.look_away():
                self._known[question] = digest(repr(self._find(*question)))
        return self._known[question]

    def _find(self, kind: str, name: str, more: str = "") -> object:
        bodies, world, leaving = self._library.bodies, self._library.world.plain, self._library.leaving
        match kind:
            case "split":
                split = world.split(name)
                return split and (split[0].module, split[1])
            case "knows":
                return world.knows(name)
            case "settle":
                return world.settle(name)
            case "resolve":
                facts = world.modules.get(name)
                return facts is not None and (world.resolve(more, facts, {}),)
            case "import":
                facts = world.modules.get(name)
                return facts is not None and (world.find_import(facts, more),)
            case "class":
                return world.has_class(name)
            case "method":
                return world.find_method(name, more)
            case "constant":
                constant = world.find_constant(name)
                return constant and (constant[0].module, constant[1])
            case "ancestry":
                return list(_describe_classes(world.list_ancestry(name)))
            case "reset":
                return world.may_be_reset(name, more)
            case "builtin":
                return world.find_builtin(name)
            case "bases":
                return world.list_bases(name)
            case "own":
                return bodies.is_own(name)
            case "function":
                return bodies.has_function(name)
            case "body":
                found = bodies.find_unit(name)
                return found and (found[2], world.modules[found[2]].is_package, describe_unit(found[0], found[1]))
            case "methods":
                return bodies.list_methods(name)
            case "names":
                names = bodies.find_names(name)
                return names and sorted(names)
            case "keyed":
                return sorted(bodies.find_keyed(name))
            case "table":
                return bodies.list_table(name, more)
            case "leaver":
                return leaving.knows(name, more or None)
            case "leaves":
                return leaving.has(name)
            case _:
                raise ValueError(f"nobody asks {kind!r}")


def _describe_classes(classes: Iterable[tuple[ModuleFacts, ClassFacts]]) -> Iterable[object]:
    for facts, class_ in classes:
        name = next((name for name, other in facts.classes.items() if other is class_), None)
        yield facts.module, name, class_.bases, sorted(class_.constants.items()), [p in class_.methods for p in _PRINTS]


def describe_unit(text: str, unit: Unit) -> str:
    """Give all that is read of a unit, whatever line it stands in: decorators, header, rows, and what is around it."""
    header = unit.header
    base = header.indent if header is not None else 0
    pieces = [unit.kind, unit.parent.kind if unit.parent is not None else "", unit.qualname]
    if header is not None and unit.parent is not None:
        pieces.extend(_list_decorators(text, unit.parent, header.start))
        pieces.append(text[header.start : header.end])
    pieces.extend(f"{row.indent - base} {text[row.start : row.end]}" for row in unit.rows)
    return digest(*pieces)


def _list_decorators(text: str, parent: Unit, start: int) -> list[str]:
    rows, found = parent.rows, []
    index = bisect_left(rows, start, key=lambda row: row.start) - 1
    while index >= 0 and text.startswith("@", rows[index].start):
        found.append(text[rows[index].start : rows[index].end])
        index -= 1
    return found

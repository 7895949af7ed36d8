"""Which names in an entry's guard are the user's options?"""

import ast
import dataclasses
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from catalog.notes.evaluate import normalize
from catalog.notes.facts import Facts
from catalog.notes.parameters import Opaque, is_computed, list_leaves
from catalog.notes.places import Place, find_key_place, find_place, is_denial
from catalog.notes.uses import is_path, is_same_value, parse, strip_place
from catalog.notes.words.names import Sort, find_sort
from catalog.notes.words.rewriting import replace
from catalog.notes.words.texts import list_parts, write_source
from catalog.records import Entry, Option, OptionUse

_PATH = re.compile(r"[\w.]+")
_IS_A = re.compile(r"(.+) is an? ([A-Z_]\w*)$")
_QUESTION = re.compile(
    r"(?:^|_)(?:is|has|can|should|supports?|use|uses|enabled?|disabled?|supported|needs?|allow)(?:_|$)"
)
_LISTED = re.compile(r"\.join\((?:sorted\()?([\w.]+)\)")
_LARGEST_BINDING = 400
_LARGEST_CHOICE = 60
_DEEPEST = 5


@dataclass(frozen=True, slots=True)
class Terms:
    """The names in one entry's guard: the options that some are, and the definitions of others."""

    places: Mapping[str, Place]
    """By source text: where the user sets the value that the name has."""
    bindings: Mapping[str, ast.expr]
    """By source text: what a name was computed as, where one definition arrives."""
    used: tuple[Place, ...]
    """All options of the entry, those of the guard first."""
    roots: Mapping[str, str]
    """By source text: the class of users' options that a name is an object of."""
    facts: Facts
    spoken: frozenset[str]
    """The flags that the message names."""
    computed: frozenset[str]
    """The names for which the function itself has computed a value."""
    derived: Mapping[str, tuple[Place, ...]]
    """By source text: the options that a name was computed from."""
    listed: frozenset[str] = frozenset()
    """The names whose items the message lists."""
    leading: frozenset[str] = frozenset()
    """The names whose definitions lead to options."""

    def find(self, node: ast.expr) -> Place | None:
        """Find the option whose value an expression is."""
        if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
            return None
        text = write_source(node)
        place = self.places.get(text) or self.places.get(text.removesuffix(".get()"))
        if place is not None or not isinstance(node, ast.Attribute):
            return place
        option = self.facts.options.get(f"{self.roots.get(write_source(node.value))}.{node.attr}")
        return _find_spoken(option, self.facts, text, self.spoken) if option is not None else None

    def trace(self, node: ast.expr) -> tuple[Place, ...]:
        """Give the options that a name was computed from."""
        return self.derived.get(node.id, ()) if isinstance(node, ast.Name) else ()

    def sort(self, node: ast.expr) -> Sort:
        """Tell what sort of value an expression has, as far as the source shows it."""
        place = self.find(node)
        if place is not None:
            return find_sort(place.option)
        if isinstance(node, ast.Name | ast.Attribute):
            text = write_source(node)
            bound = self.bindings.get(text)
            if text in self.listed:
                return "several"
            if bound is not None:
                return _sort_bound(bound)
            return "yes or no" if _QUESTION.search(text.rpartition(".")[2]) else "any"
        return _sort_bound(node)

    def expand(self, node: ast.expr) -> ast.expr:
        """Put in the definitions of names that lead to options, so that the condition speaks of these."""
        return _expand(node, self, _DEEPEST) if self.leading else node


def read_terms(entry: Entry, facts: Facts) -> Terms:
    """Read which names of an entry are options, from how each use leads to its option."""
    bindings = _read_bindings(entry)
    spoken = frozenset(re.findall(r"--[\w-]+", entry.message.skeleton if entry.message is not None else ""))
    places: dict[str, Place] = {}
    computed = frozenset(normalize(one.name) for one in entry.guard.bindings if not _is_path_source(one.value))
    uses: dict[str, list[OptionUse]] = {}
    for use in entry.options:
        uses.setdefault(normalize(use.as_), []).append(use)
    for text, found in uses.items():
        if len({use.id for use in found}) == 1 and is_same_value(found[0]):
            option = facts.options.get(found[0].id)
            if option is not None and (text.endswith(option.name) or text not in computed):
                places[text] = _find_spoken(option, facts, text, spoken)
    for use in entry.options:
        for inner in _list_inner(use, bindings, places):
            option = facts.options.get(use.id)
            if option is not None:
                places.setdefault(inner, _find_spoken(option, facts, inner, spoken))
    for use in entry.options:
        option = facts.options.get(use.id)
        if option is not None and use.as_.startswith("--") and option.name not in uses and option.name not in bindings:
            places.setdefault(option.name, _find_spoken(option, facts, "", spoken))
    if entry.kind == "constraint":
        places.update(_name_declared(entry, facts, spoken))
    places = _tell_apart(places, facts)
    ordered = sorted(entry.options, key=lambda use: "guard" not in use.in_)
    known = [facts.options[use.id] for use in ordered if use.id in facts.options]
    used = [_find_spoken(option, facts, "", spoken) for option in known]
    everything = tuple(dict.fromkeys((*places.values(), *used)))
    derived = {
        text: tuple(_find_spoken(facts.options[use.id], facts, "", spoken) for use in found if use.id in facts.options)
        for text, found in uses.items()
        if text not in places and text.isidentifier()
    }
    listed = frozenset(_LISTED.findall(entry.message.template if entry.message is not None else ""))
    roots = _read_roots(entry, facts)
    terms = Terms(places, bindings, everything, roots, facts, spoken, computed, derived, listed)
    return dataclasses.replace(terms, leading=_find_leading(bindings, terms))


def _tell_apart(places: Mapping[str, Place], facts: Facts) -> dict[str, Place]:
    """Where two options go by one flag, name the one that is also a key of a larger value by that."""
    owners: dict[tuple[str | None, str], set[str]] = {}
    for place in places.values():
        owners.setdefault((place.flag, place.name), set()).add(place.option.id)
    apart: dict[str, Place] = {}
    for text, place in places.items():
        shared = place.flag is not None and len(owners[place.flag, place.name]) > 1
        apart[text] = (find_key_place(place.option, facts) if shared else None) or place
    return apart


def _is_path_source(source: str) -> bool:
    """Tell whether a definition is nothing but what another name holds."""
    tree = None if _PATH.fullmatch(source) else parse(source)
    return tree is None or is_path(tree)


def _find_spoken(option: Option, facts: Facts, text: str, spoken: frozenset[str]) -> Place:
    """Find an option's place, with the flag that the message names when it has several."""
    place = find_place(option, facts, text)
    fitting = (flag for flag in option.flags if flag in spoken and not is_denial(flag, option))
    flag = next(fitting, place.flag)
    return dataclasses.replace(place, flag=flag) if not place.keys else place


def _read_roots(entry: Entry, facts: Facts) -> dict[str, str]:
    """Read which names are objects of a class of options, from the ways to the options."""
    roots = {}
    for use in entry.options:
        for step in use.via:
            found = _IS_A.match(strip_place(step))
            if found:
                roots[normalize(found[1])] = found[2]
    owner = entry.site.qualname.rpartition(".")[0]
    return roots | ({"self": owner} if owner in facts.owners else {})


def _read_bindings(entry: Entry) -> dict[str, ast.expr]:
    values: dict[str, set[str]] = {}
    for binding in entry.guard.bindings:
        values.setdefault(normalize(binding.name), set()).add(binding.value)
    parsed = {name: parse(next(iter(found))) for name, found in values.items() if len(found) == 1}
    return {name: value for name, value in parsed.items() if value is not None}


def _list_inner(use: OptionUse, bindings: Mapping[str, ast.expr], places: Mapping[str, Place]) -> Iterator[str]:
    """Give the paths inside a computed name's definition that end with the option's own name."""
    name = use.id.rpartition(".")[2]
    pending, seen = [normalize(use.as_)], set()
    while pending:
        text = pending.pop()
        if text in seen:
            continue
        seen.add(text)
        for part in list_parts(bindings[text]) if text in bindings else ():
            if not isinstance(part, ast.Name | ast.Attribute):
                continue
            inner = write_source(part)
            if isinstance(part, ast.Attribute) and part.attr == name and inner not in places:
                yield inner
            elif inner in bindings:
                pending.append(inner)


def _name_declared(entry: Entry, facts: Facts, spoken: frozenset[str]) -> dict[str, Place]:
    """Name the field or flag that a declared rule is for, which its condition has by its plain name."""
    named: dict[str, Place] = {}
    for use in entry.options:
        option = facts.options.get(use.id)
        if option is not None:
            place = _find_spoken(option, facts, "", spoken)
            named |= {option.name.lstrip("-").replace("-", "_"): place, use.as_.lstrip("-").replace("-", "_"): place}
    return named


def _sort_bound(value: ast.expr) -> Sort:
    match value:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return "yes or no"
        case ast.BoolOp(values=[*_, last]):
            return _sort_bound(last)
        case ast.IfExp(body=body):
            return _sort_bound(body)
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict() | ast.ListComp() | ast.SetComp() | ast.DictComp():
            return "several"
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.Sub(), left=left):
            return _sort_bound(left)
        case ast.Call(func=ast.Name(id="set" | "list" | "sorted" | "dict" | "tuple")):
            return "several"
        case ast.Call(func=ast.Name(id="len" | "int" | "float" | "min" | "max" | "sum")):
            return "number"
    return "any"


def _expand(node: ast.expr, terms: Terms, depth: int) -> ast.expr:
    def define(part: ast.expr) -> ast.expr | None:
        if terms.find(part) is not None:
            return part
        match part:
            case ast.Name() | ast.Attribute():
                return _define(part, terms, depth) or part
            case ast.Call() if not is_computed(part):
                return part
        return None

    return replace(node, define)


def _define(node: ast.expr, terms: Terms, depth: int) -> ast.expr | None:
    """Give a name's definition, if that leads to options and is short enough to read."""
    text = write_source(node)
    if text not in terms.leading or depth == 0 or terms.find(node) is not None:
        return None
    inner = _expand(terms.bindings[text], terms, depth - 1)
    if any(isinstance(part, ast.IfExp) for part in list_parts(inner)) and len(write_source(inner)) > _LARGEST_CHOICE:
        return None
    if len(write_source(inner)) > _LARGEST_BINDING or _speaks_of(inner, text):
        return None
    try:
        leaves = list_leaves(inner, terms)
    except Opaque:
        return None
    return inner if any(terms.find(leaf) is not None for leaf in leaves) else None


def _find_leading(bindings: Mapping[str, ast.expr], terms: Terms) -> frozenset[str]:
    """Find the names whose definitions speak of options, themselves or through other names."""
    if not terms.places and not terms.roots:
        return frozenset()
    inner = {
        name: [
            part for part in list_parts(value) if isinstance(part, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
        ]
        for name, value in bindings.items()
    }
    leading = {name for name, parts in inner.items() if any(terms.find(part) is not None for part in parts)}
    for _ in range(_DEEPEST):
        leading |= {name for name, parts in inner.items() if any(write_source(part) in leading for part in parts)}
    return frozenset(leading)


def _speaks_of(node: ast.expr, text: str) -> bool:
    return any(isinstance(part, ast.Name | ast.Attribute) and write_source(part) == text for part in list_parts(node))

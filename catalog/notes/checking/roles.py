"""Which names of the condition does each parameter of a check stand for?"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from catalog.notes.checking.subject import Subject
from catalog.notes.choices import Choices
from catalog.notes.evaluate import Unknown, is_shallow, parse
from catalog.notes.evaluation.source import write
from catalog.notes.parameters import make_identifier
from catalog.notes.settings import Unreadable, Words
from catalog.notes.situation import Situation
from catalog.notes.uses import is_same_value
from catalog.records import Entry

_NUMBERED = re.compile(r"(\w+?)_(\d+)\Z")


@dataclass(frozen=True, slots=True)
class Role:
    """What one parameter stands for."""

    texts: tuple[str, ...]
    """Names, paths and calls, as the condition or a definition that it uses has them."""
    options: tuple[str, ...]
    """Ids."""
    computed: tuple[str, ...] = ()
    """Names that the function computes from the options: what an example gives for one counts, nothing else."""


@dataclass(frozen=True, slots=True)
class Roles:
    """What all parameters of a check stand for."""

    by_parameter: Mapping[str, Role]
    strangers: tuple[str, ...]
    """Parameters that stand for nothing in the condition."""

    def imagine(self, subject: Subject, arguments: Mapping[str, object]) -> Situation:
        """Give the situation in which each parameter's names have its value, and nothing else is known."""
        givens: dict[str, object] = {}
        values: dict[str, object] = {}
        for name, role in self.by_parameter.items():
            givens |= dict.fromkeys(role.texts, arguments[name])
            values |= dict.fromkeys(role.options, arguments[name])
        return Situation(subject.surroundings, givens, Choices(values), has_defaults=False)

    def read_arguments(self, situation: Situation) -> dict[str, object]:
        """Give the value of each parameter in a situation; raises `Unknown` for one that has none there."""
        return {name: _read_role(name, role, situation) for name, role in self.by_parameter.items()}


def find_roles(subject: Subject, parameters: Sequence[str]) -> Roles:
    """Find what each parameter of a check stands for: an option by its name, else a name of the condition."""
    texts: dict[str, list[str]] = {}
    for text in _list_texts(subject.entry):
        for written in (text, *subject.surroundings.definitions.expand(text)):
            texts.setdefault(make_identifier(written), []).append(written)
    owned = {name: _list_owned(subject, name) for name in parameters}
    taken = {id_ for ids in owned.values() for id_ in ids}
    for name in parameters:
        if not _list_named(subject, name):  # called as the source calls it
            taken |= {id_ for text in texts.get(name, ()) for id_ in _list_meant(subject.entry, text)}
    computed = {name for name, binding in subject.surroundings.bindings.items() if not _is_path(binding.value)}
    roles: dict[str, Role] = {}
    strangers: list[str] = []
    for name in parameters:
        options = owned[name] or tuple(id_ for id_ in _list_named(subject, name) if id_ not in taken)
        spoken = tuple(texts.get(name, ())) or _find_numbered(name, texts)
        if f"{name}_2" in parameters and not options:
            spoken = spoken[:1]
        apart: tuple[str, ...] = ()
        if options:
            spoken += _list_uses(subject.entry, options) + _list_ends(subject, options)
            apart = tuple(dict.fromkeys(text for text in spoken if text in computed))
            spoken = tuple(text for text in spoken if text not in computed)
        if spoken or options:
            roles[name] = Role(tuple(dict.fromkeys(spoken)), options, apart)
        else:
            strangers.append(name)
    return Roles(roles, tuple(strangers))


def _list_owned(subject: Subject, name: str) -> tuple[str, ...]:
    """Give the options that a name means with their class in front: `modelconfig_max_model_len`."""
    ids = {use.id for use in subject.entry.options if "." in use.id}
    return tuple(sorted(id_ for id_ in ids if make_identifier(".".join(id_.rsplit(".", 2)[-2:]).lower()) == name))


def _list_named(subject: Subject, name: str) -> tuple[str, ...]:
    ids = {use.id for use in subject.entry.options}
    options = [subject.facts.options[id_] for id_ in sorted(ids) if id_ in subject.facts.options]
    return tuple(option.id for option in options if make_identifier(option.name) == name)


def _list_meant(entry: Entry, text: str) -> frozenset[str]:
    """Give the option that a name of the source stands for, if it stands for one and nothing else."""
    ids = frozenset(use.id for use in entry.options if use.as_ == text and is_same_value(use))
    return ids if len(ids) == 1 else frozenset()


def _list_uses(entry: Entry, options: Sequence[str]) -> tuple[str, ...]:
    """Give the source's names for options, unless a name may mean another option as well."""
    names = dict.fromkeys(use.as_ for use in entry.options if use.id in options)
    return tuple(name for name in names if _list_meant(entry, name) & set(options))


def _is_path(source: str) -> bool:
    return re.fullmatch(r"[\w.]+(?:\.get\(\))?", source) is not None


def _list_ends(subject: Subject, options: Sequence[str]) -> tuple[str, ...]:
    """Give the paths of the condition that end with an option's own name: `envs.VLLM_PORT`."""
    names = {f".{subject.facts.options[id_].name}{call}" for id_ in options for call in ("", ".get()")}
    return tuple(text for text in _list_texts(subject.entry) if any(text.endswith(name) for name in names))


def _find_numbered(name: str, texts: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Read `size_2` as the second of the names that all come down to `size`."""
    match = _NUMBERED.match(name)
    alike = texts.get(match[1], ()) if match else ()
    number = int(match[2]) if match else 0
    return (alike[number - 1],) if 1 < number <= len(alike) else ()


@lru_cache(maxsize=512)
def _list_parts(source: str) -> tuple[str, ...]:
    try:
        tree = parse(source)
    except Unknown:
        return ()
    return tuple(_walk(tree)) if is_shallow(tree) else ()


def _walk(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
        yield write(node)
    for child in ast.iter_child_nodes(node):
        yield from _walk(child)


def _list_texts(entry: Entry) -> Iterator[str]:
    sources = (entry.guard.branch, *(binding.value for binding in entry.guard.bindings))
    yield from dict.fromkeys(text for source in sources for text in _list_parts(source))
    yield from (binding.name for binding in entry.guard.bindings)


def _read_role(name: str, role: Role, situation: Situation) -> object:
    for text in (*role.texts, *role.computed):
        if text in situation.givens:
            return situation.givens[text]
    for id_ in role.options:
        if id_ in situation.choices.values and not isinstance(situation.choices.values[id_], Words | Unreadable):
            return situation.choices.values[id_]
    reason = f"`{name}` has no value in the example"
    for text in role.texts:
        try:
            return situation[text]
        except KeyError:
            continue
        except Unknown as error:
            reason = error.reason
    return situation.read_option(role.options, reason)

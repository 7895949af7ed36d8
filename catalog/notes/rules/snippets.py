"""How are values written down where a user sets them?"""

import ast
import json
import shlex
from collections.abc import Iterable, Iterator, Mapping

from catalog.notes.places import Place
from catalog.notes.rules.candidates import Value
from catalog.notes.words.nouns import write_code


class Unwritable(Exception):
    """A value can't be set in this way."""


def write_snippet(
    settings: Mapping[Place, Value], given: Mapping[str, Value], unset: Iterable[Place], language: str
) -> str:
    """Write settings as `sh` or `python`, after what is given besides; raises `Unwritable` where that can't be.

    A snippet that sets nothing names what it leaves out.
    """
    lines = [f"# given: {name} = {_write_literal(value)}" for name, value in given.items()]
    write = {"sh": _write_shell, "python": _write_python}[language]
    set_ = list(write(settings))
    left_out = "" if set_ else "# without " + ", ".join(place.flag or place.option.name for place in unset)
    return "\n".join([*lines, *set_, *([left_out] if unset and left_out else [])])


def choose_language(values: Mapping[Place, Value]) -> str:
    """Choose `sh` where all can be set by flags and variables, and are read as what they are; else `python`."""
    settable = all(place.flag is not None or place.option.kind == "env" for place in values)
    return "sh" if settable and all(_reads_as_is(place, value) for place, value in values.items()) else "python"


def _reads_as_is(place: Place, value: Value) -> bool:
    """Tell whether a word on the command line becomes this value, going by the option's type."""
    declared = place.option.type or ""
    if place.keys or place.option.kind == "env" or (not declared and value != []):
        return True
    match value:
        case bool() | None | str() | dict():
            return True
        case list() | tuple() if not value:
            return False
        case int():
            return "int" in declared or "float" in declared
        case float():
            return "float" in declared
    return any(name in declared.lower() for name in ("list", "tuple", "set", "sequence"))


def _write_shell(settings: Mapping[Place, Value]) -> Iterator[str]:
    inside: dict[str, dict[str, Value]] = {}
    for place, value in settings.items():
        if place.option.kind == "env":
            yield f"{place.option.name}={_write_variable(value)}"
        elif place.keys and value is not None:
            _put(inside.setdefault(place.flag or "", {}), place.keys, value)
    own = [(place, value) for place, value in settings.items() if place.flag not in (None, *inside)]
    words = [_write_flag(place, value) for place, value in own]
    words += [f"{flag} {shlex.quote(json.dumps(_make_plain(values)))}" for flag, values in inside.items()]
    if any(words):
        yield " ".join(word for word in words if word)


def _put(values: dict[str, Value], keys: tuple[str, ...], value: Value) -> None:
    for key in keys[:-1]:
        inner = values.setdefault(key, {})
        if not isinstance(inner, dict):
            raise Unwritable(key)
        values = inner
    values[keys[-1]] = value


def _write_flag(place: Place, value: Value) -> str:
    flag = place.flag or ""
    default = place.option.default
    match value:
        case None:
            return ""
        case True:
            return flag
        case False if default in ("False", None):
            return ""
        case False:
            denial = next((name for name in place.option.flags if name.startswith("--no-")), None)
            if denial is None:
                raise Unwritable(flag)
            return denial
        case list() | tuple() if all(isinstance(item, str | int | float) for item in value):
            return " ".join([flag, *(shlex.quote(str(item)) for item in value)])
        case dict() | list() | tuple() | set():
            return f"{flag} {shlex.quote(json.dumps(_make_plain(value)))}"
    text = shlex.quote(str(value))
    return f"{flag}={text}" if str(value).startswith("-") else f"{flag} {text}"


def _write_variable(value: Value) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return "" if value is None else shlex.quote(str(value))


def _make_plain(value: Value) -> Value:
    match value:
        case dict():
            return {str(key): _make_plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_make_plain(item) for item in value]
        case str() | int() | float() | None:
            return value
    raise Unwritable(repr(value))


def _write_python(settings: Mapping[Place, Value]) -> Iterator[str]:
    """Write one call for each class whose fields are set."""
    by_class: dict[str, list[str]] = {}
    for place, value in settings.items():
        if place.option.kind != "field":
            raise Unwritable(place.name)
        owner = place.option.id.rpartition(".")[0].rpartition(".")[2]
        by_class.setdefault(owner, []).append(f"{place.option.name}={_write_literal(value)}")
    for owner, arguments in by_class.items():
        yield f"{owner}({', '.join(arguments)})"


def _write_literal(value: Value) -> str:
    return write_code(ast.parse(repr(value), mode="eval").body)

"""What value does an option get from the words of a command line or a variable, by its type?"""

import re
from functools import lru_cache

from catalog.notes.evaluate import Unknown, evaluate
from catalog.notes.snippets.objects import read_json
from catalog.notes.snippets.parts import SnippetError, Unreadable, Words
from catalog.records import Option

_MANY = frozenset({"list", "List", "tuple", "Tuple", "set", "Set", "Sequence"})
_TRUE = frozenset({"true", "1", "yes", "on"})
_FALSE = frozenset({"false", "0", "no", "off"})


def read_value(given: object, option: Option, flag: str = "") -> object:
    """Give the value that an option gets: text is read by the option's type, anything else is as it stands."""
    if not isinstance(given, Words):
        return given
    names = _list_type_names(option.type)
    if not given.words and names & _MANY:
        return []
    if not given.words:
        is_denial = flag.startswith("--no-") and f"--{flag.removeprefix('--no-')}" in option.flags
        return not is_denial if names <= {"bool", "Optional", "None"} else Unreadable(f"{flag} without a value")
    if names & _MANY:
        whole = _read_word(given.words[0], frozenset()) if len(given.words) == 1 and given.words[0][:1] == "[" else None
        return whole if isinstance(whole, list) else [_read_word(word, names - _MANY) for word in given.words]
    if names and names <= {"bool", "Optional", "None"} and given.words[0].lower() not in _TRUE | _FALSE:
        return True  # what follows a flag that takes no value is another argument
    return _read_word(given.words[0], names)


def read_default(option: Option) -> object:
    """Give an option's default; raises `Unknown` when the source doesn't show it as a plain value."""
    if option.default is None:
        raise Unknown(f"`{option.name}` has no default that the source shows")
    return evaluate(option.default, {})


@lru_cache(maxsize=4096)
def _list_type_names(type_: str | None) -> frozenset[str]:
    return frozenset(re.findall(r"[A-Za-z_]\w*", re.sub(r"Literal\[[^\]]*\]", "str", type_ or "")))


def _read_word(word: str, names: frozenset[str]) -> object:
    """Read one word by the types it may have, the narrowest first; without a type by its looks."""
    plain = word.strip()
    if plain in ("None", "none", "null") and (not names or names & {"None", "Optional"}):
        return None
    if plain.lower() in _TRUE | _FALSE and "bool" in names:
        return plain.lower() in _TRUE
    numbers = [type_ for type_ in (int, float) if not names or type_.__name__ in names]
    for type_ in numbers:
        try:
            return type_(plain)
        except ValueError:
            continue
    if plain[:1] in ("{", "["):
        return _read_object(plain)
    return word


def _read_object(text: str) -> object:
    try:
        return read_json(text)
    except SnippetError:
        return text

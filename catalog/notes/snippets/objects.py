"""What does an object of options say: JSON, YAML, or JSON as the value of a flag?"""

from collections.abc import Iterator

import msgspec

from catalog.notes.evaluation.plain import is_plain
from catalog.notes.snippets.parts import Setting, SnippetError


def read_json(text: str, what: str = "the snippet") -> object:
    """Read JSON; raises `SnippetError` that says where it is broken."""
    try:
        value = msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise SnippetError(f"{what} is not JSON: {str(error).removeprefix('JSON is malformed: ')}") from error
    return _check(value, what)


def read_yaml(text: str) -> object:
    """Read YAML, plain values only; raises `SnippetError` that says where it is broken."""
    try:
        import yaml
    except ImportError as error:
        raise SnippetError(
            "reading YAML needs PyYAML; install errmine[yaml], or write the example as sh or json"
        ) from error
    try:
        value = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise SnippetError(f"the snippet is not YAML: {error}") from error
    return _check(value, "the snippet")


def list_settings(value: object) -> Iterator[Setting]:
    """Give the settings of an object: a key with a dash is a flag without its own dashes."""
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise SnippetError("the snippet is no object of options by name")
    for key, inner in value.items():
        if key.startswith("-"):
            raise SnippetError(f"{key}: an object has keys, not flags")
        if "-" in key:
            yield Setting("flag", f"--{key}", inner)
        else:
            yield Setting("variable" if key.isupper() else "keyword", key, inner)


def _check(value: object, what: str) -> object:
    if not is_plain(value):
        raise SnippetError(f"{what} holds what is no plain value, or too much of it")
    return value

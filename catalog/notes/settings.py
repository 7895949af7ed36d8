"""What does a snippet set: which flags, keys, keywords and variables, to which values, and what does it take as given?

A snippet is what a user writes: a command line, a call with keywords, assignments, or an object of options. It is read
with the parsers of these languages and never run.
"""

import re

from catalog.notes.evaluate import Unknown, evaluate, normalize, parse
from catalog.notes.snippets.keywords import read_python
from catalog.notes.snippets.objects import list_settings, read_json, read_yaml
from catalog.notes.snippets.parts import Setting, Settings, SnippetError, Unreadable, Words
from catalog.notes.snippets.shell import read_shell

__all__ = ["LANGUAGES", "Setting", "Settings", "SnippetError", "Unreadable", "Words", "read_settings"]

LANGUAGES = ("sh", "python", "json", "yaml")
_LONGEST = 20_000
_GIVEN = re.compile(r"#[ \t]*given:[ \t]*(.*)$", re.MULTILINE)


def read_settings(snippet: str, language: str) -> Settings:
    """Read a snippet; raises `SnippetError` when it can't be read, with what is wrong in one line."""
    if len(snippet) > _LONGEST:
        raise SnippetError("the snippet is too long for an example")
    match language:
        case "sh":
            return Settings(read_shell(snippet), _read_givens(snippet))
        case "python":
            settings, calls = read_python(snippet)
            return Settings(settings, _read_givens(snippet), calls)
        case "json":
            return Settings(tuple(list_settings(read_json(snippet))), {})
        case "yaml":
            return Settings(tuple(list_settings(read_yaml(snippet))), _read_givens(snippet))
    raise SnippetError(f"{language!r} is none of the languages of a snippet ({', '.join(LANGUAGES)})")


def _read_givens(snippet: str) -> dict[str, object]:
    """Read the comments that say what is given: `# given: draft_max_model_len = 32768`."""
    givens: dict[str, object] = {}
    for line in _GIVEN.findall(snippet):
        name, value = _read_given(line.strip())
        givens[name] = value
    return givens


def _read_given(line: str) -> tuple[str, object]:
    """Read `NAME = LITERAL`, where the name may be any expression of the condition: `is_cuda() = False`."""
    for sign in re.finditer(r"\s=\s|(?<![=!<>])=(?!=)", line):
        try:
            parse(line[: sign.start()])
            return normalize(line[: sign.start()].strip()), evaluate(line[sign.end() :], {})
        except Unknown:
            continue
    raise SnippetError(f"`# given: {line}` is not NAME = LITERAL")

"""What does a command line set: flags with their words, and variables in front?"""

import io
import re
import shlex
from collections.abc import Iterator, Sequence

from catalog.notes.snippets.objects import read_json
from catalog.notes.snippets.parts import Setting, SnippetError, Unreadable, Words

_FLAG = re.compile(r"(--?[A-Za-z][\w-]*)((?:\.[\w-]+)*)(?:=(.*))?\Z", re.DOTALL)
_VARIABLE = re.compile(r"([A-Za-z_]\w*)=(.*)\Z", re.DOTALL)
_ENDS = frozenset("\n;&|()<>")
_FILLED_IN = re.compile(r"\$[\w{(]|`")
_LAUNCHERS = re.compile(r"(?:python[\d.]*|torchrun|docker|podman|uv|sudo|env|nohup|srun|mpirun|deepspeed|accelerate)\Z")


class _Lines(io.StringIO):
    """Text for `shlex`, which skips a comment by reading a line: the line's end stays, since it ends the command."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        rest = self.getvalue()[self.tell() :].partition("\n")[0]
        self.seek(self.tell() + len(rest))
        return rest


def read_shell(text: str) -> tuple[Setting, ...]:
    """Read the commands of a snippet; raises `SnippetError` for open quotes and broken JSON."""
    settings: list[Setting] = []
    for words in _split_commands(text):
        settings += _read_command(words)
    return tuple(settings)


def _split_commands(text: str) -> Iterator[list[str]]:
    lexer = shlex.shlex(_Lines(re.sub(r"\\\r?\n", " ", text)), posix=True, punctuation_chars="\n;&|()<>")
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    words: list[str] = []
    try:
        for word in lexer:
            if word and set(word) <= _ENDS:
                yield words
                words = []
            else:
                words.append(word)
    except ValueError as error:
        raise SnippetError(f"the command line is not complete: {str(error)[:1].lower()}{str(error)[1:]}") from error
    yield words


def _read_command(words: Sequence[str]) -> Iterator[Setting]:
    rest = list(words)
    if rest[:1] == ["export"]:
        rest = rest[1:]
    while rest and (variable := _VARIABLE.match(rest[0])):
        value = Unreadable(variable[2]) if _FILLED_IN.search(variable[2]) else Words((variable[2],))
        yield Setting("variable", variable[1], value)
        rest = rest[1:]
    launched = bool(rest) and _LAUNCHERS.match(rest[0].rpartition("/")[2]) is not None
    while rest:
        flag = _FLAG.match(rest[0])
        rest = rest[1:]
        if flag is None:
            continue
        count = next((index for index, word in enumerate(rest) if _FLAG.match(word)), len(rest))
        given, rest = rest[:count], rest[count:]
        if launched and not flag[1].startswith("--"):  # `python -m`, `docker run -e`: not the program's own
            continue
        values = [flag[3]] if flag[3] is not None else given
        yield Setting("flag", flag[1], _read_words(flag[1], values), tuple(flag[2].split(".")[1:]))


def _read_words(flag: str, words: Sequence[str]) -> object:
    """Give a flag's words; one that is an object is read as such."""
    if any(_FILLED_IN.search(word) for word in words):
        return Unreadable(" ".join(words))
    for word in words:
        inner = word.strip()
        if inner[:1] == "{" or inner[-1:] == "}":
            return read_json(inner, f"the value of {flag}")
        if (inner[:1] == "[") != (inner[-1:] == "]") or inner.count("[") != inner.count("]"):
            raise SnippetError(f"the value of {flag} has a bracket that is not closed")
    return Words(tuple(words))

"""Source code → lines of HTML, each name, keyword and text in a class of its own.

Pygments reads about 15,000 lines a second, and the excerpts of a file overlap: what they show of it is read once.
"""

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup, escape
from pygments.lexer import Lexer
from pygments.lexers.configs import TOMLLexer
from pygments.lexers.data import JsonLexer, YamlLexer
from pygments.lexers.python import PythonLexer
from pygments.lexers.shell import BashLexer
from pygments.token import STANDARD_TYPES, _TokenType

from catalog.publish.site.harmless import show

_LEXERS: Mapping[str, type[Lexer]] = {
    "python": PythonLexer,
    "sh": BashLexer,
    "json": JsonLexer,
    "yaml": YamlLexer,
    "toml": TOMLLexer,
}
_MARKED = frozenset("k kn kc kd kr kt nb bp nc nf nd ne s s1 s2 se si sa sd mi mf mh c c1 ow fm nt na".split())
"""The classes that the style sheet knows; what is in no other is plain text."""
_SHORT = {
    "s1": "s",
    "s2": "s",
    "sa": "s",
    "sd": "s",
    "kn": "k",
    "kc": "k",
    "kd": "k",
    "kr": "k",
    "kt": "k",
    "ow": "k",
} | {"mf": "mi", "mh": "mi", "c1": "c", "bp": "nb", "fm": "nf", "nt": "nf", "na": "nb", "nc": "nf"}


def mark_code(text: str, language: str = "python") -> tuple[Markup, ...]:
    """Mark a text up, line by line."""
    lexer = _LEXERS.get(language, PythonLexer)(stripnl=False, ensurenl=False)
    lines: list[list[str]] = [[]]
    for kind, value in lexer.get_tokens(show(text)):
        class_ = _find_class(kind)
        for number, piece in enumerate(value.split("\n")):
            if number:
                lines.append([])
            if piece:
                shown = str(escape(piece))
                lines[-1].append(f'<span class="{class_}">{shown}</span>' if class_ else shown)
    return tuple(Markup("".join(line)) for line in lines)


def _find_class(kind: _TokenType) -> str:
    found = STANDARD_TYPES.get(kind, "")
    return _SHORT.get(found, found) if found in _MARKED else ""


class MarkedLines(Mapping[int, Markup]):
    """The lines that are known of a file, marked up: those that follow each other together, when one is asked for."""

    def __init__(self, lines: Mapping[int, str]) -> None:
        self._lines = lines
        self._runs = {number: run for run in _find_runs(sorted(lines)) for number in run}
        self._marked: dict[int, Markup] = {}

    def __getitem__(self, number: int) -> Markup:
        """Give a line; with it, those it is read together with are marked."""
        if number not in self._marked:
            run = self._runs[number]
            marked = mark_code("\n".join(self._lines[each] for each in run))
            self._marked.update(zip(run, marked, strict=False))
        return self._marked[number]

    def __iter__(self) -> Iterator[int]:
        """Give the numbers of the lines."""
        return iter(self._lines)

    def __len__(self) -> int:
        """Count the lines."""
        return len(self._lines)


def _find_runs(numbers: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs

"""What mining a unit has asked of the rest of the target: with the answers, a trace that can be verified later.

A question is a few texts, the first of which says its kind; `miner.questions` answers it. What is worked out once for
all is remembered with what that asked, so that whoever takes it from memory has asked the same.
"""

from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import TypeVar

Question = tuple[str, ...]
Remembered = tuple["_T", tuple[Question, ...]]
_T = TypeVar("_T")
_K = TypeVar("_K")


class Ledger:
    """Notes questions while somebody listens."""

    __slots__ = ("_open",)

    def __init__(self) -> None:
        self._open: dict[Question, None] | None = None

    def note(self, *question: str) -> None:
        """Note a question."""
        if self._open is not None:
            self._open[question] = None

    def note_all(self, questions: Iterable[Question]) -> None:
        """Note several questions."""
        if self._open is not None:
            self._open.update(dict.fromkeys(questions))

    @contextmanager
    def listen(self) -> Iterator[dict[Question, None]]:
        """Collect what is asked meanwhile, in order."""
        outer, self._open = self._open, {}
        try:
            yield self._open
        finally:
            self._open = outer

    @contextmanager
    def look_away(self) -> Iterator[None]:
        """Note nothing meanwhile."""
        outer, self._open = self._open, None
        try:
            yield
        finally:
            self._open = outer

    def remember(self, memory: "MutableMapping[_K, Remembered[_T]]", key: _K, make: Callable[[], _T]) -> _T:
        """Take what is remembered, or make it; either way all that it took to make it has been asked."""
        found = memory.get(key)
        if found is None:
            outer, self._open = self._open, {}
            try:
                made = make()
                found = memory[key] = (made, tuple(self._open))
            finally:
                self._open = outer
        self.note_all(found[1])
        return found[0]

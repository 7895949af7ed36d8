"""What the files of a target gave, on its way from the store to the workers and back."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from miner.pool import MinedFile
from miner.recall import merge_answers

_ANSWERS = "/answers"
"""Where, among what files gave, stands what was found of functions: no path begins so."""


@dataclass(frozen=True, slots=True)
class KeptFiles:
    """What files gave, by path: in earlier scans, and what is new of this one."""

    before: Mapping[str, bytes]
    new: dict[str, bytes] = field(default_factory=dict)
    answers: list[bytes] = field(default_factory=list)
    """What was found of functions."""

    def read_answers(self) -> bytes | None:
        """Read what was found of functions in earlier scans."""
        return zlib.decompress(self.before[_ANSWERS]) if _ANSWERS in self.before else None

    def add(self, result: MinedFile) -> None:
        """Add what of a file may be kept."""
        if result.kept is not None:
            self.new[result.path] = result.kept
        if result.answers is not None:
            self.answers.append(result.answers)

    def list_new(self) -> dict[str, bytes]:
        """List what is new, by path."""
        merged = merge_answers(self.read_answers(), self.answers)
        return self.new | ({_ANSWERS: zlib.compress(merged, 1)} if merged is not None else {})

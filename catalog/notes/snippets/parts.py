"""What is a snippet made of, once it is read?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

LONGEST_REASON = 160


class SnippetError(Exception):
    """A snippet can't be read; `reason` says what is wrong with it, in one line."""

    def __init__(self, reason: str) -> None:
        self.reason = " ".join(reason.split())[:LONGEST_REASON]
        super().__init__(self.reason)


@dataclass(frozen=True, slots=True)
class Words:
    """What a command line gives to a flag, still as text: the option's type says how it is read."""

    words: tuple[str, ...]
    """Empty for a flag that stands alone."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A value that only running the snippet would tell."""

    text: str


Kind: TypeAlias = Literal["flag", "keyword", "variable"]


@dataclass(frozen=True, slots=True)
class Setting:
    """One value that a snippet sets, under the name that the snippet uses."""

    kind: Kind
    name: str
    """`--speculative-config`, `speculative_config`, `VLLM_PORT`."""
    value: object
    """A plain value, a dictionary by key with such values, `Words` or `Unreadable`."""
    keys: tuple[str, ...] = ()
    """The way inside, where the snippet writes it out: `--speculative-config.max_model_len`."""
    owner: str | None = None
    """What is called with the keyword: `LLM`, `ServerArgs`."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All that a snippet says."""

    settings: tuple[Setting, ...]
    givens: Mapping[str, object]
    """What the snippet takes as given, by source text: `{"draft_max_model_len": 32768}`."""
    calls: tuple[str, ...] = ()
    """What a Python snippet calls: `LLM`."""

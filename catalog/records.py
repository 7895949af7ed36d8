"""The JSON contract, version 1, as frozen dataclasses.

Fields stand in the order in which they are written. Lines are 1-based, columns 0-based and in characters, paths are
relative to the root of the target's tree with ``/``. Collections are tuples, so that a record never changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import msgspec

SCHEMA_VERSION = 1

EntryKind = Literal["raise", "assert", "call", "exit", "constraint"]
ClauseKind = Literal["if", "past", "assert", "own", "for", "while", "case", "except", "else"]
Resolution = Literal["literal", "variable", "constant", "helper", "class", "dynamic"]
OptionKind = Literal["field", "flag", "env"]
UseSide = Literal["guard", "message"]
NoteStatus = Literal["derived", "drafted", "reviewed"]


@dataclass(frozen=True, slots=True)
class Tool:
    """What wrote the catalog."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Target:
    """What was scanned, pinned."""

    name: str
    """`vllm`: part of every id."""
    repo: str | None
    """`vllm-project/vllm`, where the forge is known."""
    url: str | None
    """`https://github.com/vllm-project/vllm`."""
    ref: str | None
    """The tag or branch asked for, or the default branch."""
    commit: str | None
    """40 hex digits; null for a folder outside git and for a release."""
    committed: str | None
    """The commit's time in UTC, `2026-08-14T09:12:03Z`."""
    release: str | None
    """`0.28.0`, when the source is a release from a package index."""
    scope: tuple[str, ...]
    """What was asked for: `config`, `all`, or globs."""
    dirty: bool = False
    """The files are those of a work tree that differs from the commit."""


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts over the whole catalog."""

    files: int
    """Files in scope."""
    files_scanned: int
    files_skipped: int
    entries: int
    by_kind: Mapping[str, int]
    """Most frequent first, then by name."""
    by_exception: Mapping[str, int]
    """By the exception's short name; most frequent first, then by name."""
    files_excluded: int = 0
    """Files of the package left out of the scope by default (its own tests and examples) or by `--exclude`."""
    exact: float | None = None
    """Share of the raise and assert entries whose guard is exact, 0 to 1; null without any."""
    closed: float | None = None
    """Share of the raise and assert entries whose guard is closed, 0 to 1; null without any."""
    dynamic: int = 0
    """Entries whose message can't be read from the source."""
    unknown_flags: tuple[str, ...] = ()
    """Flags that a message names and the inventory of options doesn't have."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was in scope and couldn't be mined."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Option:
    """A name the user can set."""

    id: str
    """`SpeculativeConfig.max_model_len`, `--headless` (a flag without a field), `VLLM_USE_V1`."""
    kind: OptionKind
    name: str
    flags: tuple[str, ...]
    """What sets it on the command line; for a key of a JSON flag, that flag."""
    owner: str | None
    """The class that declares the field."""
    type: str | None
    default: str | None
    choices: tuple[str, ...]
    help: str | None
    path: str
    line: int


class Part:
    """A piece of a message: `Text` or `Hole`."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Text(Part):
    """A fixed piece of a message."""

    text: str


@dataclass(frozen=True, slots=True)
class Hole(Part):
    """A piece of a message filled in at run time."""

    expr: str
    """The expression as the source has it; for a self-documenting hole the text before `=`, spaces kept."""
    conversion: str | None
    """`r`, `s` or `a`."""
    format: str | None
    """The format spec as the source has it: `.2f`, `>{width}`."""
    self_documenting: bool
    """`{x=}`: the expression's text and `=` come before the value."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One of several texts a message may have."""

    template: str
    skeleton: str
    parts: tuple[Part, ...]
    condition: str | None
    """When this text is used, beyond the guard; null when that can't be said in one expression."""


@dataclass(frozen=True, slots=True)
class Message:
    """The message's text, as far as the source fixes it."""

    template: str
    """Each hole as the source has it: `{x=}`, `{name!r}`, `{n:.2f}`; fixed braces are doubled."""
    skeleton: str
    """The fixed text with `{}` for every hole; fixed braces stay single, a self-documenting hole gives `x={}`."""
    parts: tuple[Part, ...]
    resolution: Resolution
    alternatives: tuple[Alternative, ...] = ()
    """All texts when there are several; the first is also the message's own."""
    reason: str | None = None
    """Why the message is dynamic."""


@dataclass(frozen=True, slots=True)
class ExceptionType:
    """The class that is raised."""

    name: str
    """Short: `ValueError`; an expression's source text when the class can't be told."""
    qualified: str | None
    """`vllm.exceptions.VLLMValidationError`, `builtins.ValueError`; null when it can't be told."""
    bases: tuple[str, ...]
    """Short names, nearest first, up to `Exception`: `("ValueError", "Exception")`."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One step of a guard, in the order in which steps are evaluated."""

    kind: ClauseKind
    test: str
    """An expression, except for `for` (`name, value in items`), `except` (the types) and what is only words."""
    negated: bool
    """Arrival means that the test did not hold."""
    line: int
    rebound: tuple[str, ...]
    """Names and attributes in the test that may be bound anew between the clause and the site."""


@dataclass(frozen=True, slots=True)
class Binding:
    """A name in the condition or message that the function itself computed, by the definition that arrives."""

    name: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Guard:
    """The condition under which control, having entered the function, arrives at the site."""

    branch: str
    """The part a person reads first; `True` when there is none. Always parses."""
    condition: str
    """The conjunction of all clauses that are expressions; `True` when there are none. Always parses."""
    clauses: tuple[Clause, ...]
    bindings: tuple[Binding, ...]
    exact: bool
    closed: bool
    inexact_because: tuple[str, ...]
    """Empty when exact."""


@dataclass(frozen=True, slots=True)
class Site:
    """The place in the source that raises."""

    path: str
    module: str
    """`vllm.config.speculative`."""
    line: int
    """First line of the statement."""
    end_line: int
    column: int
    qualname: str
    """`SpeculativeConfig._verify_args`, without `<locals>`; `<module>` at module level."""
    signature: str | None
    """`(self, tp: int | None = None) -> int`; null at module and class level."""
    docstring: str | None
    """First paragraph of the function's docstring."""
    vendored: bool = False
    """The file is a copy of another project's, kept inside this one."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The source around the site, as the file has it."""

    start_line: int
    text: str


class OptionUse(msgspec.Struct, frozen=True, rename={"as_": "as", "in_": "in"}):
    """A name in a guard or message, and how it leads to an option. (A struct: its keys are Python keywords.)"""

    id: str
    as_: str
    """The name as the source uses it: `speculative_max_model_len`."""
    in_: tuple[UseSide, ...]
    via: tuple[str, ...]
    """The steps with their places, from the use to the option."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What an explanation depends on, 16 hex digits each."""

    template: str
    guard: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A site with everything known about it, under a stable id."""

    id: str
    """16 hex digits; see `catalog.identity`."""
    kind: EntryKind
    title: str
    """The skeleton or template on one line, cut at 60 characters."""
    exception: ExceptionType
    message: Message | None
    guard: Guard
    site: Site
    excerpt: Excerpt
    permalink: str | None
    options: tuple[OptionUse, ...]
    family: str
    """A slug, the same across libraries: `out-of-range`."""
    related: tuple[str, ...]
    """Ids, nearest first, at most 5."""
    fingerprint: Fingerprint
    helper: str | None = None
    """For a `call`: the qualified name of the helper that raises what it is given."""
    remarks: tuple[str, ...] = ()
    """What a reader must know besides: `this assert is always true: its test is a tuple`."""
    previous: tuple[str, ...] = ()
    """Ids this entry had in earlier catalogs, newest first."""


@dataclass(frozen=True, slots=True)
class Reraise:
    """A bare `raise`, or one that raises what a handler caught: counted, not catalogued."""

    path: str
    line: int
    qualname: str


@dataclass(frozen=True, slots=True)
class Example:
    """A configuration or call that fails, and one that works."""

    before: str
    after: str
    language: str


@dataclass(frozen=True, slots=True)
class Check:
    """How to tell before the call."""

    strategy: str
    code: str


@dataclass(frozen=True, slots=True)
class Verification:
    """One thing that was checked about a note."""

    check: str
    passed: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Basis:
    """What a written note was written from."""

    target: str
    """`vllm`: the name of the catalog's target."""
    version: str | None
    """The catalog's release or commit: `0.33.0`."""
    place: str | None
    """Where the entry stood then: `vllm/config/speculative.py:1202`."""
    prompt: str | None = None
    """The version of the prompt, when a model wrote it: `1`."""


@dataclass(frozen=True, slots=True)
class Note:
    """An explanation joined to an entry."""

    entry: str
    fingerprint: Fingerprint
    author: str
    model: str | None
    date: str | None
    status: NoteStatus
    meaning: str
    solutions: tuple[str, ...]
    example: Example | None
    check: Check | None
    prevention: tuple[str, ...]
    trigger: str
    situations: tuple[str, ...]
    verified: tuple[Verification, ...]
    basis: Basis | None = None
    """Null for a derived note, which is made of the catalog it stands in."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    """An entry that an earlier catalog had and this one hasn't."""

    id: str
    title: str
    last_commit: str | None
    last_release: str | None


@dataclass(frozen=True, slots=True)
class Catalog:
    """All entries of one target at one commit, with where they came from and what was skipped."""

    schema_version: int
    tool: Tool
    target: Target
    stats: Stats
    skipped: tuple[Skipped, ...]
    options: tuple[Option, ...]
    entries: tuple[Entry, ...]
    """Sorted by path, line, column."""
    reraises: tuple[Reraise, ...]
    notes: tuple[Note, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()

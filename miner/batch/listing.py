"""A list of targets, one a line → jobs."""

import argparse
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from catalog.errors import TargetError
from catalog.identity import digest
from miner.sources.address import redact

_MAX_NAME = 120


@dataclass(frozen=True, slots=True)
class Job:
    """One target to scan, and how."""

    target: str
    """As the list has it: `vllm==0.33.0`."""
    commit: str | None = None
    ref: str | None = None
    scope: tuple[str, ...] = ("config",)
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    @property
    def spec(self) -> str:
        """The job as one would type it, credentials left out: what tells it from every other."""
        return shlex.join((redact(self.target), *self.list_options()))

    @property
    def name(self) -> str:
        """A name for its catalog's file: readable, and another one for every other job."""
        words = re.sub(r"[^A-Za-z0-9.+_]+", "-", self.spec).strip("-.")
        named = re.sub(r"(?<![^-])(?:commit|ref|scope)-", "", words)[:_MAX_NAME].strip("-.") or "unnamed"
        is_release = self.spec == self.target and re.fullmatch(r"[\w.+]+(?:==[\w.+]+)?", self.target, re.ASCII)
        return named if is_release else f"{named}-{digest(self.spec)[:8]}"

    def list_options(self) -> tuple[str, ...]:
        """List the options of `errmine scan` that say how."""
        single = (("--commit", self.commit), ("--ref", self.ref))
        scope = () if self.scope == ("config",) else self.scope
        several = (("--scope", scope), ("--include", self.include), ("--exclude", self.exclude))
        return (
            *(word for flag, value in single if value is not None for word in (flag, value)),
            *(word for flag, values in several for value in values for word in (flag, value)),
        )


def read_list(path: str | Path, defaults: Job) -> tuple[Job, ...]:
    """Read a list of targets: on each line what would stand behind `errmine scan`, `#` begins a comment.

    What a line doesn't say is as in `defaults`; a job that stands there twice is done once. Raises `TargetError`
    where the file or a line can't be read.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise TargetError(
            f"{path}: can't be read ({error.strerror or error}); give a file with a target a line"
        ) from error
    except UnicodeDecodeError as error:
        raise TargetError(f"{path}: isn't text in UTF-8; give a file with a target a line") from error
    jobs = dict.fromkeys(_read_lines(str(path), text.splitlines(), defaults))
    if not jobs:
        raise TargetError(f"{path}: names no target; write one a line, as behind `errmine scan`")
    return tuple(jobs)


def _read_lines(path: str, lines: Iterable[str], defaults: Job) -> Iterator[Job]:
    for number, line in enumerate(lines, 1):
        try:
            words = shlex.split(line, comments=True)
            if words:
                yield _read_words(words, defaults)
        except ValueError as error:
            raise TargetError(
                f"{path}:{number}: {error}; write TARGET [--commit SHA | --ref REF] [--scope …]"
            ) from error


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


def _read_words(words: list[str], defaults: Job) -> Job:
    parser = _Parser(prog="errmine scan", add_help=False, allow_abbrev=False)
    parser.add_argument("target")
    for flag in ("--commit", "--ref"):
        parser.add_argument(flag)
    for flag in ("--scope", "--include", "--exclude"):
        parser.add_argument(flag, action="append")
    said = parser.parse_args(words)
    if said.commit is not None and said.ref is not None:
        raise ValueError("--commit and --ref exclude each other")
    return Job(
        said.target,
        said.commit,
        said.ref,
        *(tuple(getattr(said, kind) or getattr(defaults, kind)) for kind in ("scope", "include", "exclude")),
    )

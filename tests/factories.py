"""Records for tests, each complete, with only what a test speaks of said by the test."""

import dataclasses
import hashlib
import string
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from catalog.records import (
    SCHEMA_VERSION,
    Catalog,
    Entry,
    ExceptionType,
    Excerpt,
    Fingerprint,
    Guard,
    Hole,
    Message,
    Part,
    Site,
    Stats,
    Target,
    Text,
    Tool,
)

Record = TypeVar("Record")


def change(record: Record, changes: Mapping[str, Any]) -> Record:
    """Give the record with these fields changed; `guard__branch` reaches into a nested record."""
    direct = {name: value for name, value in changes.items() if "__" not in name}
    nested: dict[str, dict[str, Any]] = {}
    for name, value in changes.items():
        if "__" in name:
            field, rest = name.split("__", 1)
            nested.setdefault(field, {})[rest] = value
    for field, inner in nested.items():
        direct[field] = change(direct.get(field, getattr(record, field)), inner)
    return dataclasses.replace(record, **direct)  # type: ignore[type-var]


def make_message(template: str, **changes: Any) -> Message:
    """Give the message that an f-string with this body would have; holes are read as `str.format` reads them."""
    parts: list[Part] = []
    skeleton = ""
    for text, expr, format_spec, conversion in string.Formatter().parse(template):
        if text:
            parts.append(Text(text))
            skeleton += text
        if expr is None:
            continue
        documenting = expr.endswith("=") and not expr.endswith(("==", "!=", "<=", ">="))
        expr = expr.removesuffix("=") if documenting else expr
        parts.append(Hole(expr, conversion or None, format_spec or None, documenting))
        skeleton += f"{expr}={{}}" if documenting else "{}"
    resolution = "literal"
    return change(Message(template, skeleton, tuple(parts), resolution), changes)  # type: ignore[arg-type]


def make_entry(**changes: Any) -> Entry:
    """Give an entry of a small package; `site__line=7`, `guard__branch="a"` reach in, `id` follows from the changes."""
    if isinstance(changes.get("message"), str):
        changes["message"] = make_message(changes["message"])
    if "site__line" in changes:  # the statement and its excerpt go along
        changes = {
            "site__end_line": changes["site__line"],
            "excerpt__start_line": changes["site__line"] - 1,
            **changes,
        }
    entry = Entry(
        id=hashlib.sha256(repr(sorted(changes.items())).encode("utf-8", "backslashreplace")).hexdigest()[:16],
        kind="raise",
        title="size must be positive, got {}",
        exception=ExceptionType("ValueError", "builtins.ValueError", ("ValueError",)),
        message=make_message("size must be positive, got {size}"),
        guard=Guard("size <= 0", "size <= 0", (), (), exact=True, closed=True, inexact_because=()),
        site=Site(
            path="shop/cart.py",
            module="shop.cart",
            line=12,
            end_line=12,
            column=8,
            qualname="Cart.resize",
            signature="(self, size: int) -> None",
            docstring=None,
        ),
        excerpt=Excerpt(
            11, '        if size <= 0:\n            raise ValueError(f"size must be positive, got {size}")\n'
        ),
        permalink=None,
        options=(),
        family="out-of-range",
        related=(),
        fingerprint=Fingerprint("0" * 16, "0" * 16),
    )
    return change(entry, changes)


def make_catalog(entries: Iterable[Entry] = (), **changes: Any) -> Catalog:
    """Give a catalog of these entries, sorted and counted; `target__release="1.0"` reaches in."""
    entries = tuple(sorted(entries, key=lambda entry: (entry.site.path, entry.site.line, entry.site.column)))
    files = len({entry.site.path for entry in entries})
    catalog = Catalog(
        schema_version=SCHEMA_VERSION,
        tool=Tool("errmine", "0.1.0"),
        target=Target(
            name="shop",
            repo="acme/shop",
            url="https://git.example/acme/shop",
            ref="main",
            commit="c0ffee" + "0" * 34,
            committed="2026-08-14T09:12:03Z",
            release=None,
            scope=("all",),
        ),
        stats=Stats(
            files=files,
            files_scanned=files,
            files_skipped=0,
            entries=len(entries),
            by_kind=_count(entry.kind for entry in entries),
            by_exception=_count(entry.exception.name for entry in entries),
        ),
        skipped=(),
        options=(),
        entries=entries,
        reraises=(),
    )
    return change(catalog, changes)


def write_files(files: Mapping[str, str | bytes], folder: Path) -> None:
    """Write files under a folder as they are, without touching line ends."""
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)


def run_git(folder: Path, *arguments: str) -> str:
    """Run git in a folder as nobody in particular, at a fixed time, without the user's configuration."""
    environment = {
        "PATH": "/usr/bin:/bin:/usr/local/bin",
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_AUTHOR_DATE": "2026-08-14T09:12:03Z",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        "GIT_COMMITTER_DATE": "2026-08-14T09:12:03Z",
    }
    command = ["git", "-c", "protocol.file.allow=always", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "surrogateescape").strip()


def commit_files(files: Mapping[str, str | bytes], repository: Path, message: str = "change") -> str:
    """Write files into a repository, made when it isn't there, commit them on `main` and give the commit."""
    if not (repository / ".git").exists():
        repository.mkdir(parents=True, exist_ok=True)
        run_git(repository, "init", "--quiet", "--initial-branch=main")
    write_files(files, repository)
    run_git(repository, "add", "--all", "--force")
    run_git(repository, "commit", "--quiet", "--allow-empty", "--message", message)
    return run_git(repository, "rev-parse", "HEAD")


def mine(source: str, path: str = "pkg/module.py") -> tuple[Entry, ...]:
    """Mine one module from its text."""
    from miner.scan import mine_source

    return tuple(mine_source(source, path=path))


def _count(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0])))

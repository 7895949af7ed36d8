#!/usr/bin/env python3
"""Scan whole projects and hold their sites to `ast`: `scripts/sweep [TARGET…]`.

Every `raise` and `assert` that `ast` finds in a mined file must be an entry or a re-raise at its very place, and
nothing else may claim to be one. Files that this Python can't parse are counted and left out. A TARGET is a release
(`click==8.3.1`), a folder, or `library` for the standard library; by default, the releases listed here.
"""

import argparse
import ast
import sys
import sysconfig
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from catalog.errors import ErrmineError
from catalog.records import Catalog
from miner.cli import find_cache
from miner.decoding import UndecodableError, decode_source
from miner.scan import ScanOptions, scan
from miner.sources import SourceFile
from miner.targets import open_tree, resolve_target

RELEASES = (
    *("vllm==0.33.0", "sglang==0.5.23", "library", "attrs==25.3.0", "click==8.2.1", "jinja2==3.1.6"),
    *("requests==2.32.4", "urllib3==2.5.0", "werkzeug==3.1.3", "flask==3.1.1", "django==5.2.4", "pydantic==2.11.7"),
    *("networkx==3.5", "sympy==1.14.0", "pyparsing==3.2.3", "jsonschema==4.25.0", "marshmallow==4.0.0"),
    *("sqlalchemy==2.0.41", "aiohttp==3.12.14", "rich==14.0.0", "tornado==6.5.1", "paramiko==3.5.1"),
    *("more-itertools==10.7.0", "packaging==25.0", "pytest==8.4.1"),
)
Place = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Row:
    """What the sweep found of one target."""

    target: str
    files: int
    sites: int
    missed: tuple[Place, ...]
    invented: tuple[Place, ...]
    unparsed: int
    skipped: int
    seconds: float
    exact: float | None
    closed: float | None
    dynamic: int


def main() -> int:
    """Sweep, print a table, and fail where a site is missed or invented."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--cache", type=Path, default=find_cache() / "sweep", help="where fetched releases are kept")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'target':24}{'files':>7}{'sites':>8}{'missed':>8}{'invented':>9}{'unparsed':>9}{'skipped':>8}", end="")
    print(f"{'exact':>7}{'closed':>7}{'dynamic':>8}{'seconds':>9}")
    failed = False
    for target in options.targets or RELEASES:
        try:
            row = sweep(target, options.cache.absolute())
        except ErrmineError as error:
            print(f"{target}: {error}", file=sys.stderr)
            failed = True
            continue
        failed = failed or bool(row.missed or row.invented or not row.sites)
        print(describe(row), flush=True)
    return failed


def sweep(target: str, cache: Path) -> Row:
    """Scan one target and compare its sites with those `ast` finds."""
    with tempfile.TemporaryDirectory(prefix="errmine-sweep-") as scratch:
        folder = unpack(target, cache, Path(scratch, "source"))
        started = time.monotonic()
        catalog = scan(
            str(folder), ScanOptions(scope=("all",), include=("**/*.py",), exclude=("site-packages",), cache=cache)
        )
        return compare(target, catalog, folder, time.monotonic() - started)


def unpack(target: str, cache: Path, folder: Path) -> Path:
    """Give a folder with the target's files."""
    if target == "library":
        return Path(sysconfig.get_path("stdlib"))
    if Path(target).is_dir():
        return Path(target)
    with open_tree(resolve_target(target, commit=None, ref=None, table=None), cache=cache) as tree:
        for file in tree.read([path for path in tree.list_paths() if path.endswith(".py")]):
            if isinstance(file, SourceFile):
                place = folder / file.path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(file.data)
    return folder


def compare(target: str, catalog: Catalog, folder: Path, seconds: float) -> Row:
    """Compare a catalog's sites with those of `ast` in every file of a folder that was not skipped."""
    claimed: set[Place] = {(r.path, "raise", r.line) for r in catalog.reraises}
    claimed |= {(e.site.path, e.kind, e.site.line) for e in catalog.entries if e.kind in ("raise", "assert")}
    skipped = {each.path for each in catalog.skipped}
    real: set[Place] = set()
    unparsed: set[str] = set()
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py") if path.is_file())
    mined = [path for path in paths if path not in skipped and "site-packages/" not in path]
    for path in mined:
        try:
            real.update(find_sites(path, decode_source((folder / path).read_bytes())))
        except (SyntaxError, UndecodableError, RecursionError, ValueError):
            unparsed.add(path)
    claimed = {place for place in claimed if place[0] not in unparsed}
    known = {place[0] for place in claimed}
    shown = Row(
        target,
        len(mined),
        len(real),
        tuple(sorted(real - claimed)),
        tuple(sorted(claimed - real)),
        len(unparsed),
        len(skipped),
        seconds,
        catalog.stats.exact,
        catalog.stats.closed,
        catalog.stats.dynamic,
    )
    assert known <= set(mined)
    return shown


def find_sites(path: str, text: str) -> Iterator[Place]:
    """Find the sites of a text by `ast`."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Raise | ast.Assert):
            yield path, "raise" if isinstance(node, ast.Raise) else "assert", node.lineno


def describe(row: Row) -> str:
    """Write a row of the table, and the first differences beneath it."""
    shares = [f"{share:.0%}" if share is not None else "-" for share in (row.exact, row.closed)]
    line = f"{row.target[-24:]:24}{row.files:7,}{row.sites:8,}{len(row.missed):8}{len(row.invented):9}"
    line += f"{row.unparsed:9}{row.skipped:8}{shares[0]:>7}{shares[1]:>7}{row.dynamic:8}{row.seconds:9.1f}"
    differences: list[tuple[str, Sequence[Place]]] = [("missed", row.missed), ("invented", row.invented)]
    return "\n".join([line, *(f"  {name} {place}" for name, places in differences for place in places[:5])])


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Hold guards and templates to the law at run time: `scripts/law [SUITE…]`.

When a site fires, every clause of its guard whose `rebound` is empty is true in that frame, and the message matches
the template. Real packages' own test suites, from their source releases, say whether that is so: `law.toml` names
them. A suite's code runs in a subprocess with an environment of its own, never here.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from catalog.records import Catalog, Entry, Message, Part, Text
from miner.cli import find_cache
from miner.scan import ScanOptions, scan
from miner.sources import SourceFile
from miner.sources.release import open_release

_HERE = Path(__file__).resolve().parent
_HOOK = _HERE / "firing.py"
_TABLE = _HERE / "law.toml"


@dataclass(frozen=True, slots=True)
class Suite:
    """A package and how its own tests are run."""

    name: str
    packages: tuple[str, ...]
    """Folders and modules in `site-packages`, or in the standard library."""
    version: str = ""
    """Empty for the standard library, whose tests are those of the Python that runs."""
    requires: tuple[str, ...] = ()
    command: tuple[str, ...] = ("-m", "pytest", "-q", "-x", "tests")
    drop: tuple[str, ...] = ()
    """Folders of the source release to remove, so that the installed package is what is tested."""
    minutes: float = 10


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a suite has shown."""

    name: str
    fired: int = 0
    tried: int = 0
    evaluated: int = 0
    messages: int = 0
    left: Counter[str] = field(default_factory=Counter)
    violations: tuple[dict[str, Any], ...] = ()
    mismatches: tuple[dict[str, Any], ...] = ()


def main() -> int:
    """Run the suites that are asked for, print what they show, and fail where the law doesn't hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="names in law.toml; all of them by default")
    parser.add_argument("--work", type=Path, help="where sources and environments go; outside of any checkout")
    parser.add_argument("--library-tests", type=Path, help="a folder with a `test` package, if this Python has none")
    parser.add_argument("--report", type=Path, help="write all that was found here, as JSON")
    options = parser.parse_args()
    known = {suite.name: suite for suite in read_suites(_TABLE)}
    unknown = [name for name in options.suites if name not in known]
    if unknown:
        parser.error(f"{unknown[0]!r} is no suite of law.toml; there are {', '.join(known)}")
    # In a checkout, places would be told from its root.
    work = (options.work or find_cache() / "law").absolute()
    outcomes: list[Outcome] = []
    for name in options.suites or known:
        outcomes.append(run_suite(known[name], work, options.library_tests))
        print(describe(outcomes[-1]), flush=True)
    if options.report is not None:
        found = [{**vars_of(outcome), "left": dict(outcome.left)} for outcome in outcomes]
        options.report.write_text(json.dumps(found, indent=1), encoding="utf-8")
    print(describe(add(outcomes)))
    return any(outcome.violations or outcome.mismatches for outcome in outcomes)


def read_suites(path: Path) -> Iterator[Suite]:
    """Read the table of suites."""
    for row in tomllib.loads(path.read_text(encoding="utf-8"))["suite"]:
        yield msgspec.convert(row, Suite)


def run_suite(suite: Suite, work: Path, library_tests: Path | None) -> Outcome:
    """Prepare a suite, mine what it tests, run it, and read what it showed."""
    place = work / suite.name
    place.mkdir(parents=True, exist_ok=True)
    python, root = prepare(suite, work, place)
    source = place / "source"
    table = place / "table.json"
    mined = place / "mined"
    copy_packages(suite, root, mined)
    catalog = scan(str(mined), ScanOptions(scope=("all",)))
    table.write_text(json.dumps(make_table(catalog, mined)), encoding="utf-8")
    return run_program(suite.name, python, table, place, suite.command, source, suite.minutes, library_tests)


def run_program(
    name: str,
    python: Path,
    table: Path,
    place: Path,
    command: Sequence[str],
    folder: Path,
    minutes: float = 10,
    library_tests: Path | None = None,
) -> Outcome:
    """Run a program under watch and read what it showed."""
    for old in place.glob("found-*.json"):
        old.unlink()
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PY_IGNORE_IMPORTMISMATCH": "1"}
    if library_tests is not None:
        environment["PYTHONPATH"] = str(library_tests.absolute())
    words = [str(python), str(_HOOK), str(table), str(place / "found-"), *command]
    with (place / "output.txt").open("w", encoding="utf-8") as output:
        try:
            subprocess.run(
                words, cwd=folder, env=environment, stdout=output, stderr=output, check=False, timeout=minutes * 60
            )
        except subprocess.TimeoutExpired:
            print(f"{name}: not done after {minutes:g} minutes, so nothing is known of it", file=sys.stderr)
    return read_outcome(name, place)


def prepare(suite: Suite, work: Path, place: Path) -> tuple[Path, Path]:
    """Unpack a suite's source release and install it; give its Python and the folder its packages are in."""
    source = place / "source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    if not suite.version:
        return Path(sys.executable), Path(sysconfig.get_path("stdlib"))
    environment = place / "environment"
    python = environment / "bin" / "python"
    if not (environment / "ready").exists():
        shutil.rmtree(environment, ignore_errors=True)
        venv.create(environment, with_pip=True)
        wanted = [f"{suite.name}=={suite.version}", *suite.requires]
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *wanted], check=True)
        (environment / "ready").touch()
    with open_release(suite.name, suite.version, work / "cache") as tree:
        for file in tree.read(tree.list_paths()):
            if isinstance(file, SourceFile) and not file.path.startswith(suite.drop):
                target = source / file.path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(file.data)
    purelib = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    )
    return python, Path(purelib.stdout.strip())


def copy_packages(suite: Suite, root: Path, mined: Path) -> None:
    """Copy a suite's packages, so that nothing else is mined."""
    shutil.rmtree(mined, ignore_errors=True)
    mined.mkdir()
    for package in suite.packages:
        if (root / package).is_dir():
            shutil.copytree(root / package, mined / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        else:
            (mined / package).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / package, mined / package)


def make_table(catalog: Catalog, root: Path) -> dict[str, Any]:
    """Boil a catalog down to what the watch needs: for each file its sites, what must hold there, what must match."""
    table: dict[str, Any] = {}
    for entry in catalog.entries:
        if entry.kind not in ("raise", "assert"):
            continue
        path = entry.site.path
        if path not in table:
            table[path] = {"sha256": hashlib.sha256((root / path).read_bytes()).hexdigest(), "sites": []}
        table[path]["sites"].append(_boil(entry))
    return table


def _boil(entry: Entry) -> dict[str, Any]:
    return {
        "line": entry.site.line,
        "column": entry.site.column,
        "clauses": [
            {"kind": clause.kind, "test": clause.test, "negated": clause.negated, "line": clause.line}
            for clause in entry.guard.clauses
            if not clause.rebound and not _is_words(clause.kind, clause.test)
        ],
        "template": entry.message.template if entry.message else None,
        "patterns": sorted(set(make_patterns(entry.message))) if entry.message else [],
    }


def _is_words(kind: str, test: str) -> bool:
    return kind == "except" or (kind in ("for", "else") and not test.startswith(("any(", "not any(")))


def make_patterns(message: Message) -> Iterator[str]:
    """Give the patterns of which a message must match one; none where nothing of it is fixed."""
    groups = [message.parts, *(alternative.parts for alternative in message.alternatives)]
    if all(any(isinstance(part, Text) for part in parts) for parts in groups):
        yield from (_make_pattern(parts) for parts in groups)


def _make_pattern(parts: Iterable[Part]) -> str:
    pieces: list[str] = []
    for part in parts:
        if isinstance(part, Text):
            pieces.append(re.escape(part.text))
        else:
            shown = getattr(part, "expr", "") + "=" if getattr(part, "self_documenting", False) else ""
            pieces.append(re.escape(shown) + ".*")
    return "".join(pieces)


def read_outcome(name: str, place: Path) -> Outcome:
    """Add up what the processes of one run wrote."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(place.glob("found-*.json"))]
    return add([_read_process(name, each) for each in found], name)


def _read_process(name: str, found: dict[str, Any]) -> Outcome:
    return Outcome(
        name,
        found["fired"],
        found["tried"],
        found["evaluated"],
        found["messages"],
        Counter(found["left"]),
        tuple(found["violations"].values()),
        tuple(found["mismatches"].values()),
    )


def add(outcomes: Sequence[Outcome], name: str = "all") -> Outcome:
    """Add outcomes up."""
    return Outcome(
        name,
        sum(outcome.fired for outcome in outcomes),
        sum(outcome.tried for outcome in outcomes),
        sum(outcome.evaluated for outcome in outcomes),
        sum(outcome.messages for outcome in outcomes),
        sum((outcome.left for outcome in outcomes), Counter()),
        tuple(violation for outcome in outcomes for violation in outcome.violations),
        tuple(mismatch for outcome in outcomes for mismatch in outcome.mismatches),
    )


def vars_of(outcome: Outcome) -> dict[str, Any]:
    """Give an outcome's fields."""
    return {name: getattr(outcome, name) for name in Outcome.__slots__}


def describe(outcome: Outcome) -> str:
    """Say in a few lines what was shown."""
    lines = [
        f"{outcome.name}: {outcome.fired:,} firings, {outcome.tried:,} tried, {outcome.evaluated:,} clauses evaluated,"
        f" {len(outcome.violations)} untrue; {outcome.messages:,} messages, {len(outcome.mismatches)} unlike"
    ]
    if outcome.name != "all":
        for violation in outcome.violations:
            clause = violation["clause"]
            held = "not " * clause["negated"] + f"({clause['test']})"
            lines.append(
                f"  {violation['place']} x{violation['count']} {clause['kind']}@{clause['line']}: {held[:200]}"
            )
            lines.append(f"      {violation['values']}"[:300])
        for mismatch in outcome.mismatches:
            lines.append(f"  {mismatch['place']} x{mismatch['count']} {mismatch['template']!r}"[:300])
            lines.append(f"      {mismatch['texts']!r}"[:300])
    else:
        lines.append(f"  left alone: {dict(sorted(outcome.left.items(), key=lambda pair: -pair[1]))}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

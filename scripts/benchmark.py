#!/usr/bin/env python3
"""Measure errmine against a baseline taken in the same run: `scripts/bench scan`. Figures are ratios first.

A benchmark is a function here that yields rows; each row is a real command in a process of its own, with start-up.
"""

import argparse
import ast
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from catalog import __version__
from miner.cli import find_cache

ERRMINE = [sys.executable, "-c", "from miner.cli import main; main()"]


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that was measured."""

    name: str
    seconds: float
    ratio: float | None
    """To the baseline of the same run; none where there is none."""
    peak_mb: float
    """Of the largest process."""


def bench_scan(target: str, workers: int) -> Iterator[Row]:
    """Scan a whole target: cold, again, and its configuration alone; against `ast` on the same files."""
    with tempfile.TemporaryDirectory(prefix="errmine-bench-") as folder:
        source, cache, output = Path(folder, "source"), Path(folder, "cache"), Path(folder, "catalog.json")
        listing = Path(folder, "files.txt")
        # In a process of its own: a child's peak counts what its parent had in memory when it was started.
        measure([sys.executable, __file__, "--unpack", target, str(source), str(listing)])
        seconds, peak = measure([sys.executable, __file__, "--parse", str(listing), str(source)])
        yield Row(
            f"ast.parse and walk of {len(listing.read_text().splitlines()):,} files, one process", seconds, None, peak
        )
        options = ["--workers", str(workers), "--quiet", "-o", str(output)]
        whole = [*ERRMINE, "scan", str(source), "--scope", "all", "--cache", str(cache), *options]
        for name, command in (
            (f"errmine scan --scope all, {workers} workers, cold", whole),
            ("the same again", whole),
            ("errmine scan --scope config, source in the cache", [*ERRMINE, "scan", target, "--fresh", *options]),
        ):
            took, peak = measure(command)
            yield Row(name, took, took / seconds, peak)
        yield from _start_up()


def _start_up() -> Iterator[Row]:
    bare, peak = min(measure([sys.executable, "-c", "pass"]) for _ in range(5))
    yield Row("python -c pass, best of 5", bare, None, peak)
    took, peak = min(measure([*ERRMINE, "--help"]) for _ in range(5))
    yield Row("errmine --help, best of 5", took, took / bare, peak)


def bench_growth(target: str, workers: int) -> Iterator[Row]:
    """Scan 1, 2, 4 and 8 copies of an eighth of a target's files; the ratio is to the first, for each copy."""
    with tempfile.TemporaryDirectory(prefix="errmine-bench-") as folder:
        source, listing = Path(folder, "source"), Path(folder, "files.txt")
        measure([sys.executable, __file__, "--unpack", target, str(source), str(listing)])
        paths = listing.read_text().splitlines()
        first = 0.0
        for copies in (1, 2, 4, 8):
            place = Path(folder, f"copies-{copies}")
            count = _multiply(source, paths, place, copies)
            command = [*ERRMINE, "scan", str(place), "--scope", "all", "--fresh", "--cache", f"{folder}/cache"]
            took, peak = measure([*command, "--workers", str(workers), "--quiet", "-o", f"{folder}/catalog.json"])
            first = first or took
            yield Row(f"{copies} x, {count:,} files", took, took / first / copies, peak)


def bench_next(target: str, workers: int) -> Iterator[Row]:
    """Scan a release with nothing kept, then after the release before it; a target is `NAME==BEFORE,RELEASE`."""
    name, _, releases = target.partition("==")
    before, _, release = releases.partition(",")
    with tempfile.TemporaryDirectory(prefix="errmine-bench-") as folder:
        scan = [*ERRMINE, "scan", "--cache", folder, "--workers", str(workers), "--quiet", "-o", f"{folder}/out.json"]
        for each in (before, release):
            measure([*scan, f"{name}=={each}", "--fresh"])  # so that the sources are there
        whole = [*scan, "--scope", "all"]
        cold, peak = measure([*whole, f"{name}=={release}", "--fresh"])
        yield Row(f"{name} {release}, nothing kept", cold, 1.0, peak)
        measure([*ERRMINE, "cache", "--cache", folder, "--clear", "results"])
        measure([*whole, f"{name}=={before}"])
        took, peak = measure([*whole, f"{name}=={release}"])
        yield Row(f"{name} {release}, after {before}", took, took / cold, peak)
        took, peak = measure([*whole, f"{name}=={release}"])
        yield Row(f"{name} {release}, the same again", took, took / cold, peak)


def _multiply(source: Path, paths: Sequence[str], place: Path, copies: int) -> int:
    """Write copies of the first files, by path, that make an eighth of all bytes: each a package of its own."""
    sizes = {path: (source / path).stat().st_size for path in paths if (source / path).exists()}
    most, taken = sum(sizes.values()) / 8, 0
    chosen: list[str] = []
    for path in sorted(sizes):
        if taken < most:
            chosen.append(path)
            taken += sizes[path]
    tops = {path.partition("/")[0] for path in chosen if "/" in path}
    for number in range(copies):
        for path in chosen:
            text = (source / path).read_bytes()
            for top in tops:
                text = text.replace(f"{top}.".encode(), f"{top}{number}.".encode())
            head, _, rest = path.partition("/")
            written = place / (f"{head}{number}/{rest}" if rest else f"{number}{head}")
            written.parent.mkdir(parents=True, exist_ok=True)
            written.write_bytes(text)
    return len(chosen) * copies


def unpack(target: str, folder: str, listing: str) -> None:
    """Write a target's files to a folder, and a list of those that `--scope all` takes."""
    from miner.scope import ScopeRequest, select_files
    from miner.targets import open_tree, resolve_target, settle_project

    request = resolve_target(target, commit=None, ref=None, table=None)
    with open_tree(request, cache=find_cache()) as tree:
        project = settle_project(request, tree)
        paths = tree.list_paths()
        for file in tree.read(paths):
            if data := getattr(file, "data", b""):
                place = Path(folder, file.path)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
    Path(listing).write_text("\n".join(select_files(paths, project, ScopeRequest(("all",))).paths))


def parse_files(listing: str, folder: str) -> None:
    """Do what the baseline does: read, parse and walk each file."""
    warnings.simplefilter("ignore")
    for path in Path(listing).read_text().splitlines():
        file = Path(folder, path)
        try:
            tree = ast.parse(file.read_bytes() if file.exists() else b"")
        except (SyntaxError, ValueError):
            continue
        for _ in ast.walk(tree):
            pass


def measure(command: Sequence[str]) -> tuple[float, float]:
    """Run a command; give its seconds and the megabytes of its largest process."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)  # counts the workers too, which the process itself has waited for
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"bench: exit code {process.returncode}: {' '.join(command)}")
    return seconds, usage.ru_maxrss / 1024


def describe_machine() -> dict[str, str]:
    """Describe what the figures depend on."""
    names = ("libcst", "msgspec", "orjson")
    return {
        "errmine": __version__,
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in names},
        "on": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    }


BENCHES: dict[str, tuple[Callable[[str, int], Iterator[Row]], str]] = {
    "scan": (bench_scan, "vllm==0.33.0"),
    "growth": (bench_growth, "vllm==0.33.0"),
    "next": (bench_next, "vllm==0.32.0,0.33.0"),
}
"""Each with the target it has by default."""


def main() -> None:
    """Run one benchmark and print its rows as they come, or all as JSON."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("bench", choices=BENCHES)
    parser.add_argument("target", nargs="?")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    bench, usual = BENCHES[options.bench]
    target = options.target or usual
    rows = []
    machine = describe_machine()
    if not options.json:
        print(", ".join(f"{name} {value}" for name, value in machine.items()), end="\n\n")
        print(f"{'':58}{'seconds':>9}{'ratio':>8}{'peak MB':>9}")
    for row in bench(target, options.workers):
        rows.append(asdict(row))
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        if not options.json:
            print(f"{row.name:58}{row.seconds:>9.2f}{ratio:>8}{row.peak_mb:>9.0f}", flush=True)
    if options.json:
        given = {"bench": options.bench, "target": target, "workers": options.workers}
        print(json.dumps(given | {"machine": machine, "rows": rows}, indent=2))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--parse", *arguments]:
            parse_files(*arguments)
        case ["--unpack", *arguments]:
            unpack(*arguments)
        case _:
            main()

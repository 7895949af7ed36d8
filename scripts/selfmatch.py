"""How well does `errmine explain` find a catalog's own messages, and how seldom does it find others' there?

Each entry's message is rendered with values and dressed in each of ten wrappings. Foreign messages are those of other
catalogs, dressed alike, and the prose of their docstrings. Beside it stand two plain ways: each line of the log against
each template as an anchored pattern, and the likest template by rapidfuzz's token set ratio.
"""

import argparse
import gc
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from baselines import Anchored, Baseline, Fuzzy, list_skeletons  # noqa: E402
from wrappings import WRAPPINGS, Raised, hides_frames, raise_entry  # noqa: E402

from catalog.explain.evidence import THIN  # noqa: E402
from catalog.explain.findings import find_all  # noqa: E402
from catalog.explain.logs import read_log  # noqa: E402
from catalog.explain.shapes import list_texts, shape_parts  # noqa: E402
from catalog.explain.squeeze import squeeze  # noqa: E402
from catalog.explain.stored import IndexedCatalog, index_catalog  # noqa: E402
from catalog.records import Catalog, Entry, Hole, Text  # noqa: E402
from catalog.store import read_catalog  # noqa: E402

VALUES = (
    "7|0|-1|4096|0.9|None|True|float16|torch.bfloat16|acme/tiny-model|/models/tiny|['a', 'b']|{'k': 1}|<class 'int'>|"
    "<object object at 0x7f00>|auto|cuda:0|(1, 2)|a value with several words|CUDA error: out of memory"
).split("|")
COPIED = 0.5
"""A foreign message, half of which is one of the catalog's own texts word for word, was copied from there or there."""


Question = TypeVar("Question")


@dataclass(frozen=True)
class Bench:
    """A catalog, and so many processes to put questions to it; they are forked and so have it at once."""

    catalog: IndexedCatalog
    workers: int

    def judge(self, judge: Callable[[IndexedCatalog, Question], str], asked: Sequence[Question]) -> list[str]:
        """Judge each question, in order."""
        with get_context("fork").Pool(self.workers, _share, (self.catalog, judge, asked)) as pool:
            return pool.map(_judge_shared, range(len(asked)), chunksize=64)


_shared: "tuple[IndexedCatalog, Callable[[IndexedCatalog, Any], str], Sequence[Any]] | None" = None
"""What a process was forked with; nothing of it is ever sent."""


def _share(*given: Any) -> None:
    global _shared
    _shared = given


def _judge_shared(at: int) -> str:
    assert _shared is not None
    catalog, judge, asked = _shared
    return judge(catalog, asked[at])


@dataclass(frozen=True)
class Case:
    """A message of an entry, to be found again."""

    number: int
    entry: Entry
    skeleton: str
    is_thin: bool
    raised: Raised


def main() -> None:
    """Measure and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalog", type=Path)
    parser.add_argument("--foreign", type=Path, nargs="*", default=[])
    parser.add_argument("--entries", type=int, help="so many of the catalog's texts, chosen at random; all without it")
    parser.add_argument("--messages", type=int, default=10_000, help="foreign ones")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes to use")
    parser.add_argument("--baseline", type=int, default=100, help="so many texts for the slow baselines")
    given = parser.parse_args()
    own = read_catalog(given.catalog)
    catalog = index_catalog(own, given.catalog.stem)
    chance = random.Random(7)
    cases = list(list_cases(own, chance))
    chance.shuffle(cases)
    print(f"{given.catalog.stem}: {len(cases):,} texts with something fixed, of {len(own.entries):,} entries\n")
    baselines = [Anchored(own), Fuzzy(own)]
    gc.freeze()  # what the processes share stays shared
    bench = Bench(catalog, given.workers)
    print_own(bench, cases[: given.entries], baselines, given.baseline)
    foreign = [
        replace(each, name=path.stem) for path in given.foreign for each in list_foreign(read_catalog(path), chance)
    ]
    chance.shuffle(foreign)
    print_foreign(bench, foreign[: given.messages], baselines, given.baseline * 5)


def list_cases(catalog: Catalog, chance: random.Random) -> Iterator[Case]:
    """Render each text of each entry."""
    for number, entry in enumerate(catalog.entries):
        skeletons = list_skeletons(entry)
        for which, parts in enumerate(list_texts(entry)):
            shape = shape_parts(parts)
            if shape.fragments:
                raised = raise_entry(entry, parts, lambda hole: fill(hole, chance))
                yield Case(number, entry, skeletons[which], shape.length < THIN, raised)


def fill(hole: Hole, chance: random.Random) -> str:
    """Make up a value for a hole."""
    if hole.format and hole.format[-1:] in "dfgeExX%,":
        return "3.14" if hole.format[-1:] in "fge%" else "12"
    value = chance.choice(VALUES)
    return repr(value) if hole.conversion == "r" and value[0].isalpha() else value


def print_own(bench: Bench, cases: list[Case], baselines: list[Baseline], few: int) -> None:
    """Print how often the right template and the right site come first, by wrapping."""
    print(f"{'wrapping':16}{'texts':>7}{'template':>10}{'site':>8}{'none':>8}{'wrong':>8}{'(thin)':>8}", end="")
    print("".join(f"{baseline.name:>12}" for baseline in baselines), "  ms", sep="")
    total: Counter[str] = Counter()
    for name, wrap in WRAPPINGS.items():
        started = time.perf_counter()
        told = Counter(
            bench.judge(judge, [(case, wrap(case.raised), hides_frames(name, case.raised)) for case in cases])
        )
        took = (time.perf_counter() - started) * bench.workers / max(1, len(cases)) * 1_000
        beside = [judge_baseline(baseline, cases[:few], wrap) for baseline in baselines]
        print_row(name, told, beside, took)
        total += told
    print_row("all", total, [], 0.0)
    print()


def print_row(name: str, told: Counter[str], beside: list[float], took: float) -> None:
    """Print a row in shares of the texts that can be found at all; a thin one without a frame must not be."""
    count = max(1, told.total() - told["thin"])
    shares = (told["site"] + told["template"], told["site"], told["none"], told["wrong"])
    print(
        f"{name:16}{told.total():>7,}", *(f"{share / count:>8.2%}" for share in shares), f"{told['thin']:>7,}", end=" "
    )
    print("".join(f"{share:>12.1%}" for share in beside), f"{took:>5.1f}" if took else "")


def judge(catalog: IndexedCatalog, asked: tuple[Case, str, bool]) -> str:
    """Say what the first match of a dressed message is to the entry it came from."""
    case, log, is_frameless = asked
    findings = find_all(read_log(log, catalog.index.has_class), [catalog])
    best = next((finding.matches[0] for finding in findings if finding.matches), None)
    if best is not None and best.number == case.number:
        return "site"
    if best is not None and case.skeleton in list_skeletons(best.entry):
        return "template"
    if best is not None:
        return "wrong"
    return "thin" if case.is_thin and is_frameless else "none"


def judge_baseline(baseline: "Baseline", cases: list[Case], wrap: Callable[[Raised], str]) -> float:
    """Give the share of messages whose template a baseline finds."""
    return sum(baseline.find(wrap(case.raised)) == case.skeleton for case in cases) / max(1, len(cases))


def list_foreign(catalog: Catalog, chance: random.Random) -> Iterator["Foreign"]:
    """Give what another library says: its messages, with and without frames, and its prose."""
    seen = set()
    for entry in catalog.entries:
        for parts in list_texts(entry)[:1]:
            if not any(isinstance(part, Text) for part in parts):
                continue
            raised = raise_entry(entry, parts, lambda hole: fill(hole, chance))
            yield Foreign("message", "", f"{raised.exception}: {raised.message}", raised.message)
            wrapping = chance.choice(sorted(WRAPPINGS))
            yield Foreign(wrapping, "", WRAPPINGS[wrapping](raised), raised.message)
        if entry.site.docstring and entry.site.docstring not in seen:
            seen.add(entry.site.docstring)
            yield Foreign("prose", "", entry.site.docstring, entry.site.docstring)


@dataclass(frozen=True)
class Foreign:
    """What another library says."""

    kind: str
    name: str
    log: str
    message: str


def print_foreign(bench: Bench, foreign: list[Foreign], baselines: list[Baseline], few: int) -> None:
    """Print how often something is found in what isn't the catalog's, by kind."""
    if not foreign:
        return
    print(f"{'foreign':16}{'logs':>7}{'false':>9}{'similar':>9}{'copied':>9}", end="")
    print("".join(f"{baseline.name:>12}" for baseline in baselines))
    told: dict[str, Counter[str]] = {}
    for each, verdict in zip(foreign, bench.judge(judge_foreign, foreign), strict=True):
        told.setdefault(each.kind, Counter())[verdict] += 1
    for kind in sorted(told):
        print_foreign_row(kind, told[kind], "")
    total = sum(told.values(), Counter())
    beside = [sum(baseline.find(each.log) is not None for each in foreign[:few]) for baseline in baselines]
    print_foreign_row("all", total, "".join(f"{found / max(1, min(few, len(foreign))):>12.1%}" for found in beside))


def print_foreign_row(kind: str, told: Counter[str], beside: str) -> None:
    """Print a row in shares of the logs."""
    shares = (told[kind] / told.total() for kind in ("false", "similar", "copied"))
    print(f"{kind:16}{told.total():>7,}", *(f"{share:>8.2%}" for share in shares), beside)


def judge_foreign(catalog: IndexedCatalog, foreign: Foreign) -> str:
    """Say what is found in what another library says."""
    findings = find_all(read_log(foreign.log, catalog.index.has_class), [catalog])
    best = next((finding.matches[0] for finding in findings if finding.matches), None)
    if best is None:
        return "none"
    if best.is_similar:
        return "similar"
    laid = best.laid.alignment if best.laid is not None else None
    letters = len(squeeze(foreign.message))
    is_copied = laid is not None and not laid.is_cut and laid.matched >= 20 and laid.matched >= letters * COPIED
    return "copied" if is_copied else "false"


if __name__ == "__main__":
    main()

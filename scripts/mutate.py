#!/usr/bin/env python3
"""Edit real modules in known ways and see whether the diff names each edit: `scripts/mutate vllm==0.33.0`.

The configuration modules of a release are fetched when this runs. Each edit is judged on its own: the right entries
must be paired, the right kinds told, nothing told of any other entry, and no id carried to another error. Exit code 1
when fewer edits than `--least` are named right, or any id goes astray.
"""

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from edits import EDITS, Edit
from pieces import Origin, Source, read_source, write_text

from catalog.compare.pairing import pair_entries
from catalog.diff import Added, Altered, Removed, find_changes, list_kinds
from catalog.lineage import carry_ids
from catalog.records import SCHEMA_VERSION, Catalog, Entry, Stats, Target, Tool
from miner.cli import find_cache
from miner.scan import mine_source
from miner.scope import ScopeRequest, looks_like_config, select_files
from miner.sources import SourceFile
from miner.targets import open_tree, resolve_target, settle_project


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the diff did on one edit."""

    edit: str
    complaints: tuple[str, ...]
    """What was named wrong; nothing when all is right."""
    strays: int
    """Ids that went to another error."""


def main() -> int:
    """Edit, judge, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target")
    parser.add_argument("--scope", default="config")
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=float, default=0.99, help="the share that must be named right")
    parser.add_argument("--verbose", action="store_true", help="print every complaint")
    given = parser.parse_args()
    sources = [source for source in load_sources(given.target, given.scope) if source.tree.body]
    verdicts = []
    for edit, verdict in judge_edits(sources, given.edits, random.Random(given.seed)):
        verdicts.append(verdict)
        if verdict.complaints and given.verbose:
            print(f"{edit.name} ({', '.join(sorted(edit.modules))}): {'; '.join(verdict.complaints)}", file=sys.stderr)
    print_table(verdicts)
    right = sum(not verdict.complaints for verdict in verdicts) / max(1, len(verdicts))
    return 0 if right >= given.least and not any(verdict.strays for verdict in verdicts) else 1


def load_sources(target: str, scope: str) -> Iterator[Source]:
    """Load the modules in scope."""
    request = resolve_target(target, commit=None, ref=None, table=None)
    with open_tree(request, cache=find_cache()) as tree:
        project = settle_project(request, tree)
        selection = select_files(tree.list_paths(), project, ScopeRequest((scope,)))
        for file in tree.read(sorted({*selection.paths, *selection.undecided})):
            if isinstance(file, SourceFile) and (file.path in selection.paths or looks_like_config(file.data)):
                yield read_source(file.path, file.data.decode())


def judge_edits(sources: Sequence[Source], count: int, pick: random.Random) -> Iterator[tuple[Edit, Verdict]]:
    """Make edits of every kind in turn, each on modules as they were, and judge the diff's word for it."""
    mined = {source.path: mine_source(write_text(source.lines), path=source.path) for source in sources}
    weights = [len(mined[source.path]) for source in sources]
    done, tried = 0, 0
    while done < count and tried < 40 * count:
        make = EDITS[tried % len(EDITS)]
        tried += 1
        source, other = pick.choices(sources, weights)[0], pick.choice(sources)
        edit = make(source, other, pick) if source is not other else None
        if edit is not None:
            done += 1
            yield edit, judge(edit, mined)


@dataclass(frozen=True, slots=True)
class Trial:
    """An edit with both catalogs and what became of every entry."""

    edit: Edit
    old: Catalog
    new: Catalog
    origins: Mapping[str, Origin]
    """Where a new entry's line comes from, by its id."""
    truth: Mapping[str, str]
    """The old id of every new one that isn't new."""


def judge(edit: Edit, mined: Mapping[str, Sequence[Entry]]) -> Verdict:
    """Compare what the diff says of an edit with what was done."""
    trial = try_edit(edit, mined)
    complaints = [*judge_pairs(trial), *judge_kinds(trial)]
    return Verdict(edit.name, tuple(complaints), sum(1 for _ in list_strays(trial)))


def try_edit(edit: Edit, mined: Mapping[str, Sequence[Entry]]) -> Trial:
    """Mine what the edit made, and find out which entry is which by where its line comes from."""
    old = [entry for entries in mined.values() for entry in entries]
    new = [entry for path in mined if path not in edit.modules for entry in mined[path]]
    origins: dict[str, Origin] = {entry.id: (entry.site.path, entry.site.line) for entry in new}
    for path, lines in edit.modules.items():
        for entry in mine_source(write_text(lines), path=path):
            new.append(entry)
            origins[entry.id] = lines[entry.site.line - 1].origin
    by_origin: dict[Origin, list[str]] = defaultdict(list)
    for entry in old:
        by_origin[entry.site.path, entry.site.line].append(entry.id)
    truth = {}
    for entry in new:
        waiting = by_origin.get(origins[entry.id])
        if waiting:
            truth[entry.id] = waiting.pop(0)
    return Trial(edit, make_catalog(old), make_catalog(new), origins, truth)


def judge_pairs(trial: Trial) -> Iterator[str]:
    """Complain of every entry that was paired with another than it is."""
    pairing = pair_entries(trial.old.entries, trial.new.entries)
    partners = {right.entry.id: left.entry.id for left, right in pairing.pairs}
    for entry in trial.new.entries:
        found, right = partners.get(entry.id), trial.truth.get(entry.id)
        if found != right and not is_copy(trial, entry, found or right):
            yield f"{entry.site.qualname}:{entry.site.line} {entry.title!r} is {'a wrong one' if found else 'missed'}"


def judge_kinds(trial: Trial) -> Iterator[str]:
    """Complain of every kind that is missing, wrong, or told of an entry that the edit isn't about."""
    told: dict[Origin, frozenset[str]] = {}
    for change in find_changes(trial.old, trial.new):
        match change:
            case Altered(_, new):
                told[trial.origins[new.id]] = frozenset(list_kinds(change))
            case Removed(old):
                told[old.site.path, old.site.line] = frozenset({"removed"})
            case Added(new):
                if new.id in trial.truth and not is_copy(trial, new, trial.truth[new.id]):
                    yield f"{new.site.qualname}:{new.site.line} is not new"
    known = {(entry.site.path, entry.site.line) for entry in trial.old.entries}
    for origin in sorted(known | {each for each in told if each}, key=str):
        expected = trial.edit.kinds if origin in trial.edit.touched else frozenset()
        if told.get(origin, frozenset()) != expected:
            yield f"{origin}: {sorted(told.get(origin, ()))} instead of {sorted(expected)}"


def list_strays(trial: Trial) -> Iterator[str]:
    """List the new entries whose carried id was another error's."""
    ids = {entry.id for entry in trial.old.entries}
    for entry, own in zip(carry_ids(trial.new, trial.old).entries, trial.new.entries, strict=True):
        if entry.id in ids and entry.id != trial.truth.get(own.id) and not is_copy(trial, own, entry.id):
            yield own.id


def is_copy(trial: Trial, entry: Entry, old_id: str | None) -> bool:
    """Tell whether a copied check and the one it was copied from can't be told apart: either may be the old one."""
    old = next((each for each in trial.old.entries if each.id == old_id), None)
    return old is not None and trial.edit.name == "check duplicated" and describe(entry) == describe(old)


def describe(entry: Entry) -> tuple[object, ...]:
    """Give what makes two checks in one function the same one."""
    text = entry.message.template if entry.message else None
    test = entry.guard.clauses[-1].test if entry.guard.clauses else None
    return entry.site.path, entry.site.qualname, entry.exception.name, text, test


def make_catalog(entries: Sequence[Entry]) -> Catalog:
    """Put entries into a catalog."""
    ordered = sorted(entries, key=lambda entry: (entry.site.path, entry.site.line, entry.site.column))
    target = Target("source", None, None, None, None, None, None, ("config",))
    stats = Stats(0, 0, 0, len(entries), {}, {})
    return Catalog(SCHEMA_VERSION, Tool("mutate", "0"), target, stats, (), (), tuple(ordered), ())


def print_table(verdicts: Sequence[Verdict]) -> None:
    """Print how many edits of each kind were named right, and how many ids went astray."""
    made = Counter(verdict.edit for verdict in verdicts)
    right = Counter(verdict.edit for verdict in verdicts if not verdict.complaints)
    strays = Counter[str]()
    for verdict in verdicts:
        strays[verdict.edit] += verdict.strays
    print(f"{'edit':<32}{'made':>6}{'right':>7}{'share':>8}{'ids astray':>12}")
    for name in sorted(made):
        print(f"{name:<32}{made[name]:>6}{right[name]:>7}{right[name] / made[name]:>8.1%}{strays[name]:>12}")
    total = max(1, made.total())
    print(f"{'all':<32}{made.total():>6}{right.total():>7}{right.total() / total:>8.1%}{strays.total():>12}")


if __name__ == "__main__":
    sys.exit(main())

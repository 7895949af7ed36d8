"""A small project in two releases, mined, annotated and made a site, as a person would."""

import os
import subprocess
import sys
from pathlib import Path

from factories import commit_files, run_git

ROOT = Path(__file__).parent.parent

CONFIG = '''\
"""How spools are cut."""

import argparse
from dataclasses import dataclass


@dataclass
class DrawerConfig:
    """What a drawer holds."""

    max_spool_len: int | None = None
    """The longest spool that is cut, in metres."""
    lanes: int = 1
    """How many lanes a drawer has."""

    def check(self, drawer_len: int, machine_lanes: int) -> int:
        """Check the drawer against its machine."""
        self._check_lanes(self.lanes, machine_lanes)
        return self._clamp(self.max_spool_len, drawer_len)

    @staticmethod
    def _clamp(wanted_spool_len: int | None, drawer_len: int) -> int:
        if wanted_spool_len is not None:
            if wanted_spool_len > drawer_len:
                raise ValueError(
                    f"{wanted_spool_len=} must not exceed "
                    f"{drawer_len=}"
                )
            return wanted_spool_len
        return drawer_len

    def _check_lanes(self, drawer_lanes: int, machine_lanes: int) -> None:
        if drawer_lanes not in (1, machine_lanes):
            raise ValueError(
                f"{drawer_lanes=} is neither one lane nor all "
                f"of the machine's lanes"
            )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("--max-spool-len", type=int, default=None, help="The longest spool that is cut.")
    parser.add_argument("--lanes", type=int, default=1, help="How many lanes a drawer has.")
    parser.add_argument("--preview-window", type=int, default=None, help="How many cuts are shown beforehand.")
    parser.add_argument("--preview-cuts", type=int, default=4, help="How many cuts are planned beforehand.")
'''

PREVIEW = '''\
"""What is shown before it is cut."""


def settle_preview(args):
    """Settle how many cuts are shown."""
    if args.preview_window is not None:
        planned = int(args.preview_cuts)
        if args.preview_window < planned:
            raise ValueError(
                "--preview-window must be >= "
                "--preview-cuts (planned). "
                f"window={args.preview_window}, planned={planned}."
            )
    assert args.preview_cuts >= 1
    return args.preview_window


def find_cutter(name, cutters):
    """Find a cutter by its name."""
    try:
        return cutters[name]
    except KeyError:
        raise LookupError(f"no cutter is called {name!r}; there are {sorted(cutters)}") from None
'''

OLD_PREVIEW = PREVIEW.replace("no cutter is called {name!r}; there are {sorted(cutters)}", "unknown cutter {name!r}")
GONE = """\
def empty_drawer(drawer):
    if drawer.is_open:
        raise RuntimeError("the drawer is open; close it before it is emptied")
"""
REPOSITORY = "https://github.com/acme/depot"


def run_errmine(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ERRMINE_CACHE": str(cwd / "cache")}
    command = [sys.executable, "-c", "from miner.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def make_catalogs(folder: Path) -> list[Path]:
    """Mine two releases of the project, the older first; the newer carries the older one's ids on."""
    repository = folder / "depot"
    commit_files({"depot/config.py": CONFIG, "depot/preview.py": OLD_PREVIEW, "depot/drawer.py": GONE}, repository)
    run_git(repository, "remote", "add", "origin", f"{REPOSITORY}.git")
    run_git(repository, "tag", "v1.0")
    (repository / "depot" / "drawer.py").unlink()
    commit_files({"depot/preview.py": f"# Reworded.\n{PREVIEW}"}, repository)
    run_git(repository, "tag", "v1.1")
    made: list[Path] = []
    for tag in ("v1.0", "v1.1"):
        place = folder / f"depot-{tag}.json"
        baseline = ["--baseline", str(made[-1])] if made else []
        scanned = ["scan", "depot", "--ref", tag, "--scope", "all", *baseline, "-o", str(place)]
        for command in (scanned, ["annotate", str(place)]):
            done = run_errmine(*command, cwd=folder)
            assert done.returncode == 0, done.stderr
        made.append(place)
    return made

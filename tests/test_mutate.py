"""The mutation script on this project's own sources: known edits, each to be named by the diff."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def mutate(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "mutate.py"), str(ROOT), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_every_edit_of_our_own_modules_is_named_and_no_id_goes_astray() -> None:
    done = mutate("--scope", "catalog/*.py", "--edits", "60", "--least", "1.0", "--verbose")
    assert done.stderr == ""
    rows = done.stdout.splitlines()
    assert rows[-1].split() == ["all", "60", "60", "100.0%", "0"]
    assert len(rows) > 10, "edits of many kinds"
    assert done.returncode == 0


def test_a_share_that_is_not_reached_fails() -> None:
    assert mutate("--scope", "catalog/*.py", "--edits", "13", "--least", "1.1").returncode == 1

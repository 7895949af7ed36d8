"""The README's examples are run as they stand; `…` stands for anything, on a line of its own for any lines."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```console\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
FILES = re.findall(r"With\sthis in `([\w.]+)`:\n\n```text\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
START = [sys.executable, "-c", "from miner.cli import main; main()"]
PROGRAMS = {"errmine": START, "python": [sys.executable]}


def split_example(example: str) -> list[tuple[str, str]]:
    """Give each command of an example with the text it should print."""
    steps = re.split(r"^\$ (.*)\n", example, flags=re.MULTILINE)[1:]
    return list(zip(steps[::2], steps[1::2], strict=True))


def read_pattern(expected: str) -> re.Pattern[str]:
    lines = [
        r"(?s:.*)" if line == "…" else re.escape(line).replace("…", "[^\n]*")
        for line in expected.rstrip("\n").split("\n")
    ]
    return re.compile("\n".join(lines))


@pytest.mark.network
def test_the_examples_print_what_the_readme_shows(tmp_path: Path) -> None:
    steps = [step for example in EXAMPLES for step in split_example(example)]
    assert len(steps) >= 4
    for name, text in FILES:
        (tmp_path / name).write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "tests" / "lintcalls.py", tmp_path)
    for command, expected in steps:
        program, *arguments = shlex.split(command)
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "ERRMINE_CACHE": str(tmp_path / "cache")}
        done = subprocess.run(
            [*PROGRAMS[program], *arguments],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        shown = done.stdout.decode().rstrip("\n")
        assert read_pattern(expected).fullmatch(shown), f"$ {command}\n{shown}"


def test_every_command_is_in_the_readme() -> None:
    listed = subprocess.run([*START, "--help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  (\w+) ", listed.split("Commands:")[1], re.MULTILINE)
    assert commands
    for command in commands:
        assert re.search(rf"errmine {command}\b", README), command


def test_the_two_commands_are_there_and_can_be_run() -> None:
    for script in ("scripts/run", "scripts/test"):
        assert f"{script}" in README
        assert os.access(ROOT / script, os.X_OK)

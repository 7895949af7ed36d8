"""`errmine diff`, `errmine history` and `scan --baseline`, run as a person runs them."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from factories import commit_files, make_catalog, mine, run_git
from test_cli import ROOT, run

from catalog.store import dump_catalog, read_catalog, write_catalog

CHECK = 'def check(size):\n    if size < 0:\n        raise ValueError(f"a size of {size} is below zero")\n'
LOOSER = CHECK.replace("size < 0", "size <= 0")
REWORDED = LOOSER.replace("is below", "lies below")
PROJECT = '[project]\nname = "shop"\nversion = "1.0"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with two catalogs that differ in one guard, and some that can't be compared."""
    old = make_catalog(mine(CHECK, path="shop/cart.py"), target__release="1.0")
    new = make_catalog(mine(LOOSER, path="shop/cart.py"), target__release="2.0")
    write_catalog(old, tmp_path / "old.json")
    write_catalog(new, tmp_path / "new.json")
    write_catalog(make_catalog(old.entries, target__name="market"), tmp_path / "market.json")
    write_catalog(make_catalog(old.entries, target__scope=("config",)), tmp_path / "narrow.json")
    data = dump_catalog(old)
    (tmp_path / "cut.json").write_bytes(data[: len(data) // 2])
    (tmp_path / "newer.json").write_bytes(data.replace(b'"schema_version":1', b'"schema_version":9', 1))
    return tmp_path


@pytest.fixture
def repository(make_repo: Callable[..., Path]) -> Path:
    """Give a repository with three versions of one check."""
    repository = make_repo({"pyproject.toml": PROJECT, "shop/__init__.py": "", "shop/config.py": CHECK})
    run_git(repository, "tag", "v0.9.0")
    commit_files({"shop/config.py": LOOSER}, repository)
    run_git(repository, "tag", "v0.10.0")
    commit_files({"shop/config.py": REWORDED}, repository)
    return repository


def test_differences_are_told_and_are_no_failure(folder: Path) -> None:
    done = run("diff", "old.json", "new.json", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "shop 1.0 → 2.0",
        "1 change: 1 reguarded (1 loosened)",
        "",
        "shop/cart.py",
        "  reguarded",
        "        3  check  ValueError: a size of {size} is below zero",
        "        loosened: raised in more cases",
        "        - size < 0",
        "        + size <= 0",
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--exit-code"], 1),
        (["--fail-on", "reguarded"], 1),
        (["--fail-on", "added,loosened"], 1),
        (["--fail-on", "added,removed,tightened"], 0),
        (["--kind", "added", "--exit-code"], 0),
        (["--path", "other", "--exit-code", "--fail-on", "loosened"], 0),
        (["--path", "shop/*.py", "--exit-code"], 1),
        (["--fail-on", "nonsense"], 2),
        (["--kind", "nonsense"], 2),
        (["--option", "nonsense"], 2),
        (["--format", "nonsense"], 2),
    ],
)
def test_found_and_could_not_are_told_apart(folder: Path, arguments: list[str], code: int) -> None:
    assert run("diff", "old.json", "new.json", *arguments, folder=folder).returncode == code


def test_no_difference_is_never_a_failure(folder: Path) -> None:
    done = run("diff", "old.json", "old.json", "--exit-code", "--fail-on", "added", folder=folder)
    assert (done.returncode, done.stdout) == (0, "shop 1.0 → 1.0\nno changes\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["old.json", "market.json"], "two targets, shop and market"),
        (["old.json", "narrow.json"], "scope all and the new one config"),
        (["old.json", "cut.json"], "cut.json: cut off after"),
        (["newer.json", "old.json"], "schema_version 9 is newer than this errmine reads"),
        (["old.json", "none.json"], "none.json: no such file"),
        (["old.json"], "old.json: give a second catalog to compare it with"),
        (["old.json", "--ref", "v1"], "is a catalog, and --ref and --to are for a target"),
        (["old.json", "new.json", "--ref", "v1"], "--ref and --to are for two states of one target"),
        (["old.json", "new.json", "--scope", "config"], "--scope config can't be made of that"),
    ],
)
def test_what_can_not_be_compared_is_one_clear_line(folder: Path, arguments: list[str], complaint: str) -> None:
    done = run("diff", *arguments, folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_scope_of_patterns_makes_two_scopes_comparable(folder: Path) -> None:
    assert run("diff", "old.json", "narrow.json", "--scope", "shop", "--exit-code", folder=folder).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "start"),
    [
        (["--json"], '{\n  "old": {\n    "name": "shop",\n    "release": "1.0",'),
        (["--format", "json"], '{\n  "old": {'),
        (["--format", "md"], "# Errors of `shop 1.0 → 2.0`\n\n1 change: 1 reguarded (1 loosened).\n"),
        (
            ["--format", "github", "--fail-on", "loosened"],
            "::error file=shop/cart.py,title=ValueError reguarded,line=3,",
        ),
        (["--format", "text"], "shop 1.0 → 2.0\n"),
    ],
)
def test_every_form_can_go_to_a_file_and_is_the_same_there(folder: Path, arguments: list[str], start: str) -> None:
    told = run("diff", "old.json", "new.json", *arguments, folder=folder)
    assert told.stdout.startswith(start)
    run("diff", "old.json", "new.json", *arguments, "-o", "told", folder=folder)
    assert (folder / "told").read_text(encoding="utf-8") == told.stdout


def test_two_states_of_a_checkout_are_compared(repository: Path, tmp_path: Path) -> None:
    done = run("diff", str(repository), "--ref", "v0.9.0", "--to", "HEAD", "--json", folder=tmp_path)
    answer = json.loads(done.stdout)
    assert (answer["old"]["ref"], answer["new"]["ref"]) == ("v0.9.0", "main")
    assert [change["kinds"] for change in answer["changes"]] == [["reworded", "reguarded"]]
    commit = run_git(repository, "rev-parse", "v0.9.0")
    assert run("diff", str(repository), "--ref", commit, "--to", "v0.10.0", folder=tmp_path).stdout.startswith(
        f"{answer['new']['name']} {commit[:12]} → v0.10.0\n1 change: 1 reguarded"
    )


def test_a_target_alone_is_compared_with_the_version_before(repository: Path, tmp_path: Path) -> None:
    assert " v0.10.0 → main\n1 change: 1 reworded\n" in run("diff", str(repository), folder=tmp_path).stdout
    assert " v0.9.0 → v0.10.0\n" in run("diff", str(repository), "--to", "v0.10.0", folder=tmp_path).stdout
    done = run("diff", str(repository), "--to", "v0.9.0", folder=tmp_path)
    assert done.returncode == 2
    assert "has no earlier tag or release to compare with; name one with --ref" in done.stderr


def test_the_life_of_an_error_is_walked_over_the_tags(repository: Path, tmp_path: Path) -> None:
    commit_files({"shop/config.py": CHECK.replace("check", "verify")}, repository)
    run_git(repository, "tag", "v1.0")
    done = run("history", "shop/config.py:3", str(repository), "--json", folder=tmp_path)
    answer = json.loads(done.stdout)
    told = [(step["version"], step["change"] and step["change"]["kinds"]) for step in answer["versions"]]
    assert told == [("v0.9.0", None), ("v0.10.0", ["reguarded"]), ("v1.0", ["renamed", "reguarded"])]
    picture = run("history", "verify", str(repository), "--since", "v0.10.0", folder=tmp_path).stdout
    assert "already in v0.10.0, the oldest version looked at, changed once, still in v1.0" in picture


def test_the_life_of_an_error_is_read_from_catalogs(folder: Path) -> None:
    done = run("history", "check", "--catalog", "new.json", "--catalog", "old.json", folder=folder)
    assert done.stdout.splitlines()[1] == "already in 1.0, the oldest version looked at, changed once, still in 2.0"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["check"], "give a target whose tags or releases to walk, or catalogs"),
        (["check", "shop", "--catalog", "old.json"], "give a target or --catalog, not both"),
        (["check", "--catalog", "old.json", "--since", "0.1"], "0.1: no such version; there are 1.0 to 1.0"),
        (["nothing", "--catalog", "old.json"], "nothing: no entry of 1.0 to 1.0 fits"),
    ],
)
def test_a_history_of_nothing_is_one_clear_line(folder: Path, arguments: list[str], complaint: str) -> None:
    done = run("history", *arguments, folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_repository_without_tags_has_no_history(make_repo: Callable[..., Path], tmp_path: Path) -> None:
    repository = make_repo({"shop/__init__.py": "", "shop/config.py": CHECK})
    done = run("history", "check", str(repository), folder=tmp_path)
    assert done.returncode == 2
    assert "has no tag or release to walk" in done.stderr
    assert "has no earlier tag or release" in run("diff", str(repository), folder=tmp_path).stderr


def test_a_scan_takes_over_the_ids_of_a_baseline(repository: Path, tmp_path: Path) -> None:
    run("scan", str(repository), "--ref", "v0.9.0", "-o", "old.json", folder=tmp_path)
    run("scan", str(repository), "-o", "alone.json", folder=tmp_path)
    done = run("scan", str(repository), "--baseline", "old.json", "-o", "new.json", folder=tmp_path)
    assert done.returncode == 0
    old, alone, new = (read_catalog(tmp_path / f"{name}.json").entries[0] for name in ("old", "alone", "new"))
    assert old.id != alone.id
    assert (new.id, new.previous) == (old.id, (alone.id,))
    missing = run("scan", str(repository), "--baseline", "none.json", "-o", "other.json", folder=tmp_path)
    assert missing.returncode == 2
    assert not (tmp_path / "other.json").exists()


def test_the_recipe_for_a_shell_tells_found_from_could_not(repository: Path, tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (recipe,) = [block for block in re.findall(r"```sh\n(.*?)```", readme, re.DOTALL) if "merge-base" in block]
    program = tmp_path / "bin" / "errmine"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nfrom miner.cli import main\nmain()\n", encoding="utf-8")
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}

    def run_recipe() -> tuple[int, str]:
        done = subprocess.run(
            ["sh", "-c", recipe], cwd=repository, env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout

    run_git(repository, "update-ref", "refs/remotes/origin/main", "v0.9.0")
    assert run_recipe() == (0, "nothing that breaks anybody\n")
    assert (repository / "errors.md").read_text(encoding="utf-8").startswith("# Errors of ")
    commit_files({"shop/config.py": "limit = 3\n"}, repository)
    code, told = run_recipe()
    assert (code, "1 change: 1 removed" in told) == (1, True)
    run_git(repository, "update-ref", "-d", "refs/remotes/origin/main")
    assert run_recipe()[0] == 2

"""Make a virtual environment for this checkout, once: `environment.py run|test FOLDER`. Standard library only."""

import fcntl
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = {"run": "", "test": "[dev]"}


def main(kind: str, folder: Path) -> None:
    """Make the environment unless another process just did; leave a `ready` mark when it is whole."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another process that is making an environment")
            fcntl.flock(lock, fcntl.LOCK_EX)
        if (folder / "ready").exists() and os.access(folder / "bin" / "python", os.X_OK):
            return
        started = time.monotonic()
        say(f"making the environment {folder.relative_to(ROOT)} (once, for this checkout and these dependencies)")
        shutil.rmtree(folder, ignore_errors=True)
        install(kind, make_environment(folder))
        (folder / "ready").touch()
        say(f"ready after {time.monotonic() - started:.0f} s")


def make_environment(folder: Path) -> list[str]:
    """Make an empty environment and give the command of a pip that installs into it.

    The pip that stands beside this Python serves, where there is one: a Python without `ensurepip` (as some systems
    split it) then does as well.
    """
    python = str(folder / "bin" / "python")
    has_pip = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False)
    if has_pip.returncode == 0:
        run([sys.executable, "-m", "venv", "--without-pip", str(folder)], "no virtual environment can be made here")
        return [sys.executable, "-m", "pip", "--python", python]
    run([sys.executable, "-m", "venv", str(folder)], f"{sys.executable} has neither pip nor ensurepip; install pip")
    return [python, "-m", "pip"]


def install(kind: str, pip: list[str]) -> None:
    """Install the checkout as it stands, editable, with what it depends on."""
    options = ["--quiet", "--quiet", "--disable-pip-version-check", "--no-warn-script-location"]
    failure = "the dependencies can't be installed; is the package index that pip uses within reach?"
    run([*pip, "install", *options, "--editable", f"{ROOT}{EXTRAS[kind]}"], failure)


def run(command: list[str], failure: str) -> None:
    """Run a command with its output on stderr; end this script in one line when it fails."""
    variables = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME"}}
    variables["PIP_USER"] = "0"  # a user's `--user` default is refused inside an environment
    done = subprocess.run(command, env=variables, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    if done.returncode != 0:
        sys.exit(f"errmine: {failure}")


def say(text: str) -> None:
    """Tell the person who waits."""
    print(f"errmine: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1], Path(sys.argv[2]))
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        sys.exit(f"errmine: {error}")

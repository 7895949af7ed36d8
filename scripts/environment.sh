# Sourced by run, test and bench: gives $root, the checkout, and $environment, a ready virtual environment.
#
# An environment is keyed by what it is made of (pyproject.toml, the place of the checkout), so a changed dependency
# makes a new one and a finished one is found without starting Python. Two scripts at once wait for each other.
# Everything said here goes to stderr: stdout belongs to the command.

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 2

find_python() {
    for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            command -v "$name"
            return
        fi
    done
    echo "errmine: needs Python 3.11 or newer; none of python3, python3.11 … python3.14 on the PATH is." >&2
    echo "errmine: install one (and pip), then run this again." >&2
    return 2
}

# use_environment KIND: `run` holds what errmine needs, `test` also the tools of its developers.
use_environment() {
    key=$( (printf '%s\n' "$root" && cat "$root/pyproject.toml" "$root/scripts/environment.py") | cksum | tr -cd '0-9')
    environment=$root/.venv/$1-$key
    if [ ! -e "$environment/ready" ] || [ ! -x "$environment/bin/python" ]; then
        python=$(find_python) || exit 2
        "$python" -I "$root/scripts/environment.py" "$1" "$environment" >&2 || exit 2
    fi
}

#!/usr/bin/env python3
"""A linter of your own in a page: calls of a library that can only fail, told before anything runs.

    errmine scan flask==3.0.3 --scope all -o flask.json
    errmine export flask.json --to jsonl -o flask.jsonl
    python lintcalls.py flask.jsonl app.py …

A call is told of when a guard of the function it calls is exact, so that the error is raised whenever its condition
holds, and closed, so that the condition speaks of nothing but what the function is given; and when the condition holds
for the literals in the call. What the call gives otherwise is unknown, and then nothing is said.
"""

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from catalog.notes.evaluate import Unknown, decide


def read_checks(lines: list[str]) -> dict[str, list[dict[str, Any]]]:
    """Read the entries that can be checked from outside, by the name that users import."""
    checks: dict[str, list[dict[str, Any]]] = {}
    for entry in map(json.loads, lines):
        qualname, _, method = entry["site"]["qualname"].rpartition(".")
        name = qualname if method == "__init__" else method if not qualname else ""
        if name and entry["guard"]["exact"] and entry["guard"]["closed"] and entry["site"]["signature"]:
            checks.setdefault(name, []).append(entry)
    return checks


def lint(source: str, checks: dict[str, list[dict[str, Any]]]) -> Iterator[tuple[int, int, str]]:
    """Give line, column and message of each call that can only fail."""
    tree = ast.parse(source)
    imported = dict(find_imports(tree))
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        package, _, name = imported.get(head := ast.unparse(call.func).split(".")[0], "").partition(":")
        name = name or ast.unparse(call.func).removeprefix(f"{head}.")
        for entry in checks.get(name, ()):
            if package == entry["site"]["module"].split(".")[0] and fails(call, entry):
                said = (entry["message"] or {"template": entry["title"]})["template"]
                yield (
                    call.lineno,
                    call.col_offset,
                    f"{entry['exception']['name']}: {said} (when {entry['guard']['branch']})",
                )


def find_imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Give each imported name with the package it is from, and what it is called there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((name.asname or name.name, f"{node.module.split('.')[0]}:{name.name}") for name in node.names)
        elif isinstance(node, ast.Import):
            yield from ((name.asname or name.name.split(".")[0], name.name.split(".")[0]) for name in node.names)


def fails(call: ast.Call, entry: dict[str, Any]) -> bool:
    """Tell whether the condition holds for what is known of the arguments."""
    try:
        return decide(entry["guard"]["condition"], dict(bind(call, entry["site"]["signature"])))
    except (Unknown, SyntaxError):
        return False


def bind(call: ast.Call, signature: str) -> Iterator[tuple[str, object]]:
    """Give the value of each parameter that the call or its default says."""
    function = ast.parse(f"def f{signature}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    asked = function.args
    if any(isinstance(value, ast.Starred) for value in call.args) or any(not each.arg for each in call.keywords):
        return
    names = [each.arg for each in (*asked.posonlyargs, *asked.args)]
    defaults = dict(zip(reversed(names), reversed(asked.defaults), strict=False))
    defaults |= {each.arg: value for each, value in zip(asked.kwonlyargs, asked.kw_defaults, strict=True) if value}
    names = names[1:] if names[:1] == ["self"] else names
    given = dict(zip(names, call.args, strict=False)) | {each.arg: each.value for each in call.keywords if each.arg}
    for name, node in (defaults | given).items():
        try:
            yield name, ast.literal_eval(node)
        except ValueError:
            continue


def main(catalog: str, *files: str) -> int:
    """Lint files as flake8 would print it."""
    checks = read_checks(Path(catalog).read_text(encoding="utf-8").splitlines())
    found = [
        f"{file}:{line}:{column + 1}: ERR001 {text}"
        for file in files
        for line, column, text in lint(Path(file).read_text(encoding="utf-8"), checks)
    ]
    sys.stdout.writelines(f"{line}\n" for line in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

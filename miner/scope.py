"""Which files of a tree are to be mined: the scope's, by path alone."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pathspec import PathSpec

from catalog.errors import ScopeError
from catalog.records import Skipped
from miner.project import Project, is_inside, path_in_package

_OWN_TESTS = frozenset(
    {"tests", "test", "_tests", "_test", "testdata", "test_data", "examples", "example", "_examples"}
)
_TEST_FILE = re.compile(r"(test_.*|.*_tests?|conftest)\.py")
_VENDORED = frozenset(
    {"_vendor", "vendor", "vendored", "_vendored", "third_party", "thirdparty", "3rdparty", "extern", "_extern"}
)
_CONFIG_FOLDER = frozenset({"config", "configs", "configuration", "settings", "options", "cli", "arg_groups"})
_CONFIG_FILE = re.compile(
    r"(.*_)?(config|configs|configuration|settings|conf|args|arguments|argument|arg_parser|argparse|argparser|parser_args"
    r"|options|option|params|flags|cli|envs|environ|env_vars|validat(e|or|ors|ion))(_.*|\d*)?\.py"
    r"|(arg|config|option|setting)_(utils|parser|parsers|types|validation)\.py"
)
_CONFIG_CLASS = re.compile(
    rb"^[ \t]*(?:class[ \t]+\w*(?:Config|Args|Arguments|Options|Settings|Params|Parameters)\b|def[ \t]+__post_init__\b"
    rb"|@(?:\w+\.)*(?:(?:field|model|root)_)?validator\b|@(?:\w+\.)*(?:click|app|cli)\.(?:option|argument)\()"
    rb"|\.add_argument\(|\b(?:click|typer)\.(?:option|argument|Option|Argument)\(",
    re.MULTILINE,
)
Place = Literal["chosen", "excluded", "undecided", "outside"]
_RAISES = re.compile(rb"^[ \t]*(?:raise|assert)\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Selection:
    """The files of a tree that are in scope, and those of the package that are not."""

    paths: tuple[str, ...]
    """To be mined, sorted."""
    excluded: tuple[str, ...] = ()
    """Left out by default (the package's own tests and examples) or by `--exclude`, sorted."""
    vendored: frozenset[str] = frozenset()
    """Those of `paths` that are copies of another project's files."""
    undecided: tuple[str, ...] = ()
    """For `config` without a table: in scope if `looks_like_config` says so of their bytes, sorted."""


@dataclass(frozen=True, slots=True)
class ScopeRequest:
    """What to mine of a target, as asked on the command line."""

    scope: tuple[str, ...] = ("config",)
    """`config`, `all`, or globs; several add up."""
    include: tuple[str, ...] = ()
    """Globs of files to take in that the scope's defaults leave out."""
    exclude: tuple[str, ...] = ()
    """Globs of files to leave out, whatever else takes them in."""


def select_files(paths: Iterable[str], project: Project, request: ScopeRequest) -> Selection:
    """Choose the Python files in scope.

    Globs are those of `.gitignore` (`*` stays within a folder, `**` doesn't, a folder means all in it) and match a
    path from the tree's root or from the package on. Raises `ScopeError` when nothing is left.
    """
    rules = _Rules.read(project, request)
    sources = sorted({path for path in paths if path.endswith(".py")})
    chosen, excluded, undecided = [], [], []
    for path in sources:
        match rules.place(path):
            case "chosen":
                chosen.append(path)
            case "excluded":
                excluded.append(path)
            case "undecided":
                undecided.append(path)
    if not chosen and not undecided:
        raise ScopeError(_explain_empty(project, request, sources, excluded))
    vendored = frozenset(path for path in (*chosen, *undecided) if rules.is_vendored(path))
    return Selection(tuple(chosen), tuple(excluded), vendored, tuple(undecided))


def select_skipped(skipped: Iterable[Skipped], project: Project, request: ScopeRequest) -> tuple[Skipped, ...]:
    """Keep the unreadable things (links, submodules) that would be in scope, or may hide files that are."""
    rules = _Rules.read(project, request)
    return tuple(each for each in skipped if _may_be_asked(each.path, rules))


def looks_like_config(data: bytes) -> bool:
    """Tell by content whether a module checks what users set.

    It must raise or assert at the start of a line, and either declare what is set (a class named `…Config`, `…Args`,
    `…Options`, `…Settings` or `…Params`, a dataclass's `__post_init__`, a pydantic or attrs validator) or parse
    arguments (`add_argument`, the options of click and typer).
    """
    return _RAISES.search(data) is not None and _CONFIG_CLASS.search(data) is not None


def has_config(paths: Iterable[str], project: Project) -> bool:
    """Tell whether a project's table finds any of its configuration modules among these paths."""
    table = _compile(project.config)
    return any(path.endswith(".py") and _matches(table, path, path_in_package(path, project)) for path in paths)


def is_config_path(path: str) -> bool:
    """Tell by path whether a module checks what users set: `config/…`, `model_config.py`, `args.py`, `settings.py`."""
    *folders, name = path.split("/")
    return not _CONFIG_FOLDER.isdisjoint(folders) or _CONFIG_FILE.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class _Rules:
    """A request and a project's table, made ready to be asked about many paths."""

    project: Project
    whole: bool
    config: bool
    named: PathSpec[Any]
    """What the user's own globs take in."""
    table: PathSpec[Any]
    """What the project's table takes in, when `config` is asked for."""
    exclude: PathSpec[Any]
    vendored: PathSpec[Any]

    @classmethod
    def read(cls, project: Project, request: ScopeRequest) -> "_Rules":
        config = "config" in request.scope
        return cls(
            project=project,
            whole="all" in request.scope,
            config=config and not project.config,
            named=_compile([glob for glob in request.scope if glob not in ("all", "config")] + [*request.include]),
            table=_compile(project.config if config else ()),
            exclude=_compile(request.exclude),
            vendored=_compile(project.vendored),
        )

    def place(self, path: str) -> Place:
        """Say where a file goes; `undecided` wants a look at its content."""
        inner = path_in_package(path, self.project)
        packages = self.project.packages
        inside = not packages or any(is_inside(path, package) for package in packages)
        if _matches(self.exclude, path, inner):
            return "excluded" if inside else "outside"
        if _matches(self.named, path, inner):
            return "chosen"
        asked = (inside and (self.whole or self.config)) or _matches(self.table, path, inner)
        if not asked:
            return "outside"
        if _is_own_test(inner):
            return "excluded"
        return "undecided" if self.config and not self.whole and not is_config_path(inner) else "chosen"

    def is_vendored(self, path: str) -> bool:
        inner = path_in_package(path, self.project)
        return not _VENDORED.isdisjoint(path.split("/")[:-1]) or _matches(self.vendored, path, inner)


def _may_be_asked(path: str, rules: _Rules) -> bool:
    """Tell whether a link or submodule stands for a module in scope, or for a folder that could hold one."""
    name = path.rpartition("/")[2]
    if "." in name and not name.endswith(".py"):
        return False
    return rules.place(path if name.endswith(".py") else f"{path}/__init__.py") in ("chosen", "undecided")


def _compile(globs: Iterable[str]) -> PathSpec[Any]:
    try:
        return PathSpec.from_lines("gitignore", [glob.removeprefix("./") for glob in globs])
    except ValueError as error:
        raise ScopeError(f"not a glob: {error}; try one like 'package/config/**'") from error


def _matches(spec: PathSpec[Any], path: str, inner: str) -> bool:
    return spec.match_file(path) or (inner != path and spec.match_file(inner))


def _is_own_test(inner: str) -> bool:
    *folders, name = inner.split("/")
    return not _OWN_TESTS.isdisjoint(folders) or _TEST_FILE.fullmatch(name) is not None


def _explain_empty(project: Project, request: ScopeRequest, sources: Sequence[str], excluded: Sequence[str]) -> str:
    asked = ", ".join(request.scope)
    if not sources:
        return f"{project.name} has no Python file; check that the target is the project you mean"
    where = ", ".join(project.packages) or "the whole tree"
    found = f"{len(sources)} Python file{'' if len(sources) == 1 else 's'}"
    left = f", {len(excluded)} left out as tests, examples or by --exclude" if excluded else ""
    return f"scope {asked} selects none of the {found} of {project.name} ({where}{left}); try --scope all or a glob"

"""What is a project's package in a tree of files: its folders, and the module that a path is."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

_MARKERS = frozenset({"pyproject.toml", "setup.py", "setup.cfg"})
_ROOT_NAMES = frozenset({"src", "lib", "python", "source", "py"})
_NOT_PACKAGES = frozenset(
    {
        *("tests", "test", "testing", "docs", "doc", "examples", "example", "samples", "notebooks", "experimental"),
        *("benchmarks", "benchmark", "scripts", "script", "tools", "ci", "build", "dist", "docker", "cmake"),
        *("third_party", "thirdparty", "3rdparty", "vendor", "_vendor"),
    }
)
_NOT_MODULES = frozenset({"setup", "conftest", "noxfile", "tasks", "fabfile", "versioneer", "__init__", "__main__"})
_TEST_MODULE = re.compile(r"test_.*|.*_test")


@dataclass(frozen=True, slots=True)
class Project:
    """What is known of a project before its files are read."""

    name: str
    """`vllm`: part of every id, and safe as a file name."""
    repo: str | None = None
    """`vllm-project/vllm`, where the forge is known."""
    url: str | None = None
    """Where the source is, without credentials: `https://github.com/vllm-project/vllm`."""
    packages: tuple[str, ...] = ()
    """The package's folders (or single modules) in the tree: `vllm`, `python/sglang`, `src/click`, `six.py`."""
    release: str | None = None
    """The name on the package index."""
    config: tuple[str, ...] = ()
    """Globs of the modules where users' arguments are checked, from the package on: `sglang/srt/server_args.py`."""
    vendored: tuple[str, ...] = ()
    """Globs of copies of other projects, from the package on."""
    tracker: str | None = None
    """Where issues are reported: `https://github.com/vllm-project/vllm/issues`."""


def settle_packages(project: Project, paths: Sequence[str]) -> Project:
    """Fit a project's package folders to the tree that was opened, or find them there.

    A repository has `python/sglang` where a release has `sglang`; both give the same module names.
    """
    present = _list_folders(paths) | set(paths)
    found = [place for package in project.packages if (place := _place(package, present))]
    return replace(project, packages=tuple(dict.fromkeys(found)) or find_packages(paths))


def find_packages(paths: Iterable[str]) -> tuple[str, ...]:
    """Find the top folders and single modules that a tree of files makes importable, sorted.

    A build file (`pyproject.toml`, `setup.py`) marks a project: its tests, docs and scripts are no packages of it,
    and modules beside the build file are none unless nothing else is there. Without one the tree is taken for a
    folder on the import path (an installed library, a wheel, the standard library), where all of it counts.
    """
    paths = tuple(paths)
    sources = [path for path in paths if path.endswith(".py")]
    regular = {path.rpartition("/")[0] for path in sources if path.endswith("/__init__.py")}
    tops = {folder for folder in regular if folder.rpartition("/")[0] not in regular}
    marked = {
        folder or "."
        for folder, _, name in (path.rpartition("/") for path in paths)
        if name in _MARKERS and not _is_inside_any(folder, tops)
    }
    folders = {path.rpartition("/")[0] for path in sources}
    packages = _name_tops(tops, marked) or _name_tops(folders, marked) - _ROOT_NAMES
    if marked:
        packages = {each for each in packages if not any(map(_is_aside, each.split("/")))} or packages
    packages = {each for each in packages if not _is_inside_any(each.rpartition("/")[0], packages)}
    modules = {path for path in sources if _is_single_module(path, marked, regular, alone=not packages)}
    return tuple(sorted(packages | modules))


def module_of(path: str, project: Project) -> str:
    """Name the module that a path is: from its package on, or, outside of packages, the whole path with dots."""
    inner = path_in_package(path, project).removesuffix(".py")
    return (inner.removesuffix("/__init__") or inner).replace("/", ".")


def path_in_package(path: str, project: Project) -> str:
    """Cut what stands above the package: `python/sglang/srt/x.py` gives `sglang/srt/x.py`."""
    for package in project.packages:
        if is_inside(path, package):
            above = package.rpartition("/")[0]
            return path[len(above) + 1 :] if above else path
    return path


def is_inside(path: str, package: str) -> bool:
    """Tell whether a path is a package's folder, or in it, or the single module that it names."""
    return path == package or path.startswith(f"{package}/")


def _place(package: str, present: set[str]) -> str | None:
    """Find where a declared package stands in this tree: as declared, or as a release has it."""
    name = package.rpartition("/")[2]
    return next((place for place in (package, name, f"src/{name}") if place in present), None)


def _is_inside_any(folder: str, packages: set[str]) -> bool:
    segments = folder.split("/")
    return any("/".join(segments[:depth]) in packages for depth in range(1, len(segments) + 1))


def _is_aside(segment: str) -> bool:
    return segment in _NOT_PACKAGES or segment.endswith(("_test", "_tests")) or segment.startswith("docs_")


def _list_folders(paths: Iterable[str]) -> set[str]:
    folders: set[str] = set()
    for path in paths:
        while (path := path.rpartition("/")[0]) and path not in folders:
            folders.add(path)
    return folders


def _name_tops(folders: Iterable[str], marked: set[str]) -> set[str]:
    return {package for folder in folders if (package := _name_top(folder, marked))}


def _name_top(folder: str, marked: set[str]) -> str | None:
    """Name the package that a folder belongs to: the first importable folder below where imports start."""
    segments = folder.split("/")
    start = max((depth for depth in range(len(segments)) if "/".join(segments[:depth]) in marked), default=0)
    while start < len(segments) - 1 and (segments[start] in _ROOT_NAMES or not segments[start].isidentifier()):
        start += 1
    return "/".join(segments[: start + 1]) if segments[start].isidentifier() else None


def _is_single_module(path: str, marked: set[str], regular: set[str], *, alone: bool) -> bool:
    folder, _, name = path.rpartition("/")
    above, _, last = folder.rpartition("/")
    module = name.removesuffix(".py")
    if not module.isidentifier() or folder in regular:
        return False
    if last in _ROOT_NAMES and (above or ".") in marked | {"."}:
        return module not in _NOT_MODULES
    if not marked:
        return folder == ""
    usual = module in _NOT_MODULES or _TEST_MODULE.fullmatch(module)
    return alone and (folder or ".") in marked and not usual

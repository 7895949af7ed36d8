"""Which files are in scope."""

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.errors import ScopeError
from catalog.records import Skipped
from miner.project import Project
from miner.scope import ScopeRequest, is_config_path, looks_like_config, select_files, select_skipped

PROJECT = Project(
    "thing",
    packages=("python/thing",),
    config=("thing/config/**", "thing/args.py"),
    vendored=("thing/copied/**",),
)
PATHS = (
    "README.md",
    "setup.py",
    "tests/test_all.py",
    "python/thing/__init__.py",
    "python/thing/args.py",
    "python/thing/work.py",
    "python/thing/work.pyi",
    "python/thing/config/__init__.py",
    "python/thing/config/deep/er.py",
    "python/thing/config/tests/test_er.py",
    "python/thing/tests/test_work.py",
    "python/thing/conftest.py",
    "python/thing/examples/show.py",
    "python/thing/copied/other.py",
    "python/thing/third_party/lib/x.py",
)


def select(*scope: str, include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()) -> tuple[str, ...]:
    return select_files(PATHS, PROJECT, ScopeRequest(scope, include, exclude)).paths


CONFIG = ("python/thing/args.py", "python/thing/config/__init__.py", "python/thing/config/deep/er.py")
ALL = (
    "python/thing/__init__.py",
    "python/thing/args.py",
    "python/thing/config/__init__.py",
    "python/thing/config/deep/er.py",
    "python/thing/copied/other.py",
    "python/thing/third_party/lib/x.py",
    "python/thing/work.py",
)


@pytest.mark.parametrize(
    ("scope", "paths"),
    [
        (("config",), CONFIG),
        (("all",), ALL),
        (("all", "config"), ALL),
        (("thing/work.py",), ("python/thing/work.py",)),
        (("python/thing/work.py",), ("python/thing/work.py",)),
        (("./python/thing/work.py",), ("python/thing/work.py",)),
        (("work.py",), ("python/thing/work.py",)),
        (("/work.py", "/setup.py"), ("setup.py",)),
        (
            ("thing/*.py",),
            ("python/thing/__init__.py", "python/thing/args.py", "python/thing/conftest.py", "python/thing/work.py"),
        ),
        (("thing/config",), (*CONFIG[1:], "python/thing/config/tests/test_er.py")),
        (("thing/config/*",), CONFIG[1:2]),
        (("thing/**/er.py",), ("python/thing/config/deep/er.py",)),
        (
            ("tests/**",),
            ("python/thing/config/tests/test_er.py", "python/thing/tests/test_work.py", "tests/test_all.py")[2:],
        ),
        (("config", "thing/work.py"), (*CONFIG, "python/thing/work.py")),
    ],
)
def test_a_scope_is_config_all_or_globs_and_they_add_up(scope: tuple[str, ...], paths: tuple[str, ...]) -> None:
    assert select(*scope) == paths


def test_own_tests_and_examples_are_left_out_and_counted() -> None:
    selection = select_files(PATHS, PROJECT, ScopeRequest(("all",)))
    assert selection.excluded == (
        "python/thing/config/tests/test_er.py",
        "python/thing/conftest.py",
        "python/thing/examples/show.py",
        "python/thing/tests/test_work.py",
    )


def test_include_takes_in_what_is_left_out_and_exclude_wins() -> None:
    assert select("all", include=("**/tests/**",))[3:5] == (
        "python/thing/config/deep/er.py",
        "python/thing/config/tests/test_er.py",
    )
    assert "setup.py" in select("all", include=("**/*.py",))
    assert len(select("all", include=("**/*.py",))) == sum(path.endswith(".py") for path in PATHS)
    assert "python/thing/work.py" not in select("all", exclude=("thing/work.py",))
    selection = select_files(PATHS, PROJECT, ScopeRequest(("config",), (), ("args.py",)))
    assert selection.paths == CONFIG[1:]
    assert "python/thing/args.py" in selection.excluded


def test_vendored_copies_are_kept_and_marked() -> None:
    selection = select_files(PATHS, PROJECT, ScopeRequest(("all",)))
    assert selection.vendored == {"python/thing/copied/other.py", "python/thing/third_party/lib/x.py"}
    assert selection.vendored <= set(selection.paths)


@pytest.mark.parametrize(
    ("paths", "scope", "message"),
    [
        (("README.md",), ("all",), "has no Python file"),
        (PATHS, ("nothing/**",), r"selects none of the 13 Python files of thing .*try --scope all"),
        (("python/thing/tests/test_a.py",), ("all",), "1 Python file of thing .*1 left out as tests"),
    ],
)
def test_an_empty_scope_is_an_error_that_says_what_to_try(
    paths: tuple[str, ...], scope: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ScopeError, match=message):
        select_files(paths, PROJECT, ScopeRequest(scope))


def test_a_wrong_glob_is_said_so() -> None:
    with pytest.raises(ScopeError, match="not a glob"):
        select("!")


def test_without_a_table_config_is_found_by_path_and_the_rest_is_left_to_content() -> None:
    project = Project("other", packages=("pkg",))
    paths = ("pkg/config.py", "pkg/work.py", "pkg/tests/test_config.py", "setup.py", "pkg/cli/run.py")
    selection = select_files(paths, project, ScopeRequest(("config",)))
    assert selection.paths == ("pkg/cli/run.py", "pkg/config.py")
    assert selection.undecided == ("pkg/work.py",)
    assert selection.excluded == ("pkg/tests/test_config.py",)
    assert select_files(paths, project, ScopeRequest(("all",))).undecided == ()


def test_without_packages_the_whole_tree_is_the_package() -> None:
    assert select_files(("a.py", "b/c.py"), Project("x"), ScopeRequest(("all",))).paths == ("a.py", "b/c.py")


@pytest.mark.parametrize(
    "path",
    [
        *("config.py", "pkg/configs/a.py", "pkg/model_config.py", "pkg/config_utils.py", "settings.py", "pkg/args.py"),
        *("server_args.py", "arg_utils.py", "arguments.py", "cli.py", "pkg/cli/main.py", "options.py", "validators.py"),
        *("validation.py", "sampling_params.py", "envs.py", "training_args.py", "argparser.py", "flags.py"),
    ],
)
def test_these_paths_are_configuration(path: str) -> None:
    assert is_config_path(path)


@pytest.mark.parametrize(
    "path",
    [
        *(
            "work.py",
            "client.py",
            "pkg/click.py",
            "targs.py",
            "reconfigure.py",
            "environment_runner.py",
            "parameter.py",
        ),
        *("clique.py", "configurable_thing.py", "preargs_x.py", "invalid.py", "adoption.py"),
    ],
)
def test_these_paths_are_not(path: str) -> None:
    assert not is_config_path(path)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("class ServerArgs:\n    def check(self):\n        raise ValueError\n", True),
        ("@dataclass\nclass A:\n    def __post_init__(self):\n        assert self.x\n", True),
        ("class A(BaseModel):\n    @field_validator('x')\n    def f(cls, x):\n        raise ValueError\n", True),
        ("class A:\n    @x.validator\n    def f(self, a, v):\n        raise ValueError\n", True),
        ("parser.add_argument('--x')\nif x:\n    raise SystemExit\n", True),
        ("@click.option('--x')\ndef f(x):\n    raise click.UsageError('')\n", True),
        ("class ServerArgs:\n    pass\n", False),
        ("class Worker:\n    def f(self):\n        raise ValueError\n", False),
        ("# class ServerArgs raises\nx = 'raise'\n", False),
        ("@dataclass\nclass Point:\n    x: int\n\ndef f():\n    raise ValueError\n", False),
        ("class ConfigurationOfSomething:\n    def f(self):\n        raise ValueError\n", False),
        ("", False),
    ],
)
def test_content_is_configuration_when_it_declares_or_parses_options_and_raises(source: str, expected: bool) -> None:
    assert looks_like_config(source.encode()) is expected


def test_unreadable_things_are_kept_where_they_could_be_in_scope() -> None:
    skipped = [
        Skipped(path, "a link")
        for path in ("docs/a.py", "python/thing/config/link.py", "python/thing/work", "python/thing/README.md", "thing")
    ]
    kept = {
        scope: [each.path for each in select_skipped(skipped, PROJECT, ScopeRequest((scope,)))]
        for scope in ("all", "config")
    }
    assert kept["all"] == ["python/thing/config/link.py", "python/thing/work"]
    assert kept["config"] == ["python/thing/config/link.py"]


NAMES = st.text(alphabet="ab_", min_size=1, max_size=3)
TREES = st.lists(st.tuples(NAMES, NAMES).map(lambda pair: f"{pair[0]}/{pair[1]}.py"), min_size=1, unique=True)


@given(TREES, st.text(alphabet="ab_*?", min_size=1, max_size=4))
def test_a_glob_of_one_folder_selects_as_fnmatch_would(paths: list[str], glob: str) -> None:
    request = ScopeRequest((f"/{glob}/*.py",))
    folders = {path: path.split("/")[0] for path in paths}
    expected = sorted(path for path, folder in folders.items() if fnmatch.fnmatchcase(folder, glob))
    try:
        assert list(select_files(paths, Project("x"), request).paths) == expected
    except ScopeError:
        assert expected == []


@given(TREES, st.lists(st.sampled_from(["all", "config", "a/**", "*_*"]), min_size=1, max_size=3))
def test_a_selection_depends_on_neither_order_nor_repetition(paths: list[str], scope: list[str]) -> None:
    results = []
    for arranged in (paths, [*reversed(paths), *paths]):
        try:
            results.append(select_files(arranged, Project("x"), ScopeRequest(tuple(scope))))
        except ScopeError as error:
            results.append(str(error))  # type: ignore[arg-type]
    assert results[0] == results[1]

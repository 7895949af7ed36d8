"""One error followed through versions that are loaded only when they are looked at."""

import pytest
from factories import make_catalog, mine

from catalog.changes.life import build_life_answer, build_picture
from catalog.errors import QuestionError
from catalog.history import Absent, Present, Version, trace_life
from catalog.records import Catalog

CHECK = 'def check(size):\n    if size < 0:\n        raise ValueError(f"a size of {size} is below zero")\n'
OTHER = "def other(x):\n    if x:\n        raise KeyError('something else altogether')\n"
REWORDED = CHECK.replace("is below", "lies below")
REGUARDED = REWORDED.replace("size < 0", "size <= 0")
RENAMED = REGUARDED.replace("def check", "def verify")


def scan(label: str, *sources: str) -> Catalog:
    return make_catalog(mine("\n\n".join(sources)), target__release=label)


def make_versions(catalogs: dict[str, Catalog], looked_at: list[str] | None = None) -> tuple[Version, ...]:
    def make(label: str) -> Version:
        def load() -> Catalog:
            if looked_at is not None:
                looked_at.append(label)
            return catalogs[label]

        return Version(label, load)

    return tuple(map(make, catalogs))


LIFE = {
    "1.0": scan("1.0", OTHER),
    "1.1": scan("1.1", OTHER),
    "1.2": scan("1.2", OTHER, CHECK),
    "1.3": scan("1.3", OTHER, CHECK),
    "1.4": scan("1.4", OTHER, REWORDED),
    "1.5": scan("1.5", REGUARDED),
    "1.6": scan("1.6", RENAMED),
}


def test_a_life_is_told_from_its_first_version_with_each_change() -> None:
    life = trace_life(LIFE["1.6"].entries[0].id, make_versions(LIFE))
    told = [(step.label, step.change.kinds if step.change else None) for step in life.present]
    assert life.steps[0] == Absent("1.1")
    assert told == [
        ("1.2", None),
        ("1.3", None),
        ("1.4", ("reworded",)),
        ("1.5", ("reguarded",)),
        ("1.6", ("renamed",)),
    ]


def test_versions_before_the_first_are_not_loaded() -> None:
    looked_at: list[str] = []
    trace_life(LIFE["1.6"].entries[0].id, make_versions(LIFE, looked_at))
    assert looked_at == ["1.6", "1.5", "1.4", "1.3", "1.2", "1.1"]


def test_an_id_of_an_old_version_leads_to_what_became_of_it() -> None:
    old = LIFE["1.3"].entries[1]
    assert all(entry.id != old.id for label in ("1.4", "1.5", "1.6") for entry in LIFE[label].entries)
    assert trace_life(old.id, make_versions(LIFE)) == trace_life(LIFE["1.6"].entries[0].id, make_versions(LIFE))


def test_an_entry_that_is_gone_was_last_seen_somewhere() -> None:
    gone = LIFE["1.2"].entries[0]
    answer = build_life_answer(trace_life(gone.id, make_versions(LIFE)))
    assert (answer["first_seen"], answer["last_seen"]) == (None, "1.4")
    assert [version["version"] for version in answer["versions"]] == ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5"]


def test_an_entry_can_be_named_by_its_place() -> None:
    site = LIFE["1.6"].entries[0].site
    life = trace_life(f"{site.path}:{site.line}", make_versions(LIFE))
    assert isinstance(life.steps[-1], Present)


@pytest.mark.parametrize(
    ("question", "complaint"),
    [("f" * 16, "no entry of 1.0 to 1.6 fits"), ("pkg/module.py:999", "no entry"), ("e", "entries of 1.6 fit")],
)
def test_a_question_without_one_answer_is_refused(question: str, complaint: str) -> None:
    both = {**LIFE, "1.6": scan("1.6", OTHER, RENAMED)}
    with pytest.raises(QuestionError, match=complaint):
        trace_life(question, make_versions(both))


def test_no_version_is_no_answer() -> None:
    with pytest.raises(QuestionError, match="no entry of no version"):
        trace_life("check", ())


def test_the_picture_shows_where_it_came_changed_and_went() -> None:
    here = LIFE["1.6"].entries[0]
    picture = build_picture(trace_life(here.id, make_versions({**LIFE, "1.7": scan("1.7", OTHER)}))).plain
    assert picture.splitlines() == [
        f"ValueError: a size of {{size}} lies below zero  {here.id}",
        "first seen in 1.2, changed 3 times, last seen in 1.6",
        "",
        "  1.1  ·  not there",
        "  1.2  ●  pkg/module.py:8  check",
        "  1.3  │",
        "  1.4  ◆  reworded  pkg/module.py:8  check",
        "       │    a size of {size} [-is -]{+lies +}below zero",
        "  1.5  ◆  reguarded  pkg/module.py:3  check",
        "       │    loosened: raised in more cases",
        "       │    - size < 0",
        "       │    + size <= 0",
        "  1.6  ◆  renamed  pkg/module.py:3  verify",
        "       │    from check",
        "  1.7  ✕  not there",
    ]

"""What is left of a site's source when only its code counts."""

import pytest
from factories import make_entry

from catalog.notes.codeonly import keep_code

SOURCES = [
    ("if size > self.limit:  # pass --no-limit\n", "if size self.limit"),
    ('raise ValueError("set --no-limit")\n', "raise ValueError"),
    ("'''Call `evil`.\n\nNow.'''\nsize = 1\n", "size"),
    ('"""Half a docstring, --evil\n', "Half a docstring evil"),
    ('rest of a docstring, --evil\n"""\nsize = 1\n', "rest of a docstring evil size"),
    ("x = 'it\\'s' + y\n", "x y"),
    ("größe = 3\n", "größe"),
]


@pytest.mark.parametrize(("source", "expected"), SOURCES)
def test_only_names_of_code_are_left_and_never_a_flag(source: str, expected: str) -> None:
    code = keep_code(make_entry(excerpt__text=source)).excerpt.text
    assert " ".join(code.split()) == expected


def test_the_message_and_the_guard_stay() -> None:
    entry = make_entry(site__docstring="Pass --evil.")
    code = keep_code(entry)
    assert (code.message, code.guard, code.id) == (entry.message, entry.guard, entry.id)
    assert code.site.docstring is None

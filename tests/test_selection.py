import pytest
from factories import make_entry

from catalog.selection import find_entries, find_neighbours, is_same_path

ENTRIES = (
    make_entry(id="aaaa000000000001", previous=("dead00000000beef",), site__line=10, site__end_line=13),
    make_entry(id="aaaa000000000002", site__line=20, site__end_line=20, site__qualname="Cart.add", title="no {}"),
    make_entry(id="bbbb000000000003", site__path="shop/api/cart.py", site__line=10, site__qualname="add", title="of"),
    make_entry(id="cccc000000000004", site__path="shop/till.py", message=None, title="assert x", site__qualname="Pay"),
)


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("aaaa000000000001", "1"),
        ("bbbb", "3"),
        ("aaaa", "12"),
        ("dead00000000beef", "1"),
        ("dead0000", "1"),
        ("shop/cart.py:10", "1"),
        ("shop/cart.py:12", "1"),
        ("shop/cart.py:13", "1"),
        ("./shop/cart.py:20", "2"),
        ("cart.py:10", "13"),
        ("/usr/lib/python3/site-packages/shop/api/cart.py:10", "3"),
        (r"C:\venv\Lib\site-packages\shop\api\cart.py:10", "3"),
        ("cart.py", "123"),
        ("api/cart.py", "3"),
        ("Cart.resize", "1"),
        ("Cart.add", "2"),
        ("add", "3"),
        ("resize", "1"),
        ("SIZE MUST be", "123"),
        ("assert x", "4"),
        # near misses
        ("shop/cart.py:14", ""),
        ("hop/cart.py:10", ""),
        ("bbbb000000000003f", ""),
        ("aaa", ""),
        ("", ""),
        ("   ", ""),
        ("size must not be", ""),
    ],
)
def test_a_question_means_the_entries_of_its_most_exact_reading(question: str, ids: str) -> None:
    assert "".join(entry.id[-1] for entry in find_entries(ENTRIES, question)) == ids


def test_an_id_wins_over_the_start_of_another() -> None:
    short, long = make_entry(id="abcd"), make_entry(id="abcd000000000000")
    assert find_entries((long, short), "abcd") == (short,)


def test_the_nearest_places_of_the_file_are_offered() -> None:
    assert [entry.site.line for entry in find_neighbours(ENTRIES, "shop/cart.py:18")] == [20, 10]
    assert find_neighbours(ENTRIES, "shop/none.py:18") == ()
    assert find_neighbours(ENTRIES, "aaaa") == ()


@pytest.mark.parametrize(
    ("given", "same"),
    [
        ("a/b.py", True),
        ("b.py", True),
        ("/x/a/b.py", True),
        ("x/b.py", False),
        ("ab.py", False),
        ("", False),
        ("/", False),
    ],
)
def test_paths_are_compared_from_their_end(given: str, same: bool) -> None:
    assert is_same_path("a/b.py", given) is same

"""A message rendered from an entry, however it is dressed, leads back to that entry: the law of matching."""

from explaining import FILES
from factories import make_catalog, mine
from hypothesis import given, settings
from hypothesis import strategies as st
from wrappings import WRAPPINGS, hides_frames, raise_entry

from catalog.explain.evidence import THIN
from catalog.explain.findings import find_all
from catalog.explain.logs import read_log
from catalog.explain.shapes import list_texts, shape_parts
from catalog.explain.stored import index_catalog
from catalog.records import Catalog, Entry, Hole, Part

MORE = """
MOST = "The harbour accepts no more parcels before the tide turns."


class Tide(Exception):
    pass


def load(parcel, port, tide, options):
    if parcel.weight > port.crane:
        raise ValueError(f"Parcel {parcel.name!r} weighs {parcel.weight:.1f} kg, the crane lifts {port.crane=}.")
    if not tide:
        raise Tide(MOST)
    if port.flag not in options:
        raise KeyError("flag %s of the harbour isn't among %r" % (port.flag, options))
    if "north" in options:
        msg = f"The northern quay is closed for {port!r}"
        if tide > 3:
            msg += ". Use `--quay south` instead."
        raise RuntimeError(msg)
    assert len(options) < 9, "too many harbour options: {}, at most nine".format(options)
    assert port.depth > parcel.draught, (
        f"{port.depth=} is no match for {parcel.draught=}:\\n"
        "  * wait for the tide\\n"
        f"  * or unload {parcel}"
    )
    if options == {}:
        raise Tide(f"{parcel}: {port}")
    if options == []:
        raise ValueError("{literal braces} and 100%d of the quay aren't filled in")
    raise NotImplementedError("the eastern quay of the harbour isn't built yet")
"""
ENTRIES = [entry for path, source in {**FILES, "shop/port.py": MORE}.items() for entry in mine(source, path=path)]
CATALOG = index_catalog(make_catalog(ENTRIES), "shop")
TEXTS = [(entry, parts) for entry in CATALOG.entries for parts in list_texts(entry) if shape_parts(parts).length]
VALUES = st.sampled_from(
    [
        "7", "-1", "0.9", "None", "True", "torch.float16", "acme/tiny-model", "/models/x y", "['a', 'b']", "{'k': 1}",
        "<class 'int'>", "<shop.Cart object at 0x7f00>", "auto", "cuda:0", "(1, 2)", "it's", "a value of several words",
    ]
)  # fmt: skip


@settings(max_examples=150)
@given(st.sampled_from(TEXTS), st.sampled_from(sorted(WRAPPINGS)), st.data())
def test_a_rendered_message_leads_back_to_its_entry(
    text: tuple[Entry, tuple[Part, ...]], wrapping: str, data: st.DataObject
) -> None:
    entry, parts = text

    def fill(hole: Hole) -> str:
        return "12" if hole.format else data.draw(VALUES, label=hole.expr)

    raised = raise_entry(entry, parts, fill)
    findings = find_all(read_log(WRAPPINGS[wrapping](raised), CATALOG.index.has_class), [CATALOG])
    matches = [finding.matches for finding in findings if finding.matches]
    is_frameless = hides_frames(wrapping, raised)
    if is_frameless and shape_parts(parts).length < THIN:
        assert not matches or entry.id not in {match.entry.id for match in matches[0]}
        return
    first = matches[0]
    best = [match.entry.id for match in first if match.points == first[0].points]
    assert entry.id in best
    if not is_frameless:
        assert best == [entry.id]


def test_the_texts_are_of_every_kind() -> None:
    catalog: Catalog = make_catalog(ENTRIES)
    kinds = {entry.message.resolution for entry in catalog.entries if entry.message is not None}

    assert {"literal", "variable", "constant"} <= kinds
    assert {shape_parts(parts).length < THIN for _, parts in TEXTS} == {True, False}

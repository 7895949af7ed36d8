"""How do a catalog's templates lie over the messages of a log?"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from catalog.explain.align import Alignment, align, align_cut, find_start
from catalog.explain.evidence import Fit
from catalog.explain.holes import fits_hole, names_home
from catalog.explain.index import PIECE
from catalog.explain.logs import Log, Report
from catalog.explain.messages import begins_message, ends_message, find_cut, find_value_end
from catalog.explain.places import name_file
from catalog.explain.shapes import Shape, list_texts
from catalog.explain.squeeze import squeeze
from catalog.explain.stored import IndexedCatalog
from catalog.explain.values import list_gaps
from catalog.records import Entry

_TRIES_IN_REPORT = 12


@dataclass(frozen=True, slots=True)
class Laid:
    """One of an entry's texts, laid over a message."""

    which: int
    """Which of the entry's texts."""
    alignment: Alignment

    @property
    def rank(self) -> tuple[bool, int]:
        """Give what orders an entry's texts by how well they lie."""
        return not self.alignment.is_cut, self.alignment.matched


@dataclass(frozen=True, slots=True)
class Hit:
    """A piece of a template that stands in the log."""

    position: int
    """In the squeezed text."""
    text: int
    """The index's number of the template."""


@dataclass(slots=True)
class Overlay:
    """Lays the templates of one catalog over the messages of one log."""

    log: Log
    catalog: IndexedCatalog
    hits: list[Hit] = field(default_factory=list)
    """In the order of the text."""
    _places: list[int] = field(default_factory=list)
    _spoken: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found = self.catalog.index.find_texts(self.log.squeezed.text)
        places = sorted((position, text) for text, positions in found.items() for position in positions)
        self.hits = [Hit(position, text) for position, text in places]
        self._places = [position for position, _ in places]

    def lay_over(self, report: Report) -> dict[int, Laid]:
        """Give for each entry, a piece of whose text stands in a report, how that lies over the message."""
        laid: dict[int, Laid] = {}
        index = self.catalog.index
        found_at: dict[int, list[Hit]] = {}
        for hit in self._list_hits(report):
            found_at.setdefault(hit.text, []).append(hit)
        for text, hits in found_at.items():
            alignment = self._lay_text(report, text, hits)
            if alignment is None:
                continue
            found = Laid(index.numbers[text], alignment)
            owner = index.owners[text]
            if owner not in laid or found.rank > laid[owner].rank:
                laid[owner] = found
        return laid

    def lay_entry(self, report: Report, number: int) -> Laid | None:
        """Lay an entry's texts over a report's message although no piece of them led to it."""
        if report.message_start >= report.message_end or report.kind == "statement":
            return None
        squeezed = self.log.squeezed
        begin, end = squeezed.find_place(report.message_start), squeezed.find_place(report.message_end)
        found: list[Laid] = []
        for which, shape in enumerate(self.catalog.list_shapes(number)):
            alignment = align(shape, squeezed.text, begin, end, self.can_end)
            alignment = alignment or align_cut(shape, squeezed.text, begin, self._find_cut(report))
            if alignment is not None:
                found.append(Laid(which, alignment))
        return max(found, key=lambda laid: laid.rank, default=None)

    def lay_around(self, hit: Hit, low: int, high: int, cut: int | None = None) -> Alignment | None:
        """Lay a template so that one of its pieces lies where it was found, between two places.

        Where it doesn't fit it may be cut off at `cut`.
        """
        text = self.log.squeezed.text
        shape = self.shape(hit.text)
        start = find_start(shape, text, text[hit.position : hit.position + PIECE], hit.position, low)
        if start is None:
            return None
        alignment = align(shape, text, start, high, self.can_end)
        return alignment if alignment is not None or cut is None else align_cut(shape, text, start, cut)

    def measure(self, report: Report, number: int, laid: Laid) -> Fit | None:
        """Say how well a text lies over a message; None when it has no fixed text to lie with."""
        shape = self.catalog.list_shapes(number)[laid.which]
        if not shape.fragments:
            return None
        alignment, squeezed = laid.alignment, self.log.squeezed
        at_start = alignment.start == squeezed.find_place(report.message_start)
        begins = at_start or begins_message(self.log.text, squeezed.offsets[alignment.start])
        values = (self._read_gap(report, shape, alignment, gap) for gap in alignment.gaps)
        home, is_odd = self._judge_values(number, laid)
        return Fit(
            share=alignment.matched / shape.length,
            letters=alignment.matched,
            is_cut=alignment.is_cut,
            is_cut_in_value=alignment.is_cut and alignment.gaps[-1:] != () and alignment.gaps[-1][1] == alignment.end,
            begins_well=None if shape.opens_with_gap else begins,
            ends_well=None if shape.closes_with_gap else self.can_end(alignment.end),
            words_in_values=max((len(value.split()) for value in values), default=0),
            names_home=home,
            has_odd_value=is_odd,
            keeps_case=alignment.is_cut or self._keeps_case(shape, alignment),
        )

    def _judge_values(self, number: int, laid: Laid) -> tuple[bool | None, bool]:
        """Tell whether the message names the entry's module, and whether a value in it is none its hole can have."""
        entry, alignment = self.catalog.entries[number], laid.alignment
        home: bool | None = None
        is_odd = False
        for (holes, _, _), (low, high) in zip(list_gaps(list_texts(entry)[laid.which]), alignment.gaps, strict=False):
            if len(holes) > 1 or high >= alignment.end:
                continue  # where one value ends and the next begins, or where the last one ends, is not known
            value = self.log.squeezed.text[low:high]
            is_odd = is_odd or not fits_hole(holes[0], value)
            found = names_home(holes[0], value, entry.site)
            home = home if found is None else found
        return home, is_odd

    def _keeps_case(self, shape: Shape, alignment: Alignment) -> bool:
        """Tell whether the fixed text has its capitals where the template has them."""
        text, offsets = self.log.text, self.log.squeezed.offsets
        starts = [*(() if shape.opens_with_gap else (alignment.start,)), *(high for _, high in alignment.gaps)]
        return all(
            cased == "".join(text[offsets[place]] for place in range(start, start + len(cased)))
            for cased, start in zip(shape.cased, starts, strict=False)
        )

    def can_end(self, place: int) -> bool:
        """Tell whether a message may end before this place of the squeezed text."""
        return ends_message(self.log.text, self.log.squeezed.offsets[place - 1] + 1)

    def shape(self, text: int) -> Shape:
        """Give a template's fixed text by its number in the index."""
        return self.catalog.shape(text)

    def list_texts(self, report: Report) -> set[int]:
        """Give the templates of which a piece stands in a report."""
        return {hit.text for hit in self._list_hits(report)}

    def fixes_numbers(self, text: int) -> bool:
        """Tell whether a template's fixed text has digits, so that a number may tell it from another."""
        return self.shape(text).fixes_numbers

    def is_spoken_of(self, entry: Entry) -> bool:
        """Tell whether the log has the entry's module or file anywhere."""
        module = entry.site.module
        if module not in self._spoken:
            text = self.log.squeezed.text
            self._spoken[module] = squeeze(module) in text or squeeze(name_file(entry.site)) in text
        return self._spoken[module]

    def _list_hits(self, report: Report) -> Sequence[Hit]:
        """Give the pieces in a report's head and message: where none stands there, the template doesn't begin there."""
        squeezed = self.log.squeezed
        if report.message_start >= report.limit:
            return ()
        low, high = squeezed.find_place(report.start), squeezed.find_place(report.message_end)
        return self.hits[bisect_left(self._places, low) : bisect_left(self._places, high)]

    def _lay_text(self, report: Report, text: int, hits: Sequence[Hit]) -> Alignment | None:
        """Lay a template where the message or its head begins, else around its pieces, else as far as it goes."""
        squeezed = self.log.squeezed
        shape = self.shape(text)
        low, begin = squeezed.find_place(report.start), squeezed.find_place(report.message_start)
        high = squeezed.find_place(report.limit)
        for start in dict.fromkeys((begin, low)):
            alignment = align(shape, squeezed.text, start, high, self.can_end)
            if alignment is not None:
                return alignment
        around = (self.lay_around(hit, low, high) for hit in hits[:_TRIES_IN_REPORT])
        found = next(filter(None, around), None)
        return found or align_cut(shape, squeezed.text, begin, self._find_cut(report))

    def _find_cut(self, report: Report) -> int:
        return self.log.squeezed.find_place(find_cut(self.log, report))

    def _read_gap(self, report: Report, shape: Shape, alignment: Alignment, gap: tuple[int, int]) -> str:
        text, offsets = self.log.text, self.log.squeezed.offsets
        begin = offsets[gap[0]] if gap[0] < len(offsets) else len(text)
        is_last = gap[0] == alignment.end and shape.closes_with_gap
        return text[begin : find_value_end(self.log, report, begin) if is_last else offsets[gap[1]]]

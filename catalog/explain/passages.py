"""Which passages of a log of any length are worth reading?

A short log is read whole. Of a long one only the surroundings of what looks like an error are, found at the speed of
the disk and kept no longer than it takes to read them, so that memory doesn't grow with the log.
"""

import codecs
from collections.abc import Callable, Iterator

import re2

Read = Callable[[int], bytes | None]
"""Reads at most so many bytes: none at the end, None when nothing has come for a while."""

_CHUNK = 1 << 20
_SHORT = 1 << 20
"""A log up to this length is one passage."""
_BEFORE, _AFTER = 3_000, 4_000
"""How much of the surroundings belongs to a passage."""
_LONGEST = 128_000
_OVERLAP = 64
"""A sign may stand across two chunks. (It isn't seen twice: what was seen lies in the passage that is open.)"""
_SIGNS = re2.compile(
    rb"Traceback \(most recent|File \\*(?:&quot;|\")|[A-Za-z]Error\b|Exception\b|(?:Value|Assertion) error, |"
    rb"\b[Ee]rror: |\braise [A-Z]|\bassert |\bERROR\b|\bCRITICAL\b|\bFATAL\b|\"error\"|"
    rb"\w\.[A-Z]\w+: ",
)
_HEADING = b"Traceback (most recent call last)"


def read_passages(read: Read, is_growing: bool = False) -> Iterator[str]:
    """Give the passages of a log in order; one that is growing is told of as it comes, however short it is."""
    read = _decode_wide(read)
    chunk: bytes | None = read(_CHUNK) if is_growing else _read_up_to(read, _SHORT + 1)
    if chunk is not None and not is_growing and len(chunk) <= _SHORT:
        yield _decode(chunk)
        return
    window = _Window()
    while chunk != b"":
        yield from map(_decode, window.settle() if chunk is None else window.add(chunk))
        chunk = read(_CHUNK)
    yield from map(_decode, window.settle())


class _Window:
    """Holds the end of what was read: the passage that is open, and what may belong before the next one.

    All places are counted from the log's beginning.
    """

    def __init__(self) -> None:
        self.held = b""
        self.base = 0
        """Where what is held begins."""
        self.given = 0
        """Where the last passage ended."""
        self.opened: tuple[int, int] | None = None
        """From the first sign of the open passage to its last one."""

    def add(self, chunk: bytes) -> Iterator[bytes]:
        """Take in a chunk, and give the passages that it closes."""
        scanned = self.base + len(self.held)
        self.held += chunk
        for sign in _SIGNS.finditer(self.held, max(0, scanned - _OVERLAP - self.base)):
            start, end = sign.start() + self.base, sign.end() + self.base
            if self.opened is None:
                self.opened = start, end
            elif start - self.opened[1] > _BEFORE + _AFTER:
                yield self._close(self.opened[1] + _AFTER)
                self.opened = start, end
            elif end - self.opened[0] > _LONGEST:
                cut = self._find_cut(start)
                yield self._close(cut)
                self.opened = cut, max(cut, end)
            else:
                self.opened = self.opened[0], max(self.opened[1], end)
        end = self.base + len(self.held)
        if self.opened is not None and end - self.opened[1] > _AFTER:
            yield self._close(self.opened[1] + _AFTER)
        self._forget((self.opened[0] if self.opened else end) - _BEFORE - _OVERLAP)

    def settle(self) -> Iterator[bytes]:
        """Give the open passage as it is: nothing more comes, or not for a while."""
        end = self.base + len(self.held)
        if self.opened is not None:
            yield self._close(end)
        self._forget(end - _BEFORE)

    def _close(self, end: int) -> bytes:
        """Give the open passage from a line's beginning up to `end`."""
        first = self.opened[0] if self.opened else end
        low = max(self.given, first - _BEFORE, self.base)
        line = low if low == self.given else self.held.find(b"\n", low - self.base, first - self.base) + 1 + self.base
        start = line if low <= line <= first else low
        self.given, self.opened = end, None
        return self.held[start - self.base : end - self.base]

    def _find_cut(self, sign: int) -> int:
        """Give where to cut a passage that grows too long: where a traceback begins, or a line does."""
        first = self.opened[0] if self.opened else sign
        half = first + _LONGEST // 2 - self.base
        heading = self.held.rfind(_HEADING, max(0, half), sign - self.base)
        place = heading if heading >= 0 else sign - self.base
        line = self.held.rfind(b"\n", max(0, place - _BEFORE), place) + 1
        return self.base + (line or place)

    def _forget(self, until: int) -> None:
        """Drop what no passage can need any more."""
        drop = max(0, until - self.base)
        self.held = self.held[drop:]
        self.base += drop


def _read_up_to(read: Read, size: int) -> bytes:
    pieces: list[bytes] = []
    missing = size
    while missing > 0:
        piece = read(missing)
        if piece == b"":
            break
        if piece is not None:
            pieces.append(piece)
            missing -= len(piece)
    return b"".join(pieces)


def _decode_wide(read: Read) -> Read:
    """Read what Windows writes in two bytes a letter as if it were written in one."""
    first = read(_CHUNK)
    pending = [first]
    if first is None or not _is_wide(first):
        return lambda size: pending.pop() if pending else read(size)
    decoder = codecs.getincrementaldecoder("utf-16")("replace")

    def decode(size: int) -> bytes | None:
        while True:
            piece = pending.pop() if pending else read(size)
            if not piece:
                return piece
            text = decoder.decode(piece).encode("utf-8", "replace")
            if text:
                return text

    return decode


def _is_wide(data: bytes) -> bool:
    """Tell text of two bytes a letter, of which plain letters leave one empty, from junk that begins alike."""
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return marked and data[:400].count(0) * 4 > len(data[:400])


def _decode(passage: bytes) -> str:
    return passage.replace(b"\0", b"").decode("utf-8", "replace")

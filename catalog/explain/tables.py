"""How do tables of numbers lie in a file so that opening one costs nothing?

Keys are sorted and looked up where they lie; nothing is turned into Python objects before it is asked for.
"""

import hashlib
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

import msgspec

FORMAT = 2
"""To be raised whenever the tables mean something else."""


class DamagedTablesError(Exception):
    """The bytes aren't tables as this version writes them."""


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers by key."""

    keys: memoryview
    starts: memoryview
    """For each key where its numbers begin, and then where the last ones end."""
    numbers: memoryview

    def find(self, key: int) -> Sequence[int]:
        """Give the numbers of a key, none when there is no such key."""
        position = bisect_left(self.keys, key)
        if position == len(self.keys) or self.keys[position] != key:
            return ()
        return self.numbers[self.starts[position] : self.starts[position + 1]].tolist()


class _Head(msgspec.Struct):
    format: int
    identity: str
    byteorder: str
    digest: str
    columns: list[tuple[str, str, int]]
    """Name, array type code, bytes."""


def make_key(text: str) -> int:
    """Turn a text into a key; two texts seldom share one, and what is found by it is looked at anyway."""
    return crc32(text.encode("utf-8", "surrogatepass"))


def make_table(pairs: Mapping[int, Iterable[int]]) -> Table:
    """Sort numbers by key into a table."""
    keys, starts, numbers = array("I"), array("I"), array("I")
    for key in sorted(pairs):
        keys.append(key)
        starts.append(len(numbers))
        numbers.extend(pairs[key])
    starts.append(len(numbers))
    return Table(memoryview(keys), memoryview(starts), memoryview(numbers))


def pack(columns: Mapping[str, memoryview], identity: str) -> bytes:
    """Write named columns as bytes that say whose they are and whether they are whole."""
    body = b"".join(column.cast("B") for column in columns.values())
    described = [(name, column.format, column.nbytes) for name, column in columns.items()]
    head = _Head(FORMAT, identity, sys.byteorder, _digest(body), described)
    return msgspec.json.encode(head) + b"\n" + body


def unpack(data: bytes, identity: str) -> dict[str, memoryview]:
    """Read what `pack` wrote; raises `DamagedTablesError` when it is another's, another version's, or not whole."""
    line, _, _ = data.partition(b"\n")
    try:
        head = msgspec.json.decode(line, type=_Head)
    except msgspec.DecodeError as error:
        raise DamagedTablesError from error
    body = memoryview(data)[len(line) + 1 :]
    if (head.format, head.identity, head.byteorder) != (FORMAT, identity, sys.byteorder) or head.digest != _digest(
        body
    ):
        raise DamagedTablesError
    columns = {}
    position = 0
    for name, code, size in head.columns:
        # Sliced from the bytes, not cast in place: a column needn't begin where its numbers may lie.
        column = array(code)
        column.frombytes(body[position : position + size])
        columns[name] = memoryview(column)
        position += size
    return columns


def _digest(body: bytes | memoryview) -> str:
    return hashlib.blake2b(body, digest_size=16).hexdigest()

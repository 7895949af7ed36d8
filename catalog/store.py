"""What a catalog looks like as JSON: canonical bytes out, validated records in. Nothing else here speaks JSON.

The layout is chosen for people with `grep` and `git diff` as much as for parsers: one line a record, compact inside
the line, keys in the order in which the records declare them, and one newline at the end.
"""

import dataclasses
import gc
import io
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import orjson

from catalog.errors import CatalogError
from catalog.files import write_bytes
from catalog.records import SCHEMA_VERSION, Catalog, Hole, Part, Text

Record = TypeVar("Record")


def read_catalog(path: str | Path) -> Catalog:
    """Read a catalog file, validated; `-` is standard input."""
    return load_catalog(read_bytes(path), str(path))


def write_catalog(catalog: Catalog, path: str | Path) -> None:
    """Write a catalog file atomically; `-` is standard output."""
    write_bytes(dump_catalog(catalog), path)


def load_catalog(data: bytes, name: str) -> Catalog:
    """Turn bytes into a catalog; an error names the file, the place in it and what is wrong there."""
    try:
        catalog = _decode(data, Catalog)
    except msgspec.DecodeError as error:
        _check_version(data, name)
        raise CatalogError(_explain_failure(data, name, error, "scan the target again")) from error
    if catalog.schema_version != SCHEMA_VERSION:
        _check_version(data, name)
    return catalog


@dataclasses.dataclass(frozen=True, slots=True)
class Skimmed:
    """A catalog whose entries and notes are still bytes, a small part of what they are as records."""

    head: Catalog
    """All but the entries and notes."""
    entries: tuple[bytes, ...]
    notes: tuple[bytes, ...]


def skim_catalog(data: bytes, name: str) -> Skimmed:
    """Turn bytes into a catalog without reading its entries and notes: `load_part` reads those that are wanted."""
    try:
        parts = _decode(data, dict[str, msgspec.Raw])
        lists = [_decode(bytes(parts.pop(key, b"[]")), list[msgspec.Raw]) for key in ("entries", "notes")]
        rest = b",".join(b'"%b":%b' % (key.encode(), bytes(value)) for key, value in parts.items())
        head = load_catalog(b'{%b,"entries":[]}' % rest if rest else b"{}", name)
    except msgspec.DecodeError as error:
        _check_version(data, name)
        raise CatalogError(_explain_failure(data, name, error, "scan the target again")) from error
    return Skimmed(head, *(tuple(map(bytes, each)) for each in lists))


def load_part(data: bytes, type_: type[Record], name: str) -> Record:
    """Turn the bytes of one entry or note into a record: `type_` may have fewer fields than there are."""
    try:
        return _decode(data, type_)
    except msgspec.DecodeError as error:
        raise CatalogError(_explain_failure(data, name, error, "scan the target again")) from error


def dump_catalog(catalog: Catalog) -> bytes:
    """Turn a catalog into its canonical bytes: the same catalog gives the same bytes."""
    out = io.BytesIO()  # line by line: to join them would take three times what the catalog takes
    before = b"{\n"
    for field in dataclasses.fields(Catalog):
        value = getattr(catalog, field.name)
        out.write(b'%b"%b":' % (before, field.name.encode()))
        before = b",\n"
        if not value or not isinstance(value, tuple):
            out.write(_encode(value))
            continue
        for index, record in enumerate(value):
            out.write(b",\n" if index else b"[\n")
            out.write(_encode(record))
        out.write(b"\n]")
    out.write(b"\n}\n")
    return out.getvalue()


def load_record(data: bytes, type_: type[Record], name: str) -> Record:
    """Turn the bytes of any other JSON file into a record of this type."""
    try:
        return _decode(data, type_)
    except msgspec.DecodeError as error:
        raise CatalogError(_explain_failure(data, name, error, "mend the file")) from error


def dump_answer(value: object) -> bytes:
    """Turn an answer (records, mappings, lists) into the indented JSON that `--json` prints."""
    return _encode(value, orjson.OPT_INDENT_2) + b"\n"


def dump_line(value: object) -> bytes:
    """Turn an answer into one line of JSON."""
    return _encode(value) + b"\n"


def dump_exactly(value: object) -> bytes | None:
    """Turn a record into bytes that give it back as it is; nothing where it holds what UTF-8 can't."""
    try:
        return orjson.dumps(value, default=_encode_other)
    except TypeError:
        return None


def read_bytes(path: str | Path) -> bytes:
    """Read a file whole; `-` is standard input."""
    if str(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise CatalogError(f"{path}: no such file; write one with `errmine scan TARGET`") from error
    except IsADirectoryError as error:
        raise CatalogError(f"{path}: is a folder, not a catalog file") from error
    except OSError as error:
        raise CatalogError(f"{path}: can't be read ({error.strerror or error})") from error


def _encode(value: object, option: int = 0) -> bytes:
    try:
        return orjson.dumps(value, default=_encode_other, option=option)
    except TypeError:
        # Legal source can hold lone surrogates, UTF-8 can't: write them out and try again.
        return orjson.dumps(_escape(msgspec.to_builtins(value, enc_hook=_encode_other)), option=option)


def _encode_other(value: object) -> object:
    if isinstance(value, msgspec.Struct):
        return msgspec.to_builtins(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no part of a catalog")


def _escape(value: object) -> object:
    r"""Rebuild a value of plain objects with each lone surrogate written out, `\ud800`."""
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {_escape(key): _escape(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_escape(inner) for inner in value]
    return value


def _decode(data: bytes, type_: type[Record]) -> Record:
    collecting = gc.isenabled()
    gc.disable()  # records hold no cycles, and looking for some while a million are made takes two thirds of the time
    try:
        return msgspec.json.decode(data, type=type_, dec_hook=_decode_part)
    except RecursionError as error:
        raise msgspec.DecodeError("nested too deeply") from error
    finally:
        if collecting:
            gc.enable()


def _decode_part(type_: type, value: Any) -> Part:
    """Choose between the two kinds of part; a plain ValueError lets msgspec add the place."""
    if type_ is not Part:
        raise TypeError(f"{type_} is no part of a catalog")
    if not isinstance(value, dict):
        raise ValueError(f"Expected `object`, got `{type(value).__name__}`")  # noqa: TRY004 (see the docstring)
    try:
        return msgspec.convert(value, Text if "text" in value else Hole)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error


def _check_version(data: bytes, name: str) -> None:
    """Say so when the file isn't of the version that is read here."""
    try:
        head = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return
    version = head.get("schema_version") if isinstance(head, dict) else None
    if version is None:
        raise CatalogError(f"{name}: not a catalog (it has no schema_version); write one with `errmine scan TARGET`")
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise CatalogError(
            f"{name}: schema_version {version} is newer than this errmine reads ({SCHEMA_VERSION}); "
            "upgrade errmine, or scan the target again"
        )
    if version != SCHEMA_VERSION:
        raise CatalogError(
            f"{name}: schema_version {version!r} is unknown (this errmine reads {SCHEMA_VERSION}); "
            "scan the target again"
        )


def _explain_failure(data: bytes, name: str, error: msgspec.DecodeError, remedy: str) -> str:
    if isinstance(error, msgspec.ValidationError):
        return ": ".join(filter(None, (name, *_read_complaint(str(error)))))
    if "truncated" in str(error):
        cut = f"cut off after {len(data):,} bytes" if data.strip() else "the file is empty"
        return f"{name}: {cut}; {remedy}"
    return f"{name}: not JSON ({str(error).removeprefix('JSON is malformed: ')}); {remedy}"


def _read_complaint(complaint: str) -> tuple[str, str]:
    """Split `Expected `int`, got `str` - at `$.site.line``; where a hook complained, the inner place comes first."""
    reason, *places = re.split(r" - at (?=`\$)", complaint)
    place = "".join(place.strip("`").removeprefix("$") for place in reversed(places)).removeprefix(".")
    missing = re.fullmatch(r"Object missing required field `(.*)`", reason)
    if missing:
        return place, f"the field {missing[1]} is missing"
    return place, (reason[:1].lower() + reason[1:]).replace("`", "")

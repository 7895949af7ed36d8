"""Source bytes → text, by the rules of the language and not of the host: byte-order mark, cookie, line ends."""

import codecs
import re

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#[^\r\n]*)?$")
_BOM = b"\xef\xbb\xbf"


class UndecodableError(ValueError):
    """The bytes are no Python source: the message is the reason a person reads."""


def decode_source(data: bytes) -> str:
    r"""Decode a source file, with every line end as `\n` (so that lines count as the compiler counts them).

    Follows PEP 263. Raises `UndecodableError` with the reason.
    """
    has_bom = data.startswith(_BOM)
    if has_bom:
        data = data[len(_BOM) :]
    if data.startswith((b"version https://git-lfs.github.com/spec/", b"version https://hawser.github.com/spec/")):
        raise UndecodableError("a Git LFS pointer, not the file itself")
    if b"\0" in data:
        wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        raise UndecodableError("UTF-16 text" if wide else "contains null bytes")
    name = _find_cookie(data)
    if name is not None:
        name = _check_codec(name, has_bom)
    try:
        text = data.decode(name or "utf-8")
    except (UnicodeDecodeError, ValueError) as error:
        raise UndecodableError(f"not valid {name or 'UTF-8'}: {_describe(error)}") from error
    if "\0" in text:
        raise UndecodableError("contains null characters")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _find_cookie(data: bytes) -> str | None:
    lines = re.split(rb"\r\n|\r|\n", data[:4096], maxsplit=2)[:2]
    for line in lines:
        found = _COOKIE.match(line)
        if found:
            return found[1].decode("ascii", "replace")
        if not _BLANK.match(line):
            return None
    return None


def _check_codec(name: str, has_bom: bool) -> str:
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError) as error:
        raise UndecodableError(f"unknown encoding {name!r}") from error
    if not getattr(codec, "_is_text_encoding", True):
        raise UndecodableError(f"{name!r} is no text encoding")
    if codec.name.startswith(("utf-16", "utf-32", "utf-7", "idna", "punycode", "unicode-escape", "raw-unicode")):
        raise UndecodableError(f"the cookie names {name!r}, which no Python source can be written in")
    if has_bom and codec.name != "utf-8":
        raise UndecodableError(f"a UTF-8 byte-order mark and a cookie that says {name!r}")
    return codec.name


def _describe(error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.object[error.start]:#04x} at offset {error.start}"
    return str(error)

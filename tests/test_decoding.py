"""Bytes → text, by the rules of the language."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.decoding import UndecodableError, decode_source


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ""),
        (b"a\n", "a\n"),
        ("é = 1".encode(), "é = 1"),
        (b"\xef\xbb\xbfa", "a"),
        (b"\xef\xbb\xbf# coding: utf-8\na", "# coding: utf-8\na"),
        (b"# -*- coding: latin-1 -*-\n'\xe9'", "# -*- coding: latin-1 -*-\n'é'"),
        (b"#!/bin/x\n# vim: set fileencoding=cp1252 :\n'\x80'", "#!/bin/x\n# vim: set fileencoding=cp1252 :\n'€'"),
        ("# coding: euc-jp\n'あ'".encode("euc-jp"), "# coding: euc-jp\n'あ'"),
        (b"# coding: utf-8-sig\na", "# coding: utf-8-sig\na"),
        # A cookie counts on the first two lines alone, and on the second only behind a blank or a comment.
        (b"\n\n# coding: nonsense\na", "\n\n# coding: nonsense\na"),
        (b"a = 1\n# coding: nonsense\n", "a = 1\n# coding: nonsense\n"),
        (b"'coding: nonsense'\n", "'coding: nonsense'\n"),
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        (b"# coding: latin-1\r'\xe9'\r", "# coding: latin-1\n'é'\n"),
        (b"a\x0cb", "a\x0cb"),
        ("a = '\u2028\u0085'".encode(), "a = '\u2028\u0085'"),
    ],
)
def test_bytes_become_text(data: bytes, expected: str) -> None:
    assert decode_source(data) == expected


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"'\xe9'", "not valid UTF-8: byte 0xe9 at offset 1"),
        (b"\xef\xbb\xbf'\xe9'", "not valid UTF-8"),
        (b"# coding: ascii\n'\xe9'", "not valid ascii"),
        (b"# coding: klingon\n", "unknown encoding 'klingon'"),
        (b"# coding: rot13\n", "no text encoding"),
        (b"# coding: hex\n", "no text encoding"),
        (b"# coding: utf-16\n", "no Python source"),
        (b"# coding: utf-7\n", "no Python source"),
        (b"# coding: idna\n", "no Python source"),
        (b"# coding: unicode_escape\n'\\x00'", "no Python source"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "byte-order mark"),
        (codecs.BOM_UTF16_LE + "a".encode("utf-16-le"), "UTF-16"),
        ("a".encode("utf-32"), "UTF-16|null"),
        (b"a\0b", "null bytes"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS pointer"),
        (b"\xed\xa0\x80", "not valid UTF-8"),
    ],
)
def test_bytes_that_are_no_source_are_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(UndecodableError, match=reason):
        decode_source(data)


@given(st.binary(max_size=60))
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        text = decode_source(data)
    except UndecodableError as error:
        assert str(error)
        return
    assert "\r" not in text
    assert "\0" not in text


_NAMES = st.one_of(
    st.text("abc-_.0189", max_size=12), st.sampled_from(["base64", "undefined", "mbcs", "oem", "zlib", "quopri"])
)


@given(_NAMES)
def test_no_cookie_breaks_the_decoder(name: str) -> None:
    try:
        decode_source(f"# coding: {name}\nx\n".encode())
    except UndecodableError as error:
        assert "\n" not in str(error)

"""A target's text → text for a page: what steers or hides is written out. (The templates escape HTML.)"""

import re
import unicodedata

_STEERING = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def show(text: str) -> str:
    r"""Write out control characters, lone surrogates and what turns the direction of writing: `\x1b`, `\u202e`."""
    return _STEERING.sub(_write_out, text)


def _write_out(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def is_web_address(url: str | None) -> bool:
    """Tell whether a target's URL may become a link: never `javascript:` or the like."""
    return url is not None and re.fullmatch(r"https://[A-Za-z0-9.-]+(?::\d+)?/[^\s\"'<>\\]*", url) is not None


def fold(text: str) -> str:
    """Put a text on one line."""
    return " ".join(unicodedata.normalize("NFC", show(text)).split())

r"""What does a text say that was written as one line, with `\n` for its line ends?

JSON bodies, `repr`, rsyslog and log shippers do that, some of them twice over, and what arrives is often cut, so
nothing is parsed: backslash sequences are read wherever they stand.
"""

import re2

_BREAK = re2.compile(r"\\+r?\\*n|\\+r")
_TAB = re2.compile(r"\\+t")
_QUOTE = re2.compile(r"\\+([\"'/`])")
_ENCODED = re2.compile(r"\\+[\"nu]")
_CODE_POINT = re2.compile(r"\\+u([0-9a-fA-F]{4})")
_DOCKER = re2.compile(r'^\{"log":\s?"(.*?)(?:\\r)?(?:\\n)?",\s?"(?:stream|attrs|time)":.*\}$')
_RECORD = '{"log":'
_LONGEST_PREFIX = 300
_SOURCE = re2.compile(r"^(?:[^\\]*\s)?(?:raise\s[\w.]+\(|assert\s[\w(])[^\\]*\\n[^\\]")
"""A line of source with an escape of its own in it."""
_DRIVE = re2.compile(r"(?i)\b[a-z]:\\")


def unwrap_records(text: str) -> str:
    """Take each line out of the JSON record that a container's runtime keeps it in."""
    return "\n".join(map(_unwrap, text.split("\n"))) if _RECORD in text else text


def _unwrap(line: str) -> str:
    start = line.find(_RECORD, 0, _LONGEST_PREFIX)
    record = _DOCKER.match(line[start:]) if start >= 0 else None
    return line[:start] + str(record.group(1)) if record else line


def expand_escapes(text: str) -> str:
    """Write out the escapes of every line that has any."""
    if "\\" not in text:
        return text
    return "\n".join(_expand_line(line) if "\\" in line else line for line in text.split("\n"))


def _expand_line(line: str) -> str:
    if not _ENCODED.search(line):
        return line  # what else is escaped belongs to a value's own quotes
    if _SOURCE.match(line):
        return line
    line = _CODE_POINT.sub(lambda code: _read_code_point(code.group(1)), line)
    line = _QUOTE.sub(r"\1", line)
    # `C:\new` is a path, `\nnext` in a line without a drive is a line end.
    keep_lower = bool(_DRIVE.search(line))
    line = _BREAK.sub(lambda found: _break_unless_path(found, line, keep_lower, "\n"), line)
    broken = line
    return str(_TAB.sub(lambda found: _break_unless_path(found, broken, keep_lower, "    "), broken))


def _break_unless_path(found: "re2._Match", line: str, keep_lower: bool, instead: str) -> str:
    following = line[found.end() : found.end() + 1]
    if keep_lower and (following.islower() or following.isdigit() or following == "_"):
        return str(found.group())
    return instead


def _read_code_point(digits: str) -> str:
    letter = chr(int(digits, 16))
    return letter if letter.isprintable() or letter in "\n\t" else " "

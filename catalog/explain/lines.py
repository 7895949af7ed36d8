"""What does a line of a log say once its dress is off?

Loggers, containers, launchers and chat programs each put something in front of a line, on top of what the one before
put there. What stands in front is taken off piece by piece; of it stays who spoke (`tag`), how loud (`level`) and what
the whole prefix looks like (`shape`), since a new shape begins a new record.
"""

import html
import re
from dataclasses import dataclass
from functools import lru_cache

import re2

_ESCAPED_TIMES = 4
_LONGEST_PREFIX = 600
"""Of a longer line only this much is looked at for a prefix."""

_ANSI = re2.compile(
    r"(?:\x1b|\x{9b}|\\x1b|\\033|\\e|\\u001b|#033|\^\[|\x{241b})"
    r"(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b\n]{0,300}(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>])"
    r"|\[[0-9]{1,3}(?:;[0-9]{1,3}){0,4}m"  # the escape character itself was lost
    r"|#01[0-5]\b|\x1b"
)
_ANSI_SIGNS = ("\x1b", "\x9b", "\\x1b", "\\033", "\\e[", "\\u001b", "#0", "^[", "\u241b", "[0", "[1", "[3", "[9", "[4")
_SYSLOG_BREAK = re2.compile(r"#012")
_ENTITY = re2.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});")
_TAG = re2.compile(r"(?i)</?(?:br|p|div|span|pre|code|td|tr|li|b|i|em|strong)(?:\s[^<>]{0,200})?/?>")
_LINE_TAG = re2.compile(r"(?i)<br(?:\s[^<>]{0,200})?/?>\n?")
_CONTROL = re2.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x{9f}\x{200b}\x{200e}\x{200f}\x{2060}\x{feff}]")

_LEVEL = r"(?:ERROR|WARNING|WARN|INFO|DEBUG|CRITICAL|FATAL|TRACE|EXCEPTION|NOTICE|SEVERE|ERR)"
_CLOCK = r"\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?"
_DATE = r"(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/]\d\d(?:[-/]\d{2,4})?|\d\d/[A-Z][a-z]{2}/\d{4})"
_ZONE = r"(?:\s?Z|\s?[+-]\d\d:?\d\d|\sUTC|\s[+-]\d{4})"
_PIECES = {
    "pid": r"\([^()\n]{0,80}\b(?:pid|rank)=\d+[^()\n]{0,80}\)\s?",
    "pytest": r"E {3,}|E(?:\s*$)",
    "rank": r"\[(?:rank|default|node|worker|local_rank|gpu|trainer)[ _:=]?\d+\]:?\s?|"
    r"\[\d+(?:,\d+)?\](?:<std(?:err|out)>)?:\s",
    "glog": r"\[?[IWEF]\d{4} " + _CLOCK + r"\s+(?:\d+\s+)?[^\]\n]{1,200}\]\s?",
    "syslog": r"[A-Z][a-z]{2}\s+\d{1,2}\s" + _CLOCK + r"\s\S{1,80}\s[^\s:]{1,80}:\s?",
    "dated": r"\[?" + _DATE + r"[T ]" + _CLOCK + _ZONE + r"?(?:\s+[A-Z]{2,4}\d+)*(?:\]:?|:)?\s?",
    "timed": r"\[?" + _CLOCK + _ZONE + r"?(?:\]:?|:)?\s",
    "level": r"(?:\|\s*)?\[?" + _LEVEL + r"\]?(?::[\w.]+)?\s*(?::|\||-|$|\s)\s*",
    "logfmt": r"(?:level|lvl|severity|ts|time|timestamp|caller|logger)=(?:\"[^\"\n]{0,80}\"|\S{1,80})\s",
    "body": r"(?:msg|message|error)=\"",
    "place": r"\[[\w./<>-]+(?:\.pyx?)?:\d+\](?:\s?|$)|[\w./-]+\.(?:py|cpp|cc|cu|h):\d+\]\s?"
    r"|[\w.<>-]+:[\w.<>]+:\d+\s-\s",
    "stream": r"(?:std(?:err|out)|console)\s*(?:\||:|\s[FP]\s)\s?|\|\s(?:std(?:err|out)\s\|\s)?",
    "logger": r"-\s[\w.]{1,80}\s-\s(?:" + _LEVEL + r"\s-\s)?|-\s" + _LEVEL + r"\s-\s",
    "pod": r"\[(?:pod|Stage|stage|stderr|stdout|MainThread|Thread)[-/: ]?[^\]\n]{0,120}\](?::\s|\s|$)",
    "compose": r"[A-Za-z][\w.-]*\s*\|(?:\s|$)",
    "actions": r"[^\t\n]{1,80}\t[^\t\n]{1,80}\t|##\[(?:error|warning|group|debug)\]",
    "quoted": r"(?:>\s?)+(?:\s|$)|>(?:\s|$)",
    "group": r"\|(?:\s|$)",
}
_ANY = "|".join(_PIECES.values())
_LATER = r"\[[\w .:/=-]{1,40}\](?::\s|\s)|[\w.<>-]{1,60}:[\w.<>]{1,60}:\d+\s-\s"
"""What is a prefix only behind another one."""
_PREFIX = re2.compile(rf"^\s*(?:{_ANY})(?:\s*(?:{_ANY}|{_LATER}))*")
_SPEAKER = re2.compile("|".join([*(_PIECES[name] for name in ("pid", "rank", "pod", "compose")), r"\b[A-Z]{2,4}\d+\b"]))
"""Who speaks: a process, a rank, a container."""
_LEVEL_NAME = re2.compile(rf"\b{_LEVEL}\b")
# One class of characters, repeated: the standard engine has nothing to backtrack over, and is far faster here.
_DIGITS = re.compile(r"\d+")
_MAY_HAVE_PREFIX = re.compile(r"[|:\])>=\t-]|E  ")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a log without its dress."""

    text: str
    tag: str
    """Who spoke: `(EngineCore_DP0 pid=51877)`; empty when the line doesn't say."""
    level: str
    """`ERROR`; empty when the line doesn't say."""
    shape: str
    """The prefix with its numbers made equal; empty when there is none."""


def undress(raw: str) -> Line:
    """Take off what stands in front of a line, and the controls all along it."""
    return _undress_again(raw) if len(raw) <= _LONGEST_PREFIX else _undress(raw)


@lru_cache(maxsize=2_048)
def _undress_again(raw: str) -> Line:
    return _undress(raw)


def _undress(raw: str) -> Line:
    plain = raw if raw.isprintable() else _CONTROL.sub("", raw)
    if not _MAY_HAVE_PREFIX.search(plain, 0, _LONGEST_PREFIX):
        return Line(plain.expandtabs(4), "", "", "")
    return _strip_prefix(plain)


def clean_text(text: str) -> str:
    """Take colours, entities and other dress out that doesn't care for lines."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if any(sign in text for sign in _ANSI_SIGNS):
        text = _ANSI.sub("", _SYSLOG_BREAK.sub("\n", text) if "#012" in text else text)
    for _ in range(_ESCAPED_TIMES):  # an escaped page pasted into a page is escaped twice
        if "&" in text and _ENTITY.search(text):
            text = _ENTITY.sub(lambda entity: html.unescape(entity.group()), text)
    if "<" in text and ">" in text:
        text = _TAG.sub("", _LINE_TAG.sub("\n", text))
    return text


def _strip_prefix(plain: str) -> Line:
    found = _PREFIX.match(plain[:_LONGEST_PREFIX])
    if found is None or not found.end():
        return Line(plain.expandtabs(4), "", "", "")
    prefix = found.group()
    return Line(plain[len(prefix) :].expandtabs(4), *_read_prefix(prefix))


def _read_prefix(prefix: str) -> tuple[str, str, str]:
    """Read a prefix as tag, level and shape."""
    shape = _DIGITS.sub("0", " ".join(prefix.split()))
    level, is_tagged = _read_shape(shape)
    speaker = " ".join(each.strip() for each in _SPEAKER.findall(prefix)) if is_tagged else ""
    return speaker, level, shape


@lru_cache(maxsize=1_024)
def _read_shape(shape: str) -> tuple[str, bool]:
    """Give the level that a shape names, and whether it says who speaks."""
    level = _LEVEL_NAME.search(shape)
    return level.group() if level else "", bool(_SPEAKER.search(shape))

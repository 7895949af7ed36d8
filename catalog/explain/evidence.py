"""How strongly does what a log shows speak for an entry?

Points are about bits: ten of them make something a thousand times as likely. Each piece of evidence says what it saw,
in words for the person who asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from catalog.explain.frames import Frame
from catalog.explain.places import list_endings, name_file, name_function, squeeze_path
from catalog.explain.squeeze import squeeze, squeeze_name
from catalog.explain.statements import is_telling, list_lines
from catalog.records import Entry

ENOUGH = 17.0
"""Points from which a candidate is a match."""
_MOST_FOR_TEXT = 60.0
THIN = 12
"""Letters of fixed text below which a message by itself says nothing."""
_MOST_FOR_THIN = 3.0
_SPOT, _SOURCE, _FUNCTION, _FILE = 30.0, 28.0, 14.0, 3.0
_OTHER_FUNCTION, _OTHER_PACKAGE = -12.0, -60.0
_CLASS, _MOST_FOR_CLASS, _QUALIFIED = 4.0, 6.0, 8.0
_SEVERAL_WORDS = 8


@dataclass(frozen=True, slots=True)
class Evidence:
    """Points and the reason for them."""

    points: float
    reason: str


@dataclass(frozen=True, slots=True)
class Fit:
    """How a template lay over a message."""

    share: float
    """Of the template's fixed text, how much was found: 0 to 1."""
    letters: int
    """How many letters of it that is."""
    is_cut: bool
    is_cut_in_value: bool
    begins_well: bool | None
    """It begins where a message begins; None when it begins with a value, which may have begun before."""
    ends_well: bool | None
    """It ends where a message ends; None when it ends in a value, which may go on."""
    words_in_values: int
    """Words in the longest value that stands where the template has a hole."""
    names_home: bool | None
    """The message names the entry's own module where the template has `__name__`; None where it hasn't."""
    has_odd_value: bool
    """A value is none that its hole can have: `7` for a class."""
    keeps_case: bool
    """The fixed text has its capitals where the template has them."""


def weigh_text(bits: float, fit: Fit) -> list[Evidence]:
    """Weigh how a template lay over the message."""
    points = min(bits * fit.share, _MOST_FOR_TEXT if fit.letters >= THIN else _MOST_FOR_THIN)
    if fit.is_cut:
        # A value that never ends fits any message that begins alike.
        points -= 8 if fit.is_cut_in_value else 4
        found = [Evidence(points, "the message begins like the text, and is cut off")]
    else:
        found = [Evidence(points, "the message has the entry's fixed text, in order")]
    if fit.begins_well is None:
        pass
    elif fit.begins_well:
        found.append(Evidence(5, "it begins where the message begins"))
    else:
        found.append(Evidence(-4, "other words stand before it"))
    if not fit.is_cut and fit.ends_well is not None:
        found.append(
            Evidence(3, "it ends where the message ends") if fit.ends_well else Evidence(-3, "more follows it")
        )
    if fit.names_home is not None:
        home = Evidence(8, "it names the entry's own module"), Evidence(-30, "it speaks of another module")
        found.append(home[not fit.names_home])
    if fit.has_odd_value:
        found.append(Evidence(-6, "a value is none that could stand there"))
    if not fit.keeps_case:
        found.append(Evidence(-4, "its capitals are others"))
    if fit.words_in_values > _SEVERAL_WORDS and bits < _MOST_FOR_TEXT:
        # A sentence where a value is due: more likely another message that shares a word or two.
        found.append(Evidence(-min(10.0, (fit.words_in_values - _SEVERAL_WORDS) * 0.6), "a value is a whole sentence"))
    return found


def weigh_class(named: str | None, entry: Entry, is_wrapped: bool, rarity: float) -> Evidence | None:
    """Weigh the exception that the log names against the one the entry raises.

    `rarity`: how many bits the class tells among the catalog's; a builtin one tells none, it is everybody's.
    """
    if not named or not entry.exception.name.isidentifier():
        return None
    shown = squeeze_name(named.rsplit(".", 1)[-1])
    raised = entry.exception.name
    if shown == squeeze_name(raised):
        points = _CLASS + min(_MOST_FOR_CLASS, max(0.0, rarity - _CLASS))
        if "." in named and entry.exception.qualified == named:
            return Evidence(points + _QUALIFIED, f"the exception is {named}")
        return Evidence(points, f"the exception is {raised}")
    if shown in map(squeeze_name, entry.exception.bases):
        return Evidence(2, f"{raised} is a {named.rsplit('.', 1)[-1]}")
    if _is_misspelt(shown, squeeze_name(raised)):
        return Evidence(3, f"{named} is {raised}, misspelt")
    return Evidence(-4 if is_wrapped else -10, f"the entry raises {raised}, not {named.rsplit('.', 1)[-1]}")


def weigh_frames(frames: Sequence[Frame], entry: Entry, is_known: bool, is_hidden: bool) -> Evidence | None:
    """Weigh where a traceback ends against where the entry stands.

    `is_known`: the catalog has the last frame's file. `is_hidden`: frames may be missing at the end.
    """
    if not frames:
        return None
    if entry.helper is not None:
        return _weigh_helper(frames, entry)
    last = frames[-1]
    found = _weigh_place(last, entry)
    if found is not None and found.points > _FILE:
        return found
    if is_hidden:
        return found
    if not last.path or _is_passing_on(last.source):
        return None
    if is_known or found is not None:
        return Evidence(_OTHER_FUNCTION, f"the traceback ends in {_name_place(last)}")
    return Evidence(_OTHER_PACKAGE, f"the traceback ends in another package, in {_name_place(last)}")


def _weigh_helper(frames: Sequence[Frame], entry: Entry) -> Evidence | None:
    """Weigh a call of a raise helper: its own frame is above the helper's."""
    helper = name_function(entry.helper or "")
    for above, frame in zip(reversed(frames[:-1]), reversed(frames[1:]), strict=True):
        place = _weigh_place(above, entry)
        if place is not None and place.points > _FILE:
            if frame.function and squeeze_name(name_function(frame.function)) == squeeze_name(helper):
                return Evidence(place.points + 4, f"{place.reason}, through {helper}()")
            return place
    if frames[-1].path and not _is_function(frames[-1], helper):
        return Evidence(_OTHER_FUNCTION, f"the traceback ends in {_name_place(frames[-1])}")
    return None


def _weigh_place(frame: Frame, entry: Entry) -> Evidence | None:
    lines = list_lines(entry)
    shows_statement = frame.source is not None and _is_in_statement(squeeze(frame.source), lines)
    if not frame.path:
        if shows_statement and is_telling(squeeze(frame.source or "")):
            return Evidence(_SOURCE, "the quoted source line is the entry's")
        return None
    if not is_same_file(frame.path, entry):
        return None
    in_function = _is_function(frame, entry.site.qualname)
    if not in_function and frame.function is not None:
        return Evidence(_FILE, f"a frame in {entry.site.path}")
    function = f"{name_function(entry.site.qualname)}()" if in_function else entry.site.path
    at_line = frame.line is not None and entry.site.line <= frame.line <= entry.site.end_line
    off = 0 if frame.line is None or at_line else abs(frame.line - entry.site.line)
    if at_line and (shows_statement or frame.source is None):
        return Evidence(
            _SPOT + (10 if shows_statement else 0), f"the traceback ends at line {frame.line}, in {function}"
        )
    if shows_statement:
        drift = f", {off} lines away" if off else ""
        return Evidence(_SOURCE - min(off, 200) / 50, f"the traceback ends at this statement in {function}{drift}")
    if frame.source is not None and not at_line and not _is_raising(frame.source):
        return Evidence(_FILE - 10, f"the traceback ends in {function}, at another statement")
    if at_line:
        return Evidence(_SPOT - 10, f"the traceback ends at line {frame.line}, in {function}, whose source differs")
    return Evidence(_FUNCTION - min(off, 400) / 50, f"the traceback ends in {function}, {off} lines away")


def is_same_file(path: str, entry: Entry) -> bool:
    """Tell whether a path in a log ends like the entry's file."""
    return squeeze_path(name_file(entry.site)) in list_endings(path)


def _is_function(frame: Frame, qualname: str) -> bool:
    if frame.function is None:
        return False
    shown = squeeze_name(name_function(frame.function))
    return shown == squeeze_name(name_function(qualname)) or (shown.startswith("<") and shown != "<module>")


def _is_in_statement(shown: str, lines: Sequence[str]) -> bool:
    """Tell whether a line of source, cut perhaps, is one of the statement's."""
    if not shown:
        return False
    return any(line == shown or (len(shown) >= 12 and line.startswith(shown)) for line in lines)


def _is_raising(source: str) -> bool:
    return source.lstrip().startswith(("raise ", "raise(", "assert ", "assert("))


def _is_passing_on(source: str | None) -> bool:
    """Tell a statement that raises what it was handed: what came before has frames elsewhere."""
    words = (source or "").split()
    return len(words) >= 2 and words[0] == "raise" and words[1][:1].islower() and "(" not in words[1]


def _is_misspelt(shown: str, raised: str) -> bool:
    from rapidfuzz.distance import OSA

    return min(len(shown), len(raised)) >= 6 and OSA.distance(shown, raised, score_cutoff=2) <= 2


def _name_place(frame: Frame) -> str:
    name = frame.path.replace("\\", "/").rsplit("/", 1)[-1]
    return f"{frame.function}(), {name}" if frame.function else name

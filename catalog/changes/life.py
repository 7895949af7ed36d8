"""How an entry's life reads: as a picture on a terminal, and as JSON."""

from collections.abc import Iterator
from typing import Any

from rich.text import Text

from catalog.changes.answer import describe_change, describe_entry
from catalog.changes.details import list_details
from catalog.changes.page import name_entry, write_detail
from catalog.history import Absent, Life, Present, Step
from catalog.terminal import safe

_END, _SAME, _CHANGED, _GONE, _BEFORE = "●", "│", "◆", "✕", "·"
_HEADING, _QUIET, _MARK = "bold", "dim", "cyan"


def build_picture(life: Life) -> Text:
    """Draw a life, the oldest version first: a line for each version, more where something changed."""
    entry = life.present[-1].entry
    head = Text(f"{safe(entry.exception.name)}: ", _HEADING).append(safe(name_entry(entry)), _HEADING)
    head.append(f"  {entry.id}", _QUIET)
    width = max(len(safe(step.label)) for step in life.steps)
    lines = [head, Text(_summarize(life)), Text()]
    for number, step in enumerate(life.steps):
        lines += _draw_step(step, number, life, width)
    return Text("\n").join(lines)


def build_life_answer(life: Life) -> dict[str, Any]:
    """Build the answer to `errmine history --json`."""
    first, last = life.steps[0], life.steps[-1]
    return {
        "entry": life.present[-1].entry.id,
        "first_seen": life.present[0].label if isinstance(first, Absent) else None,
        "last_seen": life.present[-1].label if isinstance(last, Absent) else None,
        "versions": [_describe_step(step) for step in life.steps],
    }


def _summarize(life: Life) -> str:
    """Say when it came, how often it changed and when it went, as far as the versions tell."""
    labels = [safe(step.label) for step in life.present]
    begins = f"first seen in {labels[0]}"
    if isinstance(life.steps[0], Present):
        begins = f"already in {labels[0]}, the oldest version looked at"
    ends = f"still in {labels[-1]}" if isinstance(life.steps[-1], Present) else f"last seen in {labels[-1]}"
    changes = sum(step.change is not None for step in life.present)
    times = {0: "never changed", 1: "changed once", 2: "changed twice"}.get(changes, f"changed {changes} times")
    return f"{begins}, {times}, {ends}"


def _draw_step(step: Step, number: int, life: Life, width: int) -> Iterator[Text]:
    label = f"  {safe(step.label):<{width}}  "
    if isinstance(step, Absent):
        yield Text(label, _QUIET).append(f"{_BEFORE if number == 0 else _GONE}  not there", _QUIET)
        return
    site = step.entry.site
    place = f"{safe(site.path)}:{site.line}  {safe(site.qualname)}"
    first, last = step is life.present[0], step is life.present[-1]
    if step.change is None and not first and not last:
        yield Text(label).append(_SAME, _MARK)
        return
    kinds = "" if step.change is None else ", ".join(step.change.kinds) or "options"
    mark = _END if step.change is None else _CHANGED
    line = Text(label).append(mark, _MARK).append(f"  {kinds}" if kinds else "", _HEADING)
    yield line.append(f"  {place}", _QUIET)
    if step.change is not None:
        for detail in list_details(step.change):
            for text in write_detail(detail):
                yield Text(" " * (width + 4)).append(f"{_SAME}    ", _MARK).append_text(text)


def _describe_step(step: Step) -> dict[str, Any]:
    match step:
        case Absent(label):
            return {"version": label, "commit": None, "entry": None, "change": None}
        case Present(label, commit, entry, change):
            told = describe_change(change) if change is not None else None
            return {"version": label, "commit": commit, "entry": describe_entry(entry), "change": told}

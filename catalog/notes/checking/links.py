"""Does every URL of the note lead to the target's own pages?"""

import re
from collections.abc import Iterator

from catalog.notes.checking.subject import Subject
from catalog.records import Entry, Verification

_URL = re.compile(r"\b(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>`'\")\]}]+", re.IGNORECASE)


def check_links(subject: Subject) -> Verification:
    """Hold each URL to the target's own address."""
    homes = subject.facts.homes
    foreign, found = [], 0
    for place, text in _list_texts(subject):
        for match in _URL.finditer(text):
            url = match[0].rstrip(".,;:!?")
            found += 1
            if not any(_is_below(url, home) for home in homes) and not _is_spoken_of(url, subject.entry):
                foreign.append(f"{place}: {url} leads elsewhere")
    if foreign:
        allowed = f"only pages below {homes[0]} may be linked" if homes else "this target has no pages to link to"
        return Verification("links", False, f"{'; '.join(dict.fromkeys(foreign))}; {allowed}")
    return Verification("links", True, "all lead to the target's own pages" if found else "none")


def _is_below(url: str, home: str) -> bool:
    return url == home or url.startswith(home if home.endswith("/") else f"{home}/")


def _is_spoken_of(url: str, entry: Entry) -> bool:
    """Tell whether the condition or the message itself is about an address."""
    message = entry.message.template if entry.message is not None else ""
    return url == entry.permalink or url in entry.guard.condition or url in message


def _list_texts(subject: Subject) -> Iterator[tuple[str, str]]:
    """Give the prose, and the comments of the snippets; a URL that is an option's value is none of ours."""
    yield from subject.texts
    note = subject.note
    codes = [("check", note.check.code)] if note.check else []
    codes += [("example", note.example.before), ("example", note.example.after)] if note.example else []
    for place, code in codes:
        yield place, "\n".join(line.partition("#")[2] for line in code.splitlines())
    if note.check:
        yield "check", "\n".join(re.findall(r'"""(.*?)"""', note.check.code, re.DOTALL))

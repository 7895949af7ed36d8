"""Does every URL of the note lead to the target's own pages?"""

import re
from collections.abc import Iterator

from catalog.notes.checking.subject import Subject
from catalog.records import Entry, Verification

_URL = re.compile(r"\b(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>`'\")\]}]+", re.IGNORECASE)
_RESERVED = ("localhost", ".example", ".test", "example.com", "example.net", "example.org", "0.0.0.0")


def check_links(subject: Subject) -> Verification:
    """Hold each URL to the target's own address."""
    homes = subject.facts.homes
    foreign, found = [], 0
    for place, text, has_values in _list_texts(subject):
        for match in _URL.finditer(text):
            url = match[0].rstrip(".,;:!?")
            found += 1
            if has_values and _is_at_home(url):
                continue
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


def _is_at_home(url: str) -> bool:
    """Tell whether an address is one that an example may have as a value: of this machine, or of nobody."""
    host = re.sub(r"^[a-z0-9+.-]*://(?:[^/@]*@)?|(?:[:/?#].*)$", "", url, flags=re.IGNORECASE).strip("[]").lower()
    return "." not in host or host.startswith("127.") or host.endswith(_RESERVED)


def _list_texts(subject: Subject) -> Iterator[tuple[str, str, bool]]:
    """Give the prose and the snippets, each with whether it may have addresses as values."""
    yield from ((place, text, False) for place, text in subject.texts)
    note = subject.note
    if note.check:
        yield "check", note.check.code, False
    if note.example:
        yield "example, before", note.example.before, True
        yield "example, after", note.example.after, True

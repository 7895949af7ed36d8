"""Which Markdown pages does a catalog make, and what stands on each?"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from catalog.families import FAMILIES
from catalog.markdown import escape, format_prose, link, span_code
from catalog.options import find_options
from catalog.publish.export.places import Places, find_places, gather_places, link_page, name_group
from catalog.publish.export.section import Reading, write_section
from catalog.publish.naming import name_version
from catalog.records import Catalog, Entry, Option
from catalog.terminal import plural


def write_document(catalog: Catalog, entries: Sequence[Entry]) -> str:
    """Write one page that holds everything, by file."""
    page = "index.md"
    reading = _read(catalog, entries, gather_places(entries))
    text = [f"# {_name(catalog)}\n\n{_describe(catalog, entries)}"]
    for path, members in groupby(entries, key=lambda entry: entry.site.path):
        text.append(f"## {span_code(path)}")
        text += (write_section(entry, reading, page) for entry in members)
    return "\n\n".join(text) + "\n"


def write_pages(catalog: Catalog, entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """Write a page a file, a class of options and a family, and those that lead to them."""
    places = find_places(entries, catalog.options)
    reading = _read(catalog, entries, places)
    by_file = {path: list(members) for path, members in groupby(entries, key=lambda entry: entry.site.path)}
    yield "index.md", _write_home(catalog, entries)
    yield "files/index.md", _write_files(by_file, places)
    for path, members in by_file.items():
        yield places.files[path], _write_file(path, members, reading)
    yield from _write_option_pages(catalog, entries, places)
    yield from _write_family_pages(entries, places)


def _read(catalog: Catalog, entries: Sequence[Entry], places: Places) -> Reading:
    titles = {entry.id: entry.title for entry in entries}
    notes = {note.entry: note for note in catalog.notes}
    return Reading(places, titles, notes, {option.id: option for option in catalog.options})


def _name(catalog: Catalog) -> str:
    name = " ".join(filter(None, (catalog.target.name, name_version(catalog.target))))
    return f"Errors of {escape(name.replace(chr(34), chr(39)))}"


def _describe(catalog: Catalog, entries: Sequence[Entry]) -> str:
    target = catalog.target
    files = len({entry.site.path for entry in entries})
    source = link(escape(target.repo or target.name), target.url)
    return f"{plural(len(entries), 'error')} in {plural(files, 'file')} of {source}."


def _write_home(catalog: Catalog, entries: Sequence[Entry]) -> str:
    links = ["[By file](files/index.md)", "[By option](options/index.md)", "[By family](families/index.md)"]
    return f"# {_name(catalog)}\n\n{_describe(catalog, entries)}\n\n" + "".join(f"- {each}\n" for each in links)


def _write_files(by_file: Mapping[str, Sequence[Entry]], places: Places) -> str:
    lines = [
        f"- [{span_code(path)}]({link_page(places.files[path], 'files/index.md')}): {plural(len(members), 'error')}\n"
        for path, members in by_file.items()
    ]
    return "# Errors by file\n\n" + ("".join(lines) or "There are none.\n")


def _write_file(path: str, members: Sequence[Entry], reading: Reading) -> str:
    page = reading.places.files[path]
    text = [_write_title(path)]
    for qualname, inside in groupby(members, key=lambda entry: entry.site.qualname):
        text.append(f"## {span_code(qualname)}")
        text += (write_section(entry, reading, page) for entry in inside)
    return "\n\n".join(text) + "\n"


def _write_option_pages(catalog: Catalog, entries: Sequence[Entry], places: Places) -> Iterator[tuple[str, str]]:
    home = "options/index.md"
    wanted = {entry.id for entry in entries}
    groups: dict[str, list[tuple[Option, list[Entry]]]] = {name: [] for name in places.groups}
    for answer in find_options(catalog, None):
        errors = [error.entry for error in answer.errors if error.entry.id in wanted]
        groups[name_group(answer.option)].append((answer.option, errors))
    lines = [
        f"- [{span_code(name)}]({link_page(places.groups[name], home)}): {plural(len(members), 'option')}, "
        f"{plural(len({entry.id for _, errors in members for entry in errors}), 'error')}\n"
        for name, members in groups.items()
    ]
    yield home, "# Errors by option\n\n" + ("".join(lines) or "There are none.\n")
    for name, members in groups.items():
        page = places.groups[name]
        sections = [_write_option(option, errors, places, page) for option, errors in members]
        yield page, f"{_write_title(name)}\n\n" + "\n\n".join(sections) + "\n"


def _write_option(option: Option, errors: Sequence[Entry], places: Places, page: str) -> str:
    facts = [f"{what} {span_code(value)}" for what, value in _list_facts(option)]
    text = [
        f"## {span_code(option.id)}",
        f"Declared at {span_code(f'{option.path}:{option.line}')}; {'; '.join(facts)}.",
    ]
    text += [format_prose(option.help)] if option.help and option.help.strip() else []
    text.append(_list_links(errors, places, page) or "It is part of no error here.")
    return "\n\n".join(text)


def _list_facts(option: Option) -> Iterator[tuple[str, str]]:
    yield "kind", option.kind
    yield from (("flag", flag) for flag in option.flags)
    if option.type:
        yield "type", option.type
    if option.default is not None:
        yield "default", option.default
    yield from (("choice", choice) for choice in option.choices)


def _write_family_pages(entries: Sequence[Entry], places: Places) -> Iterator[tuple[str, str]]:
    home = "families/index.md"
    families: dict[str, list[Entry]] = {name: [] for name in places.families}
    for entry in entries:
        families[entry.family].append(entry)
    lines = [
        f"- [{escape(name)}]({link_page(places.families[name], home)}): {plural(len(members), 'error')}\n"
        for name, members in families.items()
    ]
    yield home, "# Errors by family\n\n" + ("".join(lines) or "There are none.\n")
    for name, members in families.items():
        page = places.families[name]
        about = f"{escape(FAMILIES[name].capitalize())}.\n\n" if name in FAMILIES else ""
        yield page, f"{_write_title(name)}\n\n{about}{_list_links(members, places, page)}\n"


def _write_title(name: str) -> str:
    """Write the heading of a page; a theme of MkDocs puts it into an attribute as it is, quotes and all."""
    return f"# {span_code(name.replace(chr(34), chr(39)))}"


def _list_links(entries: Sequence[Entry], places: Places, page: str) -> str:
    return "\n".join(
        f"- {span_code(entry.exception.name)} [{escape(entry.title) or 'without a message'}]"
        f"({places.link_entry(entry.id, page)}) in {span_code(entry.site.qualname)}"
        for entry in entries
    )

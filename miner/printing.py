"""The parts of a message → one line of text: its template, its skeleton."""

from collections.abc import Iterable, Iterator

from catalog.records import Hole, Part, Text


def write_template(parts: Iterable[Part]) -> str:
    """Write parts as the body of an f-string: holes as the source has them, fixed braces doubled."""
    return "".join(_write_part(part) for part in parts)


def _write_part(part: Part) -> str:
    if isinstance(part, Text):
        return part.text.replace("{", "{{").replace("}", "}}")
    assert isinstance(part, Hole)
    conversion = f"!{part.conversion}" if part.conversion else ""
    spec = f":{part.format}" if part.format is not None else ""
    return f"{{{part.expr}{'=' if part.self_documenting else ''}{conversion}{spec}}}"


def write_skeleton(parts: Iterable[Part]) -> str:
    """Write parts with `{}` for every hole; a self-documenting one keeps its name and `=`, which are fixed text."""
    return "".join(_write_bare_part(part) for part in parts)


def _write_bare_part(part: Part) -> str:
    if isinstance(part, Text):
        return part.text
    assert isinstance(part, Hole)
    return f"{part.expr}={{}}" if part.self_documenting else "{}"


def read_holes(parts: Iterable[Part]) -> Iterator[str]:
    """Give the expressions of the holes."""
    return (part.expr.strip() for part in parts if isinstance(part, Hole))

"""What text functions like `dedent` and `strip` make of a message that has holes."""

from catalog.records import Hole, Part, Text


def reshape(name: str, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Apply a text function around the holes, each held by a character that no source can contain."""
    holes = [part for part in parts if isinstance(part, Hole)]
    joined = "".join(part.text if isinstance(part, Text) else "\0" for part in parts)
    pieces = iter(_apply(name, joined).split("\0"))
    rebuilt: list[Part] = list(_hold(next(pieces)))
    for hole, piece in zip(holes, pieces, strict=False):
        rebuilt.append(hole)
        rebuilt.extend(_hold(piece))
    return tuple(rebuilt)


def _apply(name: str, text: str) -> str:
    import inspect
    import textwrap

    if name == "dedent":
        return textwrap.dedent(text)
    if name == "cleandoc":
        return inspect.cleandoc(text)
    return str(getattr(text, name)())


def _hold(text: str) -> tuple[Part, ...]:
    return (Text(text),) if text else ()

"""Can a hole have been filled with this?

Most holes take anything. Of some the expression tells what the interpreter prints: the module's own name, a class, a
count.
"""

import re

from catalog.explain.squeeze import squeeze_name
from catalog.records import Hole, Site

_CLASS = re.compile(r"type\([^()]*\)|[\w.]+\.__class__")
_COUNT = re.compile(r"len\([^()]*\)|int\([^()]*\)")
_WHOLE = re.compile(r"[-+]?[\d,]+")
_NUMERIC = "dfFeEgGn%"


def names_home(hole: Hole, squeezed: str, site: Site) -> bool | None:
    """Tell whether a squeezed value is the module that the entry stands in; None for a hole that needn't be."""
    if hole.expr not in ("__name__", "__package__"):
        return None
    package = site.module.rpartition(".")[0]
    return squeezed in {squeeze_name(site.module), *([squeeze_name(package)] if hole.expr == "__package__" else [])}


def fits_hole(hole: Hole, squeezed: str) -> bool:
    """Tell whether a squeezed value may be what the hole's expression prints."""
    if hole.format is not None:
        return hole.format[-1:] not in _NUMERIC or any(letter.isdigit() or letter in "ni" for letter in squeezed)
    if _CLASS.fullmatch(hole.expr):
        return squeezed.startswith("<")
    return not _COUNT.fullmatch(hole.expr) or bool(_WHOLE.fullmatch(squeezed))

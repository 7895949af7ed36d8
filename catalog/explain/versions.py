"""Of which version of a library does a log speak?"""

import re

import re2

from catalog.explain.stored import IndexedCatalog
from catalog.records import Target

_NUMBER = re.compile(r"\d+")

_VERSION = r"v?(\d{1,4}\.\d{1,4}(?:\.\d{1,4})?(?:(?:\.|-)?(?:post|rc|dev|a|b)\d{1,4})?)(?:\+[\w.]+)?"


def find_version(log: str, name: str) -> str | None:
    """Give the version that a log names for a library: in a path, a banner, a list of packages."""
    spelt = re2.escape(name).replace("\\-", "[-_.]")
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    for pattern in (
        rf"/{spelt}-{_VERSION}(?:-py\d[\d.]*)?(?:[-\w.]*\.egg|\.dist-info|[-\w.]*\.egg-info|/)",
        rf"\b{spelt}\s*==\s*{_VERSION}",
        rf"\b{spelt}(?: api)?(?: server)? version:?\s*(?:is )?{_VERSION}\b",
        rf"\b{spelt}[/ @]\(?{_VERSION}\)?(?:\s|$|[,;:)])",
        rf"\bllm engine \({_VERSION}\)" if name == "vllm" else None,
        rf"Name: {spelt}\s+Version: {_VERSION}",
    ):
        found = re2.compile(pattern, options).search(log) if pattern else None
        if found:
            return str(found.group(1))
    return None


def name_version(target: Target) -> str | None:
    """Give the version that a catalog is of, as people write it."""
    if target.release:
        return target.release
    if target.ref and any(letter.isdigit() for letter in target.ref):
        return target.ref.removeprefix("v")
    return target.commit[:12] if target.commit else target.ref


def is_same_version(logged: str, target: Target) -> bool:
    """Tell whether a catalog is of the version a log names; a catalog without a version might be."""
    known = name_version(target)
    if known is None or not known[:1].isdigit() or "." not in known:
        return True
    return logged == known or known.startswith(f"{logged}.") or logged.startswith(f"{known}.")


def order_version(catalog: IndexedCatalog) -> tuple[list[int], str]:
    """Give what puts the versions of one target in order."""
    version = name_version(catalog.target) or ""
    numbers = [int(number) for number in _NUMBER.findall(version)] if "." in version else []
    return numbers, catalog.target.committed or ""

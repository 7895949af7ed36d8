"""What is a catalog called, and what says of which version it is?"""

import re

from catalog.records import Target


def describe_target(target: Target) -> dict[str, str | None]:
    """Give what says which source an entry is from."""
    return {"name": target.name, "release": target.release, "ref": target.ref, "commit": target.commit}


def name_version(target: Target) -> str | None:
    """Name the version for people: a release, a tag, the start of a commit."""
    return target.release or target.ref or (target.commit[:12] if target.commit else None)


def name_file(target: Target) -> str:
    """Name a file for what is exported of a target: `vllm-0.28.0`. A target's own words never lead elsewhere."""
    words = (target.name, target.release or (target.commit or "")[:12])
    named = "-".join(filter(None, (re.sub(r"[^\w.+-]+", "-", word, flags=re.ASCII).strip(".-") for word in words)))
    return named[:100] or "catalog"


def order_version(target: Target) -> tuple[list[int], str]:
    """Give what puts the versions of one target in order: the numbers of a release or tag, then the commit's time."""
    named = target.release or target.ref or ""
    numbers = [int(number) for number in re.findall(r"\d+", named, re.ASCII)] if re.search(r"\d", named) else []
    return numbers, target.committed or ""

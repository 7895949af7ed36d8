"""Where does a user set an option: on the command line, in the environment, or as a key inside another's value?"""

from dataclasses import dataclass

from catalog.notes.facts import Facts
from catalog.records import Option

_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Place:
    """An option, and the way to it from what a user writes."""

    option: Option
    flag: str | None
    """`--speculative-config`; None for an environment variable, and for a field that no flag sets."""
    keys: tuple[str, ...]
    """The way inside the flag's value: `("pass_config", "fuse_norm")`; empty when the flag sets the option itself."""

    @property
    def name(self) -> str:
        """What a user calls it: the flag or variable itself, else the key or field."""
        if self.keys:
            return ".".join(self.keys)
        return self.flag or self.option.name


def find_place(option: Option, facts: Facts, source_name: str = "") -> Place:
    """Find where an option is set, following the options that hold an object of its class.

    When several hold one, the source's name for the option (`self.graphs.prefill.size`) tells which is meant.
    """
    if not option.flags:
        return Place(option, None, ())
    found = _find_keys(option, facts, source_name.split("."), _DEEPEST)
    return Place(option, *found) if found is not None else Place(option, option.flags[0], ())


def find_key_place(option: Option, facts: Facts) -> Place | None:
    """Find where an option with a flag of its own is also set: as a key of another's value."""
    found = _find_keys(option, facts, [], _DEEPEST, even_own=True)
    return Place(option, *found) if found is not None else None


def _find_keys(
    option: Option, facts: Facts, spoken: list[str], depth: int, *, even_own: bool = False
) -> tuple[str, tuple[str, ...]] | None:
    """Give the flag and the way to an option inside its value; None when nothing with such a flag holds the option."""
    if depth == 0 or option.kind != "field" or (_is_own(option) and not even_own):
        return None
    holders = facts.holders.get(option.id.rpartition(".")[0].rpartition(".")[2], ())
    for holder in sorted(holders, key=lambda holder: holder.name not in spoken):
        shared = next((flag for flag in holder.flags if flag in option.flags), None)
        if holder is option or shared is None:
            continue
        if _is_own(holder):
            return shared, (option.name,)
        outer = _find_keys(holder, facts, spoken, depth - 1)
        if outer is not None:
            return outer[0], (*outer[1], option.name)
    return None


def is_denial(flag: str, option: Option) -> bool:
    """Tell whether a flag switches off what the option is named for: `--no-cache` and `--disable-cache` of `cache`."""
    named, own = flag.lstrip("-").replace("-", "_"), option.name.lstrip("-").replace("-", "_")
    for on, off in (
        ("enable_", "disable_"),
        ("disable_", "enable_"),
        ("use_", "no_use_"),
        ("", "no_"),
        ("", "disable_"),
    ):
        if own.startswith(on) and named == off + own.removeprefix(on):
            return True
    return False


def _is_own(option: Option) -> bool:
    """Tell whether a flag of an option is spelled as its name is."""
    return any(flag.lstrip("-").replace("-", "_") == option.name for flag in option.flags)

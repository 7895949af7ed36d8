"""Which package indexes the user's pip is configured for, and how it reaches them."""

import configparser
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from catalog.errors import SourceError

_SECTIONS = ("global", "install", "download")
_TRUE = frozenset({"1", "yes", "true", "on", "y", "t"})


@dataclass(frozen=True, slots=True)
class PipSettings:
    """What pip would go by."""

    index: str | None = None
    """`None`: the default one."""
    extra_indexes: tuple[str, ...] = ()
    find_links: tuple[str, ...] = ()
    use_index: bool = True
    trusted_hosts: tuple[str, ...] = ()
    certificates: Path | None = None
    client_certificate: Path | None = None
    proxy: str | None = None
    timeout: float = 15.0


def read_pip_settings(environment: Mapping[str, str]) -> PipSettings:
    """Read pip's settings: files from the most general to the most particular, then `PIP_…` variables."""
    values: dict[str, str] = {}
    files = [] if environment.get("PIP_CONFIG_FILE") == os.devnull else list(_list_files(environment))
    read = [_read_file(file) for file in files]
    for section in _SECTIONS:
        for content in read:
            values |= content.get(section, {})
    for name, value in environment.items():
        if name.startswith("PIP_") and value:
            values[_normalize(name[4:])] = value
    certificates = values.get("cert") or environment.get("REQUESTS_CA_BUNDLE") or environment.get("SSL_CERT_FILE")
    client = values.get("client-cert")
    return PipSettings(
        index=values.get("index-url") or values.get("pypi-url"),
        extra_indexes=tuple(values.get("extra-index-url", "").split()),
        find_links=tuple(os.path.expanduser(link) for link in values.get("find-links", "").split()),  # noqa: PTH111
        use_index=values.get("no-index", "").lower() not in _TRUE,
        trusted_hosts=tuple(values.get("trusted-host", "").split()),
        certificates=Path(certificates).expanduser() if certificates else None,
        client_certificate=Path(client).expanduser() if client else None,
        proxy=values.get("proxy") or None,
        timeout=_read_seconds(values.get("timeout") or values.get("default-timeout")),
    )


def _list_files(environment: Mapping[str, str]) -> Iterator[Path]:
    """List pip's files in the order in which later ones win."""
    name = "pip.ini" if sys.platform == "win32" else "pip.conf"
    own = environment.get("PIP_CONFIG_FILE")
    shared = platformdirs.site_config_dir("pip", appauthor=False, multipath=True).split(os.pathsep)
    yield from (Path(folder) / name for folder in reversed(shared))
    if sys.platform not in ("win32", "darwin"):
        yield Path("/etc") / name
    if not (own and Path(own).exists()):
        home = Path("~").expanduser()
        yield home / ("pip" if sys.platform == "win32" else ".pip") / name
        folder = Path(platformdirs.user_config_dir("pip", appauthor=False, roaming=True))
        yield (folder if folder.is_dir() or sys.platform != "darwin" else home / ".config" / "pip") / name
    yield Path(sys.prefix) / name
    if own:
        yield Path(own)


def _read_file(file: Path) -> dict[str, dict[str, str]]:
    parser = configparser.RawConfigParser()
    try:
        parser.read(file, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError) as error:
        raise SourceError(f"pip's settings in {file} can't be read: {' '.join(str(error).split())}") from error
    return {
        section: {_normalize(name): value for name, value in parser.items(section) if value}
        for section in parser.sections()
    }


def _normalize(name: str) -> str:
    return name.lower().replace("_", "-").removeprefix("--")


def _read_seconds(text: str | None) -> float:
    try:
        return max(1.0, float(text)) if text else 15.0
    except ValueError:
        return 15.0

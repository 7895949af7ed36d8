"""Which archive of a release the package index has, and where it is kept once it was fetched and checked."""

import bisect
import contextlib
import functools
import hashlib
import json
import logging
import os
import ssl
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import httpx2
from packaging.utils import InvalidWheelFilename, canonicalize_version, parse_wheel_filename
from packaging.version import InvalidVersion, Version
from unearth import Link, Package, PackageFinder
from unearth.auth import MultiDomainBasicAuth
from unearth.fetchers import Fetcher, PyPIClient

from catalog.errors import SourceError
from miner.sources import Origin
from miner.sources.address import redact
from miner.sources.archive import ArchiveTree, open_archive
from miner.sources.cachefolder import lock, name_place, write_whole
from miner.sources.pipsettings import PipSettings, read_pip_settings

_MAX_DOWNLOAD = 4 << 30
_SOURCE_KINDS = (".tar.gz", ".tgz", ".zip", ".tar.bz2", ".tar")
_DIGESTS = ("sha512", "sha384", "sha256", "sha224", "sha1", "md5")


@dataclass(frozen=True, slots=True)
class Fetched:
    """An archive on this machine whose digest was checked."""

    file: Path
    version: str
    sha256: str
    notes: tuple[str, ...] = ()


def open_release(name: str, version: str, cache: Path, environment: Mapping[str, str] = os.environ) -> ArchiveTree:
    """Open a release's source archive, or a wheel where there is none, from the index that pip is configured for.

    What was fetched once is kept by digest and used again without asking the index.
    """
    try:
        wanted = Version(version)
    except InvalidVersion as error:
        raise SourceError(f"{version!r} is no version; write name==version: {name}==1.2.3") from error
    settings = read_pip_settings(environment)
    key = "\n".join((name, str(settings.index), *settings.extra_indexes, *settings.find_links))
    place = name_place(cache, "releases", name, key)
    fetched = _find_kept(place, wanted)
    if fetched is None:
        with _client(settings) as client, lock(place):
            fetched = _find_kept(place, wanted) or _fetch(client, settings, name, wanted, place)
    return open_archive(fetched.file, Origin(release=fetched.version), notes=fetched.notes)


def list_releases(name: str, environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """List the versions of a project on the index that can be read here, those that were yanked left out."""
    settings = read_pip_settings(environment)
    with _client(settings) as client:
        found, troubles = _ask_index(client, settings, name, allow_yanked=False)
    versions = {package.version for package in found if package.version and _is_readable(package.link)}
    if not versions and troubles:
        raise SourceError(f"the package index can't be asked for {name} ({redact('; '.join(troubles))[:300]})")
    return tuple(sorted(versions))


def _fetch(client: PyPIClient, settings: PipSettings, name: str, wanted: Version, place: Path) -> Fetched:
    packages = _find_packages(client, settings, name, wanted)
    best = min(packages, key=_rank)
    link = best.link
    label = f"{name}=={wanted} ({link.filename})"
    digests = {kind: values[0].lower() for kind, values in (link.hash_option or {}).items() if values}
    notes = () if digests else (f"the index gives no digest for {link.filename}: it could not be verified",)
    version = str(Version(best.version or str(wanted)))
    if link.is_file:
        return Fetched(link.file_path, version, _check_digests(link.file_path, digests, label), notes)
    kept = _download(client, link, place, digests, label)
    pin = {"file": link.filename, "sha256": kept.parent.name, "version": version, "notes": notes}
    write_whole(_name_pin(place, wanted), json.dumps(pin, sort_keys=True).encode())
    return Fetched(kept, version, kept.parent.name, notes)


def _find_packages(client: PyPIClient, settings: PipSettings, name: str, wanted: Version) -> list[Package]:
    """Find the release's readable archives; say which versions are near if there is no such version."""
    found, troubles = _ask_index(client, settings, name, allow_yanked=True)
    exact = [package for package in found if Version(package.version or "0") == wanted]
    exact = exact or [each for each in found if Version(each.version or "0").public == str(wanted)]
    readable = [package for package in exact if _is_readable(package.link)]
    if readable:
        return readable
    if exact:
        raise SourceError(f"{name}=={wanted} has neither a source archive nor a wheel, only {exact[0].link.filename}")
    if troubles:
        told = redact("; ".join(dict.fromkeys(troubles)))[:300]
        raise SourceError(f"the package index can't be asked for {name} ({told}); check the network and pip's settings")
    if found:
        near = ", ".join(_find_near({Version(each.version or "0") for each in found}, wanted))
        raise SourceError(f"the package index has no {name}=={wanted}; near it are {near}")
    raise SourceError(f"the package index has no {name}; check the name, and pip's index settings (`pip config list`)")


def _ask_index(
    client: PyPIClient, settings: PipSettings, name: str, allow_yanked: bool
) -> tuple[list[Package], list[str]]:
    """Ask every place for what it has of a project, and keep what went wrong on the way."""
    found: list[Package] = []
    troubles: list[str] = []
    for finder in _make_finders(client, settings):
        try:
            with _listening() as told:
                found += finder.find_all_packages(name, allow_yanked=allow_yanked)
            troubles += (line for line in told if "Client Error(404)" not in line)
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, OSError) as error:
            troubles.append(f"{redact(finder.sources[0]['url'])}: {error or type(error).__name__}")
    return found, troubles


def _find_near(versions: set[Version], wanted: Version) -> list[str]:
    known = sorted(versions)
    place = bisect.bisect(known, wanted)
    return [str(version) for version in known[max(0, place - 3) : place + 3]]


def _is_readable(link: Link) -> bool:
    return link.is_wheel or link.filename.endswith(_SOURCE_KINDS)


def _rank(package: Package) -> tuple[int, int, int, str]:
    """Order archives, best first: source, then a wheel for any platform, then one for Linux; never by this machine."""
    filename = package.link.filename
    if not package.link.is_wheel:
        kinds = [number for number, kind in enumerate(_SOURCE_KINDS) if filename.endswith(kind)]
        return (0, min(kinds, default=len(_SOURCE_KINDS)), 0, filename)
    try:
        tags = parse_wheel_filename(filename)[3]
    except InvalidWheelFilename:
        return (3, 0, 0, filename)
    is_pure = any(tag.platform == "any" for tag in tags)
    is_linux = any("linux" in tag.platform and tag.platform.endswith("x86_64") for tag in tags)
    newest = max(int("".join(filter(str.isdigit, tag.interpreter)) or 0) for tag in tags)
    return (1 if is_pure else 2, 0 if is_linux else 1, -newest, filename)


def _make_finders(client: PyPIClient, settings: PipSettings) -> Iterator[PackageFinder]:
    """Make a finder for each place, so that one that fails doesn't hide what another has."""
    make = functools.partial(
        PackageFinder, cast(Fetcher, client), ignore_compatibility=True, trusted_hosts=settings.trusted_hosts
    )
    if settings.use_index:
        yield make(index_urls=[settings.index] if settings.index else [])
        for url in settings.extra_indexes:
            yield make(index_urls=[url])
    for link in settings.find_links:
        yield make(find_links=[link])


@contextlib.contextmanager
def _client(settings: PipSettings) -> Iterator[PyPIClient]:
    try:
        context = _make_context(settings)
        with PyPIClient(
            trusted_hosts=settings.trusted_hosts,
            verify=True if context is None else context,
            timeout=settings.timeout,
            proxy=settings.proxy,
            follow_redirects=True,
        ) as client:
            urls = [url for url in (settings.index, *settings.extra_indexes) if url]
            client.auth = MultiDomainBasicAuth(prompting=False, index_urls=urls)
            yield client
    except (ssl.SSLError, FileNotFoundError, PermissionError) as error:
        raise SourceError(f"the certificates that pip is told to use can't be read: {error}") from error


def _make_context(settings: PipSettings) -> ssl.SSLContext | None:
    if settings.certificates is None and settings.client_certificate is None:
        return None
    own = settings.certificates
    if own is None:
        context = ssl.create_default_context()
    elif own.is_dir():
        context = ssl.create_default_context(capath=str(own))
    else:
        context = ssl.create_default_context(cafile=str(own))
    if settings.client_certificate is not None:
        context.load_cert_chain(settings.client_certificate)
    return context


def _download(client: PyPIClient, link: Link, place: Path, digests: Mapping[str, str], label: str) -> Path:
    """Fetch an archive into a file of its own; it gets its name only when its digest is right."""
    number, part = tempfile.mkstemp(prefix=".part-", dir=place)
    try:
        with os.fdopen(number, "wb") as file, client.get_stream(link.normalized) as response:
            if response.status_code >= 400:
                raise SourceError(f"{label}: the index answers {response.status_code} {response.reason_phrase}")
            for chunk in response.iter_bytes():
                file.write(chunk)
                if file.tell() > _MAX_DOWNLOAD:
                    raise SourceError(f"{label} is larger than {_MAX_DOWNLOAD >> 30} GiB")
        digest = _check_digests(Path(part), digests, label)
        kept = place / digest / link.filename
        kept.parent.mkdir(exist_ok=True)
        Path(part).replace(kept)
    except httpx2.HTTPError as error:
        raise SourceError(f"{label} can't be fetched: {redact(str(error)) or type(error).__name__}") from error
    except OSError as error:
        raise SourceError(f"{label} can't be kept in the cache: {error.strerror or error}") from error
    finally:
        Path(part).unlink(missing_ok=True)
    return kept


def _check_digests(file: Path, digests: Mapping[str, str], label: str) -> str:
    """Compare a file with what the index says of it, and give its sha256."""
    kinds = [kind for kind in _DIGESTS if kind in digests][:1]
    hashes = {kind: hashlib.new(kind) for kind in {*kinds, "sha256"}}
    try:
        with file.open("rb") as stream:
            while chunk := stream.read(1 << 20):
                for each in hashes.values():
                    each.update(chunk)
    except OSError as error:
        raise SourceError(f"{label} can't be read: {error.strerror}") from error
    for kind in kinds:
        got = hashes[kind].hexdigest()
        if got != digests[kind]:
            raise SourceError(
                f"{label}: the index promises {kind} {digests[kind][:16]}…, and the file has {got[:16]}…:"
                " it was changed on the way; try again, or tell the index"
            )
    return hashes["sha256"].hexdigest()


def _find_kept(place: Path, wanted: Version) -> Fetched | None:
    """Find a release that was fetched before, if its file is still what it was."""
    try:
        pin = json.loads(_name_pin(place, wanted).read_text(encoding="utf-8"))
        file = place / pin["sha256"] / Path(pin["file"]).name
        if not file.is_file() or _check_digests(file, {"sha256": pin["sha256"]}, file.name) != pin["sha256"]:
            return None
        return Fetched(file, pin["version"], pin["sha256"], tuple(pin["notes"]))
    except (OSError, ValueError, KeyError, TypeError, SourceError):
        return None


def _name_pin(place: Path, wanted: Version) -> Path:
    return place / f"{canonicalize_version(wanted)}.json"


@contextlib.contextmanager
def _listening() -> Iterator[Sequence[str]]:
    """Collect what the finder would only log: an index that refuses is no index that lacks the project."""
    told: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.append(record.getMessage())

    logger, listener = logging.getLogger("unearth"), Listener(logging.WARNING)
    logger.addHandler(listener)
    try:
        yield told
    finally:
        logger.removeHandler(listener)

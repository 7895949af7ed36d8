"""What a git address says: whether git may be given it, which forge it is on, and how it is shown."""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from catalog.errors import SourceError

_SCHEMES = ("https", "http", "ssh", "git", "file")
_SLUG = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")
_SCP = re.compile(r"(?:(?P<user>[A-Za-z0-9_.-]+)@)?(?P<host>[A-Za-z0-9.-]+):(?P<path>[^:].*)")
_CONTROL = re.compile(r"[\x00-\x20\x7f]")
_SHA = re.compile(r"[0-9a-f]{4,40}")
_BAD_REF = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/\.|\.lock(/|$)|^[-/.]|[/.]$|^@$")
_BLOBS = {
    "github.com": "/blob/{commit}/{path}#L{line}",
    "gitlab.com": "/-/blob/{commit}/{path}#L{line}",
    "bitbucket.org": "/src/{commit}/{path}#lines-{line}",
    "codeberg.org": "/src/commit/{commit}/{path}#L{line}",
}
"""Forges, and where each shows a line of a file."""
FORGES = tuple(f"{host}/" for host in _BLOBS)


@dataclass(frozen=True, slots=True)
class Address:
    """A git address that was looked at before git sees it."""

    url: str
    """What git is given: without a password or token."""
    secret: str | None
    """The same with its credentials, where it had any: never stored or shown."""
    public: str | None
    """What a catalog may say: the `https` form on a forge, and never a path of this machine."""
    repo: str | None
    """`owner/name` on a forge."""
    name: str
    """`vllm`: the last part of the path."""


def parse_address(text: str) -> Address:
    """Read a git URL, refusing what would make git run something or read an option."""
    shown = redact(text)
    if _CONTROL.search(text) or text.startswith("-"):
        raise SourceError(f"{shown!r} is no git address; try https://host/owner/repo")
    plain = text.removeprefix("git+")
    if "::" in plain.partition("://")[0]:
        raise SourceError(f"{shown}: git's remote helpers are not allowed; try an https, ssh, git or file URL")
    if "://" not in plain:
        return _parse_scp(plain)
    try:
        parts = urlsplit(plain)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise SourceError(f"{shown} is no URL: {error}") from error
    scheme = parts.scheme.lower()
    if scheme not in _SCHEMES:
        raise SourceError(f"{shown}: scheme {scheme!r} is not one of {', '.join(_SCHEMES)}")
    if host.startswith("-") or (parts.username or "").startswith("-") or (scheme != "file" and not host):
        raise SourceError(f"{shown} names no host that git may be given")
    if not parts.path.strip("/"):
        raise SourceError(f"{shown} names no repository; try https://{host or 'host'}/owner/repo")
    if parts.path.startswith("/-"):
        raise SourceError(f"{shown}: a repository's path can't start with '-'")
    bare = f"[{host}]" if ":" in host else host
    netloc = f"{bare}:{port}" if port else bare
    if scheme == "ssh" and parts.username:
        netloc = f"{parts.username}@{netloc}"
    url = urlunsplit((scheme, netloc, parts.path, parts.query, ""))
    has_secret = scheme in ("https", "http") and parts.username is not None
    secret = urlunsplit((scheme, parts.netloc, parts.path, parts.query, "")) if has_secret else None
    return _describe(url, secret, scheme, host, parts.path)


def _parse_scp(text: str) -> Address:
    """Read `user@host:owner/repo`, git's short form of an ssh URL."""
    match = _SCP.fullmatch(text)
    if match is None or match["path"].startswith("-") or match["host"].startswith("-"):
        raise SourceError(f"{redact(text)} is no git address; try https://host/owner/repo")
    return _describe(text, None, "ssh", match["host"], match["path"])


def _describe(url: str, secret: str | None, scheme: str, host: str, path: str) -> Address:
    inner = unquote(path).strip("/").removesuffix(".git")
    forge = next((forge for forge in _BLOBS if host.lower() in (forge, f"www.{forge}")), None)
    on_forge = forge is not None and "/" in inner
    public = None if scheme == "file" else f"https://{forge}/{inner}" if on_forge else _without_user(url)
    return Address(
        url=url,
        secret=secret,
        public=public,
        repo=inner if on_forge else None,
        name=make_name(inner.rpartition("/")[2]),
    )


def _without_user(url: str) -> str:
    return re.sub(r"^(\w+://)[^/@]*@", r"\1", url) if "://" in url else url.rpartition("@")[2]


def forge_address(slug: str) -> Address:
    """Give the address of `owner/repo` on GitHub."""
    return parse_address(f"https://github.com/{slug}")


def is_slug(text: str) -> bool:
    """Tell whether a text is `owner/repo`."""
    return _SLUG.fullmatch(text) is not None and not any(part.strip(".") == "" for part in text.split("/"))


def is_address(text: str) -> bool:
    """Tell whether a text means a git address rather than a name or a folder."""
    return "://" in text or "::" in text or (_SCP.fullmatch(text) is not None and "/" not in text.partition(":")[0])


def check_commit(text: str) -> str:
    """Give a commit's sha in lower case, full or short; raise `SourceError` for anything else."""
    sha = text.strip().lower()
    if not _SHA.fullmatch(sha):
        raise SourceError(f"{text!r} is no commit: give 4 to 40 hex digits, or a tag or branch with --ref")
    return sha


def check_ref(text: str) -> str:
    """Give a tag's or branch's name if git could have one like it; raise `SourceError` otherwise."""
    if not text or _BAD_REF.search(text):
        raise SourceError(f"{text!r} is no name of a tag or branch")
    return text


def redact(text: str) -> str:
    """Take credentials out of whatever URLs a text holds."""
    return re.sub(r"(\w+://)[^\s/@]+@", r"\1***@", text)


def make_name(text: str) -> str:
    """Make a project's name that is safe as a file name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.") or "target"


def permalink(url: str | None, commit: str | None, path: str, line: int) -> str | None:
    """Give the forge's page of a line at a commit; `None` where no forge is known."""
    if url is None or commit is None or "\\x" in path:
        return None
    forge = urlsplit(url).hostname or ""
    form = _BLOBS.get(forge)
    return None if form is None else url + form.format(commit=commit, path=quote(path), line=line)

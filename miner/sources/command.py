"""How git is run so that it never prompts, never obeys a target's settings, and fails with one clear line."""

import contextlib
import os
import re
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from catalog.errors import SourceError
from miner.sources.address import redact

_KEPT = re.compile(
    r"GIT_(SSL_\w+|SSH|SSH_COMMAND|SSH_VARIANT|PROXY_\w+|HTTP_\w+|EXEC_PATH|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT)"
    r"|CONFIG_(KEY|VALUE)_\d+)"
)
"""The user's own settings of git; what a surrounding git left behind (`GIT_DIR`, `GIT_INDEX_FILE`) is dropped."""
_SETTINGS = {
    "core.fsmonitor": "",
    "core.hooksPath": os.devnull,
    "core.untrackedCache": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "fetch.writeCommitGraph": "false",
    "fetch.recurseSubmodules": "false",
    "submodule.recurse": "false",
    "fetch.unpackLimit": "1",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "60",
    "advice.detachedHead": "false",
}
_UNREACHABLE = re.compile(
    r"could not resolve host|could not resolve hostname|failed to connect|couldn't connect|connection refused"
    r"|connection timed out|operation timed out|unable to connect|network is unreachable|no route to host"
    r"|could not connect|connection reset|name or service not known|unable to look up|operation too slow"
    r"|temporary failure in name resolution|empty reply from server|timed out",
    re.IGNORECASE,
)
_AUTH = re.compile(
    r"could not read (username|password)|authentication failed|terminal prompts disabled|permission denied \(|"
    r"host key verification failed|returned error: 40[13]|access denied",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    r"repository .*not found|does not appear to be a git repository|returned error: 404|no such repository"
    r"|access denied or repository not exported|service not enabled",
    re.IGNORECASE,
)


class GitError(SourceError):
    """Git refused or failed: the message is git's own, on one line and without credentials."""


class UnreachableError(GitError):
    """The server can't be reached at all."""


class DeniedError(GitError):
    """There is no such repository for this user: asking in another form won't help."""


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs git on one repository of errmine's own (its git folder)."""

    directory: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    """More settings, as environment: never on a command line that others can list."""
    variables: Mapping[str, str] = field(default_factory=dict)
    inherit: tuple[int, ...] = ()
    """File descriptors that git keeps open: a lock lasts until git itself has ended."""

    def run(self, *arguments: str, lines: Sequence[str] = (), timeout: float | None = None) -> bytes:
        """Run git with these lines on its standard input and give its output; raise `GitError` if it fails."""
        text = "".join(f"{line}\n" for line in lines).encode()
        process = self._start(arguments)
        with _ending(process):
            try:
                output, errors = process.communicate(text, timeout=timeout)
            except subprocess.TimeoutExpired as error:
                raise UnreachableError(f"git {arguments[0]}: no answer within {timeout:g} seconds") from error
        if process.returncode != 0:
            raise _explain(arguments[0], errors.decode(errors="replace"), process.returncode)
        return output

    @contextlib.contextmanager
    def talk(self, *arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
        """Start git and talk to it over its pipes; it is ended on leaving."""
        process = self._start(arguments, errors=subprocess.DEVNULL)
        with _ending(process):
            yield process

    def _start(self, arguments: Sequence[str], errors: int = subprocess.PIPE) -> "subprocess.Popen[bytes]":
        options = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        try:
            return subprocess.Popen(
                ["git", "--no-pager", "--no-replace-objects", *options, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=self.directory,
                env=self._make_environment(),
                pass_fds=self.inherit,
                start_new_session=True,
            )
        except FileNotFoundError as error:
            raise SourceError("git is not installed: install it, or scan a release (name==version)") from error

    def _make_environment(self) -> dict[str, str]:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith("GIT_") or _KEPT.fullmatch(name)
        }
        count = int(kept.get("GIT_CONFIG_COUNT") or 0)
        for number, (name, value) in enumerate(self.settings.items(), start=count):
            kept |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
        return (
            kept
            | {"GIT_CONFIG_COUNT": str(count + len(self.settings)), "GIT_DIR": str(self.directory)}
            | {"GIT_ALLOW_PROTOCOL": "https:http:ssh:git:file", "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": ""}
            | {"SSH_ASKPASS_REQUIRE": "never", "GCM_INTERACTIVE": "never", "GIT_OPTIONAL_LOCKS": "0"}
            | {"GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C", "LANGUAGE": "C"}
            | dict(self.variables)
        )


@contextlib.contextmanager
def _ending(process: "subprocess.Popen[bytes]") -> Iterator[None]:
    """End git and all it started, whatever happens (it has its own session, so Ctrl-C doesn't reach it)."""
    try:
        yield
    finally:
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        process.wait()


def _explain(command: str, errors: str, code: int) -> GitError:
    """Turn what git wrote into the error that fits, on one line."""
    told = [_make_printable(redact(line.strip())) for line in errors.splitlines() if line.strip()]
    important = [line for line in told if line.startswith(("fatal:", "error:", "remote:", "ERROR:", "ssh:"))] or told[
        -2:
    ]
    text = "; ".join(dict.fromkeys(important))[:400] or f"git {command} ended with code {code}"
    if _ABSENT.search(errors):
        return DeniedError(f"no repository there, or it is private ({text})")
    if _AUTH.search(errors):
        return DeniedError(
            f"the server wants credentials, and errmine never asks for them ({text}); let git's credential helper or an"
            " ssh key have them"
        )
    if _UNREACHABLE.search(errors):
        return UnreachableError(f"the server can't be reached ({text})")
    return GitError(text)


def _make_printable(text: str) -> str:
    """Escape what a server could say to a terminal rather than to its reader."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)

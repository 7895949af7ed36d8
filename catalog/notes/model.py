"""How a model is asked over the network: one request, one reply. The only module that speaks to a model's server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from catalog.errors import NoteError

if TYPE_CHECKING:
    import openai

KEY = "OPENAI_API_KEY"
"""The environment variable that holds the key; it is never written anywhere."""
_RETRIES = 6
_TIMEOUT = 600.0
_AGAIN = "what was answered is kept: run the same command again to go on"


class Reply(msgspec.Struct, frozen=True):
    """What came back and was paid for."""

    text: str
    complaint: str
    """Why the text is no whole answer: `it was cut off`; empty when it is one."""
    date: str
    """The day it came: `2026-12-01`."""
    tokens: int = 0
    """What the server counted, both ways."""


class RejectedError(Exception):
    """The server won't take this one request; the next may be fine."""


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    total_tokens: int = 0


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which model is asked, and where."""

    name: str
    base_url: str | None
    """`http://localhost:8000/v1`; the client's own default when `None`."""


class Model:
    """A model behind a chat-completions server; safe to use from many threads."""

    def __init__(self, choice: ModelChoice, key: str | None) -> None:
        try:
            import openai
        except ImportError as error:
            raise NoteError("asking a model needs the extra: pip install 'errmine[llm]'") from error
        _check_url(choice.base_url)
        key = (key or "").strip()
        if not key:
            raise NoteError(f"no {KEY} in the environment; a server without keys takes any value")
        if not (key.isascii() and key.isprintable()):
            raise NoteError(f"{KEY} holds characters that no key has")
        self.choice = choice
        self._client = openai.OpenAI(
            api_key=key, base_url=choice.base_url, max_retries=_RETRIES, timeout=_TIMEOUT
        )  # the client waits as `Retry-After` says, and backs off without it

    def ask(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any], request: str, date: str) -> Reply:
        """Ask once, trying again while the server is busy or away.

        Raises `RejectedError` when the server won't take this request, `NoteError` when it will take none.
        """
        import openai

        form = {"type": "json_schema", "json_schema": {"name": "note", "strict": True, "schema": schema}}
        asked: Any = {"model": self.choice.name, "messages": list(messages), "response_format": form}
        try:
            response = self._client.chat.completions.with_raw_response.create(
                **asked, extra_headers={"Idempotency-Key": request}
            )
        except openai.APIStatusError as error:
            raise self._read_refusal(error) from None
        except openai.APIConnectionError as error:
            reason = "no answer in time" if isinstance(error, openai.APITimeoutError) else "no connection"
            raise NoteError(f"{self.name}: {reason} after {_RETRIES + 1} tries; {_AGAIN}") from None
        return read_reply(response.text, date)

    def _read_refusal(self, error: "openai.APIStatusError") -> Exception:
        status = error.status_code
        if status in (401, 403):
            return NoteError(f"{self.name}: the key in {KEY} is refused ({status})")
        if status == 404:
            return NoteError(f"{self.name}: no such model or address (404); look at --model and --base-url")
        if status == 429 or status >= 500:
            wait = error.response.headers.get("retry-after", "")
            later = f", and asks to wait {wait[:20]} s" if wait[:20].isdigit() else ""
            return NoteError(f"{self.name}: still busy or failing ({status}){later}; {_AGAIN}")
        return RejectedError(f"the server rejects the request ({status})")

    @property
    def name(self) -> str:
        """Name the model and where it is, for people."""
        address = urlsplit(str(self._client.base_url))
        return f"{self.choice.name} at {address.hostname}{f':{address.port}' if address.port else ''}"


def read_reply(body: str, date: str) -> Reply:
    """Read a reply out of a response's body, whatever that is: it was paid for."""
    try:
        completion = msgspec.json.decode(body, type=_Completion)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return Reply("", "it was no chat completion", date)
    tokens = completion.usage.total_tokens if completion.usage is not None else 0
    if not completion.choices:
        return Reply("", "it was empty", date, tokens)
    choice = completion.choices[0]
    text = choice.message.content or ""
    if choice.message.refusal:
        return Reply(text, "the model refused", date, tokens)
    if choice.finish_reason == "length":
        return Reply(text, "it was cut off", date, tokens)
    if choice.finish_reason == "content_filter":
        return Reply(text, "the server's filter stopped it", date, tokens)
    return Reply(text, "", date, tokens)


def _check_url(url: str | None) -> None:
    if url is None:
        return
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NoteError("--base-url: not an address of the web; give one like http://localhost:8000/v1")
    if parts.username is not None or parts.password is not None:
        raise NoteError(f"--base-url: holds a password; give the key in {KEY} instead")

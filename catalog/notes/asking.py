"""Which entries need a note from a model, and what it wrote for each: many at once, none paid for twice."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from threading import Event

from catalog.errors import NoteError
from catalog.notes.answers import Bad, read_answer
from catalog.notes.files import NoteFile
from catalog.notes.journal import Journal
from catalog.notes.model import Model, RejectedError, Reply
from catalog.notes.prompt import SCHEMA, VERSION, Messages, Source, build_messages, estimate_tokens, name_request
from catalog.notes.states import Registry, find_state, is_about, name_place, pin_target
from catalog.records import Basis, Catalog, Entry, Note

AUTHOR = "errmine"
_ATTEMPTS = 2
_ANSWER_TOKENS = 700
"""What an answer costs by experience, for the estimate."""
_REJECTIONS = 3
"""So many requests turned away, and none taken: the server will take none."""

Derive = Callable[[Entry], Note]


@dataclass(frozen=True, slots=True)
class Written:
    """The model wrote a note."""

    entry: Entry
    note: Note


@dataclass(frozen=True, slots=True)
class Failed:
    """The model wrote none that could be read."""

    entry: Entry
    reason: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """What asking would cost."""

    calls: int
    kept: int
    """Entries whose answer is there already."""
    tokens_in: int
    tokens_out: int


def find_needy(catalog: Catalog, files: Iterable[NoteFile], wanted: Callable[[Entry], bool]) -> list[Entry]:
    """Find the entries without a written note, and those whose every note is stale."""
    registry = Registry(catalog)
    states = [find_state(file.note, registry) for file in files if is_about(file.note, catalog.target)]
    served = {state.entry.id for state in states if state.entry is not None and not state.is_stale}
    return [entry for entry in catalog.entries if entry.id not in served and wanted(entry)]


def estimate(
    entries: Sequence[Entry], catalog: Catalog, derive: Derive, model: str, kept: Mapping[str, object]
) -> Estimate:
    """Estimate what asking for these entries would cost, without asking."""
    source = Source.of(catalog)
    requests = [build_messages(entry, source, derive(entry)) for entry in entries]
    open_ones = [messages for messages in requests if name_request(messages, model) not in kept]
    return Estimate(
        calls=len(open_ones),
        kept=len(requests) - len(open_ones),
        tokens_in=sum(map(estimate_tokens, open_ones)),
        tokens_out=_ANSWER_TOKENS * len(open_ones),
    )


class _BrokenOffError(Exception):
    """Another request has shown that asking is over."""


class Asker:
    """Asks one model about the entries of one catalog; `anew` asks again where an answer is kept, and keeps the new."""

    def __init__(
        self, catalog: Catalog, derive: Derive, model: Model, journal: Journal, today: str, anew: bool = False
    ) -> None:
        self._target = catalog.target
        self._source = Source.of(catalog)
        self._derive = derive
        self._model = model
        self._journal = journal
        self._today = today
        self._is_anew = anew
        self._is_over = Event()

    def ask_all(self, entries: Sequence[Entry], jobs: int) -> Iterator[Written | Failed]:
        """Ask about every entry, so many at once, and give each outcome as it comes.

        Raises `NoteError` when the server takes no more; what is on its way is waited for, since it is paid for.
        """
        rejected, taken = 0, 0
        with ThreadPoolExecutor(jobs, thread_name_prefix="ask") as pool:
            asked: Mapping[Future[Written | Failed], Entry] = {
                pool.submit(self._ask_one, entry): entry for entry in entries
            }
            try:
                for future in as_completed(asked):
                    try:
                        outcome = future.result()
                        taken += 1
                    except _BrokenOffError:
                        continue  # what broke it off is the outcome of another
                    except RejectedError as error:
                        rejected += 1
                        if rejected >= _REJECTIONS and not taken:
                            raise NoteError(f"{self._model.name}: {error}, each of {rejected} in a row") from error
                        outcome = Failed(asked[future], str(error))
                    yield outcome
            finally:
                self._is_over.set()
                pool.shutdown(wait=True, cancel_futures=True)

    def _ask_one(self, entry: Entry) -> Written | Failed:
        """Ask about one entry; a bad answer is asked for again once, with our word on what was wrong."""
        reason = ""
        for _ in range(_ATTEMPTS):
            messages = build_messages(entry, self._source, self._derive(entry), reason)
            outcome = self._ask(messages)
            if isinstance(outcome, Note):
                return Written(entry, self._sign(outcome, entry))
            reason = outcome.reason
        return Failed(entry, reason)

    def _ask(self, messages: Messages) -> Note | Bad:
        """Give the answer to a request: the one that is kept, else a new one, kept before it is read."""
        request = name_request(messages, self._model.choice.name)
        reply = None if self._is_anew else self._journal.find(request)
        if reply is None:
            reply = self._fetch(messages, request)
            self._journal.add(request, reply)
        if reply.complaint:
            return Bad(reply.complaint)
        answer = read_answer(reply.text)
        return replace(answer, date=reply.date) if isinstance(answer, Note) else answer

    def _fetch(self, messages: Messages, request: str) -> Reply:
        if self._is_over.is_set():
            raise _BrokenOffError
        try:
            return self._model.ask(messages, SCHEMA, request, self._today)
        except NoteError:
            self._is_over.set()
            raise

    def _sign(self, note: Note, entry: Entry) -> Note:
        """Say who wrote a note, for what, from what."""
        target = self._target
        return replace(
            note,
            entry=entry.id,
            fingerprint=entry.fingerprint,
            author=AUTHOR,
            model=self._model.choice.name,
            basis=Basis(target.name, pin_target(target), name_place(entry), VERSION),
        )

"""Command handler: loads a stream, authorises, decides, appends, announces; one answer per idempotency key."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar
from uuid import UUID

from events.errors import CabildoError, CommitOverdue, CommitsHang, StaleVersion, StoreReadOnly, StoreSilent
from events.json_types import JsonObject
from events.store.postgres import ALONE
from events.store.protocol import Appended, IdempotencyKey
from events.store.statements import AppendFunctions, Statement
from events.store.stream_lock import StreamLock
from service.core.announce import Announcement, Announcer
from service.core.repository import Repository
from service.core.unit_of_work import State, UnitOfWork, Versioned

Unit = TypeVar("Unit", bound=UnitOfWork[Any])
Answer = JsonObject
SERVICE: Final = "service"  # the actor of deadlines and schedules


class ExpectedVersion(NamedTuple):
    """The version and head that the client's request states, if any."""

    version: int | None = None
    head: bytes | None = None


class Request(NamedTuple):
    """A command's request: the actor, idempotency key, expected version and language of the answer."""

    actor: str
    key: IdempotencyKey | None = None
    expected: ExpectedVersion = ExpectedVersion()
    language: str = "en"  # of the answer


BY_SERVICE: Final = Request(SERVICE)


class CommandOutcome(NamedTuple, Generic[State]):
    """The answer of a command and the state after it; None when an earlier request stored the answer."""

    answer: Answer
    state: State | None
    written: bool = True  # False: the command changed nothing


class CommandHandler(ABC, Generic[State, Unit]):
    """Executes commands on streams of one kind.

    `decide` writes events into the unit of work and returns the answer; it runs again after a lost race.
    """

    def __init__(
        self, repository: Repository[State], announcer: Announcer, now: Callable[[], int], lock: StreamLock
    ) -> None:
        self._streams = repository
        self._announcer = announcer
        self._now = now
        self._lock = lock

    def execute(
        self,
        stream: UUID,
        request: Request,
        decide: Callable[[Unit], Answer | None],
        authorise: Callable[[State], object] = lambda _state: None,
    ) -> CommandOutcome[State]:
        """Execute a command on a stream; a repeated request returns the stored answer.

        Uses the cached state first if the client expects its version: the append proves that it is the newest.
        """
        at = self._now()
        cached = self._streams.cached_at(stream, request.expected.version)
        if cached is not None and not self._is_due(cached, at):
            outcome = self._attempt_on_cached(cached, request, decide, authorise, at)
            if outcome is not None and outcome.written:
                return outcome
        return self._lock.settle(
            stream,
            lambda: self._run_settled(stream, request, decide, authorise),
            lambda: self._stored_outcome(request),
            insists=request.expected == ExpectedVersion(),
        )

    def create(self, stream: UUID, request: Request, decide: Callable[[Unit], Answer | None]) -> CommandOutcome[State]:
        """Execute the command that writes the first events of a stream."""
        if (stored := self._stored_outcome(request)) is not None:
            return stored
        unit = self.begin(self._streams.empty(stream), request.actor, self._now())
        return self._commit(unit, request, decide(unit) or {})

    def once(self, request: Request, run: Callable[[], CommandOutcome[State]]) -> CommandOutcome[State]:
        """Run a command of several steps, whose last one stores the answer; a repeated request returns that answer."""
        try:
            return self._stored_outcome(request) or run()
        except (StoreSilent, CommitOverdue):
            raise
        except CabildoError:
            if (stored := self._stored_outcome(request)) is None:
                raise
            return stored

    def begin(self, state: State, actor: str, at: int | None = None) -> Unit:
        """Returns an empty unit of work on a state, with events at the given time or now."""
        return self._unit(state, actor, self._now() if at is None else at)

    @abstractmethod
    def _unit(self, state: State, actor: str, at: int) -> Unit:
        """Returns an empty unit of work on a state, with events at the given time."""

    def _announcement(self, unit: Unit) -> Announcement:
        """Returns the announcement for followers of the stream."""
        return Announcement((str(unit.id),))

    def _statements(self, unit: Unit) -> Sequence[Statement]:
        """Returns the statements to store in the transaction of the events."""
        return unit.beside

    def _append_functions(self, _unit: Unit) -> AppendFunctions:
        """Returns the SQL function that appends the last event."""
        return ALONE

    def _is_due(self, _state: State, _at: int) -> bool:
        """Returns whether deadlines are due before a command at that time."""
        return False

    def _load_settled(self, stream: UUID, _at: int, _authorise: Callable[[State], object]) -> State:
        """Returns the newest state, with due deadlines settled at that time, if the actor may send the command."""
        return self._streams.load(stream)

    def _append(self, unit: Unit, key: IdempotencyKey | None, answer: bytes) -> Appended:
        return self._streams.append(
            unit, self._statements(unit), key=key, answer=answer, through=self._append_functions(unit)
        )

    def _run_settled(
        self,
        stream: UUID,
        request: Request,
        decide: Callable[[Unit], Answer | None],
        authorise: Callable[[State], object],
    ) -> CommandOutcome[State]:
        """Run a command on the newest state; the same clock reading settles deadlines and dates the events."""
        at = self._now()
        return self._run(self._load_settled(stream, at, authorise), request, decide, authorise, at)

    def _attempt_on_cached(
        self,
        cached: State,
        request: Request,
        decide: Callable[[Unit], Answer | None],
        authorise: Callable[[State], object],
        at: int,
    ) -> CommandOutcome[State] | None:
        """Run a command on a cached state. It may be stale, so its refusals do not count: returns None then."""
        try:
            return self._run(cached, request, decide, authorise, at)
        except (StoreSilent, StoreReadOnly, CommitsHang, CommitOverdue):
            raise  # no refusal of the state; to try again would wait as long
        except CabildoError:
            return None

    def _run(
        self,
        state: State,
        request: Request,
        decide: Callable[[Unit], Answer | None],
        authorise: Callable[[State], object],
        at: int,
    ) -> CommandOutcome[State]:
        authorise(state)
        check_expected(state, request.expected)
        unit = self.begin(state, request.actor, at)
        return self._commit(unit, request, decide(unit) or {})

    def _commit(self, unit: Unit, request: Request, answer: Answer) -> CommandOutcome[State]:
        key = request.key
        if not unit.events and not unit.beside:
            return self._stored_outcome(request) or CommandOutcome(answer, unit.now, written=False)
        stored = b"" if key is None else json.dumps(answer).encode()
        if not unit.events:
            appended = self._streams.note(unit, key=key, answer=stored)
        else:
            appended = self._append(unit, key, stored)
        if appended.repeated:
            return CommandOutcome(json.loads(appended.answer), None)
        if unit.events:
            self._announcer.announce(self._announcement(unit))
        return CommandOutcome(answer, unit.now)

    def _stored_outcome(self, request: Request) -> CommandOutcome[State] | None:
        """Returns the stored answer of the same request. Raises KeyReused."""
        stored = None if request.key is None else self._streams.store.answered(request.key)
        return None if stored is None else CommandOutcome(json.loads(stored), None)


def check_expected(state: Versioned, expected: ExpectedVersion) -> None:
    """Raises StaleVersion if the client expects another version or head."""
    if expected.version not in (None, state.head.seq) or expected.head not in (None, state.head.hash):
        raise StaleVersion(state.id, *state.head)

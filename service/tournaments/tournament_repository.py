"""Repository and command handler of tournaments."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar
from uuid import UUID

from psycopg import Connection

from events.event import Event
from events.json_types import Json
from events.store.statements import Statement
from events.store.stream_lock import StreamLock
from projections.tournaments import directory
from projections.tournaments.fold import OPENS, fold, record_of
from projections.tournaments.record import RULES, TournamentRecord
from service.core.announce import Announcer
from service.core.command_handler import CommandHandler, CommandOutcome
from service.core.repository import Repository
from service.core.seeds import SeedStore
from service.core.unit_of_work import RecordState, UnitOfWork

TournamentState = RecordState[TournamentRecord]
TournamentOutcome = CommandOutcome[TournamentState]


class TournamentUnitOfWork(UnitOfWork[TournamentState]):
    """The events, texts and seeds of one command on a tournament."""

    def __init__(self, before: TournamentState, at: int, actor: str, seed: Callable[[], bytes]) -> None:
        super().__init__(before, at, actor)
        self.seed = seed  # of all pairings of the tournament
        self.new_seeds: list[tuple[UUID, bytes]] = []  # sealed and stored with the events
        self.texts: dict[str, str] = {}  # by hash

    @property
    def record(self) -> TournamentRecord:
        """Returns the record after the events so far."""
        return self._now.known

    def write(self, kind: str, /, **data: Json) -> Event:
        """Append an event. Returns it."""
        return self.append(kind, data, RULES if self._now.record is None else self._now.record.rules)

    def text(self, text: str | None) -> str | None:
        """Store a text beside the events. Returns its hash."""
        if text is None:
            return None
        hash = self.keep_text(text)
        self.texts[hash] = text
        return hash

    def _fold(self, event: Event) -> TournamentState:
        return RecordState(self.id, fold(self._now.record, event), event.head)


class TournamentRepository(Repository[TournamentState]):
    """Repository of tournaments."""

    noun: ClassVar[str] = "tournament"
    opening: ClassVar[str] = OPENS
    cached_states: ClassVar[int] = 200

    def empty(self, id: UUID) -> TournamentState:
        """Returns the state of a tournament before its first event."""
        return RecordState(id)

    def advance(self, _connection: Connection, state: TournamentState, events: Sequence[Event]) -> TournamentState:
        """Returns the tournament after more events."""
        return RecordState(state.id, record_of(events, state.record), events[-1].head)


class TournamentCommandHandler(CommandHandler[TournamentState, TournamentUnitOfWork]):
    """Executes commands on tournaments."""

    def __init__(
        self,
        tournaments: TournamentRepository,
        announcer: Announcer,
        now: Callable[[], int],
        lock: StreamLock,
        seeds: SeedStore,
    ) -> None:
        super().__init__(tournaments, announcer, now, lock)
        self._seeds = seeds

    def _unit(self, state: TournamentState, actor: str, at: int) -> TournamentUnitOfWork:
        seed = partial(self._seeds.get, state.id, None if state.record is None else state.record.commitment)
        return TournamentUnitOfWork(state, at, actor, seed)

    def _statements(self, unit: TournamentUnitOfWork) -> list[Statement]:
        kinds = {event.kind for event in unit.events}
        rows = directory.rows(unit.id, unit.now.head, unit.before.record, unit.record, kinds)
        return [*rows, *unit.beside, *(self._seeds.insertion(stream, seed) for stream, seed in unit.new_seeds)]

"""Repository and command handler of studies."""

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar
from uuid import UUID

from psycopg import Connection

from events.event import Event
from events.store.free_texts import read_texts
from projections.studies.fold import study_of
from service.core.announce import Announcement
from service.core.command_handler import CommandHandler
from service.core.repository import Repository
from service.core.unit_of_work import RecordState
from service.studies.unit_of_work import StudyState, StudyUnitOfWork


class StudyRepository(Repository[StudyState]):
    """Loads studies and their texts from the store."""

    noun: ClassVar[str] = "study"
    opening: ClassVar[str] = "study_created"
    cached_states: ClassVar[int] = 200

    def texts(self, study: UUID, hashes: Iterable[str]) -> Mapping[str, str]:
        """Returns the texts that have not been erased, by hash."""
        wanted = [bytes.fromhex(text) for text in hashes]
        if not wanted:
            return {}
        with self._pool.connection() as connection:
            found = read_texts(connection, study, wanted)
        return {kept.hash.hex(): kept.text for kept in found.values()}

    def empty(self, id: UUID) -> StudyState:
        """Returns the state of a study before its first event."""
        return RecordState(id)

    def advance(self, _connection: Connection, state: StudyState, events: Sequence[Event]) -> StudyState:
        """Returns the study after more events."""
        return RecordState(state.id, study_of(events, state.record), events[-1].head)


class StudyCommandHandler(CommandHandler[StudyState, StudyUnitOfWork]):
    """Executes commands on studies."""

    def begin(self, state: StudyState, actor: str, at: int | None = None) -> StudyUnitOfWork:
        """Returns an empty unit of work on a study."""
        return StudyUnitOfWork(state, self._now() if at is None else at, actor)

    def _announcement(self, unit: StudyUnitOfWork) -> Announcement:
        return Announcement((str(unit.id),))

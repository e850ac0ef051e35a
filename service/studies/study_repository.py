"""Repository and command handler of studies."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Final
from uuid import UUID

from psycopg import Connection

from events.event import Event
from events.store.protocol import Appended, IdempotencyKey
from events.store.statements import Statement
from events.store.stream_lock import StreamLock
from projections.studies.fold import study_of
from service.core.announce import Announcer
from service.core.command_handler import CommandHandler
from service.core.quotas import STUDIES, Quotas
from service.core.repository import Repository
from service.core.unit_of_work import RecordState
from service.studies.unit_of_work import StudyState, StudyUnitOfWork

MADE: Final = "INSERT INTO study_makers (study, maker) VALUES (%s, %s)"
DELETED: Final = "DELETE FROM study_makers WHERE study = %s"


class StudyRepository(Repository[StudyState]):
    """Repository of studies."""

    noun: ClassVar[str] = "study"
    opening: ClassVar[str] = "study_created"
    cached_states: ClassVar[int] = 200

    def empty(self, id: UUID) -> StudyState:
        """Returns the state of a study before its first event."""
        return RecordState(id)

    def advance(self, _connection: Connection, state: StudyState, events: Sequence[Event]) -> StudyState:
        """Returns the study after more events."""
        return RecordState(state.id, study_of(events, state.record), events[-1].head)


class StudyCommandHandler(CommandHandler[StudyState, StudyUnitOfWork]):
    """Executes commands on studies."""

    def __init__(
        self, studies: StudyRepository, announcer: Announcer, now: Callable[[], int], lock: StreamLock, quotas: Quotas
    ) -> None:
        super().__init__(studies, announcer, now, lock)
        self._quotas = quotas

    def _unit(self, state: StudyState, actor: str, at: int) -> StudyUnitOfWork:
        return StudyUnitOfWork(state, at, actor)

    def _statements(self, unit: StudyUnitOfWork) -> Sequence[Statement]:
        """Returns the statements of the unit, and those that note the maker for the quota."""
        kinds = {event.kind for event in unit.events}
        if StudyRepository.opening in kinds:
            return [*unit.beside, Statement(MADE, (unit.id, unit.actor)), self._quotas.check(unit.actor, STUDIES)]
        return [*unit.beside, Statement(DELETED, (unit.id,))] if "study_deleted" in kinds else unit.beside

    def _append(self, unit: StudyUnitOfWork, key: IdempotencyKey | None, answer: bytes) -> Appended:
        with self._quotas.refusals():
            return super()._append(unit, key, answer)

"""Repository and command handler of studies."""

from collections.abc import Sequence
from typing import ClassVar
from uuid import UUID

from psycopg import Connection

from events.event import Event
from projections.studies.fold import study_of
from service.core.command_handler import CommandHandler
from service.core.repository import Repository
from service.core.unit_of_work import RecordState
from service.studies.unit_of_work import StudyState, StudyUnitOfWork


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

    def _unit(self, state: StudyState, actor: str, at: int) -> StudyUnitOfWork:
        return StudyUnitOfWork(state, at, actor)

"""Unit of work on a study: its events, the texts beside them, and the texts to erase."""

from collections.abc import Sequence
from typing import Final

from events.event import Event
from events.json_types import Json, JsonObject
from events.store.statements import Statement
from projections.studies.fold import fold
from projections.studies.study import Study
from service.core.unit_of_work import RecordState, UnitOfWork

RULES: Final = "study/1"
ERASE_ALL: Final = "DELETE FROM texts WHERE stream = %s"
ERASE: Final = "DELETE FROM texts WHERE stream = %s AND hash = %s"
StudyState = RecordState[Study]


class StudyUnitOfWork(UnitOfWork[StudyState]):
    """The events and statements of one command on a study."""

    @property
    def study(self) -> Study:
        """The study after the events written so far."""
        return self._now.known

    def write(self, kind: str, data: JsonObject, rules: str = RULES) -> int:
        """Append an event; returns its number."""
        return self.append(kind, data, rules).seq

    def text(self, text: str) -> str:
        """Store a text beside the events; returns the hash that events name it by."""
        return self.keep_text(text)

    def texts(self, texts: Sequence[str]) -> list[Json]:
        """Store several texts; returns their hashes."""
        return [self.text(text) for text in texts]

    def erase(self, *hashes: str | None) -> None:
        """Erase texts that no page shows any more."""
        for text in hashes:
            if text is not None:
                self.beside.append(Statement(ERASE, (self.id, bytes.fromhex(text))))

    def erase_all(self) -> None:
        """Erase every text of the study."""
        self.beside.append(Statement(ERASE_ALL, (self.id,)))

    def _fold(self, event: Event) -> StudyState:
        return RecordState(self.id, fold(self._now.record, event), event.head)

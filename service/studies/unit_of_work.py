"""A pen: what one person writes into a study in one go, kept as a whole or not at all."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from events.event import Event, EventDraft, Head, compose, new_salt
from events.json_types import Json, JsonObject
from events.store.free_texts import keep, salted
from events.store.postgres import Statement
from projections.studies.fold import fold
from projections.studies.study import Study

RULES: Final = "study/1"
ERASE_ALL: Final = "DELETE FROM texts WHERE stream = %s"
ERASE: Final = "DELETE FROM texts WHERE stream = %s AND hash = %s"


class Pen:
    """Writes events after a study's newest one; texts are kept beside them."""

    def __init__(self, id: UUID, before: Study | None, at: int, actor: str) -> None:
        self.id = id
        self.before = before
        self.actor = actor
        self.at = max(at, before.changed if before else 0)  # a clock set back does not turn time
        self.events: list[Event] = []
        self.beside: list[Statement] = []
        self._now = before

    @property
    def study(self) -> Study:
        """The study with what has been written so far."""
        assert self._now is not None
        return self._now

    @property
    def head(self) -> Head:
        """What the next event follows."""
        return Head(self._now.version, self._now.head) if self._now else Head(0, bytes(32))

    def write(self, kind: str, data: JsonObject, rules: str = RULES) -> int:
        """Write an event; its number."""
        event = compose(self.id, self.head, EventDraft(kind, data, self.actor, self.at, rules), new_salt())
        self.events.append(event)
        self._now = fold(self._now, event)
        return event.seq

    def text(self, text: str) -> str:
        """Keep a text beside the events; the hash that stands for it in them."""
        kept = salted(text)
        self.beside.append(keep(self.id, kept))
        return kept.hash.hex()

    def texts(self, texts: Sequence[str]) -> list[Json]:
        """Keep several texts."""
        return [self.text(text) for text in texts]

    def erase(self, *hashes: str | None) -> None:
        """Erase texts that nothing shows any more."""
        for text in hashes:
            if text is not None:
                self.beside.append(Statement(ERASE, (self.id, bytes.fromhex(text))))

    def erase_all(self) -> None:
        """Erase every text of the study."""
        self.beside.append(Statement(ERASE_ALL, (self.id,)))

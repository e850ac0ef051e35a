"""The changes of a study as a stream, without their content: clients read that from the chapters."""

import json
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from events.event import Event
from events.json_types import JsonObject
from service.core.clock import iso_time
from service.core.errors import NotThere
from service.live.event_cache import CachedStream
from service.live.protocol import NO_ACCESS, Item
from service.live.pubsub import Topic
from service.studies.errors import StudyDeleted
from service.studies.study_repository import StudyRepository
from service.studies.visibility import see

DECIDING: Final = frozenset(
    ("member_changed", "study_changed", "study_deleted")
)  # events that may end a reader's access


class StudySource:
    """The changes of a study for one reader."""

    def __init__(self, feed: CachedStream, studies: StudyRepository, id: UUID, reader: str | None) -> None:
        self._feed = feed
        self._studies = studies
        self._id = id
        self._reader = reader
        self._gone = False

    @property
    def topic(self) -> Topic:
        """The topic that wakes followers."""
        return self._feed.topic

    def after(self, number: int) -> Sequence[Item]:
        """Returns the next changes; none once the reader has lost access."""
        events = self._feed.after(number)
        if any(event.kind in DECIDING for event in events):
            self._gone = self._gone or not self._may_read()
        return [] if self._gone else [Item(event.seq, event.kind, json.dumps(change(event))) for event in events]

    def end(self, _number: int) -> str | None:
        """Returns why no change can follow: the reader has lost access."""
        return NO_ACCESS if self._gone else None

    def _may_read(self) -> bool:
        try:
            see(self._studies.load(self._id).known, self._reader)
        except (NotThere, StudyDeleted):
            return False
        return True


def change(event: Event) -> JsonObject:
    """Returns the document of a change."""
    return {"version": event.seq, "kind": event.kind, "chapter": event.data.get("chapter"), "at": iso_time(event.at)}

"""The changes of a study as a stream, without their content: clients read that from the chapters."""

import json
from collections.abc import Hashable, Sequence
from typing import Final
from uuid import UUID

from events.event import Event
from events.json_types import JsonObject
from service.core.clock import iso_time
from service.live.event_cache import CachedStream, EventCache
from service.live.protocol import Item, RightsChanged
from service.live.pubsub import Topic
from service.studies.study_repository import StudyRepository
from service.studies.visibility import see

DECIDING: Final = frozenset(
    ("member_changed", "study_changed", "study_deleted")
)  # events that may end a reader's access


class StudySource:
    """The changes of a study; all its readers see the same."""

    forgets = False
    lags: Sequence[float] = ()

    def __init__(self, cache: EventCache, feed: CachedStream, looked: int) -> None:
        self._cache = cache
        self._feed = feed
        self._looked = looked  # the version at which the reader's access was decided

    @property
    def key(self) -> Hashable:
        """Sources with equal keys give the same items."""
        return self._feed, StudySource

    @property
    def topic(self) -> Topic:
        """The topic that wakes followers."""
        return self._feed.topic

    def close(self) -> None:
        """Releases the cached events."""
        self._cache.leave(self._feed)

    def after(self, number: int) -> Sequence[Item]:
        """Returns the next changes; raises RightsChanged before one that may end the access of readers."""
        events = self._feed.after(number)
        if any(event.seq > self._looked and event.kind in DECIDING for event in events):
            raise RightsChanged
        return [Item(event.seq, event.kind, json.dumps(change(event))) for event in events]

    def newest(self) -> int:
        """Returns the version of the study."""
        newest = self._feed.newest()
        return 0 if newest is None else newest.seq

    def end(self, _number: int) -> None:
        """Returns None: changes do not end."""
        self._feed.newest()  # raises when the followers have to begin again


def study_source(cache: EventCache, studies: StudyRepository, study: UUID, reader: str | None) -> StudySource:
    """Returns the changes of a study. Raises NotThere or StudyDeleted when the reader has no access."""
    feed = cache.enter(study)
    try:
        state = studies.load(study)
        see(state.known, reader)
    except BaseException:
        cache.leave(feed)
        raise
    return StudySource(cache, feed, state.head.seq)


def change(event: Event) -> JsonObject:
    """Returns the document of a change."""
    return {"version": event.seq, "kind": event.kind, "chapter": event.data.get("chapter"), "at": iso_time(event.at)}

"""Read model of the move search: actions by player and round, without undone ones."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, LiteralString, NamedTuple, cast
from uuid import UUID

from psycopg import Connection

from events.event import Event
from events.json_types import Json
from events.log.follow import LoggedEvent
from projections.games.replay import CHANGES, returns_to
from projections.rules.registry import VERSIONS

BEFORE_ROUNDS: Final = frozenset(("building_drafted",))  # facts of round 0
ROUND_MARKS: Final = frozenset(("round_begun", "round_ended"))  # each game records one of the two
LANDMARKS: Final = frozenset(fact for known in VERSIONS.values() for game in known.values() for fact in game.landmarks)
ADD: LiteralString = """
WITH new AS (
    SELECT * FROM unnest(%s::uuid[], %s::bigint[], %s::int[], %s::text[], %s::int[], %s::text[], %s::int[], %s::int[],
        %s::int[]) AS row (stream, seq, place, fact, seat, subject, began, marks, before)
), counted AS (
    SELECT stream, fact, count(*) AS times, count(*) FILTER (WHERE seat IS NULL) AS marks
    FROM happened WHERE stream = ANY (SELECT stream FROM new) GROUP BY stream, fact
), rounds AS (
    SELECT stream, sum(marks) AS marks FROM counted GROUP BY stream
)
INSERT INTO happened (stream, seq, place, fact, seat, subject, round, nth)
SELECT stream, seq, place, fact, seat, subject, began + new.marks + coalesce(rounds.marks, 0),
    1 + before + coalesce(times, 0)
FROM new LEFT JOIN counted USING (stream, fact) LEFT JOIN rounds USING (stream)
"""
TAKE_BACK: LiteralString = "DELETE FROM happened WHERE stream = %s AND seq > %s"


class Landmark(NamedTuple):
    """A searchable fact, or the mark between two rounds."""

    place: int
    fact: str
    seat: int | None
    subject: str | None
    began: int  # the round at the beginning of the event


class MoveSearch:
    """Writes the landmarks of every game."""

    name = "happened"
    version = 2

    def apply(self, connection: Connection, entries: Sequence[LoggedEvent]) -> None:
        """Adds the landmarks of moves; deletes those of undone moves."""
        new = NewLandmarks()
        for _, event in entries:
            earlier = returns_to(event)
            if earlier is not None:
                new.write(connection)
                connection.execute(TAKE_BACK, (event.stream, earlier))
            if event.kind in CHANGES:
                new.add(event)
        new.write(connection)


class NewLandmarks:
    """Landmarks that are not written yet, each with the round marks and the facts of its kind before it among these."""

    def __init__(self) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self._marks: Counter[UUID] = Counter()
        self._seen: Counter[tuple[UUID, str]] = Counter()

    def add(self, event: Event) -> None:
        """Adds the landmarks of an event."""
        stream = event.stream
        for landmark in landmarks(cast(Sequence[Json], event.data["facts"])):
            seen = self._seen[stream, landmark.fact]
            self._rows.append((stream, event.seq, *landmark, self._marks[stream], seen))
            self._marks[stream] += landmark.seat is None
            self._seen[stream, landmark.fact] += 1

    def write(self, connection: Connection) -> None:
        """Writes them behind the stored ones."""
        if self._rows:
            connection.execute(ADD, [*map(list, zip(*self._rows, strict=True))])
        for written in (self._rows, self._marks, self._seen):
            written.clear()


def landmarks(facts: Sequence[Json]) -> Iterator[Landmark]:
    """Yields the searchable facts of an event."""
    for place, stored in enumerate(facts):
        name, *about = cast(list[Any], stored)
        if name in ROUND_MARKS:
            yield Landmark(place, name, None, None, 1)
        elif name in LANDMARKS:
            yield Landmark(place, name, about[0], about[1], 0 if name in BEFORE_ROUNDS else 1)

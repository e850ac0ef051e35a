"""Read model of the move search: actions by player and round, without undone ones."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, LiteralString, NamedTuple, cast

from psycopg import Connection

from events.json_types import Json
from events.log.follow import LoggedEvent
from projections.games.replay import CHANGES, returns_to
from projections.rules.registry import VERSIONS

BEFORE_ROUNDS: Final = frozenset(("building_drafted",))  # facts of round 0
ROUND_MARKS: Final = frozenset(("round_begun", "round_ended"))  # each game records one of the two
LANDMARKS: Final = frozenset(fact for known in VERSIONS.values() for game in known.values() for fact in game.landmarks)
ADD: LiteralString = """
INSERT INTO happened (stream, seq, place, fact, seat, subject, round, nth)
SELECT %(stream)s, %(seq)s, place, fact, seat, subject,
    began + marks + (SELECT count(*) FROM happened WHERE stream = %(stream)s AND seat IS NULL),
    1 + before + (SELECT count(*) FROM happened AS old WHERE stream = %(stream)s AND old.fact = new.fact)
FROM unnest(%(places)s::int[], %(facts)s::text[], %(seats)s::int[], %(subjects)s::text[], %(began)s::int[],
    %(marks)s::int[], %(before)s::int[]) AS new (place, fact, seat, subject, began, marks, before)
"""
TAKE_BACK: LiteralString = "DELETE FROM happened WHERE stream = %s AND seq > %s"


class Landmark(NamedTuple):
    """A searchable fact, or the mark between two rounds."""

    place: int
    fact: str
    seat: int | None
    subject: str | None
    began: int  # the round at the beginning of the event
    marks: int  # round marks before it in the same event
    before: int  # facts of its kind before it in the same event


class MoveSearch:
    """Writes the landmarks of every game."""

    name = "happened"
    version = 2

    def apply(self, connection: Connection, entry: LoggedEvent) -> None:
        """Adds the landmarks of a move; deletes those of undone moves."""
        event = entry.event
        earlier = returns_to(event)
        if earlier is not None:
            connection.execute(TAKE_BACK, (event.stream, earlier))
        if event.kind not in CHANGES:
            return
        found = tuple(landmarks(cast(Sequence[Json], event.data["facts"])))
        if found:
            names = ("places", "facts", "seats", "subjects", "began", "marks", "before")
            columns = dict(zip(names, map(list, zip(*found, strict=True)), strict=True))
            connection.execute(ADD, {"stream": event.stream, "seq": event.seq, **columns})


def landmarks(facts: Sequence[Json]) -> Iterator[Landmark]:
    """Yields the searchable facts of an event."""
    marks, seen = 0, dict[str, int]()
    for place, stored in enumerate(facts):
        name, *about = cast(list[Any], stored)
        before = seen.get(name, 0)
        if name in ROUND_MARKS:
            yield Landmark(place, name, None, None, 1, marks, before)
            marks += 1
        elif name in LANDMARKS:
            yield Landmark(place, name, about[0], about[1], 0 if name in BEFORE_ROUNDS else 1, marks, before)
        seen[name] = before + 1

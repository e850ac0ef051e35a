"""The read model that games are searched by: who did what in which round, as far as it was not undone."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, LiteralString, NamedTuple, cast

from psycopg import Connection

from events.json_types import Json
from events.log.follow import LoggedEvent
from projections.games.replay import CHANGES, returns_to
from projections.rules.registry import VERSIONS

BEFORE_ROUNDS: Final = frozenset(("building_drafted",))  # what happens in round 0
ROUND_MARKS: Final = frozenset(("round_begun", "round_ended"))  # a game tells the one or the other
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
    """A fact worth finding, or the mark between two rounds."""

    place: int
    fact: str
    seat: int | None
    subject: str | None
    began: int  # the round that it counts from
    marks: int  # between rounds, before it in the same event
    before: int  # of its kind, in the same event


class MoveSearch:
    """Writes down the landmarks of every game."""

    name = "happened"
    version = 2

    def apply(self, connection: Connection, entry: LoggedEvent) -> None:
        """Add the landmarks of a move; forget those of moves that are taken back."""
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
    """Yields the facts of an event that are worth finding."""
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

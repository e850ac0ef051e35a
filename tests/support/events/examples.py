"""Events for tests: short to write, true to their kinds."""

from itertools import count
from uuid import UUID

from events.chain import link
from events.event import START, Event, EventDraft, Head, new_stream
from events.json_types import JsonObject
from events.store.protocol import EventStore

NOON = 1_790_000_000_000_000
RULES = "puerto_rico/1"
CREATED: JsonObject = {
    "game": "puerto_rico",
    "options": {"variant": "balanced", "expansions": ["nobles"]},
    "seats": 3,
    "chairs": [None, "bot:greedy", None],
    "clock": {"kind": "none"},
    "rated": False,
    "level": 1,
    "commitment": "97" * 32,
    "seed": None,
    "tournament": None,
    "imported": False,
}
MOVED: JsonObject = {
    "seat": 2,
    "move": "take coffee",
    "drew": ["corn"],
    "then": [],
    "facts": [["tile_taken", 2, "coffee"], ["row_dealt", ["corn"]]],
    "digest": "d1" * 32,
}
at = count(NOON)


def opening() -> EventDraft:
    """The first event of a game."""
    return EventDraft("game_created", CREATED, "service", next(at), RULES)


def move(text: str = "take coffee") -> EventDraft:
    """A move in a game."""
    return EventDraft("moved", {**MOVED, "move": text}, "player-1", next(at), RULES)


def a_stream() -> UUID:
    """Returns the id of an empty stream."""
    return new_stream(next(at))


def a_game(moves: int, stream: UUID | None = None) -> tuple[Event, ...]:
    """A new game and so many moves, linked."""
    return link(stream or a_stream(), START, (opening(), *(move(f"play {number}") for number in range(moves))))


def next_move(stream: UUID, head: Head, text: str = "take coffee") -> tuple[Event, ...]:
    """One move after a head."""
    return link(stream, head, (move(text),))


def start_game(book: EventStore, moves: int = 0) -> tuple[UUID, Head]:
    """A stored game with so many moves: its stream and its head."""
    events = a_game(moves)
    book.append(events[0].stream, 0, events)
    return events[0].stream, events[-1].head

"""The lobby row of each game, for lists, sweeps and clocks; written in the transaction of every event."""

import json
from collections.abc import Collection, Sequence
from typing import Any, Final, cast
from uuid import UUID

from events.event import Head
from events.json_types import Json
from events.store.statements import AppendFunctions, Statement
from projections.games.record import ABORTED, FINISHED, OPEN, PLAYER, GameRecord

MOVED: Final = frozenset(("moved",))  # these events change the turn only
OPENED: Final = """
INSERT INTO games (id, version, head, game, status, host, rated, visibility, options, chairs, seat, decision, player,
    engine, deadline, result, tournament, rematch_of, created, changed, aborted_by,
    clock_ends, idle_since)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
TURNED: Final = "SELECT append_turn(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
TURNED_ONCE: Final = "SELECT append_turn_once(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
REMATCH: Final = "SELECT note_rematch(%s, %s)"
CHANGED: Final = """
UPDATE games SET version = %s, head = %s, seat = %s, decision = %s, player = %s, engine = %s, deadline = %s,
    changed = %s, status = %s, chairs = %s, result = %s, aborted_by = %s, idle_since = %s,
    clock_ends = %s
WHERE id = %s
"""
LEFT: Final = "DELETE FROM places WHERE id = %s AND chair <> ALL (%s)"
SAT: Final = """
INSERT INTO places (id, chair, player, place, over, hidden, created)
SELECT %s, chair, player, place, %s, %s, %s
FROM unnest(%s::smallint[], %s::text[], %s::smallint[]) AS taken (chair, player, place)
ON CONFLICT (id, chair) DO UPDATE SET player = excluded.player, place = excluded.place, over = excluded.over
"""
PUBLIC: Final = "public"
SEATED: Final = frozenset(("game_created", "seat_taken", "seat_left", "game_started", "game_aborted"))
NOT_KEPT: Final = "DELETE FROM kept_seats WHERE id = %s AND chair <> ALL (%s)"
KEPT: Final = """
INSERT INTO kept_seats (id, chair, player)
SELECT %s, chair, player FROM unnest(%s::smallint[], %s::text[]) AS kept (chair, player)
ON CONFLICT (id, chair) DO NOTHING
"""


def append_and_turn(record: GameRecord) -> AppendFunctions:
    """Returns the functions that append a move and update the turn in the lobby, in one call."""
    return AppendFunctions(TURNED, TURNED_ONCE, (*_turn(record), record.deadline))


def rows(id: UUID, head: Head, record: GameRecord, kinds: Collection[str]) -> list[Statement]:
    """Returns the statements to write after events of these kinds."""
    seats = [*_places(id, record), *(_kept_seats(id, record) if SEATED.intersection(kinds) else ())]
    if "game_created" in kinds:
        rematch = [] if record.rematch_of is None else [Statement(REMATCH, (UUID(record.rematch_of), id))]
        return [Statement(OPENED, row(id, head, record)), *rematch, *seats]
    newest = (head.seq, head.hash, *_turn(record), record.deadline, record.changed)
    whole = (record.status, json.dumps(chairs(record)), _json(record.result), record.aborted_by)
    return [Statement(CHANGED, (*newest, *whole, _idle_since(record), record.next_end, id)), *seats]


def chairs(record: GameRecord) -> list[Json]:
    """Returns the chairs with their players; each names its seat in turn order."""
    return [
        {
            "chair": number,
            "seat": record.order.index(number) if record.order else None,
            "player": chair.player,
            "kept_for": chair.kept_for,
            "bot": chair.bot,
            "stand_in": chair.stand_in,
            "forfeited": chair.forfeited is not None,
            **({"program": True} if chair.program else {}),
        }
        for number, chair in enumerate(record.chairs)
    ]


def row(id: UUID, head: Head, record: GameRecord) -> tuple[Any, ...]:
    """Returns all columns of a game's row."""
    return (
        id,
        head.seq,
        head.hash,
        record.game,
        record.status,
        record.host,
        record.rated,
        record.visibility,
        json.dumps(record.options),
        json.dumps(chairs(record)),
        *_turn(record),
        record.deadline,
        _json(record.result),
        record.tournament,
        record.rematch_of,
        record.created,
        record.changed,
        record.aborted_by,
        record.next_end,
        _idle_since(record),
    )


def _idle_since(record: GameRecord) -> int | None:
    """Returns since when an open table waits for players; None for other games, and once its end is announced."""
    waits = record.status == OPEN and record.deadline is None and record.tournament is None
    return record.changed if waits else None


def _turn(record: GameRecord) -> tuple[int | None, str | None, str | None, str | None]:
    """Returns the seat to act, its decision, its player, and its bot."""
    if record.turn is None:
        return None, None, None, None
    seat = record.chair_at(record.turn.seat)
    return record.turn.seat, record.turn.decision, seat.player, seat.engine


def _places(id: UUID, record: GameRecord) -> list[Statement]:
    taken = [(number, chair.player) for number, chair in enumerate(record.chairs) if chair.player is not None]
    numbers, players = [number for number, _ in taken], [player for _, player in taken]
    over, hidden = record.status in (FINISHED, ABORTED), record.visibility != PUBLIC
    places = [_place(record, number) for number in numbers]
    parameters = (id, over, hidden, record.created, numbers, players, places)
    return [Statement(LEFT, (id, numbers)), Statement(SAT, parameters)]


def _place(record: GameRecord, chair: int) -> int | None:
    """Returns the place of a chair in the result; None without one, as in an aborted game."""
    places = cast("Sequence[int]", (record.result or {}).get("places", ()))
    return places[record.order.index(chair)] if places else None


def _kept_seats(id: UUID, record: GameRecord) -> list[Statement]:
    """Returns the statements for the seats of an open table that are kept for players who have not taken them."""
    kept = [
        (number, chair.kept_for.removeprefix(PLAYER))
        for number, chair in enumerate(record.chairs)
        if record.status == OPEN and chair.player is None and chair.kept_for and chair.kept_for.startswith(PLAYER)
    ]
    numbers = [number for number, _ in kept]
    found = [Statement(KEPT, (id, numbers, [player for _, player in kept]))] if kept else []
    return [Statement(NOT_KEPT, (id, numbers)), *found]


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value)

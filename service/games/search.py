"""Finds games by player, game, options, status, result, date and landmarks."""

from collections.abc import Mapping, Sequence
from typing import Final, LiteralString, NamedTuple, NotRequired, TypedDict
from uuid import UUID

from psycopg import Connection
from psycopg.rows import DictRow, dict_row

from events.json_types import JsonObject
from events.store.postgres import read
from projections.games.fold import record_of
from projections.games.record import OPEN, RUNNING
from projections.read_models.lobby import chairs
from service.core.clock import iso_time as told_time
from service.games.house_bots import called, number_of
from service.games.shared_deals import OPEN_TO_ASKER
from service.games.written_records import RecordTexts, names_by_chair
from service.players.bot_descriptions import bots_among
from service.players.documents import NamedPlayer
from service.players.queries import names_of
from service.web.pagination import Cursor, Page, page, read_cursor, with_conditions

SELECT: Final[LiteralString] = """
SELECT g.*, EXISTS (SELECT FROM transcripts AS t WHERE t.id = g.id) AS imported,
    CASE WHEN g.status IN ('open', 'running') THEN (
        SELECT row_to_json(terms)
        FROM events, json_to_record(convert_from(body, 'UTF8')::json -> 'data')
            AS terms (clock json, silent boolean, spectator_delay integer)
        WHERE stream = g.id AND seq = 1
    ) END AS terms
"""  # of the first event, which may leave the database for an archive when the game is over
# Each source is read in order up to the limit: a list reads no more of the private games of others.
PUBLIC: Final[LiteralString] = "FROM games AS g WHERE g.visibility = 'public'"
OWN: Final[tuple[LiteralString, ...]] = (
    "FROM games AS g WHERE g.visibility <> 'public' AND g.host = %(asker)s",
    """FROM places AS p JOIN games AS g ON g.id = p.id
    WHERE p.player = %(asker)s AND p.hidden AND g.host IS DISTINCT FROM %(asker)s""",
)
PUBLIC_OF_PLAYER: Final[LiteralString] = """FROM places AS p JOIN games AS g ON g.id = p.id
    WHERE p.player = %(player)s AND NOT p.hidden"""
OWN_OF_PLAYER: Final[LiteralString] = """FROM places AS p JOIN games AS g ON g.id = p.id
    WHERE p.player = %(player)s AND p.hidden
    AND (g.host = %(asker)s OR EXISTS (SELECT FROM places WHERE id = g.id AND player = %(asker)s))"""
# What a list for everybody lacks, or shows otherwise, of somebody's own games.
ALL_OWN: Final[tuple[LiteralString, ...]] = (
    """FROM places AS p JOIN games AS g ON g.id = p.id WHERE p.player = %(asker)s AND NOT p.hidden""",
    *OWN,
    """FROM kept_seats AS k JOIN games AS g ON g.id = k.id WHERE k.player = %(asker)s AND g.visibility = 'public'""",
)
# What waits for a player, and for people at the player's screen: a move, or a chair that is kept.
WAITING: Final[tuple[LiteralString, ...]] = (
    """FROM places AS p JOIN games AS g ON g.id = p.id
    WHERE p.player = ANY(%(people)s) AND NOT p.over AND g.player = p.player AND g.status = 'running'""",
    "FROM kept_seats AS k JOIN games AS g ON g.id = k.id WHERE k.player = %(asker)s",
)
ORDER: Final[LiteralString] = " ORDER BY created DESC, id DESC LIMIT %(limit)s"
ORDER_OF_PLACES: Final[LiteralString] = " ORDER BY p.created DESC, p.id DESC LIMIT %(limit)s"
CONDITIONS: Final[Mapping[str, LiteralString]] = {  # parameter -> condition on a game
    "ids": "g.id = ANY(%(ids)s)",
    "game": "g.game = %(game)s",
    "status": "g.status = %(status)s",
    "rated": "g.rated = %(rated)s",
    "since": "g.created >= %(since)s",
    "until": "g.created < %(until)s",
    "option": """NOT EXISTS (
        SELECT FROM (
            SELECT g.options -> split_part(wish, ':', 1) AS value, substr(wish, strpos(wish, ':') + 1) AS wished
            FROM unnest(%(option)s::text[]) AS wish
        ) AS compared
        WHERE (value #>> '{}' = wished OR (json_typeof(value) = 'array' AND value::jsonb ? wished)) IS NOT TRUE
    )""",
    # Facts of a running game are only for its viewers, with their delay.
    "fact": """g.status <> 'running' AND EXISTS (
        SELECT FROM happened AS h WHERE h.stream = g.id AND h.fact = %(fact)s AND h.seat IS NOT NULL
        AND (%(subject)s::text IS NULL OR h.subject = %(subject)s)
        AND (%(by_round)s::int IS NULL OR h.round <= %(by_round)s)
        AND (%(nth)s::int IS NULL OR h.nth = %(nth)s)
        AND (%(seat)s::int IS NULL OR h.seat = %(seat)s)
    )""",
    "after": "(g.created, g.id) < (%(after_created)s, %(after_id)s)",
}
# The seats of a player stand in the same order as games, and are read in it.
CONDITIONS_OF_PLAYER: Final[Mapping[str, LiteralString]] = {
    **CONDITIONS,
    "at_work": "NOT p.over",
    "place": "p.place = %(place)s",
    "since": "p.created >= %(since)s",
    "until": "p.created < %(until)s",
    "after": "(p.created, p.id) < (%(after_created)s, %(after_id)s)",
}
REPLACED: Final[LiteralString] = """
SELECT 1 FROM events WHERE stream = %s AND seq > %s AND kind = 'player_replaced' LIMIT 1
"""


class KnownPlayers(NamedTuple):
    """What a list tells of the players in it: their names, and the descriptions of bots."""

    names: Mapping[str, str]
    bots: Mapping[str, JsonObject]


class SeatEntry(TypedDict):
    """A seat of a listed game."""

    program: bool
    about: JsonObject | None
    chair: int
    seat: int | None
    player: NamedPlayer | None
    kept_for: str | None
    bot: str | None
    stand_in: str | None
    forfeited: bool
    name: str | None  # in the record of an imported game
    entrant: NotRequired[int | None]


class TurnEntry(TypedDict):
    """The seat to act and its decision."""

    seat: int
    decision: str


class GameResult(TypedDict):
    """The result of a game; an aborted one has no points."""

    cause: str
    points: NotRequired[Sequence[int]]
    places: NotRequired[Sequence[int]]


class GameEntry(TypedDict):
    """A game in a list."""

    id: str
    game: str
    options: JsonObject
    status: str
    version: int
    head: str | None
    host: NamedPlayer | None
    rated: bool
    clock: JsonObject | None  # None, as of `silent`: the game is over
    silent: bool | None
    visibility: str
    seats: Sequence[SeatEntry]
    turn: TurnEntry | None
    result: GameResult | None
    tournament: str | None
    created: str | None
    changed: str | None


def find(connection: Connection, asked: Mapping[str, object], asker: str | None, limit: int) -> Page[DictRow]:
    """Returns the newest matching games that the player may see."""
    named = {name: value for name, value in asked.items() if value is not None}
    if "player" in named and named.get("status") in (OPEN, RUNNING):
        named["at_work"] = True  # reads no finished games of the player
    values: dict[str, object] = dict.fromkeys(("subject", "by_round", "nth", "seat")) | named
    values |= {"asker": asker, "limit": limit + 1}
    if "after" in named:
        values["after_created"], values["after_id"] = read_cursor(str(named["after"]))
    with connection.cursor(row_factory=dict_row) as cursor:
        found = cursor.execute(listing(named, asker), values).fetchall()
    for row in found:
        row["delay"] = row["terms"]["spectator_delay"] if row["terms"] and row["status"] == RUNNING else None
        _add_earlier_chairs(connection, row)
    return page(found, limit, lambda row: Cursor(row["created"], row["id"]))


def listing(named: Mapping[str, object], asker: str | None) -> LiteralString:
    """Returns the query for the newest games that fulfil the conditions and that the player may see."""
    conditions = CONDITIONS_OF_PLAYER if "player" in named else CONDITIONS
    parts = [
        with_conditions(SELECT + source + " AND " + OPEN_TO_ASKER, conditions, named)
        + (ORDER_OF_PLACES if source.startswith("FROM places") else ORDER)
        for source in _sources(named, asker)
    ]
    query = parts[0]
    if len(parts) > 1:
        query = "(" + parts[0] + ")"
        for part in parts[1:]:
            query = query + " UNION ALL (" + part + ")"
        query = query + ORDER
    return query


def _sources(named: Mapping[str, object], asker: str | None) -> Sequence[LiteralString]:
    """Returns where the games are read; `own` leaves out the public games of others.

    `waiting` reads those alone that wait for one of `people`, or have a chair that is kept for the asker.
    """
    if "waiting" in named:
        return WAITING
    if "own" in named:
        return ALL_OWN
    public, own = (PUBLIC_OF_PLAYER, (OWN_OF_PLAYER,)) if "player" in named else (PUBLIC, OWN)
    return (public, *(own if asker else ()))


def _add_earlier_chairs(connection: Connection, row: DictRow) -> None:
    """Adds the chairs as delayed spectators see them, if a player was replaced since."""
    upto = max(1, row["version"] - (row["delay"] or 0))
    if upto < row["version"] and connection.execute(REPLACED, (row["id"], upto)).fetchone():
        record = record_of(read(connection, row["id"], 0, upto))
        row["earlier"] = None if record is None else chairs(record)


def document(row: DictRow, known: KnownPlayers, asker: str | None, records: Mapping[UUID, RecordTexts]) -> GameEntry:
    """Returns a listed game; hides the current state from delayed spectators."""
    seated = asker is not None and any(chair["player"] == asker for chair in row["chairs"])
    behind = 0 if seated else row["delay"] or 0
    written = names_by_chair(records.get(row["id"]))
    chairs = row.get("earlier") or row["chairs"] if behind else row["chairs"]
    turn: TurnEntry | None = (
        None if row["seat"] is None or behind else {"seat": row["seat"], "decision": row["decision"]}
    )
    return {
        "id": str(row["id"]),
        "game": row["game"],
        "options": row["options"],
        "status": row["status"],
        "version": max(1, row["version"] - behind),
        "head": None if behind else bytes(row["head"]).hex(),
        "host": _person(row["host"], known.names),
        "rated": row["rated"],
        "clock": row["terms"] and row["terms"]["clock"],
        "silent": row["terms"] and bool(row["terms"]["silent"]),
        "visibility": row["visibility"],
        "seats": [_seat(chair, known, written, delayed=behind > 0) for chair in chairs],
        "turn": turn,
        "result": row["result"],
        "tournament": None if row["tournament"] is None else str(row["tournament"]),
        "created": told_time(row["created"]),
        "changed": None if behind else told_time(row["changed"]),
    }


def with_bot_names(game: GameEntry, language: str) -> GameEntry:
    """Returns a listed game with the names of its bots."""
    seats: list[SeatEntry] = [
        {**seat, "name": called(seat["bot"], number_of(seat["chair"], seat["entrant"]), language)}
        if seat["bot"]
        else seat
        for seat in game["seats"]
    ]
    return {**game, "seats": seats}


def imported(rows: Sequence[DictRow]) -> list[UUID]:
    """Returns the ids of imported games, whose records may name the players."""
    return [row["id"] for row in rows if row["imported"]]


def known_players(connection: Connection, rows: Sequence[DictRow]) -> KnownPlayers:
    """Returns the names and the bots' descriptions that a list needs."""
    chairs = [chair for row in rows for chair in (*row["chairs"], *(row.get("earlier") or ()))]
    people = {id for id in (*(chair["player"] for chair in chairs), *(row["host"] for row in rows)) if id is not None}
    programs = {chair["player"] for chair in chairs if chair.get("program") and chair["player"] is not None}
    return KnownPlayers(names_of(connection, people), bots_among(connection, programs))


def _person(id: str | None, names: Mapping[str, str]) -> NamedPlayer | None:
    return None if id is None else {"id": id, "name": names.get(id)}


def _seat(chair: DictRow, known: KnownPlayers, written: Mapping[int, str], *, delayed: bool) -> SeatEntry:
    """Returns a seat; hides its stand-in and its forfeit from delayed spectators."""
    return {
        "program": chair.get("program", False),
        "about": known.bots.get(str(chair["player"])),
        "chair": chair["chair"],
        "seat": chair["seat"],
        "player": _person(chair["player"], known.names),
        "kept_for": chair["kept_for"],
        "bot": chair["bot"],
        "stand_in": None if delayed else chair["stand_in"],
        "forfeited": not delayed and chair["forfeited"],
        "name": written.get(chair["chair"]),
    }

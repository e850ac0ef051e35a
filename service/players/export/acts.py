"""The events that a player wrote, in every stream, as far as the player may see them now."""

import json
import re
from collections.abc import Generator, Iterator, Mapping
from typing import Final, LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.event import Event
from events.json_types import JsonObject
from events.kinds import KINDS
from events.store.free_texts import read_texts
from events.store.postgres import read
from projections.games.redaction import conceal
from service.container import Container
from service.core.clock import iso_time
from service.core.errors import NotThere, TableClosed
from service.games.visibility import Visibility, visible_game
from service.players.export.kind import PlacedRow, Row

STREAMS: Final[LiteralString] = """
SELECT stream, stream IN (
    SELECT id FROM games WHERE id = ANY (
        ARRAY(SELECT stream FROM actors WHERE player = %(player)s AND stream >= %(from)s ORDER BY stream LIMIT %(most)s)
    ) AND (status IN ('open', 'running') OR tournament IS NOT NULL)
)
FROM actors WHERE player = %(player)s AND stream >= %(from)s ORDER BY stream LIMIT %(most)s
"""
STREAMS_AT_ONCE: Final = 200
EVENTS_AT_ONCE: Final = 200
LAST: Final = 2**53
FIRST_STREAM: Final = UUID(int=0)
TEXT_HASH: Final = re.compile(rb'"([0-9a-f]{64})"')


class Sight(NamedTuple):
    """How much of a stream the author of some of its events may see now."""

    secrets: Mapping[str, str] = {}  # facts that only their own seat may know
    seat: int | None = None
    newest: int = LAST  # version
    closed: bool = False  # the table is closed: no data is visible


def own_acts(here: Container, player: UUID, after: str) -> Generator[PlacedRow]:
    """Yields what a player did, stream by stream; a place is a stream and the number of an event there."""
    name, _, number = after.partition(".")
    first, seq = (UUID(name), int(number)) if after else (FIRST_STREAM, 0)
    for stream, guarded in _streams(here, player, first):
        sight = _sight(here, player, stream) if guarded else Sight()
        for row in _acts(here, player, stream, seq if stream == first else 0, sight):
            yield PlacedRow(f"{stream}.{row['seq']}", row)


def _streams(here: Container, player: UUID, first: UUID) -> Iterator[tuple[UUID, bool]]:
    """Yields the streams that a player acted in, and whether some of their events may be hidden from their author."""
    while True:
        with here.stores.pool.connection() as connection:
            found = connection.execute(STREAMS, {"player": player, "from": first, "most": STREAMS_AT_ONCE}).fetchall()
        yield from found
        if len(found) < STREAMS_AT_ONCE:
            return
        first = UUID(int=found[-1][0].int + 1)


def _sight(here: Container, player: UUID, game: UUID) -> Sight:
    """Returns how much of a game a player may see; a game that the player left is seen as a spectator sees it."""
    try:
        visible = visible_game(here.games, here.deals, game, str(player))
    except TableClosed:
        return Sight(closed=True)
    except NotThere:
        visible = Visibility(here.games.load(game), None, 0)
    return Sight(visible.secrets, visible.seat, visible.version)


def _acts(here: Container, player: UUID, stream: UUID, after: int, sight: Sight) -> Iterator[Row]:
    while after < sight.newest:
        with here.stores.pool.connection() as connection:
            page = [*read(connection, stream, after, min(EVENTS_AT_ONCE, sight.newest - after))]
            events = [event for event in page if event.actor == str(player)]
            texts = {} if sight.closed else _texts(connection, stream, [event.body for event in events])
        for event in events:
            yield _row(stream, event, sight, texts)
        if len(page) < EVENTS_AT_ONCE:
            return
        after = page[-1].seq


def _texts(connection: Connection, stream: UUID, bodies: list[bytes]) -> dict[str, str]:
    """Returns the texts that the events name, by hash."""
    named = {bytes.fromhex(found.decode()) for body in bodies for found in TEXT_HASH.findall(body)}
    return {hash.hex(): kept.text for hash, kept in read_texts(connection, stream, [*named]).items()}


def _row(stream: UUID, event: Event, sight: Sight, texts: Mapping[str, str]) -> Row:
    body: JsonObject = json.loads(event.body)
    shown = conceal(body, sight.secrets, sight.seat)
    named = (found.decode() for found in TEXT_HASH.findall(event.body))
    return {
        "in": KINDS.named(event.kind).stream,
        "stream": str(stream),
        "seq": event.seq,
        "kind": event.kind,
        "at": iso_time(event.at),
        "hash": event.hash.hex(),
        "data": None if sight.closed else shown["data"],
        "texts": {hash: texts[hash] for hash in named if hash in texts},
    }

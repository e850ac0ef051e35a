"""The running games that anybody may watch, the best first, as a spectator without account sees them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import DictRow

from events.errors import CabildoError
from events.json_types import JsonObject
from projections.games.record import RUNNING
from projections.rules.protocol import NO_BOARD
from projections.tournaments.regulations import SEATS
from service.container import Container
from service.core.clock import SECOND
from service.games import queries, search, written_records
from service.games.lists.public_lists import PublicLists
from service.games.lists.worth_watching import Standing, worth
from service.games.search import GameEntry
from service.games.shared_deals import CLOSED
from service.games.visibility import Visibility, visibility_of
from service.tournaments import at_table

LOOKED_AT: Final = 2  # times as many games as are shown are loaded, to tell the close ones
SHARES: Final = sorted({100 * people // seats for seats in SEATS for people in range(seats + 1)})
KEPT_SECONDS: Final = 5.0  # moves renew no list
NEWEST: Final = 4  # times as many games as are shown are candidates, of each share of people
LATELY: Final = 2_000  # events of the log whose games are candidates too
MOVED_LATELY: Final = b"SELECT DISTINCT stream FROM (SELECT stream FROM log ORDER BY idx DESC LIMIT %s) AS lately"
# A subquery for each share, since a cluster takes none whose limit counts for each row of a list.
NEWEST_BY_SHARE: Final = f"WITH closed AS MATERIALIZED ({CLOSED})" + " UNION ALL ".join(  # noqa: S608 - constants alone
    f"""
(
    SELECT id FROM games WHERE status = 'running' AND visibility = 'public' AND people_share(chairs) = {share}
    AND (tournament IS NULL OR id NOT IN (SELECT game FROM closed)) ORDER BY created DESC LIMIT %(limit)s
)
"""  # noqa: S608 - constants alone
    for share in SHARES
)


class WatchedGame(NamedTuple):
    """A running game with its standing, its round, and its table in a tournament."""

    entry: GameEntry
    standing: Standing
    round: int
    event: JsonObject | None


def watch_lists(here: Container) -> PublicLists[list[WatchedGame]]:
    """Returns the lists of a process, by language; they hear of games that begin and end."""
    return PublicLists(here.pubsub, partial(watched_games, here), kept_seconds=KEPT_SECONDS)


def watched_games(here: Container, language: str, limit: int) -> list[WatchedGame]:
    """Returns the running public games that are most worth watching, the best first.

    Holds no connection while games and tournaments are loaded, which take their own.
    """
    now = here.now()
    with here.stores.pool.connection() as connection:
        rows = _candidates(connection, NEWEST * limit)
    chosen = sorted(rows, key=lambda row: worth(_by_row(row, now)), reverse=True)[: LOOKED_AT * limit]
    with here.stores.pool.connection() as connection:
        known = search.known_players(connection, chosen)
        records = written_records.records(connection, search.imported(chosen))
    entries = at_table.listed(here.tournaments, (search.document(row, known, None, records) for row in chosen))
    found = [game for entry in entries for game in _watched(here, entry, now, language)]
    return sorted(found, key=lambda game: worth(game.standing), reverse=True)[:limit]


def _candidates(connection: Connection, limit: int) -> Sequence[DictRow]:
    """Returns the newest games for each share of people, and those that moved last, however old they are."""
    newest = connection.execute(NEWEST_BY_SHARE.encode(), {"limit": limit}).fetchall()
    ids = {id for (id,) in (*newest, *connection.execute(MOVED_LATELY, (LATELY,)))}
    return search.find(connection, {"status": RUNNING, "ids": list(ids)}, None, len(ids)).rows


def _by_row(row: DictRow, now: int) -> Standing:
    """Returns the standing as far as the row of the list tells it; a delayed game counts as one that moves."""
    people, seats = _people(row["chairs"]), len(row["chairs"])
    return Standing(people, seats, 0 if row["delay"] else _seconds(now - row["changed"]), [None] * seats)


def _watched(here: Container, entry: GameEntry, now: int, language: str) -> Iterator[WatchedGame]:
    """Yields the game unless it has ended, or was hidden, since its row was read."""
    try:
        table = here.games.load(UUID(entry["id"]))
        visible = visibility_of(here.games, here.deals, table, None)
    except CabildoError:
        return
    if visible.record.status != RUNNING or visible.table.board is NO_BOARD:
        return
    yield WatchedGame(entry, _standing(visible, entry, now), _round(visible), _event(here, entry, language))


def _standing(visible: Visibility, entry: GameEntry, now: int) -> Standing:
    scores = queries.scores(visible.game, visible.board, queries.visible_board(visible.game, visible.board, None))
    points = [None if score is None else int(str(score["total"])) for score in scores]
    seats = entry["seats"]
    return Standing(_people(seats), len(seats), _seconds(now - visible.record.changed), points)


def _round(visible: Visibility) -> int:
    return int(str(visible.game.view(visible.board, None)["round"]))


def _event(here: Container, entry: GameEntry, language: str) -> JsonObject | None:
    """Returns the tournament, round and table of a game; None for a game outside tournaments."""
    found = at_table.at_table(here.tournaments, entry["tournament"], UUID(entry["id"]))
    if found is None:
        return None
    with here.stores.pool.connection() as connection:
        return {"tournament": entry["tournament"], **at_table.document(connection, found, language)}


def _people(seats: list[Mapping[str, object]] | object) -> int:
    """Returns the number of seats that people play themselves."""
    assert isinstance(seats, list)
    return sum(bool(seat["player"]) and not (seat.get("program") or seat["bot"] or seat["stand_in"]) for seat in seats)


def _seconds(microseconds: int) -> float:
    return max(0.0, microseconds / SECOND)

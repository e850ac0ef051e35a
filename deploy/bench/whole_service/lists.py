"""`cabildo bench lists`: what the list of games and its searches take among very many games."""

import statistics
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Final, NamedTuple
from uuid import UUID

import click
import psycopg
from psycopg import Connection

from deploy.bench.temporary_service import temporary_stores
from deploy.bench.yardstick import per_second, workload
from service import settings
from service.container import Container, open_container
from service.core.clock import SECOND
from service.games import search
from service.web.pagination import Cursor

AIM: Final = 0.05  # seconds
LIMIT: Final = 50
TIMES: Final = 7
PEOPLE: Final = 20_000
PUBLIC_EVERY: Final = 33  # one game in so many is private
BUSY: Final = 1  # a player with a seat in each tenth game; the others have a few dozen
BATCH: Final = 50_000
LAST: Final = UUID(int=2**128 - 1)  # no game has it
YARDSTICK_SECONDS: Final = 0.5
HASTY: Final = "SET synchronous_commit = off"
PLAYERS: Final = """
INSERT INTO players (id, name, folded, created)
SELECT (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid, 'bench ' || n, 'bench ' || n, 1
FROM generate_series(1, %(people)s::int) AS n
"""
GAMES: Final = """
INSERT INTO games (id, version, head, game, status, host, rated, visibility, options, chairs, result, created, changed)
SELECT uuidv7(make_interval(secs => n - %(count)s::int)), 120, sha256(n::text::bytea),
    CASE WHEN n %% 2 = 0 THEN 'puerto_rico' ELSE 'spice_road' END, status, person[1], n %% 3 = 0,
    CASE WHEN n %% %(private)s::int = 0 THEN 'private' ELSE 'public' END,
    CASE WHEN n %% 2 = 0 THEN '{"expansions": ["nobles"]}' ELSE '{"expansions": []}' END::json,
    json_build_array(
        json_build_object('chair', 0, 'seat', 0, 'player', person[1], 'kept_for', NULL, 'bot', NULL, 'stand_in', NULL,
            'forfeited', false),
        json_build_object('chair', 1, 'seat', 1, 'player', person[2], 'kept_for', NULL, 'bot', NULL, 'stand_in', NULL,
            'forfeited', false),
        json_build_object('chair', 2, 'seat', 2, 'player', NULL, 'kept_for', NULL, 'bot', 'bot:greedy',
            'stand_in', NULL, 'forfeited', false)),
    CASE WHEN status = 'finished' THEN '{"cause": "end", "points": [9, 8, 7], "places": [1, 2, 3]}' END::json,
    %(begin)s::bigint + n * 1000000::bigint, %(begin)s::bigint + n * 1000000::bigint
FROM (
    SELECT n, CASE n %% 100 WHEN 1 THEN 'open' WHEN 2 THEN 'running' WHEN 3 THEN 'aborted' ELSE 'finished' END
        AS status,
        ARRAY[lpad(to_hex(CASE WHEN n %% 10 = 0 THEN 1 ELSE 2 + n %% (%(people)s::int - 2) END), 8, '0')
            || '-0000-7000-8000-000000000000',
            lpad(to_hex(2 + (n * 7919::bigint) %% (%(people)s::int - 2)), 8, '0')
            || '-0000-7000-8000-000000000000'] AS person
    FROM generate_series(%(first)s::int, %(last)s::int) AS n
) AS made
"""
PLACES: Final = """
INSERT INTO places (id, chair, player, over, created, hidden, place)
SELECT id, (chair ->> 'chair')::smallint, chair ->> 'player', status NOT IN ('open', 'running'), created,
    visibility <> 'public', CASE WHEN status = 'finished' THEN 1 + (chair ->> 'chair')::smallint END
FROM games, json_array_elements(chairs) AS chair WHERE chair ->> 'player' IS NOT NULL
"""
HAPPENED: Final = """
INSERT INTO happened (stream, seq, place, fact, seat, subject, round, nth)
SELECT id, 9 * part, 0, 'BuildingBuilt', part - 1, CASE
        WHEN part < 3 THEN (ARRAY['small_market', 'hacienda', 'quarry', 'office'])[1 + number % 4]
        WHEN number % 10000 < 5 THEN 'cathedral' ELSE 'factory' END, 3 * part, part
FROM (SELECT id, created / 1000000 AS number FROM games WHERE status = 'finished') AS over,
    generate_series(1, 3) AS part
"""
ANALYSED: Final = ("games", "places", "happened", "players")


class List(NamedTuple):
    """A list to measure: its parameters, and who asks."""

    name: str
    asked: Mapping[str, object]
    asker: str | None = None


def person(number: int) -> str:
    """Returns the id of a player."""
    return f"{number:08x}-0000-7000-8000-000000000000"


def lists(middle: int) -> list[List]:
    """Returns what is measured; `middle` is when the middle game was created."""
    cursor = Cursor(middle, LAST).text()
    by_fact = {"fact": "BuildingBuilt"}
    return [
        List("newest", {}),
        List("newest, asked by a busy player", {}, person(BUSY)),
        List("open", {"status": "open"}),
        List("finished", {"status": "finished"}),
        List("finished games of one kind", {"status": "finished", "game": "spice_road"}),
        List("rated", {"rated": True}),
        List("with an option", {"option": ["expansions:nobles"]}),
        List("a page in the middle", {"after": cursor}),
        List("finished, in the middle", {"status": "finished", "after": cursor}),
        List("until a day long ago", {"until": middle}),
        List("of a player", {"player": person(77)}),
        List("won by a player", {"player": person(77), "place": 1}),
        List("of a busy player", {"player": person(BUSY)}),
        List("running, of a busy player", {"player": person(BUSY), "status": "running"}),
        List("won by a busy player", {"player": person(BUSY), "place": 1}),
        List("lost by a busy player (none)", {"player": person(BUSY), "place": 5}),
        List("a busy player's own", {"player": person(BUSY)}, person(BUSY)),
        List("by a frequent fact", by_fact | {"subject": "factory"}),
        List("by a rare fact", by_fact | {"subject": "cathedral"}),
        List("by a fact that never happened", by_fact | {"subject": "small_market", "nth": 9}),
        List("by a fact, of a player", by_fact | {"subject": "factory", "player": person(77)}),
    ]


def fill(connection: Connection, count: int, begin: int) -> None:
    """Inserts players and games with their seats and facts; no events stand behind them."""
    connection.execute(HASTY)
    connection.execute(PLAYERS, {"people": PEOPLE})
    for first in range(1, count + 1, BATCH):
        part = {"first": first, "last": min(count, first + BATCH - 1), "count": count}
        connection.execute(GAMES, part | {"people": PEOPLE, "private": PUBLIC_EVERY, "begin": begin})
    connection.execute(PLACES)
    connection.execute(HAPPENED)
    for table in ANALYSED:
        connection.execute(f"VACUUM ANALYZE {table}")


def measured(here: Container, one: List) -> tuple[float, float, int]:
    """Returns the first and the median seconds of a list, and its length."""
    spent, rows = [], 0
    for _ in range(TIMES):
        begun = time.perf_counter()
        with here.stores.pool.connection() as connection:
            found = search.find(connection, one.asked, one.asker, LIMIT)
            search.known_players(connection, found.rows)
        spent.append(time.perf_counter() - begun)
        rows = len(found.rows)
    return spent[0], statistics.median(spent), rows


def run(games: int) -> Iterator[tuple[List, float, float, int]]:
    """Yields each list with its seconds and its length."""
    with temporary_stores() as stores:
        here = open_container(settings.load(stores.environ), "bench")
        with closing(here):
            begin = here.now() - games * SECOND
            with psycopg.connect(stores.admin, autocommit=True) as connection:
                fill(connection, games, begin)
            for one in lists(begin + games // 2 * SECOND):
                yield one, *measured(here, one)


@click.command()
@click.option("--games", type=click.IntRange(100, 10**7), default=10**6, show_default=True, help="How many there are.")
def lists_command(games: int) -> None:
    """Fill tables of a temporary PostgreSQL with games, and print what lists and searches take there."""
    click.echo(f"{games:,} games; lists of {LIMIT}, the first time and the median of {TIMES}, in ms")
    slow = []
    for one, first, median, rows in run(games):
        click.echo(f"{one.name:<34} {1000 * first:>8.1f} {1000 * median:>8.1f}  {rows} games")
        slow += [one.name] if median > AIM else []
    click.echo(f"yardstick: {per_second(workload, YARDSTICK_SECONDS):.0f} workloads a second of processor time")
    click.echo(f"NOT within the aim of {1000 * AIM:.0f} ms: {', '.join(slow)}" if slow else "all within the aim")

"""Fifty thousand open tables cost other players nothing: no query of a page reads all games."""

from collections.abc import Iterator
from typing import Any, Final

import psycopg
import pytest
from flask import Flask
from psycopg import Connection

from service.core import quotas
from service.games import search
from service.live import player_source
from service.live.own_lists import STATE
from service.players.commands import leaving
from tests.support.service.many_tables import keep_seats, lay_out_tables
from tests.support.service.players import Person, answer
from tests.support.service.query_plans import BIG, MOST_ROWS, check_reads_little, plan
from tests.support.service.shared_fixtures import app, environ
from workers.keeper import open_tables

__all__ = ["app", "environ"]  # shared by the tests of this module
TABLES: Final = 50_000
ANY: Final = "ffffffff-ffff-ffff-ffff-ffffffffffff"
LOGIN: Final = {"name": "Anna", "password": "correct horse"}
READ: Final = """
SELECT relname, seq_scan, coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables WHERE relname = ANY (%s)
"""


@pytest.fixture(scope="module")
def anna(app: Flask) -> Person:
    """A player with a few games among very many public and private tables of others."""
    anna, birgir = Person(app.test_client(), **LOGIN), Person(app.test_client(), "Birgir")
    for number in range(3):
        birgir.create("me", anna.id, visibility=("public", "unlisted", "private")[number])
        anna.create("me", "bot:random", start_player=0)
        birgir.join(anna.create("me", "open", start_player=0)["id"])
    anna.create("me", "open", visibility="private")
    return anna


@pytest.fixture(scope="module")
def crowded(app: Flask, anna: Person, environ: dict[str, str]) -> Iterator[Connection]:
    """A connection to the database with all tables in it."""
    with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as connection:  # as its owner, for ANALYZE
        now = app.extensions["cabildo"].now()
        lay_out_tables(connection, TABLES // 2, now, "public")
        lay_out_tables(connection, TABLES // 2, now + TABLES, "private")
        keep_seats(connection, TABLES)
        yield connection


@pytest.mark.parametrize("query", [player_source.COUNT_WAITING, player_source.KEPT, player_source.DUE, STATE])
def test_no_page_of_a_visitor_reads_the_tables_of_others(query: str, crowded: Connection, anna: Person) -> None:
    parameters = {"player": anna.id, "limit": 200, "after": player_source.NOTHING}
    check_reads_little(plan(crowded, query, parameters))


@pytest.mark.usefixtures("crowded")
def test_counting_for_a_quota_reads_the_games_of_one_account(environ: dict[str, str], anna: Person) -> None:
    with psycopg.connect(environ["DATABASE_URL"]) as fresh:  # whose figures hold no scan of an earlier transaction
        used: dict[str, int] = dict(fresh.execute(quotas.USED, (anna.id,)).fetchall())
        read = fresh.execute(READ, (list(BIG),)).fetchall()
    assert used["games"] > 0
    assert [(table, scans) for table, scans, _ in read if scans] == []
    assert 0 < sum(rows for *_, rows in read) <= MOST_ROWS


def test_an_erased_player_is_left_out_of_few_games(crowded: Connection, anna: Person) -> None:
    for query in (leaving.HOSTED, leaving.SEATED, leaving.KEPT):
        named = query.replace("ANY(%s)", "ANY(%(statuses)s)").replace("%s", "%(player)s", 1).replace("%s", "200")
        taken = plan(crowded, named, {"player": anna.id, "statuses": ["open", "running"]})
        check_reads_little(taken)


def test_the_keeper_reads_a_batch_of_idle_tables(crowded: Connection) -> None:
    query = open_tables.IDLE.replace("%s", "%(upto)s", 1).replace("%s", "200")
    check_reads_little(plan(crowded, query, {"upto": 2**62}))


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("status", ["open", "running", "finished"])
def test_a_list_of_games_reads_no_more_than_it_shows(status: str, own: bool, crowded: Connection, anna: Person) -> None:
    named: dict[str, Any] = {"status": status} | ({"player": anna.id, "at_work": True} if own else {})
    values = {"asker": anna.id, "limit": 25, **named}
    check_reads_little(plan(crowded, search.listing(named, anna.id), values))
    check_reads_little(plan(crowded, search.listing(named, None), values))


def test_games_that_wait_are_found_without_those_of_others(crowded: Connection, anna: Person) -> None:
    named: dict[str, Any] = {"waiting": True, "people": [anna.id]}
    values = {"asker": anna.id, "limit": 25, **named}
    check_reads_little(plan(crowded, search.listing(named, anna.id), values))


@pytest.mark.parametrize(
    "named",
    [{"place": 1}, {"place": 5, "status": "finished"}, {"since": 1}, {"after": "", "game": "spice_road"}],
    ids=lambda named: "-".join(named),
)
@pytest.mark.parametrize("own", [True, False])
def test_games_of_a_player_are_read_in_the_order_of_the_list(
    named: dict[str, Any], own: bool, crowded: Connection, anna: Person
) -> None:
    asked = {"player": anna.id, **named}
    values = {"asker": anna.id if own else None, "limit": 25, "after_created": 2**62, "after_id": ANY, **asked}
    taken = plan(crowded, search.listing(asked, anna.id if own else None), values)
    check_reads_little(taken)
    used = {str(step["Index Name"]) for step in taken if "Index Name" in step}
    assert used & {"places_listed", "places_hidden", "places_by_result"}


@pytest.mark.parametrize("named", [{}, {"status": "open"}, {"game": "spice_road"}], ids=lambda named: "-".join(named))
def test_a_page_in_the_middle_begins_there(named: dict[str, Any], crowded: Connection) -> None:
    row = crowded.execute("SELECT created, id FROM games ORDER BY created OFFSET 20000 LIMIT 1").fetchone()
    assert row is not None
    values = {"asker": None, "limit": 25, "after_created": row[0], "after_id": row[1], **named}
    check_reads_little(plan(crowded, search.listing({**named, "after": ""}, None), values))


def test_pages_show_what_waits_and_lists_go_on(app: Flask, crowded: Connection, anna: Person) -> None:
    client = app.test_client()
    answer(client.post("/v1/session", json=LOGIN), 201)
    page = client.get("/mine").text
    assert "● 9" in page  # three seats that are kept, three games with a bot, three of two players
    assert page.count('class="listed waits"') == 9
    first = answer(client.get("/v1/games?status=open&limit=10"), 200)
    following = answer(client.get(f"/v1/games?status=open&limit=10&after={first['next']}"), 200)
    assert len({game["id"] for game in (*first["games"], *following["games"])}) == 20
    assert 'rel="next" href="/lobby?status=open' in client.get("/lobby").text


def test_own_private_tables_are_listed_among_the_public_ones(anna: Person) -> None:
    listed = answer(anna.ask("GET", f"/v1/games?player={anna.id}&limit=100"), 200)["games"]
    assert {game["visibility"] for game in listed} == {"public", "private"}
    ids = [game["id"] for game in listed]
    assert len(ids) == len(set(ids))

"""Searches among very many games read few rows: every condition that a list of games takes, by EXPLAIN."""

from collections.abc import Iterator
from typing import Any, Final

import psycopg
import pytest
from flask import Flask
from psycopg import Connection

from deploy.bench.whole_service.lists import BUSY, fill, person
from service.core.clock import SECOND
from service.games import search
from service.games.lists.watch_list import NEWEST_BY_SHARE
from tests.support.service.many_tables import keep_seats
from tests.support.service.query_plans import check_reads_little, plan
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]  # shared by the tests of this module
GAMES: Final = 20_000
BUILT: Final = {"fact": "BuildingBuilt"}
EVERY: Final = "SELECT FROM happened WHERE fact = %(fact)s AND subject = %(subject)s"
SEARCHES: Final[dict[str, dict[str, Any]]] = {
    "rated": {"rated": True},
    "option": {"option": ["expansions:nobles"]},
    "option and kind": {"option": ["expansions:nobles"], "game": "puerto_rico"},
    "since": {"since": GAMES - 60},  # seconds after the oldest game
    "until": {"until": GAMES // 2},
    "between": {"since": GAMES // 2, "until": GAMES // 2 + 100},
    "frequent fact": {**BUILT, "subject": "factory"},
    "any subject": BUILT,
    "rare fact": {**BUILT, "subject": "cathedral"},
    "frequent fact by a round": {**BUILT, "subject": "quarry", "by_round": 6},
    "frequent fact with a number": {**BUILT, "subject": "office", "nth": 2},
    "number that never happened": {**BUILT, "subject": "small_market", "nth": 9},
    "number of a rare fact": {**BUILT, "subject": "cathedral", "nth": 3},
    "fact of a player": {**BUILT, "subject": "factory", "player": person(77)},
    "fact of a busy player": {**BUILT, "subject": "factory", "player": person(BUSY)},
    "fact that there is not": {"fact": "NothingBuilt"},
}


@pytest.fixture(scope="module")
def begin(app: Flask) -> int:
    """When the oldest of the games was created."""
    return int(app.extensions["cabildo"].now()) - GAMES * SECOND


@pytest.fixture(scope="module")
def crowded(begin: int, environ: dict[str, str]) -> Iterator[Connection]:
    """A connection to the database with many games in it, most of them finished, a second apart."""
    with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as connection:  # as its owner, for ANALYZE
        fill(connection, GAMES, begin)
        keep_seats(connection, GAMES)
        yield connection


@pytest.mark.parametrize("searched", SEARCHES)
@pytest.mark.parametrize("own", [True, False])
def test_a_search_reads_few_rows(searched: str, own: bool, crowded: Connection, begin: int) -> None:
    named = SEARCHES[searched]
    named = named | {limit: begin + named[limit] * SECOND for limit in ("since", "until") if limit in named}
    asker = person(77) if own else None
    values = dict.fromkeys(("subject", "by_round", "nth", "seat")) | named | {"asker": asker, "limit": 26}
    check_reads_little(plan(crowded, search.listing(named, asker), values))


def test_the_choice_of_games_to_watch_reads_few_rows(crowded: Connection) -> None:
    taken = plan(crowded, NEWEST_BY_SHARE, {"limit": 48})
    check_reads_little(taken)
    assert any(step.get("Index Name") == "games_to_watch" for step in taken)


def test_the_planner_knows_which_subjects_a_fact_has(crowded: Connection) -> None:
    with crowded.transaction(force_rollback=True):
        crowded.execute("""
            INSERT INTO happened (stream, seq, place, fact, seat, subject, round, nth)
            SELECT gen_random_uuid(), 1, 0, 'SomethingElse', 0, 'elsewhere', 1, 1 FROM generate_series(1, 20000)
        """)
        crowded.execute("ANALYZE happened")
        step, *_ = plan(crowded, EVERY, {"fact": "SomethingElse", "subject": "elsewhere"})
        assert 15_000 < step["Plan Rows"] < 25_000

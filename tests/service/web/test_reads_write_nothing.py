"""No GET writes: every route and page is read while a flag is due and an outage is not stated yet."""

import re
from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time
from psycopg import Connection, sql

from events.store.connections import connect
from service.core.clock import SECOND, now
from service.core.outages import note_work
from tests.support.service.annotators import a_finished_game
from tests.support.service.players import running, somebody

TABLES: Final = "SELECT relname FROM pg_stat_user_tables WHERE schemaname = 'public' ORDER BY relname"
NOTED: Final = "tokens"  # to the minute, when a token was used
STAGE: Final = {"format": "swiss", "rounds": 1, "sizes": [2]}
REGULATIONS: Final = {"game": "spice_road", "stages": [STAGE]}
PER_MOVE: Final = {"kind": "per_move", "seconds": 60}


def rows(connection: Connection) -> dict[str, Any]:
    """Returns the number of rows of each table, their newest writer and a digest of their contents."""
    found = {}
    for (name,) in connection.execute(TABLES).fetchall():
        asked = sql.SQL(
            "SELECT count(*), max(row.xmin::text::bigint), sum(hashtext(row::text)::bigint) FROM {} AS row"
        ).format(sql.Identifier(name))
        found[name] = connection.execute(asked).fetchone()
    return {name: row for name, row in found.items() if name != NOTED}


def path_of(rule: str, things: dict[str, str]) -> str:
    """Returns the path of a route, with an id of each kind of thing."""
    return re.sub(r"<(?:[^:<>]*:)?(\w+)>", lambda found: things.get(found[1], "1"), rule)


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    with connect(database) as connection:
        yield connection


def test_no_get_writes_while_flags_and_outages_are_due(app: Flask, client: FlaskClient, connection: Connection) -> None:
    with freeze_time("2026-11-18 12:00:00", ignore=["psycopg_pool"]) as clock:
        note_work(connection, now(), 15 * SECOND)
        host = somebody(client)
        over = a_finished_game(client)[0]
        things = {
            "game": running(client, clock=PER_MOVE, leaver="forfeit")[0],
            "study": host.post("/v1/studies", {"title": "Openings", "visibility": "public"})["study"],
            "tournament": host.post("/v1/tournaments", {"title": "Cup", "regulations": REGULATIONS})["id"],
            "analysis": host.post(f"/v1/games/{over}/analyses", {}, 202)["id"],
            "player": host.id,
            "path": "checkpoint",
            "token": str(UUID(int=7)),
            "hook": str(UUID(int=7)),
            "bot": str(UUID(int=7)),
            "name": "board.js",
        }
        clock.tick(3600)
        note_work(connection, now(), 15 * SECOND)  # an outage is over, and no game states it yet
        clock.tick(3600)
        note_work(connection, now(), 10_000 * SECOND)  # and the flag is due in spite of it
        connection.execute("RESET ROLE")  # to read all tables
        before, answered = rows(connection), dict[str, int]()
        for rule in app.url_map.iter_rules():
            if "GET" not in (rule.methods or ()):
                continue
            path = path_of(rule.rule, things)
            answered[path] = host.ask("GET", path, Accept="application/json").status_code
            client.get(path, headers={"Accept": "application/json"})
            changed = {name: row for name, row in rows(connection).items() if row != before[name]}
            assert changed == {}, path
    assert {path: status for path, status in answered.items() if status >= 500} == {}
    assert sum(status == 200 for status in answered.values()) > 50

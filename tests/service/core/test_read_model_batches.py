"""Read models: the same log makes the same rows, however it is cut into batches."""

import random
from collections.abc import Iterator, Mapping

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from psycopg import Connection, sql

from events.log.follow import log_rows
from events.log.leaves import log_size
from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.read_models.log_pages import LogPages
from projections.read_models.projector import advance
from projections.read_models.rebuild import content
from projections.read_models.registry import READ_MODELS
from projections.rules.registry import GAMES
from tests.service.games.test_import_game import enter
from tests.support.projections.random_games import random_game, written
from tests.support.service.annotators import a_running_game, begin
from tests.support.service.players import somebody


@pytest.fixture
def service(database: str, client: FlaskClient) -> Iterator[Connection]:
    """A log of imported games, games with undone moves and changed seats, and a study."""
    for rules in GAMES.values():
        enter(somebody(client), written(random_game(rules, 3, seed=5)))
    for number in range(3):
        game, first, second = a_running_game(client, moves=4, leaver="bot:random")
        for _ in range(number):
            first.move(game, "rest")
            first.post(f"/v1/games/{game}/undo")
        first.move(game, "rest")
        second.post(f"/v1/games/{game}/resign")
        begin(first, game).edit("settle", visibility="public")
    with connect(database) as connection:
        while sequence_once(connection):
            continue
        yield connection


def rows_after(service: Connection, admin: Connection, sizes: Iterator[int]) -> Mapping[str, str]:
    """Returns the content of every read model, filled from nothing in batches of these sizes."""
    pages = LogPages()
    admin.execute("DELETE FROM projections")
    for (table,) in admin.execute("SELECT name FROM projection_tables").fetchall():
        admin.execute(sql.SQL("TRUNCATE {}").format(sql.Identifier(table)))
    for model in READ_MODELS.values():
        while advance(service, model, next(sizes), pages.rows):
            continue
    return {name: content(service, name, "public") for name in READ_MODELS}


def test_rows_are_the_same_however_the_log_is_cut(service: Connection, database: str) -> None:
    with psycopg.connect(database, autocommit=True) as admin:
        one_by_one = rows_after(service, admin, iter(lambda: 1, None))
        for seed in range(4):
            source = random.Random(seed)
            drawn = iter(lambda source=source: source.choice((3, 7, 40, 500)), None)  # type: ignore[misc]
            assert rows_after(service, admin, drawn) == one_by_one
        for (table,) in admin.execute("SELECT name FROM projection_tables WHERE projection <> 'ratings'").fetchall():
            assert admin.execute(sql.SQL("SELECT FROM {} LIMIT 1").format(sql.Identifier(table))).fetchone() is not None


def test_a_page_is_read_once_for_all_models_and_again_after_a_loss(app: Flask, service: Connection) -> None:
    pages, size = LogPages(), log_size(service)
    first = pages.rows(service, 0, size)
    assert pages.rows(service, 0, size) is first
    first[-1].hash = bytes(32)  # as if another entry stood there
    again = pages.rows(service, 0, size)
    assert again is not first
    assert [row.hash for row in again] == [row.hash for row in log_rows(service, 0, size)]

"""What stands beside the events of tournaments is held against them."""

from collections.abc import Iterator

import pytest
from flask import Flask
from psycopg import Connection

from events.log.integrity import Part
from events.sealing.master_keys import MasterKeys
from events.sealing.vault import Vault
from events.store.connections import connect
from service.operations.integrity import Games
from service.operations.tournament_integrity import Tournaments
from tests.support.service.tournament_fixture import Hall

HEATS = {"format": "heats", "rounds": 2, "sizes": [4]}


@pytest.fixture(scope="module")
def hall(app: Flask) -> Hall:
    """A round that was played with one deal at all tables, another one that is declared, and a draft."""
    hall = Hall(app, [HEATS], bots="random", duplicate=True).open(bots=8)
    hall.direct("stages")
    hall.round()
    hall.direct("rounds")
    hall.direct("rounds/current/publication")
    hall.direct("rounds/current/start")
    Hall(app, [HEATS])
    return hall


@pytest.fixture
def connection(hall: Hall) -> Iterator[Connection]:
    with connect(hall.container.settings.database_url) as connection:
        yield connection


def said(part: Part) -> list[str]:
    """Returns the faults."""
    return [fault.sentence for stretch in part("") for fault in stretch.faults]


def test_nothing_is_wrong_with_rows_and_seeds_as_they_are_written(hall: Hall, connection: Connection) -> None:
    assert said(Games(connection, hall.container.vault).part) == []
    assert said(Tournaments(connection, hall.container.vault).part) == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("UPDATE tournaments SET status = 'open' WHERE id = %s", "the row of tournament"),
        ("UPDATE entries SET gone = true WHERE id = %s AND number = 3", "the entries or games of tournament"),
        ("DELETE FROM games_declared WHERE id = %s AND settled", "the entries or games of tournament"),
    ],
)
def test_what_was_changed_is_named(hall: Hall, connection: Connection, change: str, says: str) -> None:
    with connection.transaction(force_rollback=True):
        assert connection.execute(change.encode(), (hall.id,)).rowcount
        found = said(Tournaments(connection, hall.container.vault).part)
        assert [sentence.startswith(says) for sentence in found] == [True]


def test_a_seed_that_does_not_open_is_named(hall: Hall, connection: Connection) -> None:
    (sentence,) = said(Tournaments(connection, Vault(MasterKeys(bytes(32)))).part)
    assert sentence.startswith("the seed of tournament")

"""`cabildo replay-all` as an operator meets it before a new version serves."""

import json
import re

import pytest
from click.testing import CliRunner, Result

from deploy.cli import main
from events.body_packing import unpack_body
from events.store.connections import connect
from events.store.postgres import write
from tests.support.events.filled_store import ignoring_guards
from tests.support.projections.played_games import played


@pytest.fixture
def stored(database: str) -> str:
    with connect(database) as connection:
        write(connection, played(most=20), None, b"", ())
    return database


def run(url: str, *arguments: str) -> Result:
    return CliRunner(env={"DATABASE_URL": url, "REDIS_URL": "unix:///nowhere"}).invoke(main, ["replay-all", *arguments])


def test_games_played_as_they_were_end_with_0(stored: str) -> None:
    done = run(stored)
    assert (done.exit_code, "1 games, 0 differ" in done.output) == (0, True), done.output


def test_a_game_that_is_played_differently_is_named_and_ends_with_1(stored: str) -> None:
    with ignoring_guards(stored) as administrator:
        (body,) = administrator.execute("SELECT body FROM events WHERE seq = 15").fetchone() or (b"",)
        changed = re.sub(rb'"digest":"..', b'"digest":"00', unpack_body(body))
        administrator.execute("UPDATE events SET body = %s WHERE seq = 15", (changed,))
    done = run(stored, "--json")
    assert done.exit_code == 1
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["event"] for row in told[:-1]] == [15, 15]
    assert told[-1] == {"games": 1, "parted": 1}

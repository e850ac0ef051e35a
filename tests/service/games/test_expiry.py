"""Open tables that nobody joins: their end is announced, then they are removed; a join prevents it."""

from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory
from psycopg import Connection

from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.read_models.registry import advance_all
from projections.verify.bundle import verify
from service import settings
from service.core.command_handler import BY_SERVICE
from service.games.commands.upkeep import AnnounceExpiry, announce_expiry
from service.games.decisions.expiry import DAY, NOTICE
from tests.support.service.players import Person, answer
from workers.keeper import open_tables
from workers.keeper.clocks import SettleClocks
from workers.keeper.duty_context import KeeperContext
from workers.keeper.open_tables import AnnounceExpiries

NOON: Final = "2026-11-19 12:00:00"
DAY_SECONDS: Final = 86_400
BEFORE: Final = (14 * DAY - NOTICE) // DAY  # days from the last change to the announcement
NEWS: Final = "SELECT what FROM news WHERE player = %s AND stream = %s ORDER BY number"


class Keeper:
    """The duties of the keeper that end tables, and a clock."""

    def __init__(self, context: KeeperContext, connection: Connection, clock: FrozenDateTimeFactory) -> None:
        self.announce, self.settle = AnnounceExpiries(context), SettleClocks(context)
        self.connection, self.clock = connection, clock

    def after(self, days: float) -> None:
        """Runs the duties after some days; the log and the read models follow."""
        self.clock.tick(days * DAY_SECONDS)
        for duty in (self.announce, self.settle):
            while duty(self.connection):
                continue
        while sequence_once(self.connection) or advance_all(self.connection):
            continue

    def news(self, player: Person, game: str) -> list[str]:
        """Returns the notifications of a player about a game."""
        return [what for (what,) in self.connection.execute(NEWS, (player.id, game)).fetchall()]


@pytest.fixture
def keeper(environ: dict[str, str]) -> Iterator[Keeper]:
    """A keeper at noon."""
    context = KeeperContext(settings.load(environ), environ)
    with freeze_time(NOON) as clock, connect(environ["DATABASE_URL"]) as connection:
        assert isinstance(clock, FrozenDateTimeFactory)
        yield Keeper(context, connection, clock)
    context.close()


def read(player: Person, game: str) -> dict[str, Any]:
    """Returns the summary of a game."""
    return answer(player.ask("GET", f"/v1/games/{game}"), 200)


def test_a_table_that_nobody_joins_is_announced_and_removed(client: FlaskClient, keeper: Keeper) -> None:
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    hosted = anna.create("open", "open", "open")["id"]
    birgir.join(hosted)
    keeper.after(BEFORE - 0.1)
    assert read(anna, hosted)["expires"] is None
    keeper.after(0.2)
    assert read(anna, hosted)["expires"] == "2026-12-03T14:24:00.000000Z"
    for player in (anna, birgir):  # the host without a seat, and who waits with the table
        assert keeper.news(player, hosted) == ["table_expires"]
    keeper.after(1.9)
    assert read(anna, hosted)["status"] == "open"
    keeper.after(0.2)
    over = read(anna, hosted)
    assert (over["status"], over["result"], over["expires"]) == ("aborted", {"cause": "expired"}, None)
    assert keeper.news(birgir, hosted) == ["table_expires", "game_over"]
    assert verify(client.get(f"/v1/games/{hosted}/bundle").data, None).failure is None


@pytest.mark.parametrize("late", [False, True])
def test_a_player_who_joins_prevents_the_end(late: bool, client: FlaskClient, keeper: Keeper) -> None:
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    game = anna.create("me", "open", "open")["id"]
    keeper.after(BEFORE + (0.1 if late else -0.1))
    assert (read(anna, game)["expires"] is not None) is late
    assert birgir.join(game)["expires"] is None
    keeper.after(BEFORE - 0.1)
    assert read(anna, game)["status"] == "open"
    assert keeper.news(anna, game) == ["table_expires"] * late
    answer(birgir.ask("DELETE", f"/v1/games/{game}/seats/mine"), 200)
    keeper.after(BEFORE + 0.1)
    assert read(anna, game)["expires"] is not None


def test_an_announcement_that_comes_late_announces_nothing(app: Flask, client: FlaskClient, keeper: Keeper) -> None:
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    game = anna.create("me", "open")["id"]
    keeper.clock.tick(BEFORE * DAY_SECONDS + 60)
    birgir.join(game)
    version = read(anna, game)["version"]
    announce_expiry(app.extensions["cabildo"], AnnounceExpiry(UUID(game)), BY_SERVICE)
    assert read(anna, game)["version"] == version


def test_idle_tables_are_announced_in_batches(
    client: FlaskClient, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_tables, "BATCH", 2)
    anna = Person(client, "Anna")
    games = [anna.create("me", "open")["id"] for _ in range(5)]
    keeper.clock.tick(BEFORE * DAY_SECONDS + 60)
    assert [keeper.announce(keeper.connection) for _ in range(3)] == [True, True, False]
    assert all(read(anna, game)["expires"] for game in games)
    assert len(games) == len({read(anna, game)["version"] for game in games}) + 4  # one event each

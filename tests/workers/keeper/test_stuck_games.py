"""Settling time: a game that cannot be settled is put off and listed, and holds up no other game."""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import LiteralString
from uuid import UUID

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory
from psycopg import Connection

from events.errors import StoreAway
from events.store.connections import connect
from service import settings
from service.core.clock import SECOND
from service.core.queues import BOT_GAMES
from service.core.stuck_streams import stuck_streams
from tests.service.conftest import Environ
from tests.support.running_program import PATIENCE
from tests.support.service.players import Person, answer, running
from workers.keeper import clocks
from workers.keeper.clocks import CallBots, SettleClocks, attempt_at
from workers.keeper.duty_context import KeeperContext
from workers.keeper.each_stream import EachStream

PER_MOVE = {"kind": "per_move", "seconds": 60}
NOON = "2026-11-18 12:00:00"


def kinds(player: Person, game: str) -> list[str]:
    """Returns the kinds of events since the start of a game of two."""
    events = answer(player.ask("GET", f"/v1/games/{game}/events?after=4"), 200)["events"]
    return [event["kind"] for event in events]


@pytest.fixture
def connection(environ: Environ) -> Iterator[Connection]:
    with connect(environ["DATABASE_URL"]) as connection:
        yield connection


@pytest.fixture
def settle(environ: Environ, connection: Connection) -> Iterator[Callable[[], bool]]:
    """One step of the duty, in a process that has cached nothing."""
    context = KeeperContext(settings.load(environ), environ)
    duty = SettleClocks(context)
    with closing(context):
        yield lambda: duty(connection)


@pytest.fixture
def clock() -> Iterator[FrozenDateTimeFactory]:
    with freeze_time(NOON, ignore=["psycopg_pool"]) as clock:
        assert isinstance(clock, FrozenDateTimeFactory)
        yield clock


def forfeited(client: FlaskClient, *names: str) -> tuple[str, Person]:
    """Returns a running game that a fallen flag ends, and its second player."""
    game, (_, second) = running(client, *names, clock=PER_MOVE, leaver="forfeit")
    return game, second


def test_game_without_its_seed_stops_no_other_flag(
    clock: FrozenDateTimeFactory, client: FlaskClient, connection: Connection, settle: Callable[[], bool]
) -> None:
    seedless, _ = forfeited(client, "Anna", "Birgir")
    clock.tick(1)
    other, player = forfeited(client, "Clara", "David")
    connection.execute("RESET ROLE")
    assert connection.execute("DELETE FROM seeds WHERE id = %s", (seedless,)).rowcount == 1
    clock.tick(60)
    settle()
    assert kinds(player, other) == ["flag_fell", "game_ended", "seed_revealed"]
    (stuck,) = stuck_streams(connection)
    assert (str(stuck.stream), stuck.duty, stuck.failures) == (seedless, "time", 1)
    assert seedless in stuck.reason


def test_stuck_game_is_settled_once_its_seed_is_back(
    clock: FrozenDateTimeFactory, client: FlaskClient, connection: Connection, settle: Callable[[], bool]
) -> None:
    game, player = forfeited(client)
    connection.execute("RESET ROLE")
    connection.execute("CREATE TABLE kept AS SELECT * FROM seeds")
    connection.execute("DELETE FROM seeds")
    clock.tick(60)
    tried = []
    for _ in range(16):
        settle()
        tried.append(stuck_streams(connection)[0].failures)
        clock.tick(5)
    assert tried == [1] + 2 * [2] + 4 * [3] + 8 * [4] + [5]  # after 0, 5, 15, 35 and 75 seconds
    connection.execute("INSERT INTO seeds SELECT * FROM kept")
    for _ in range(20):
        clock.tick(5)
        settle()
    assert kinds(player, game) == ["flag_fell", "game_ended", "seed_revealed"]
    assert stuck_streams(connection) == []


def test_stuck_game_is_not_tried_before_its_pause_is_over(
    clock: FrozenDateTimeFactory, client: FlaskClient, connection: Connection, settle: Callable[[], bool]
) -> None:
    forfeited(client)
    connection.execute("RESET ROLE")
    connection.execute("DELETE FROM seeds")
    clock.tick(60)
    settle()
    clock.tick(4)
    settle()
    assert [stuck.failures for stuck in stuck_streams(connection)] == [1]


@pytest.mark.parametrize(
    "damage",
    [
        "position = '{}'",
        "position = 'null'",
        "position = '[1, 2]'",
        "record = '[]'",
        "record = jsonb_set(record::jsonb, '{1}', '7')",
    ],
)
def test_game_with_a_damaged_board_is_loaded_from_its_events(
    clock: FrozenDateTimeFactory,
    app: Flask,
    client: FlaskClient,
    connection: Connection,
    settle: Callable[[], bool],
    damage: LiteralString,
) -> None:
    game, people = running(client, clock=PER_MOVE, leaver="forfeit")
    second = people[1]
    games = app.extensions["cabildo"].games
    for _ in range(30):  # a board is stored every 32 events
        table = games.load(UUID(game))
        chosen = table.game.notation(next(iter(table.game.legal(table.board))))
        people[table.known.turn.seat].move(game, chosen)
    connection.execute("RESET ROLE")
    assert connection.execute(f"UPDATE boards SET {damage} WHERE id = %s", (game,)).rowcount == 1
    clock.tick(60)
    settle()
    assert kinds(second, game)[-3:] == ["flag_fell", "game_ended", "seed_revealed"]
    assert stuck_streams(connection) == []
    version = connection.execute("SELECT version FROM boards").fetchone()
    assert version == connection.execute("SELECT version FROM games").fetchone()


def test_game_locked_by_a_hung_process_holds_up_no_other(
    client: FlaskClient, connection: Connection, environ: Environ, settle: Callable[[], bool]
) -> None:
    with freeze_time(NOON, ignore=["psycopg_pool"]) as clock:
        locked, _ = forfeited(client, "Anna", "Birgir")
        clock.tick(1)
        other, player = forfeited(client, "Clara", "David")
        clock.tick(60)
        with psycopg.connect(environ["DATABASE_URL"]) as hung:
            hung.execute("SELECT FROM games WHERE id = %s FOR UPDATE", (locked,))
            settle()
            assert kinds(player, other) == ["flag_fell", "game_ended", "seed_revealed"]
            assert [str(stuck.stream) for stuck in stuck_streams(connection)] == [locked]
        clock.tick(5)
        settle()
        assert stuck_streams(connection) == []


def test_unexpected_error_of_one_stream_is_listed_by_its_type(connection: Connection) -> None:
    handled: list[UUID] = []

    def step(stream: UUID) -> None:
        if stream == UUID(int=1):
            raise ZeroDivisionError("with a secret in it")
        handled.append(stream)

    EachStream("tidy", step).run(connection, 0, [UUID(int=1), UUID(int=2)])
    assert handled == [UUID(int=2)]
    assert [(stuck.stream, stuck.reason) for stuck in stuck_streams(connection)] == [(UUID(int=1), "ZeroDivisionError")]


def test_unreachable_store_is_no_fault_of_a_stream(connection: Connection) -> None:
    def step(stream: UUID) -> None:
        raise StoreAway("PostgreSQL cannot be reached")

    with pytest.raises(StoreAway):
        EachStream("tidy", step).run(connection, 0, [UUID(int=1)])
    assert stuck_streams(connection) == []


def test_pass_over_due_games_goes_on_after_each_batch(
    clock: FrozenDateTimeFactory,
    client: FlaskClient,
    settle: Callable[[], bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clocks, "BATCH", 2)
    games = [forfeited(client, f"Anna {number}", f"Birgir {number}") for number in range(5)]
    clock.tick(60)
    assert [settle() for _ in range(3)] == [True, True, False]
    assert {tuple(kinds(player, game)) for game, player in games} == {("flag_fell", "game_ended", "seed_revealed")}


def test_bots_that_never_move_keep_no_newer_bot_waiting(
    client: FlaskClient, connection: Connection, environ: Environ, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clocks, "BATCH", 2)
    host = Person(client, "Anna")
    games = [str(host.create("bot:random", "bot:random")["id"]) for _ in range(5)]
    assert client.application.extensions["cabildo"].announcer.flush(
        PATIENCE
    )  # else it queues a turn while the keeper calls
    context = KeeperContext(settings.load(environ), environ)
    duty = CallBots(context)
    with closing(context), freeze_time(ignore=["psycopg_pool"]) as clock:
        waiting = context.container.announcer.waiting_turns(BOT_GAMES)
        for waited in (20, 20):
            clock.tick(waited)
            context.container.stores.redis.flushdb()
            while duty(connection):
                pass
            assert sorted(str(turn[0]) for turn in iter(waiting.take, None)) == sorted(games)
        context.container.stores.redis.flushdb()
        while duty(connection):
            pass
        assert waiting.take() is None  # the next call of each comes later


def test_calls_of_a_bot_that_never_moves_grow_rarer() -> None:
    attempts = [attempt_at(seconds * SECOND) for seconds in range(2400)]
    assert [attempts.index(attempt) for attempt in sorted(set(attempts))] == [0, 15, 30, 60, 120, 240, 480, 1200, 1800]

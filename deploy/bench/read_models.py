"""`cabildo bench read-models`: events a second of each read model alone and of all, beside reading the log alone."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Final
from uuid import UUID

import click
import psycopg
from psycopg import Connection, sql

from deploy.bench.temporary_service import temporary_stores
from events.log.follow import log_rows
from events.log.leaves import log_size
from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.games.record import BOT
from projections.read_models.projector import BATCH, Projection, advance
from projections.read_models.registry import READ_MODELS, advance_all, advance_one
from projections.rules.registry import GAMES
from service import settings
from service.container import Container, open_container
from service.core.command_handler import ExpectedVersion, Request
from service.games.commands.moves import PlayBotMove, PlayMove, play_bot_move, play_move
from service.games.commands.seats import CreateGame, create_game
from service.games.commands.settle import settled_game
from service.games.decisions import proposals
from service.players.commands.accounts import CreatePlayer, create_player
from workers.bots.levels import decide, decision_record

LEVEL: Final = "random"
SEATS: Final = ["me", *[f"{BOT}{LEVEL}"] * 3]
TABLES: Final = "SELECT name FROM projection_tables"
FORGET: Final = "DELETE FROM projections"

Work = Callable[[Connection], bool]


@click.command("read-models")
@click.option("--events", default=20_000, show_default=True, type=click.IntRange(100), help="The length of the log.")
def read_models(events: int) -> None:
    """Write a log of games of a player and three bots, and bring every read model level with it."""
    with temporary_stores() as stores:
        url = stores.environ["DATABASE_URL"]
        with closing(open_container(settings.load(stores.environ), "bench")) as here:
            player, _ = create_player(here, CreatePlayer("bench"))
            write_games(here, events, str(player.id))
        with connect(url) as connection, psycopg.connect(url, autocommit=True) as admin:
            while sequence_once(connection):
                continue
            size = log_size(connection)

            def measured(work: Work) -> float:
                _empty(admin)
                begun = time.monotonic()
                while work(connection):
                    continue
                return size / (time.monotonic() - begun)

            bare = measured(_reading(size))
            click.echo(f"{size} events, {BATCH} at a time\n{'only read':12}{bare:10,.0f} /s")
            for name, model in READ_MODELS.items():
                _print(name, measured(_following(model)), bare)
            _print("in turn", measured(advance_all), bare)
            _empty(admin)
            _print("at once", size / at_once(url), bare)


def at_once(url: str) -> float:
    """Brings all read models level as the keeper does, a thread and a connection for each. Returns the seconds."""

    def follow(model: Projection) -> None:
        with connect(url) as connection:
            while advance_one(connection, model):
                continue

    begun = time.monotonic()
    with ThreadPoolExecutor(len(READ_MODELS)) as threads:
        for done in [threads.submit(follow, model) for model in READ_MODELS.values()]:
            done.result()
    return time.monotonic() - begun


def write_games(here: Container, events: int, player: str) -> None:
    """Plays games of both kinds until so many events are stored."""
    written = 0
    while written < events:
        for game in GAMES:
            written += play_game(here, game, player)


def play_game(here: Container, game: str, player: str) -> int:
    """Plays a game with random moves; returns the number of its events."""
    proposal = proposals.Proposal(game, {}, SEATS)
    created = create_game(here, CreateGame(proposal, proposals.new_seed()), Request(player)).state
    assert created is not None  # no idempotency key, no stored answer
    while _move(here, created.id, player):
        continue
    return here.games.load(created.id).head.seq


def _move(here: Container, id: UUID, player: str) -> bool:
    """Makes the next move; returns False when the game is over."""
    table = settled_game(here, id)
    if table.known.turn is None:
        return False
    seat, expected = table.known.turn.seat, ExpectedVersion(table.head.seq)
    chosen, how = decide(table.game, table.board, seat, decision_record(LEVEL, table.head.hash))
    move = table.game.notation(chosen)
    if table.known.engine is None:
        play_move(here, PlayMove(id, move), Request(player, expected=expected))
    else:
        play_bot_move(here, PlayBotMove(id, seat, move, how.document()), Request(f"{BOT}{LEVEL}", expected=expected))
    return True


def _following(model: Projection) -> Work:
    return lambda connection: advance(connection, model) == BATCH


def _reading(size: int) -> Work:
    """Returns work that reads and parses the log once."""
    starts: Iterator[int] = iter(range(0, size, BATCH))

    def work(connection: Connection) -> bool:
        start = next(starts, None)
        return start is not None and [row.entry for row in log_rows(connection, start, BATCH)] != []

    return work


def _empty(admin: Connection) -> None:
    """Empties the read models."""
    for (table,) in admin.execute(TABLES).fetchall():
        admin.execute(sql.SQL("TRUNCATE {}").format(sql.Identifier(table)))
    admin.execute(FORGET)


def _print(name: str, speed: float, bare: float) -> None:
    click.echo(f"{name:12}{speed:10,.0f} /s{speed / bare:8.2f}")

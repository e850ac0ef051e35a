"""`cabildo bench outage`: pauses a real keeper over many games with clocks, and counts what it writes afterwards."""

import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple
from uuid import uuid4

import click
from psycopg import Connection

from deploy.bench.temporary_service import running_program, temporary_stores
from deploy.console import OUT
from deploy.local.data_folder import PROJECT
from deploy.local.processes import ServerProgram
from events.store.connections import connect
from projections.games.clocks import PER_MOVE, TimeControl
from service import settings
from service.container import Container, open_container
from service.core import clock
from service.core.clock import SECOND
from service.core.command_handler import Request
from service.core.keeper_heartbeats import keeper_key
from service.core.redis_connections import open_redis
from service.games.commands.seats import CreateGame, create_game
from service.games.decisions import proposals

NAME: Final = "bench"
TIME_OF_A_MOVE: Final = 3600 * SECOND
CREATION: Final = 0.02 * SECOND  # of one game at most
WITHIN: Final = 900.0
LOOK_EVERY: Final = 0.2
OUTAGES: Final = "SELECT since, until FROM outages WHERE since < %(end)s AND until > %(begin)s"
STATED: Final = """
SELECT
    count(*),
    count(DISTINCT (stream, convert_from(body, 'UTF8')::json #>> '{data,outage}')),
    count(DISTINCT stream) FILTER (WHERE stream = ANY (SELECT id FROM games WHERE status = 'running'))
FROM events WHERE kind = 'service_was_away'
"""
ENDED: Final = "SELECT count(*) FROM games WHERE status = 'finished'"


class OutageCosts(NamedTuple):
    """What a keeper wrote after a pause."""

    outages: int  # stored ones that cover the pause
    stated: int  # events of all games that state an outage
    stated_once: int  # the same without repetitions
    stated_in_running: int  # games without a fallen flag that state an outage
    flags: int  # games that a flag ended
    seconds: float  # from the end of the pause to the last flag that was due in it


def measure(environ: Mapping[str, str], directory: Path, games: int, pause: float) -> OutageCosts:
    """Creates games, the flag of every second one due in a pause of the keeper; returns what the keeper then wrote."""
    loaded = settings.load(environ)
    due = clock.now() + int(games * CREATION + pause * SECOND)
    container = open_container(loaded, NAME, now=lambda: due - TIME_OF_A_MOVE)
    for number in range(games):
        _create(container, in_pause=number % 2 == 0)
    container.close()
    with (
        connect(loaded.database_url) as connection,
        running_program(_keeper(environ, directory, loaded.redis_url)) as process,
    ):
        _sleep_until(due - int(pause / 2 * SECOND))
        begin = clock.now()
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(pause)
        os.kill(process.pid, signal.SIGCONT)
        end = clock.now()
        _wait_for_flags(connection, games // 2)
        seconds = (clock.now() - end) / SECOND
        covering = connection.execute(OUTAGES, {"begin": begin, "end": end}).fetchall()
        stated, once, running = connection.execute(STATED).fetchone() or (0, 0, 0)
        return OutageCosts(len(covering), stated, once, running, _ended(connection), seconds)


@click.command("outage")
@click.option("--games", default=10_000, help="Running games with clocks.  [10000]")
@click.option("--pause", default=30.0, help="Seconds for which the keeper is stopped.  [30]")
def outage(games: int, pause: float) -> None:
    """Stop a keeper for a while (SIGSTOP) and count the outages and events that it writes afterwards."""
    with temporary_stores() as stores:
        found = measure(stores.environ, stores.directory, games, pause)
    OUT.print(
        f"{games} games, {pause:.0f} s: {found.outages} outage stored; {found.stated} events state it "
        f"({found.stated - found.stated_once} of them again), "
        f"{found.stated_in_running} of them in games without a fallen flag; "
        f"{found.flags} flags fell within {found.seconds:.0f} s"
    )


def _create(container: Container, *, in_pause: bool) -> None:
    """Creates a game with a player to move, whose flag falls in the pause or an hour later."""
    time_control = TimeControl(PER_MOVE, (1 if in_pause else 2) * TIME_OF_A_MOVE // SECOND)
    proposal = proposals.Proposal("spice_road", {}, ["me", "bot:random"], time_control, leaver="forfeit", first_chair=0)
    create_game(container, CreateGame(proposal, proposals.new_seed()), Request(str(uuid4())))


def _keeper(environ: Mapping[str, str], directory: Path, redis_url: str) -> ServerProgram:
    def beats() -> bool:
        with open_redis(redis_url) as client:
            return bool(client.exists(keeper_key(NAME)))

    return ServerProgram(
        name="keeper",
        command=(sys.executable, "-m", "deploy.cli", "keeper", "--name", NAME),
        log=directory / "keeper.log",
        ready=beats,
        environment={**environ, "PYTHONUNBUFFERED": "1"},
        directory=PROJECT,
    )


def _sleep_until(at: int) -> None:
    time.sleep(max(0.0, (at - clock.now()) / SECOND))


def _ended(connection: Connection) -> int:
    row = connection.execute(ENDED).fetchone()
    return int(row[0]) if row else 0


def _wait_for_flags(connection: Connection, games: int) -> None:
    """Waits until the flags of so many games have fallen. Raises TimeoutError."""
    until = time.monotonic() + WITHIN
    while _ended(connection) < games:
        if time.monotonic() > until:
            raise TimeoutError(f"{_ended(connection)} of {games} flags fell in {WITHIN:.0f} s")
        time.sleep(LOOK_EVERY)

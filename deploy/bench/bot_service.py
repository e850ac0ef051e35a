"""`cabildo bench bots --service`: turns a second through queue, database and log, and the costs of a turn."""

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

import click

from deploy.bench.temporary_service import running_program, temporary_service
from deploy.local.data_folder import PROJECT
from deploy.local.processes import ServerProgram
from projections.games.record import BOT
from projections.rules.registry import GAMES
from service import settings
from service.container import Container, open_container
from service.core.clock import SECOND
from service.core.command_handler import ExpectedVersion, Request
from service.core.queues import BOT_GAMES
from service.games.commands.moves import PlayBotMove, play_bot_move
from service.games.commands.seats import CreateGame, create_game
from service.games.commands.settle import settled_game
from service.games.decisions import proposals
from workers.bots.levels import decide, decision_record

WORKERS: Final = 2
SEATS: Final = 4
WITHIN: Final = 300.0
LOOK_EVERY: Final = 0.02
HOST: Final = "bench"
BOUND: Final = 10  # moves of a turn


class TurnCosts(NamedTuple):
    """Seconds of one game's turns in one process, by part."""

    thinking: float
    loading: float
    playing: float  # rules, events and the commit
    turns: int


def create(container: Container, game: str, level: str, host: str = HOST) -> UUID:
    """Creates a game of bots and returns its id; a game hosted by a bot queues no job."""
    proposal = proposals.Proposal(game, {}, [f"{BOT}{level}"] * SEATS)
    created = create_game(container, CreateGame(proposal, proposals.new_seed()), Request(host)).state
    assert created is not None  # no idempotency key, no stored answer
    return created.id


def measure_turns(container: Container, game: str, level: str) -> TurnCosts:
    """Plays one game in this process and returns the time of every part."""
    id, rules = create(container, game, level, BOT + HOST), GAMES[game]
    parts = [0.0, 0.0, 0.0]
    turns = 0

    def timed(part: int, work: Callable[[], Any]) -> Any:
        begun = time.perf_counter()
        done = work()
        parts[part] += time.perf_counter() - begun
        return done

    while (turn := (table := timed(1, partial(settled_game, container, id))).known.turn) is not None:
        how = decision_record(level, table.head.hash)
        move = rules.notation(timed(0, partial(decide, rules, table.board, turn.seat, how)).move)
        request = Request(BOT + level, expected=ExpectedVersion(table.head.seq))
        timed(2, partial(play_bot_move, container, PlayBotMove(id, turn.seat, move, how.document()), request))
        turns += 1
    thinking, loading, playing = parts
    return TurnCosts(thinking, loading, playing, turns)


def finished(container: Container, games: list[UUID]) -> float:
    """Waits until all games are over. Returns the seconds. Raises ClickException after a time limit."""
    begun, pause = time.monotonic(), threading.Event()
    left = games
    while left:
        left = [game for game in left if container.games.load(game).known.status == "running"]
        if time.monotonic() > begun + WITHIN:
            raise click.ClickException(f"{len(left)} games are not over after {WITHIN:.0f} s")
        pause.wait(LOOK_EVERY)
    return time.monotonic() - begun


class BenchRun(NamedTuple):
    """The result of games played at once."""

    turns: int
    seconds: float
    waits: list[float]  # for each game, the seconds until its first bot moved


def at_once(container: Container, game: str, level: str, number: int) -> BenchRun:
    """Creates games of bots, waits until all are over, and returns the result."""
    begun = time.monotonic()
    games = [create(container, game, level) for _ in range(number)]
    finished(container, games)
    seconds = time.monotonic() - begun
    waits, turns = [], 0
    for id in games:
        events = list(container.games.store.read(id, 0))
        moves = [event.at for event in events if event.kind == "moved"]
        waits.append((moves[0] - events[0].at) / SECOND)
        turns += len(moves)
    return BenchRun(turns, seconds, sorted(waits))


@contextmanager
def running_workers(environ: dict[str, str], queues: Sequence[str] = (BOT_GAMES,)) -> Iterator[Container]:
    """Runs workers for each queue and a keeper on the stores of a temporary service. Yields a container."""
    log = Path(environ["CABILDO_DATA_DIR"]) / "workers.log"
    commands = [*(("worker", queue) for queue in queues for _ in range(WORKERS)), ("keeper",)]
    with ExitStack() as stack:
        for number, command in enumerate(commands):
            arguments = (sys.executable, "-m", "deploy.cli", *command)
            stack.enter_context(
                running_program(
                    ServerProgram(f"{command[0]} {number}", arguments, log, lambda: True, environ, directory=PROJECT)
                )
            )
        container = open_container(settings.load(environ), HOST)
        yield container
        container.close()


def measure_service(names: list[str], level: str, number: int, bounds: Sequence[int]) -> None:
    """Prints turns a second and the costs of a turn, for each limit of the moves of a job."""
    with temporary_service() as copy:
        for bound in bounds or (BOUND,):
            with running_workers({**copy.environ, "CABILDO_BOT_MOVES": str(bound)}) as container:
                finished(container, [create(container, names[0], level)])  # everything has started
                for name in names:
                    print_figures(container, name, level, number, bound)


def print_figures(container: Container, name: str, level: str, number: int, bound: int) -> None:
    """Prints the figures of a game on a line."""
    alone = finished(container, [create(container, name, level)])
    played = at_once(container, name, level, number)
    parts = measure_turns(container, name, level)
    thinking, loading, playing = [1000 * part / parts.turns for part in parts[:3]]
    share = sum(parts[:3]) / parts.turns * played.turns / (WORKERS * played.seconds)
    click.echo(
        f"{name} of {SEATS} {level} bots, {bound} moves a turn: a game alone {alone:.1f} s; {number} at once by "
        f"{WORKERS} workers {played.turns / played.seconds:.0f} turns/s, the first move after "
        f"{played.waits[len(played.waits) // 2]:.1f} s (longest {played.waits[-1]:.1f} s); of a turn {thinking:.2f} ms "
        f"think, {loading:.2f} ms load, {playing:.2f} ms play and commit: {share:.0%} of the workers' time"
    )

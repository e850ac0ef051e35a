"""Makes whole games on the service's own path with one commit for each: seeds, draws, digests and actors are real."""

import random
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from multiprocessing import get_context
from typing import Final, NamedTuple

import click

from events.event import new_stream
from projections.games.record import BOT
from projections.rules.registry import GAMES
from service import settings
from service.container import Container, open_container
from service.core.command_handler import Request
from service.games.decisions import play, proposals
from service.games.game_state import GameUnitOfWork

SPAWN: Final = get_context("spawn")
SEATS: Final = ["me", *[f"{BOT}random"] * 3]
PAUSE: Final = 0.2  # seconds, when nothing was left to do meanwhile
Meanwhile = Callable[[], bool]  # returns whether more is left


class Order(NamedTuple):
    """How many events are to be made, for which player, by how many processes, and until when at most."""

    player: str
    events: int
    writers: int
    until: float  # of the monotonic clock


def make_games(environ: Mapping[str, str], order: Order, meanwhile: Meanwhile) -> None:
    """Lets some processes make games of both kinds until so many events are stored; works on meanwhile."""
    given = (dict(environ), order.player, -(-max(0, order.events) // order.writers))
    processes = [SPAWN.Process(target=_make_share, args=given, daemon=True) for _ in range(order.writers)]
    for one in processes:
        one.start()
    try:
        while any(one.is_alive() for one in processes) and time.monotonic() < order.until:
            if not meanwhile():
                time.sleep(PAUSE)
        if any(one.exitcode for one in processes):
            raise click.ClickException("a writer failed")
    finally:  # a measurement that is ended waits for no share
        for one in processes:
            one.terminate()
            one.join()


def _make_share(environ: Mapping[str, str], player: str, events: int) -> None:
    """Makes games until so many events are stored: the work of one process."""
    source, made = random.Random(), 0
    with closing(open_container(settings.load(environ), "bench")) as here:
        while made < events:
            for game in GAMES:
                made += make_game(here, game, player, source)


def make_game(here: Container, game: str, player: str, source: random.Random) -> int:
    """Makes a game of random moves by a player and three bots; returns the number of its events.

    No bot has decided, so that the events hold no record of a decision.
    """

    def decide(unit: GameUnitOfWork) -> None:
        unit.bring_seed(proposals.new_seed())
        proposals.create(unit, proposals.Proposal(game, {}, SEATS))
        while unit.record.turn is not None:
            unit.at = max(unit.at, here.now())
            _move(unit, unit.record.turn.seat, source)

    made = here.game_commands.create(new_stream(here.now()), Request(player), decide).state
    assert made is not None  # no idempotency key, no stored answer
    return made.head.seq


def _move(unit: GameUnitOfWork, seat: int, source: random.Random) -> None:
    """Makes a random move as the seat's own player or bot."""
    chair = unit.record.chair_at(seat)
    unit.actor = f"{BOT}{chair.engine}" if chair.engine else str(chair.player)
    move = unit.game.legal(unit.board()).sample(source)
    play.play(unit, seat, unit.game.notation(move))

"""`cabildo bench verify`: the cost of proofs: verifying, auditing, sealing beside appends, delay into the log."""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

import click

from deploy.bench.append import move, now, opening
from deploy.bench.inclusion import FULL_SPEED, Comparison, LogBench, running_bench
from deploy.bench.temporary_service import temporary_stores
from events.chain import LONGEST_BATCH, link
from events.event import START, Event, new_stream
from events.log.bundle import Bundle
from events.log.integrity import Audit
from events.merkle.notes import SigningKey
from events.store.connections import connect, open_pool
from events.store.postgres import PostgresStore
from projections.games.record import RUNNING
from projections.rules.registry import GAMES
from projections.verify.bundle import verify
from projections.verify.checks.case import Case
from projections.verify.checks.log import follow_chain, read_file
from service import settings
from service.games.decisions import play, proposals
from service.games.decisions.proposals import Proposal
from service.games.game_state import GameState, GameUnitOfWork, Sources
from service.games.history import history_of
from service.key_settings import log_signing_seeds

SEED: Final = bytes(32)


class PlayedGame:
    """A game in memory, and its events."""

    def __init__(self) -> None:
        self.table = GameState(new_stream(now()))
        self.events: list[Event] = []
        self._sources = Sources(lambda: SEED, lambda: history_of(self.table.id, self.events))

    def execute(self, decide: Callable[[GameUnitOfWork], object]) -> None:
        """Execute a command on the game."""
        unit = GameUnitOfWork(self.table, now(), "bench", self._sources)
        decide(unit)
        self.events += unit.events
        self.table = unit.now


def played(game: str) -> tuple[Event, ...]:
    """Returns the events of a game of two, played to its end."""
    rules, source, found = GAMES[game], random.Random(1), PlayedGame()
    found.execute(lambda unit: proposals.create(unit, Proposal(game, {}, ["me", "bot:random"], seed=SEED.hex())))
    while found.table.known.status == RUNNING:
        turn = found.table.known.turn
        assert turn is not None  # a running game has a turn
        text = rules.notation(rules.legal(found.table.board).sample(source))
        found.execute(partial(play.play, seat=turn.seat, text=text))
    return tuple(found.events)


class Verified(NamedTuple):
    """Events a second."""

    events: int
    chain: float
    rules: float


def verifying(events: Sequence[Event], seconds: float) -> Verified:
    """Returns the speed of verifying a bundle, its chain alone and with all the rules."""
    data = Bundle(events[0].stream, tuple(event.body for event in events)).encode()

    def chain_alone() -> None:
        case = Case(data, None)
        for check in (read_file, follow_chain):
            tuple(check(case))

    speeds = (len(events) * runs_per_second(work, seconds / 2) for work in (chain_alone, lambda: verify(data, None)))
    return Verified(len(events), *speeds)


def runs_per_second(work: Callable[[], object], seconds: float) -> float:
    """Returns the runs of some work in a second."""
    done, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds or not done:
        work()
        done += 1
    return done / spent


def auditing(bench: LogBench, environ: Mapping[str, str], length: int) -> float:
    """Returns the events a second of a whole-database audit."""
    database_url = settings.load(environ).database_url
    with open_pool(database_url, size=1) as pool:
        book, stream, head = PostgresStore(pool), new_stream(now()), START
        while head.seq < length:
            drafts = [move()] * min(LONGEST_BATCH, length - head.seq)
            events = link(stream, head, drafts if head.seq else [opening(), *drafts[1:]])
            book.append(stream, head.seq, events)
            head = events[-1].head
    bench.settle()
    keys = [SigningKey.from_seed(bench.origin, seed).verifier for seed in log_signing_seeds(environ)]
    begun = time.perf_counter()
    with connect(database_url) as connection:
        for step in Audit(connection, bench.origin, bench.files, keys).run():
            assert not step.faults
    return step.total / (time.perf_counter() - begun)


@click.command("verify")
@click.option("--seconds", type=click.FloatRange(0.5, 600), default=12.0, show_default=True, help="For each figure.")
@click.option("--length", type=click.IntRange(1), default=20_000, show_default=True, help="Of the audited log.")
@click.option("--writers", type=click.IntRange(1, 64), default=2, show_default=True, help="How many append at once.")
@click.option(
    "--rate", type=click.FloatRange(1), default=1_200, show_default=True, help="Appends a second of all, when paced."
)
@click.option(
    "--moves", type=click.IntRange(1), default=1_000, show_default=True, help="Followed into the log, at least."
)
def verify_command(seconds: float, length: int, writers: int, rate: float, moves: int) -> None:
    """Measure verifying, auditing, and appends with and without the keeper that numbers, seals and publishes.

    The aim: appends with the sequencer and the sealer reach 0.95 of those without. The rate with the publisher is
    printed too. At full speed the writers leave no processor idle, so that the keeper's time is taken from them. 99 of
    100 moves should be in a published checkpoint within 10 seconds.
    """
    for name in GAMES:
        speed = verifying(played(name), seconds / len(GAMES))
        click.echo(f"{name}: {speed.chain:,.0f} events/s chain alone, {speed.rules:,.0f} with the rules")
    with temporary_stores() as stores, running_bench(stores, writers) as on:
        click.echo(f"audit: {auditing(on, stores.environ, length):,.0f} events/s of {length:,}")
        paced, full = on.beside(seconds, rate), on.beside(seconds, FULL_SPEED)
        times = on.inclusion(moves, rate)
    for load, found in ((f"{rate:,.0f} appends/s asked for", paced), ("full speed", full)):
        click.echo(f"{writers} writers, {load}:")
        for line in result_lines(found):
            click.echo(f"  {line}")
    middle, late = times[len(times) // 2], times[int(len(times) * 0.99)]
    click.echo(
        f"into a published checkpoint at {rate:,.0f} appends/s:"
        f" {middle:.2f} s in the middle, {late:.2f} s for 99 of 100, {len(times)} moves"
    )


def result_lines(found: Comparison) -> Iterator[str]:
    """Yields lines with rates, times of answers and processor time, without the keeper and with its duties."""
    for name, side in zip(("alone", "sequencer and sealer", "and publisher"), found, strict=True):
        cost = side.cost()
        yield (
            f"{name}: {side.rate:,.0f}/s, ratio {found.ratio(side):.2f};"
            f" answered in {side.within(0.5):.2f} ms, 99 of 100 in {side.within(0.99):.2f} ms;"
            f" processor time {sum(cost):.0f} µs"
            f" (writer {cost.writers:.0f}, database {cost.database:.0f}, keeper {cost.keeper:.1f})"
        )

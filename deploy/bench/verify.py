"""`cabildo bench verify`: what proof costs: verifying, auditing, sealing beside appends, and the way into the log."""

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from deploy.bench.append import move, now, opening, scratch_server
from deploy.bench.inclusion import KEY, ORIGIN, House, sealing
from events.bundle import Bundle
from events.chain import LONGEST_BATCH, link
from events.connections import connect, open_pool
from events.event import START, Event, new_stream
from events.fsck import Audit
from events.sealer import open_origin
from events.store import PostgresBook
from projections.audit import verify
from projections.checks.case import Case
from projections.checks.log import follow_chain, read_file
from projections.games import GAMES
from projections.record import RUNNING
from service import play, tables
from service.act import Act, Sources, Table
from service.tables import Proposal

SEED: Final = bytes(32)


def played(game: str) -> tuple[Event, ...]:
    """A game of two, played to its end by the rules."""
    rules, table, events = GAMES[game], Table(new_stream(now())), list[Event]()
    sources, source = Sources(lambda: SEED, lambda: events), random.Random(1)

    def let(decide: Callable[[Act], object]) -> None:
        nonlocal table
        act = Act(table, now(), "bench", sources)
        decide(act)
        events.extend(act.events)
        table = act.now

    let(lambda act: tables.create(act, Proposal(game, {}, ["me", "bot:random"], seed=SEED.hex())))
    while table.known.status == RUNNING:
        turn = table.known.turn
        assert turn is not None  # somebody is to act while the game runs
        text = rules.notation(rules.legal(table.board).sample(source))
        let(partial(play.play, seat=turn.seat, text=text))
    return tuple(events)


class Verified(NamedTuple):
    """Events a second."""

    events: int
    chain: float
    rules: float


def verifying(events: Sequence[Event], seconds: float) -> Verified:
    """How fast a bundle is verified, its chain alone and with all the rules."""
    data = Bundle(events[0].stream, tuple(event.body for event in events)).encode()

    def chain_alone() -> None:
        case = Case(data, None)
        for check in (read_file, follow_chain):
            tuple(check(case))

    speeds = (len(events) * often(work, seconds / 2) for work in (chain_alone, lambda: verify(data, None)))
    return Verified(len(events), *speeds)


def often(work: Callable[[], object], seconds: float) -> float:
    """How often some work is done in a second."""
    done, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds or not done:
        work()
        done += 1
    return done / spent


def auditing(url: str, directory: Path, length: int) -> float:
    """Events a second of a whole-database audit."""
    with open_pool(url, size=1) as pool, connect(url) as connection:
        book, stream, head = PostgresBook(pool), new_stream(now()), START
        while head.seq < length:
            drafts = [move()] * min(LONGEST_BATCH, length - head.seq)
            events = link(stream, head, drafts if head.seq else [opening(), *drafts[1:]])
            book.append(stream, head.seq, events)
            head = events[-1].head
        house = House(directory)
        house.finish(connection)
        begun = time.perf_counter()
        for step in Audit(connection, ORIGIN, house.files, [KEY.verifier]).run():
            assert not step.faults
        return step.total / (time.perf_counter() - begun)


@contextmanager
def scratch_directory() -> Any:
    """A place for published files."""
    with tempfile.TemporaryDirectory(prefix="cabildo-bench-log-") as name:
        yield Path(name)


@click.command("verify")
@click.option("--seconds", type=click.FloatRange(0.5, 600), default=8.0, show_default=True, help="For each figure.")
@click.option("--length", type=click.IntRange(1), default=20_000, show_default=True, help="Of the audited log.")
@click.option("--writers", type=click.IntRange(1, 64), default=2, show_default=True, help="How many append at once.")
@click.option(
    "--moves", type=click.IntRange(1), default=1_000, show_default=True, help="Followed into the log, at least."
)
def verify_command(seconds: float, length: int, writers: int, moves: int) -> None:
    """Measure verifying, auditing, and appends with and without the keeper that orders, seals and publishes.

    Appends with the keeper are to reach 0.95 of those without, and 99 of 100 moves are to be in a published checkpoint
    within 10 seconds.
    """
    for name in GAMES:
        speed = verifying(played(name), seconds / len(GAMES))
        click.echo(f"{name}: {speed.chain:,.0f} events/s chain alone, {speed.rules:,.0f} with the rules")
    with scratch_server() as url, scratch_directory() as directory:
        with connect(url) as connection:
            open_origin(connection, ORIGIN, "measuring")
        click.echo(f"audit: {auditing(url, directory, length):,.0f} events/s of {length:,}")
        found = sealing(url, directory, writers, seconds, moves)
    times = found.inclusion
    click.echo(f"appends/s: {found.alone:,.0f} alone, {found.kept:,.0f} with the keeper, ratio {found.ratio:.2f}")
    middle, late = times[len(times) // 2], times[int(len(times) * 0.99)]
    click.echo(
        f"into a published checkpoint: {middle:.2f} s in the middle, {late:.2f} s for 99 of 100, {len(times)} moves"
    )

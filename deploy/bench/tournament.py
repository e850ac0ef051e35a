"""`cabildo bench tournament`: the time of pairing a round, and of the standings after it."""

import random
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Final, NamedTuple, TypeVar

import click

from deploy.bench.yardstick import per_second, workload
from events.json_types import Json
from projections.tournaments.advancement import is_over
from projections.tournaments.pairing.pair_round import pair
from projections.tournaments.regulations import read_stage
from projections.tournaments.standings.ranking import standings
from projections.tournaments.values import (
    Bye,
    Entrant,
    Format,
    Measures,
    Pairing,
    PairingInput,
    PlayedTable,
    Result,
    Round,
    Stage,
)

T = TypeVar("T")
AIM: Final = 3.0  # seconds for the pairing of 1,000 players
YARDSTICK_SECONDS: Final = 0.2
SCHEDULES: Final[Mapping[Format, Mapping[str, Json]]] = {
    Format.HEATS: {"draw": "balanced", "counting": 3},
    Format.SWISS: {},
    Format.ROUND_ROBIN: {},
    Format.KNOCK_OUT: {"advance": {"per_table": 2}},
    Format.PODS: {"draw": "balanced"},
}


class Timed(NamedTuple):
    """The processor time of a round, in seconds and in rounds of the yardstick."""

    round: int
    measures: Measures
    pairing: float
    standings: float
    yardsticks: float  # a second, in the same run

    @property
    def ratio(self) -> float:
        """Rounds of the fixed workload in the time of the pairing: the figure that can be compared between machines."""
        return self.pairing * self.yardsticks


class SampleTournament:
    """A tournament played round by round with random results."""

    def __init__(self, stage: Stage, players: int) -> None:
        self.stage = stage
        self._entrants = tuple(Entrant(f"player {number}", number, number) for number in range(1, players + 1))
        self._rounds: tuple[Round, ...] = ()
        self._source = random.Random(players)

    @property
    def is_over(self) -> bool:
        """Whether the stage has had all its rounds."""
        return is_over(self.stage, self._rounds)

    def round(self) -> Timed:
        """Pairs a round, plays it and ranks the players. Returns the times."""
        seed = sha256(bytes([len(self._rounds)])).digest()
        present = frozenset(entrant.player for entrant in self._entrants)
        setting = PairingInput(self.stage, self._rounds, self._entrants, present)
        pairing, pairing_took = _timed(lambda: pair(setting, seed))
        self._play(pairing, seed)
        _, standings_took = _timed(lambda: standings(self.stage, self._rounds, self._entrants))
        yardsticks = per_second(workload, YARDSTICK_SECONDS)
        return Timed(pairing.round, pairing.measures, pairing_took, standings_took, yardsticks)

    def _play(self, pairing: Pairing, seed: bytes) -> None:
        event = 10_000 * pairing.round
        tables = tuple(
            PlayedTable(table.number, table.seats, event, None, self._result(len(table.seats), event + table.number))
            for table in pairing.tables
        )
        byes = tuple(Bye(player, event) for player in pairing.byes)
        self._rounds += (Round(pairing.round, tables, event, seed, byes),)

    def _result(self, size: int, event: int) -> Result:
        points = tuple(self._source.randint(25, 60) for _ in range(size))
        return Result(points, (0,) * size, tuple(1 + sum(other > own for other in points) for own in points), event)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """Returns the result of some work and its processor time in seconds."""
    begun = time.process_time()
    return work(), time.process_time() - begun


@click.command("tournament")
@click.option(
    "--players", type=click.IntRange(4, 10_000), default=1_000, show_default=True, help="The number of players."
)
@click.option("--rounds", type=click.IntRange(1, 20), default=7, show_default=True, help="At most, of each format.")
@click.option(
    "--format", "formats", type=click.Choice([one.value for one in Format]), multiple=True, help="Which.  [all]"
)
def tournament(players: int, rounds: int, formats: tuple[str, ...]) -> None:
    """Pair the rounds of tournaments with random results, four at a table, and rank the players after each.

    The aim: the pairing of 1,000 players takes at most 3 seconds.
    """
    click.echo(f"{'format':<12}round tables meetings again (bound)  pairing s  yardsticks  standings s")
    slowest = 0.0
    for format_ in (Format(name) for name in formats or Format):
        event = SampleTournament(read_stage({"format": format_.value, "rounds": rounds, **SCHEDULES[format_]}), players)
        while not event.is_over:
            timed = event.round()
            again = f"{timed.measures.repeats} ({timed.measures.repeats_bound})"
            click.echo(
                f"{format_.value:<12}{timed.round:>5} {len(timed.measures.sizes):>6} {again:>22}"
                f" {timed.pairing:>10.2f} {timed.ratio:>11.1f} {timed.standings:>12.2f}"
            )
            slowest = max(slowest, timed.pairing)
    click.echo(f"the slowest pairing took {slowest:.2f} s; {AIM:.0f} s are allowed for 1,000 players")

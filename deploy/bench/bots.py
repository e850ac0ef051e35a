"""`cabildo bench bots`: matches between levels at rotated seats, with a confidence interval."""

from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import click

from deploy.bench.bot_service import measure_service
from deploy.bench.duel import HEAD, Setup, games, line
from projections.rules.registry import GAMES
from workers.bots.levels import BOTS

PAIRS: Final = (("greedy", "random"), ("search", "greedy"))
TABLES: Final[dict[str, tuple[tuple[str, ...], ...]]] = {  # game -> expansions to play with
    "puerto_rico": ((), ("new_buildings",), ("nobles",), ("new_buildings", "nobles")),
    "spice_road": ((),),
}


def setups(
    names: Sequence[str], seats: Sequence[int], expansions: Sequence[str] | None, pairs: Sequence[tuple[str, str]]
) -> Iterator[Setup]:
    """Yields the chosen setups."""
    for better, lower in pairs:
        for game in names or sorted(GAMES):
            for with_ in TABLES[game] if expansions is None else [tuple(expansions) if game == "puerto_rico" else ()]:
                for number in seats or GAMES[game].seats:
                    yield Setup(game, number, with_, better, lower)


@click.command()
@click.option("--game", "names", type=click.Choice(sorted(GAMES)), multiple=True, help="Which games.  [all]")
@click.option("--seats", type=click.IntRange(2, 5), multiple=True, help="With how many players.  [2 to 5]")
@click.option(
    "--expansion",
    "expansions",
    type=click.Choice(["none", "new_buildings", "nobles"]),
    multiple=True,
    help="With these expansions together.  [none, each, both]",
)
@click.option("--better", type=click.Choice(sorted(BOTS)), help="The level to measure.  [greedy and search]")
@click.option("--lower", type=click.Choice(sorted(BOTS)), default="random", show_default=True, help="Its opponent.")
@click.option("--games", "number", type=click.IntRange(2), default=200, show_default=True, help="Games of each setup.")
@click.option("--steps", type=click.IntRange(0), default=0, help="Another budget for the better level.")
@click.option("--seconds", type=click.FloatRange(0), default=0.0, help="The time limit for a move.")
@click.option(
    "--service", "through", is_flag=True, help="Measure turns a second through queue, database and log instead."
)
@click.option(
    "--moves", type=click.IntRange(1), multiple=True, help="With --service: the limit of moves of a turn.  [10]"
)
@click.option("--processes", type=click.IntRange(1), default=2, show_default=True, help="Games played at once.")
@click.option("--keep", type=click.Path(path_type=Path), help="A file of played games: resume after its last one.")
def bots(
    names: Sequence[str],
    seats: Sequence[int],
    expansions: Sequence[str],
    better: str | None,
    lower: str,
    number: int,
    steps: int,
    seconds: float,
    processes: int,
    keep: Path | None,
    through: bool,
    moves: Sequence[int],
) -> None:
    """Play levels of bots against each other: one seat of the better level, at every seat in turn.

    Even play would win one game in as many as there are seats; the interval of the share has 95 % confidence.
    """
    if through:
        measure_service(list(names or sorted(GAMES)), better or "greedy", number, moves)
        return
    pairs = PAIRS if better is None else ((better, lower),)
    chosen = None if not expansions else [name for name in expansions if name != "none"]
    click.echo(HEAD)
    with get_context("spawn").Pool(processes) as pool:  # a fork would copy locks that other threads hold
        for setup in setups(names, seats, chosen, pairs):
            asked = setup._replace(steps=steps, seconds=seconds)
            click.echo(line(asked, games(asked, number, pool, keep)))

"""`cabildo bench bots`: one level against another at rotated seats, with the uncertainty of the result."""

import math
import time
from collections.abc import Iterator, Sequence
from multiprocessing import Pool
from typing import Final, NamedTuple

import click

from deploy.bench.bot_service import service
from projections.games import GAMES
from workers.bots.levels import BOTS
from workers.bots.match import Player, play
from workers.bots.protocol import Budget

CONFIDENT: Final = 1.96  # standard errors of a 95 % interval
PAIRS: Final = (("greedy", "random"), ("search", "greedy"))
TABLES: Final[dict[str, tuple[tuple[str, ...], ...]]] = {  # game -> expansions to play with
    "puerto_rico": ((), ("new_buildings",), ("nobles",), ("new_buildings", "nobles")),
    "spice_road": ((),),
}


class Setup(NamedTuple):
    """What is played: one seat of the better level, the others of the lower."""

    game: str
    seats: int
    expansions: tuple[str, ...]
    better: str
    lower: str
    steps: int | None  # another budget for the better level

    def players(self, seat: int) -> list[Player]:
        """The table with the better level at this seat."""
        better, lower = BOTS[self.better], BOTS[self.lower]
        budget = better.budget if self.steps is None else Budget(self.steps)
        return [
            Player(better.bot, budget) if at == seat else Player(lower.bot, lower.budget) for at in range(self.seats)
        ]


class Game(NamedTuple):
    """How a game went for the better level."""

    won: float  # shared first places count in part
    points: int
    others: float  # points on average
    seconds: float


def one_game(job: tuple[Setup, int]) -> Game:
    """A game with this number: the number turns the seats and seeds the chance."""
    setup, number = job
    seat, begun = number % setup.seats, time.process_time()
    options = {"expansions": list(setup.expansions)} if setup.expansions else {}
    outcome = play(GAMES[setup.game], options, setup.players(seat), number)
    first = outcome.places[seat] == 1
    others = (sum(outcome.points) - outcome.points[seat]) / (setup.seats - 1)
    won = 1 / outcome.places.count(1) if first else 0.0
    return Game(won, outcome.points[seat], others, time.process_time() - begun)


def interval(games: Sequence[Game]) -> tuple[float, float]:
    """The share of won games, and the half of its 95 % interval."""
    share = sum(game.won for game in games) / len(games)
    spread = sum((game.won - share) ** 2 for game in games) / max(1, len(games) - 1)
    return share, CONFIDENT * math.sqrt(spread / len(games))


def setups(
    games: Sequence[str], seats: Sequence[int], expansions: Sequence[str] | None, pairs: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, int, tuple[str, ...], str, str]]:
    """Everything that is asked for, one setup after the other."""
    for better, lower in pairs:
        for game in games or sorted(GAMES):
            for with_ in TABLES[game] if expansions is None else [tuple(expansions) if game == "puerto_rico" else ()]:
                for number in seats or GAMES[game].seats:
                    yield game, number, with_, better, lower


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
@click.option("--better", type=click.Choice(sorted(BOTS)), help="The level to be measured.  [greedy and search]")
@click.option("--lower", type=click.Choice(sorted(BOTS)), default="random", show_default=True, help="Against this.")
@click.option("--games", "number", type=click.IntRange(2), default=200, show_default=True, help="Games of each setup.")
@click.option("--steps", type=click.IntRange(0), help="Another budget for the better level.")
@click.option("--service", "through", is_flag=True, help="Turns a second through queue, database and log instead.")
@click.option("--processes", type=click.IntRange(1), default=2, show_default=True, help="Games played at once.")
def bots(
    names: Sequence[str],
    seats: Sequence[int],
    expansions: Sequence[str],
    better: str | None,
    lower: str,
    number: int,
    steps: int | None,
    processes: int,
    through: bool,
) -> None:
    """Play levels of bots against each other: one seat of the better level, in turn at every seat.

    Even play would win the share in brackets; the interval around the share is one of 95 %.
    """
    if through:
        service(list(names or sorted(GAMES)), better or "greedy", number)
        return
    pairs = PAIRS if better is None else ((better, lower),)
    chosen = None if not expansions else [name for name in expansions if name != "none"]
    with Pool(processes) as pool:
        for setup in setups(names, seats, chosen, pairs):
            asked = Setup(*setup, steps)
            played = pool.map(one_game, [(asked, game) for game in range(number)], chunksize=2)
            click.echo(line(asked, played))


def line(setup: Setup, played: Sequence[Game]) -> str:
    """The result of a setup on a line."""
    share, half = interval(played)
    points = sum(game.points for game in played) / len(played)
    others = sum(game.others for game in played) / len(played)
    seconds = sum(game.seconds for game in played) / len(played)
    table = f"{setup.game} {'+'.join(setup.expansions)}".strip()
    return (
        f"{setup.better:<7} against {setup.lower:<7} {table:<33} {setup.seats} seats, {len(played)} games: won "
        f"{share:6.1%} ± {half:5.1%} (even {1 / setup.seats:4.0%}), points "
        f"{points:5.1f} : {others:5.1f}, {seconds:.2f} s"
    )

"""One level of bots against another: a game of it, many of them kept in a file, and what they say with what doubt."""

import json
import math
import time
from collections.abc import Sequence
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Final, NamedTuple

from events.json_types import JsonObject
from projections.rules.registry import GAMES
from workers.bots.bot import Budget
from workers.bots.levels import BOTS
from workers.bots.match import MatchPlayer, play

CONFIDENT: Final = 1.96  # standard errors of a 95 % interval


class Setup(NamedTuple):
    """What is played: one seat of the better level, the others of the lower."""

    game: str
    seats: int
    expansions: tuple[str, ...]
    better: str
    lower: str
    steps: int = 0  # another budget for the better level
    seconds: float = 0.0

    def players(self, seat: int) -> list[MatchPlayer]:
        """The table with the better level at this seat."""
        better, lower = BOTS[self.better], BOTS[self.lower]
        budget = Budget(self.steps or better.budget.steps, self.seconds)
        return [
            MatchPlayer(better.bot, budget) if at == seat else MatchPlayer(lower.bot, lower.budget)
            for at in range(self.seats)
        ]

    def document(self) -> JsonObject:
        """What a file of games knows it by: another version of a level is another setup."""
        better, lower = BOTS[self.better], BOTS[self.lower]
        return {
            "setup": [self.game, self.seats, *self.expansions],
            "better": [self.better, better.version, self.steps or better.budget.steps, f"{self.seconds:g}"],
            "lower": [self.lower, lower.version, lower.budget.steps],
        }

    def named(self) -> str:
        """The better level and how much it may think."""
        steps = self.steps or BOTS[self.better].budget.steps
        limits = ([f"{steps} steps"] if steps else []) + ([f"{self.seconds:g} s"] if self.seconds else [])
        return f"{self.better} ({', '.join(limits)})" if limits else self.better

    def __str__(self) -> str:
        return f"{self.game} {'+'.join(self.expansions)}".strip()


class DuelGame(NamedTuple):
    """How a game went for the better level."""

    won: float  # shared first places count in part
    points: int
    others: float  # points on average
    seconds: float


def one_game(job: tuple[Setup, int]) -> DuelGame:
    """A game with this number: the number turns the seats and seeds the chance."""
    setup, number = job
    seat, begun = number % setup.seats, time.process_time()
    options: JsonObject = {"expansions": [*setup.expansions]} if setup.expansions else {}
    outcome = play(GAMES[setup.game], options, setup.players(seat), number)
    first = outcome.places[seat] == 1
    others = (sum(outcome.points) - outcome.points[seat]) / (setup.seats - 1)
    won = 1 / outcome.places.count(1) if first else 0.0
    return DuelGame(won, outcome.points[seat], others, time.process_time() - begun)


def games(setup: Setup, number: int, pool: Pool, kept: Path | None) -> list[DuelGame]:
    """So many games; those that a file keeps are not played again, and it gets the others as they end."""
    found = read(kept, setup)[:number] if kept is not None else []
    for game in pool.imap(one_game, [(setup, game) for game in range(len(found), number)]):
        found.append(game)
        if kept is not None:
            with kept.open("a") as file:
                file.write(json.dumps({**setup.document(), "game": game}) + "\n")
    return found


def read(kept: Path, setup: Setup) -> list[DuelGame]:
    """The games of a setup that a file keeps, in their order; a line cut short ends it."""
    wanted, found = setup.document(), list[DuelGame]()
    for line in kept.read_text().splitlines() if kept.exists() else ():
        try:
            told = json.loads(line)
        except ValueError:
            continue
        if {name: told.get(name) for name in wanted} == wanted:
            found.append(DuelGame(*told["game"]))
    return found


class Share(NamedTuple):
    """The games won of all, and the ends of its 95 % interval (Wilson's, which means something at 100 % too)."""

    won: float
    low: float
    high: float


def share(games: Sequence[DuelGame]) -> Share:
    """How many games were won."""
    number, won = len(games), sum(game.won for game in games) / len(games)
    square = CONFIDENT**2 / number
    middle = (won + square / 2) / (1 + square)
    half = CONFIDENT * math.sqrt(won * (1 - won) / number + square / (4 * number)) / (1 + square)
    return Share(won, max(0.0, middle - half), min(1.0, middle + half))


def line(setup: Setup, played: Sequence[DuelGame]) -> str:
    """The result of a setup as a row of a table."""
    won = share(played)
    points = sum(game.points for game in played) / len(played)
    others = sum(game.others for game in played) / len(played)
    seconds = sum(game.seconds for game in played) / len(played)
    cells = (
        f"{setup.named()} : {setup.lower}",
        str(setup),
        str(setup.seats),
        str(len(played)),
        f"{won.won:.1%}",
        f"{won.low:.1%} to {won.high:.1%}",
        f"{1 / setup.seats:.0%}",
        f"{points:.1f} : {others:.1f}",
        f"{seconds:.2f} s",
    )
    return f"| {' | '.join(cells)} |"


COLUMNS: Final = (
    "levels", "table", "seats", "games", "won by the one seat of the better", "95 % interval", "even play", "points",
    "CPU a game",
)  # fmt: skip
HEAD: Final = f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}"

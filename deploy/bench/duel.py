"""Matches of one level of bots against another: games, the file that stores them, the share won with its interval."""

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
    """The setup of a match: one seat of the better level, the others of the lower."""

    game: str
    seats: int
    expansions: tuple[str, ...]
    better: str
    lower: str
    steps: int = 0  # another budget for the better level
    seconds: float = 0.0

    def players(self, seat: int) -> list[MatchPlayer]:
        """Returns the players with the better level at this seat."""
        better, lower = BOTS[self.better], BOTS[self.lower]
        budget = Budget(self.steps or better.budget.steps, self.seconds)
        return [
            MatchPlayer(better.bot, budget) if at == seat else MatchPlayer(lower.bot, lower.budget)
            for at in range(self.seats)
        ]

    def document(self) -> JsonObject:
        """Returns the key of the setup in a file of games; another version of a level is another setup."""
        better, lower = BOTS[self.better], BOTS[self.lower]
        return {
            "setup": [self.game, self.seats, *self.expansions],
            "better": [self.better, better.version, self.steps or better.budget.steps, f"{self.seconds:g}"],
            "lower": [self.lower, lower.version, lower.budget.steps],
        }

    def named(self) -> str:
        """Returns the better level with its budget."""
        steps = self.steps or BOTS[self.better].budget.steps
        limits = ([f"{steps} steps"] if steps else []) + ([f"{self.seconds:g} s"] if self.seconds else [])
        return f"{self.better} ({', '.join(limits)})" if limits else self.better

    def __str__(self) -> str:
        return f"{self.game} {'+'.join(self.expansions)}".strip()


class DuelGame(NamedTuple):
    """The result of a game for the better level."""

    won: float  # shared first places count in part
    points: int
    others: float  # points on average
    seconds: float


def one_game(job: tuple[Setup, int]) -> DuelGame:
    """Plays a game; its number rotates the seats and seeds the chance."""
    setup, number = job
    seat, begun = number % setup.seats, time.process_time()
    options: JsonObject = {"expansions": [*setup.expansions]} if setup.expansions else {}
    outcome = play(GAMES[setup.game], options, setup.players(seat), number)
    first = outcome.places[seat] == 1
    others = (sum(outcome.points) - outcome.points[seat]) / (setup.seats - 1)
    won = 1 / outcome.places.count(1) if first else 0.0
    return DuelGame(won, outcome.points[seat], others, time.process_time() - begun)


def games(setup: Setup, number: int, pool: Pool, kept: Path | None) -> list[DuelGame]:
    """Returns the results of the games; reads those stored in a file, plays the others and stores them."""
    found = read(kept, setup)[:number] if kept is not None else []
    for game in pool.imap(one_game, [(setup, game) for game in range(len(found), number)]):
        found.append(game)
        if kept is not None:
            with kept.open("a") as file:
                file.write(json.dumps({**setup.document(), "game": game}) + "\n")
    return found


def read(kept: Path, setup: Setup) -> list[DuelGame]:
    """Returns the stored games of a setup in order; skips incomplete lines."""
    wanted, found = setup.document(), list[DuelGame]()
    for line in kept.read_text().splitlines() if kept.exists() else ():
        try:
            stored = json.loads(line)
        except ValueError:
            continue
        if {name: stored.get(name) for name in wanted} == wanted:
            found.append(DuelGame(*stored["game"]))
    return found


class Share(NamedTuple):
    """The share of games won, and its 95 % interval (Wilson's, which holds at 100 % too)."""

    won: float
    low: float
    high: float


def share(games: Sequence[DuelGame]) -> Share:
    """Returns the share of games won."""
    number, won = len(games), sum(game.won for game in games) / len(games)
    square = CONFIDENT**2 / number
    middle = (won + square / 2) / (1 + square)
    half = CONFIDENT * math.sqrt(won * (1 - won) / number + square / (4 * number)) / (1 + square)
    return Share(won, max(0.0, middle - half), min(1.0, middle + half))


def line(setup: Setup, played: Sequence[DuelGame]) -> str:
    """Returns the result of a setup as a row of a table."""
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

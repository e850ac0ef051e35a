"""`cabildo bench playouts`: complete random games per second on one core, as bots and what-if play them."""

import random
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import click

from deploy.bench.yardstick import per_second, workload
from projections.dealer import RandomDealer
from projections.games import GAMES
from projections.protocol import Game

SLICES: Final = 4  # the yardstick is measured between the slices, so that both see the same machine
SEED: Final = 1


class Speed(NamedTuple):
    """What was measured for a number of seats."""

    games: float  # complete games in a second
    moves: float  # moves in a second
    yardsticks: float  # rounds of the fixed workload in a second, in the same run

    @property
    def ratio(self) -> float:
        """Games for one round of the fixed workload: the figure that survives a change of machine."""
        return self.games / self.yardsticks


class Player:
    """Plays random games one after the other and counts their moves."""

    def __init__(self, game: Game[Any, Any], seats: int, *, listed: bool) -> None:
        self._game = game
        self._seats = seats
        self._listed = listed
        self._source = random.Random(SEED)
        self._dealer = RandomDealer(self._source)
        self._options = game.read_options({}, seats)
        self.games = 0
        self.moves = 0

    def play(self) -> None:
        """One game, the legal moves generated before every move."""
        game, source, dealer = self._game, self._source, self._dealer
        chronicle = game.chronicle(recording=False)
        position = game.set_up(self._options, self._seats, dealer, chronicle)
        while game.actor(position) is not None:
            moves = game.legal(position)
            move = source.choice(list(moves)) if self._listed else moves.sample(source)
            game.play(position, move, dealer, chronicle)
            self.moves += 1
        self.games += 1


def measure(game: Game[Any, Any], seats: int, seconds: float, *, listed: bool) -> Speed:
    """The speed of random games, with the yardstick before, between and after."""
    player = Player(game, seats, listed=listed)
    player.play()  # fills what is computed once
    player.games = player.moves = 0
    games, yardsticks = [], [per_second(workload, seconds / SLICES / 4)]
    for _ in range(SLICES):
        games.append(per_second(player.play, seconds / SLICES))
        yardsticks.append(per_second(workload, seconds / SLICES / 4))
    rate = sum(games) / len(games)
    return Speed(rate, rate * player.moves / player.games, sum(yardsticks) / len(yardsticks))


@click.command()
@click.option("--game", "names", type=click.Choice(sorted(GAMES)), multiple=True, help="Which games.  [all]")
@click.option("--seats", type=int, multiple=True, help="With how many players.  [all that the game allows]")
@click.option("--seconds", type=click.FloatRange(0.01, 600), default=4.0, show_default=True, help="Time for each.")
@click.option("--listed", is_flag=True, help="List every legal move and choose evenly, instead of sampling.")
def playouts(names: Sequence[str], seats: Sequence[int], seconds: float, listed: bool) -> None:
    """Play random games and tell how many a second, beside a fixed workload in the same run."""
    click.echo(
        f"{'game':<12} {'seats':>5} {'games/s':>9} {'moves/s':>9} {'moves/game':>10} {'yardsticks/s':>12} {'ratio':>7}"
    )
    for name in names or sorted(GAMES):
        for number in seats or GAMES[name].seats:
            speed = measure(GAMES[name], number, seconds, listed=listed)
            length = speed.moves / speed.games
            click.echo(
                f"{name:<12} {number:>5} {speed.games:>9.1f} {speed.moves:>9.0f} {length:>10.0f} "
                f"{speed.yardsticks:>12.1f} {speed.ratio:>7.2f}"
            )

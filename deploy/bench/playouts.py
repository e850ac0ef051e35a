"""`cabildo bench playouts`: complete random games a second on one core, as bots and what-if play them."""

import gc
import json
import random
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import click

from deploy.bench.yardstick import per_second, workload
from events.json_types import JsonObject
from projections.rules.dealer import RandomDealer
from projections.rules.protocol import AnyGame
from projections.rules.registry import GAMES

SLICES: Final = 4  # the yardstick is measured between the slices, so that both see the same machine
SEED: Final = 1
HEAD: Final = "game         players   games/s   moves/s moves/game yardsticks/s   ratio"


class Speed(NamedTuple):
    """The speed for a number of seats."""

    games: float  # complete games in a second
    moves: float  # moves in a second
    yardsticks: float  # rounds of the fixed workload in a second, in the same run

    @property
    def ratio(self) -> float:
        """Games for one round of the fixed workload: the figure that can be compared between machines."""
        return self.games / self.yardsticks


class RandomPlayer:
    """Plays random games one after the other and counts their moves."""

    def __init__(self, game: AnyGame, options: JsonObject, seats: int, *, listed: bool) -> None:
        self._game = game
        self._seats = seats
        self._listed = listed
        self._source = random.Random(SEED)
        self._dealer = RandomDealer(self._source)
        self._options = game.read_options(options, seats)
        self.games = 0
        self.moves = 0

    def play(self) -> None:
        """Plays one game; generates the legal moves before every move."""
        game, source, dealer = self._game, self._source, self._dealer
        recorder = game.recorder(recording=False)
        position = game.set_up(self._options, self._seats, dealer, recorder)
        actor, legal, play, listed, made = game.actor, game.legal, game.play, self._listed, 0
        while actor(position) is not None:
            moves = legal(position)
            play(position, source.choice(list(moves)) if listed else moves.sample(source), dealer, recorder)
            made += 1
        self.moves += made
        self.games += 1


def measure(game: AnyGame, options: JsonObject, seats: int, seconds: float, *, listed: bool) -> Speed:
    """Returns the speed of random games, with the yardstick measured before, between and after."""
    player = RandomPlayer(game, options, seats, listed=listed)
    player.play()  # fills the caches
    gc.freeze()  # as the service does: what is loaded stays, and is not looked at again when garbage is collected
    player.games = player.moves = 0
    games, yardsticks = [], [per_second(workload, seconds / SLICES / 4)]
    for _ in range(SLICES):
        games.append(per_second(player.play, seconds / SLICES))
        yardsticks.append(per_second(workload, seconds / SLICES / 4))
    gc.unfreeze()
    rate = sum(games) / len(games)
    return Speed(rate, rate * player.moves / player.games, sum(yardsticks) / len(yardsticks))


class Options(click.ParamType[Any]):
    """The options of a game, as a JSON object."""

    name = "JSON"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> JsonObject:
        """Returns the options. Fails on anything but a JSON object."""
        try:
            options = json.loads(value)
        except ValueError:
            options = None
        if not isinstance(options, dict):
            self.fail('expected a JSON object such as {"expansions": ["nobles"]}', param, ctx)
        return options


@click.command()
@click.option("--game", "names", type=click.Choice(sorted(GAMES)), multiple=True, help="Which games.  [all]")
@click.option("--players", "seats", type=int, multiple=True, help="How many players.  [all that the game allows]")
@click.option("--options", type=Options(), default="{}", show_default=True, help="The options of the game, as JSON.")
@click.option("--seconds", type=click.FloatRange(0.01, 600), default=4.0, show_default=True, help="Time for each.")
@click.option("--listed", is_flag=True, help="List every legal move and choose evenly, instead of sampling.")
def playouts(names: Sequence[str], seats: Sequence[int], options: JsonObject, seconds: float, listed: bool) -> None:
    """Play random games and print the games a second, beside a fixed workload in the same run."""
    click.echo(HEAD)
    for name in names or sorted(GAMES):
        for number in seats or GAMES[name].seats:
            speed = measure(GAMES[name], options, number, seconds, listed=listed)
            length = speed.moves / speed.games
            click.echo(
                f"{name:<12} {number:>7} {speed.games:>9.1f} {speed.moves:>9.0f} {length:>10.0f} "
                f"{speed.yardsticks:>12.1f} {speed.ratio:>7.2f}"
            )

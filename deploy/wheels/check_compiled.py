"""Checks an installed wheel: its rules are compiled, and a random game of each kind is played to its end."""

import random
import sys
from typing import Final

from projections.rules.compiled import SUFFIX
from projections.rules.dealer import RandomDealer
from projections.rules.registry import GAMES

ENGINES: Final = ("projections.rules.puerto_rico.engine.flow", "projections.rules.spice_road.choices")


def main() -> int:
    """Returns the exit status: 0 when all is as it should be."""
    for name in GAMES:
        source = random.Random(1)
        game, dealer = GAMES[name], RandomDealer(source)
        recorder = game.recorder(recording=False)
        position = game.set_up(game.read_options({}, 2), 2, dealer, recorder)
        while game.actor(position) is not None:
            game.play(position, game.legal(position).sample(source), dealer, recorder)
    interpreted = [name for name in ENGINES if not str(sys.modules[name].__file__).endswith(SUFFIX)]
    sys.stdout.write(f"not compiled: {', '.join(interpreted)}\n" if interpreted else "the rules are compiled\n")
    return len(interpreted)


if __name__ == "__main__":
    sys.exit(main())

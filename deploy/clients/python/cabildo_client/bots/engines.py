"""What a bot decides: the protocol of an engine, two simple engines, and engines by name."""

import importlib
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol

from cabildo_client.errors import ClientError
from cabildo_client.turns import Move, PlayerTurn


class MoveChooser(Protocol):
    """The class that an author of a bot writes."""

    def choose(self, turn: PlayerTurn) -> Move | str:
        """Returns one of the legal moves, as a value or in notation."""


class UnknownEngine(ClientError):
    """No engine has this name."""


class FirstMove:
    """Plays the first move that is offered."""

    def choose(self, turn: PlayerTurn) -> str:
        """Returns the first legal move."""
        return turn.legal[0]


class RandomMove:
    """Plays any of the moves that are offered; the same seed makes the same choices."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, turn: PlayerTurn) -> str:
        """Returns a random legal move."""
        return self._random.choice(turn.legal)


ENGINES: Final[Mapping[str, Callable[[], MoveChooser]]] = {"first": FirstMove, "random": RandomMove}


def engine_named(name: str) -> MoveChooser:
    """Returns an engine of this package, or an instance of a class by MODULE:CLASS. Raises UnknownEngine.

    The module may also be in the current directory.
    """
    if name in ENGINES:
        return ENGINES[name]()
    module, colon, kind = name.partition(":")
    if not colon:
        raise UnknownEngine(f"{name!r} is no engine: choose {', '.join(ENGINES)} or MODULE:CLASS")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        made: MoveChooser = getattr(importlib.import_module(module), kind)()
    except (ImportError, AttributeError) as problem:
        raise UnknownEngine(f"{name}: {problem}") from problem
    return made

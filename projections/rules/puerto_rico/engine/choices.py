"""Collections of legal moves: short ones that are listed, and long ones that stand beside them."""

import random
from collections.abc import Iterator, Sequence

from events.json_types import JsonObject
from projections.rules.move_collection import Moves
from projections.rules.puerto_rico.moves import Move


class ListedMoves:
    """Moves that are few enough to name."""

    __slots__ = ("moves",)

    def __init__(self, moves: tuple[Move, ...]) -> None:
        self.moves = moves

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def __contains__(self, move: object) -> bool:
        for listed in self.moves:
            if listed is move:  # as a rule, for the moves come from this list
                return True
        return move in self.moves

    def __len__(self) -> int:
        return len(self.moves)

    def sample(self, source: random.Random) -> Move:
        """Any one of them."""
        return self.moves[int(source.random() * len(self.moves))]

    def slots(self) -> JsonObject | None:
        """None: they are listed."""
        return None

    def suggested(self) -> Sequence[Move]:
        """All of them."""
        return self.moves


class Joined:
    """Listed moves, and beside them a long collection of another kind."""

    __slots__ = ("listed", "long")

    def __init__(self, listed: tuple[Move, ...], long: Moves[Move]) -> None:
        self.listed = listed
        self.long = long

    def __iter__(self) -> Iterator[Move]:
        yield from self.listed
        yield from self.long

    def __contains__(self, move: object) -> bool:
        return move in self.listed or move in self.long

    def __len__(self) -> int:
        return len(self.listed) + len(self.long)

    def sample(self, source: random.Random) -> Move:
        """Any one of them: each listed move is as likely as the whole long collection."""
        at = int(source.random() * (len(self.listed) + 1))
        return self.listed[at] if at < len(self.listed) else self.long.sample(source)

    def slots(self) -> JsonObject | None:
        """Returns the slots of the long collection."""
        return self.long.slots()

    def suggested(self) -> Sequence[Move]:
        """The listed moves and a few of the long collection."""
        return [*self.listed, *self.long.suggested()]

"""How much a running game is worth watching: people before bots, close before decided, moving before standing still."""

from collections.abc import Sequence
from typing import Final, NamedTuple

MINUTE, HOUR, DAY = 60, 3_600, 86_400
# That people play outweighs all that follows; each step of moving outweighs how close the game is.
WEIGHTS: Final = {"people": 7.0, "moving": 4.0, "close": 1.0}
SOME_PEOPLE: Final = 0.8  # of a game with people; the rest is by their share of the seats
MOVING: Final = (  # seconds since the newest step at most -> how much the game moves
    (2 * MINUTE, 1.0),
    (15 * MINUTE, 0.6),
    (HOUR, 0.3),
    (DAY, 0.0),
)
STANDS_STILL: Final = -4.0  # comes after all that moved within a day
UNKNOWN: Final = 0.5  # how close a game is whose points are hidden, or which has only begun


class Standing(NamedTuple):
    """What a spectator may know of a running game that makes it worth watching."""

    people: int
    seats: int
    idle: float  # seconds since the newest step that spectators see
    points: Sequence[int | None]  # by seat; None where they are hidden from spectators

    @property
    def lead(self) -> int | None:
        """Returns the points between the first and the second; None where points are hidden, or nobody has any."""
        best = sorted((points for points in self.points if points is not None), reverse=True)
        known = len(best) == len(self.points) > 1 and best[0] > 0
        return best[0] - best[1] if known else None


def worth(standing: Standing) -> float:
    """Returns how much a game is worth watching; the front game has the highest number."""
    people = SOME_PEOPLE + (1 - SOME_PEOPLE) * standing.people / standing.seats if standing.people else 0.0
    shares = {"people": people, "moving": _moving(standing), "close": _close(standing)}
    return sum(weight * shares[name] for name, weight in WEIGHTS.items())


def _moving(standing: Standing) -> float:
    return next((share for seconds, share in MOVING if standing.idle <= seconds), STANDS_STILL)


def _close(standing: Standing) -> float:
    """Returns 1 for an even game, and 0 where the second has none of the leader's points."""
    lead = standing.lead
    if lead is None:
        return UNKNOWN
    return 1 - min(1.0, lead / max(points for points in standing.points if points is not None))

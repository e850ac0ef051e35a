"""The rating model: rates the players of a finished game, with exact numbers that are the same on every machine.

The model is Bradley-Terry with full pairing by openskill, with its own parameters: unlike its Plackett-Luce, it never
gives a worse place more than a better one when places are shared. Between games a rating is two whole numbers, in
millionths, so that it is stored, printed and read without loss, and differences in the last bits of a machine's
exponential function vanish.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from events.canonical import canonical
from events.event import Event

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

MILLION: Final = 1_000_000
PEOPLE, PROGRAMS = "people", "programs"
POOLS: Final = (PEOPLE, PROGRAMS)
MODEL: Final = "openskill 6, Bradley-Terry with full pairing, mu 25, sigma 25/3"
PREFIX: Final = b"cabildo/ratings/v1"


class Rating(NamedTuple):
    """A player's rating and its uncertainty, in millionths."""

    mu: int = 25 * MILLION
    sigma: int = 8_333_333

    @property
    def displayed(self) -> int:
        """The rating for display: a beginner has 1500."""
        return 1500 + _rounded((self.mu - 25 * MILLION) * 60)

    @property
    def deviation(self) -> int:
        """The uncertainty for display: a beginner has 500."""
        return _rounded(self.sigma * 60)


class Seat(NamedTuple):
    """A seat of a rated game: its player, and the events that decide the place."""

    player: str
    program: bool
    changed: bool = False  # the seat changed its player
    gone: int | None = None  # the event of a resignation, a fallen flag or a forfeit


class Placed(NamedTuple):
    """A rated player, with the place among the players of the pool; shared when tied."""

    player: str
    place: int


def placed(seats: Sequence[Seat], places: Sequence[int]) -> Mapping[str, Sequence[Placed]]:
    """Returns the rated players by pool, in the order of their ids.

    Humans are rated with the humans of a table, programs with its programs. A seat with a new player is not rated,
    nor a player with several seats. Players that left come after all others, the first to leave last. A single player
    is not rated.
    """
    sitting = Counter(seat.player for seat in seats)
    found: dict[str, Sequence[Placed]] = {}
    for pool in POOLS:
        ranks = {
            seat.player: (0, place) if seat.gone is None else (1, -seat.gone)
            for seat, place in zip(seats, places, strict=True)
            if seat.program == (pool == PROGRAMS) and not seat.changed and sitting[seat.player] == 1
        }
        if len(ranks) > 1:
            found[pool] = [
                Placed(player, 1 + sum(other < rank for other in ranks.values()))
                for player, rank in sorted(ranks.items())
            ]
    return found


def rate(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Returns the ratings after a game, in the given order, which must be the same for every computation."""
    model = _model()
    teams = [[model.rating(rating.mu / MILLION, rating.sigma / MILLION)] for rating in before]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [Rating(round(one.mu * MILLION), round(one.sigma * MILLION)) for (one,) in after]


def body_of(event: Event, players: Sequence[Placed]) -> bytes:
    """Returns the rating input of the event that ends a game, as canonical JSON."""
    return canonical(
        {
            "stream": str(event.stream),
            "seq": event.seq,
            "hash": event.hash.hex(),
            "players": [{"player": one.player, "place": one.place} for one in players],
        }
    )


def chained(before: bytes, body: bytes) -> bytes:
    """Returns the hash over an input and the hash of all earlier ones; the first has no hash before it."""
    return hashlib.sha256(PREFIX + before + body).digest()


def recomputed(inputs: Iterable[Mapping[str, Any]]) -> Mapping[str, Rating]:
    """Returns all ratings of a pool, recomputed from its inputs in order, for independent verification."""
    return {player: rating for changed in changes(inputs) for player, rating in changed.items()}


def changes(inputs: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Rating]]:
    """Yields the ratings changed by each input of a pool, in order."""
    ratings: dict[str, Rating] = {}
    for document in inputs:
        players = [one["player"] for one in document["players"]]
        before = [ratings.get(player, Rating()) for player in players]
        changed = dict(zip(players, rate(before, [one["place"] for one in document["players"]]), strict=True))
        ratings.update(changed)
        yield changed


def _rounded(millionths: int) -> int:
    """Returns the nearest whole number, halves upwards."""
    return (2 * millionths + MILLION) // (2 * MILLION)


@cache
def _model() -> "BradleyTerryFull":
    from openskill.models import BradleyTerryFull  # imported on use: slow to load

    return BradleyTerryFull()

"""Assigns the seats of a table: at random, balanced over rounds, by choice, or by bids in half points."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

from projections.tournaments.errors import BadRegulations
from projections.tournaments.pairing.history import MeetingHistory
from projections.tournaments.pairing.lottery import Lots
from projections.tournaments.values import Player, SeatMethod

SETTLED = frozenset((SeatMethod.RANDOM, SeatMethod.BALANCED))  # the others wait for wishes of players


class Sold(NamedTuple):
    """Seats after bidding: the player of each seat, and the half points paid."""

    seats: tuple[Player, ...]
    paid: tuple[int, ...]


def seated(method: SeatMethod, table: Sequence[Player], past: MeetingHistory, lots: Lots) -> tuple[Player, ...]:
    """Returns the players in turn order, or in order of choice with the best ranked first."""
    if method not in SETTLED:
        return tuple(table)
    drawn = tuple(lots.shuffled(table))
    if method is SeatMethod.RANDOM:
        return drawn
    counts = {player: past.seats(player, len(table)) for player in table}
    return min(permutations(drawn), key=lambda seats: sum(counts[player][seat] for seat, player in enumerate(seats)))


def by_choice(choosing: Sequence[Player], wishes: Mapping[Player, Sequence[int]]) -> tuple[Player, ...]:
    """Returns seats in order of choice: the first free seat of each player's wishes, else the last free seat."""
    free, seats = list(range(len(choosing))), dict[int, Player]()
    for player in choosing:
        seat = next((seat for seat in wishes.get(player, ()) if seat in free), free[-1])
        free.remove(seat)
        seats[seat] = player
    return tuple(seats[seat] for seat in range(len(choosing)))


def by_bids(players: Sequence[Player], bids: Mapping[Player, Sequence[int]], seed: bytes) -> Sold:
    """Returns seats by sealed bids in half points: the assignment with the largest total; each player pays the bid.

    Lots decide among equal totals. A player without bids bids nothing.
    """
    drawn = Lots(seed, "bids").shuffled(players)
    bid = {player: _bid(player, bids.get(player, ()), len(players)) for player in players}
    seats = max(permutations(drawn), key=lambda seats: sum(bid[player][seat] for seat, player in enumerate(seats)))
    return Sold(seats, tuple(bid[player][seat] for seat, player in enumerate(seats)))


def _bid(player: Player, given: Sequence[int], size: int) -> Sequence[int]:
    if not given:
        return (0,) * size
    if len(given) != size or min(given) < 0:
        raise BadRegulations(
            f"bids of {player}", "one number of half points, zero or more, for each of {size} seats", size=size
        )
    return given


def squares(tables: Iterable[Sequence[Player]], past: MeetingHistory) -> int:
    """Returns the sum of the squared counts of seats of all players, these tables included."""
    return sum(_squares(counts) + 2 * counts[seat] + 1 for counts, seat in _counts(tables, past))


def squares_bound(tables: Iterable[Sequence[Player]], past: MeetingHistory) -> int:
    """Returns the upper bound of `squares` for balanced seats: the average of all seatings."""
    return int(
        sum(_squares(counts) + Fraction(2 * sum(counts), len(counts)) + 1 for counts, _ in _counts(tables, past))
    )


def spread(tables: Iterable[Sequence[Player]], past: MeetingHistory) -> int:
    """Returns the largest difference between a player's counts in two seats of the current table's size."""
    widest = 0
    for counts, seat in _counts(tables, past):
        counts[seat] += 1
        widest = max(widest, max(counts) - min(counts))
    return widest


def _counts(tables: Iterable[Sequence[Player]], past: MeetingHistory) -> Iterator[tuple[list[int], int]]:
    """Yields each player's counts in the seats of the current table's size, and the player's seat."""
    return ((past.seats(player, len(table)), seat) for table in tables for seat, player in enumerate(table))


def _squares(counts: Sequence[int]) -> int:
    return sum(count**2 for count in counts)

"""Exchanges players between tables until no exchange of two lowers the cost: forbidden pairs first, then meetings.

The cost of tables is one number made of three, each above all of the next: pairs that are forbidden; squares of how
often those at one table met; squares of how many levels players sit from their own, with those of how often players at
smaller tables sat at smaller ones. Where an exchange of any two players would lower it, one is made; so a bound on the
meetings can be proved (`bound`), and the search ends because the cost is a whole number that falls.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from projections.tournaments.pairing.history import MeetingHistory
from projections.tournaments.pairing.lottery import Lots
from projections.tournaments.values import Player

FORBIDDEN, MEETING = 1 << 80, 1 << 40
KICKS = 40  # tries to leave a state that no single exchange improves
KICKED_UP_TO = 64  # players; with more of them a single exchange nearly always helps
DESPERATE_KICKS = 400  # while forbidden pairs sit together


class Slots(NamedTuple):
    """Places at tables: from the top table down, the level each is meant for."""

    sizes: tuple[int, ...]
    levels: tuple[int, ...]


class Costs(NamedTuple):
    """The costs of sitting together, and of slots."""

    level: Mapping[Player, int]
    meetings: Mapping[Player, Mapping[Player, int]]  # squared
    forbidden: Mapping[Player, Collection[Player]]
    smaller: Mapping[Player, int]

    @classmethod
    def after(
        cls, past: MeetingHistory, level: Mapping[Player, int], forbidden: Collection[frozenset[Player]], weight: int
    ) -> "Costs":
        """Returns the costs after earlier rounds; weight 0 allows repeated meetings."""
        apart: dict[Player, set[Player]] = {player: set() for player in level}
        for one, other in (sorted(pair) for pair in forbidden):
            if one in apart and other in apart:
                apart[one].add(other)
                apart[other].add(one)
        meetings = {
            player: {other: weight * len(events) ** 2 for other, events in past.met[player].items() if other in level}
            for player in level
        }
        return cls(level, meetings, apart, {player: len(past.smaller[player]) ** 2 for player in level})


class Arrangement:
    """Players in slots, with the cost."""

    def __init__(self, slots: Slots, order: Sequence[Player], costs: Costs) -> None:
        self.players = list(order)  # slot by slot
        self._slots, self._costs = slots, costs
        self._levels = slots.levels
        self._table = [number for number, size in enumerate(slots.sizes) for _ in range(size)]
        starts = [sum(slots.sizes[:number]) for number in range(len(slots.sizes))]
        self._span = [range(start, start + size) for start, size in zip(starts, slots.sizes, strict=True)]
        largest = max(slots.sizes)
        self._small = [len(self._span[number]) < largest for number in self._table]
        self._place_now = [self._place(player, slot) for slot, player in enumerate(self.players)]
        self._company_now = [self._company(player, slot) for slot, player in enumerate(self.players)]

    def copy(self) -> "Arrangement":
        """Returns an independent copy."""
        return Arrangement(self._slots, self.players, self._costs)

    @property
    def tables(self) -> list[list[Player]]:
        """Returns the tables from the top down."""
        return [[self.players[slot] for slot in span] for span in self._span]

    def settle(self) -> None:
        """Makes the best exchange for each badly placed player until none lowers the cost."""
        moved = True
        while moved:
            moved = False
            for slot in range(len(self.players)):
                if self._own(slot) and self._exchange_best(slot):
                    moved = True

    def total(self) -> int:
        """Returns the total cost; each pair counts twice."""
        return sum(self._own(slot) for slot in range(len(self.players)))

    def forbidden(self) -> list[Player]:
        """Returns the players that sit with a forbidden opponent."""
        return sorted(player for slot, player in enumerate(self.players) if self._own(slot) >= FORBIDDEN)

    def exchange(self, one: int, other: int) -> None:
        """Exchanges the players of two slots."""
        self.players[one], self.players[other] = self.players[other], self.players[one]
        for slot in (*self._span[self._table[one]], *self._span[self._table[other]]):
            player = self.players[slot]
            self._place_now[slot], self._company_now[slot] = self._place(player, slot), self._company(player, slot)

    def _exchange_best(self, slot: int) -> bool:
        """Makes the exchange that lowers the cost most; returns False when none does."""
        best, found = 0, -1
        table = self._table[slot]
        for other in range(len(self.players)):
            if self._table[other] != table:
                gain = self._change(slot, other, best)
                if gain < best:
                    best, found = gain, other
        if found >= 0:
            self.exchange(slot, found)
        return found >= 0

    def _change(self, one: int, other: int, worth: int) -> int:
        """Returns the change of cost by an exchange; stops early when it cannot be below `worth`."""
        first, second = self.players[one], self.players[other]
        change = self._place(first, other) + self._place(second, one) - self._place_now[one] - self._place_now[other]
        change -= 2 * (self._company_now[one] + self._company_now[other])
        if change >= worth:
            return change
        return change + 2 * (self._company(first, other) + self._company(second, one))

    def _own(self, slot: int) -> int:
        return self._place_now[slot] + self._company_now[slot]

    def _place(self, player: Player, slot: int) -> int:
        """Returns the cost of a player in a slot, without the company."""
        away = self._costs.level[player] - self._levels[slot]
        return away * away + (self._costs.smaller[player] if self._small[slot] else 0)

    def _company(self, player: Player, slot: int) -> int:
        """Returns the cost of a player with the company of a slot."""
        meetings, forbidden = self._costs.meetings[player], self._costs.forbidden[player]
        cost = 0
        for beside in self._span[self._table[slot]]:
            if beside != slot:
                other = self.players[beside]
                if other in meetings:
                    cost += MEETING * meetings[other]
                if other in forbidden:
                    cost += FORBIDDEN
        return cost


def arrange(begun: Arrangement, lots: Lots) -> Arrangement:
    """Returns a settled arrangement; random kicks escape local minima."""
    begun.settle()
    best, number = begun, len(begun.players)
    for tries in range(DESPERATE_KICKS):
        if not _worth_kicking(best, tries):
            break
        tried = best.copy()
        for _ in range(2):
            tried.exchange(lots.below(number), lots.below(number))
        tried.settle()
        if tried.total() < best.total():
            best = tried
    return best


def _worth_kicking(arrangement: Arrangement, tries: int) -> bool:
    total = arrangement.total()
    return total >= FORBIDDEN or (total >= MEETING and tries < KICKS and len(arrangement.players) <= KICKED_UP_TO)


def bound(slots: Slots, costs: Costs) -> int:
    """Returns the upper bound of the squares of earlier meetings in a settled arrangement.

    Exchange player p for any q of another table: were it to help, it would have been made. Summed over all q (n - s of
    them at least, s the largest size, less those whom forbidden pairs exclude), p's own meetings count n - s - e times
    and are not more than the meetings p and p's company have with all others, at most s - 1 times each; so with Q
    the most squares of any player, the sum over all players is at most 2 (s - 1) n Q / (n - s - e), twice the pairs.
    """
    players, largest = len(costs.level), max(slots.sizes)
    most = max((sum(met.values()) for met in costs.meetings.values()), default=0)
    excluded = 2 * (largest - 1) * max((len(apart) for apart in costs.forbidden.values()), default=0)
    everything = sum(sum(met.values()) for met in costs.meetings.values()) // 2
    others = players - largest - excluded
    return everything if others <= 0 else min(everything, (largest - 1) * players * most // others)

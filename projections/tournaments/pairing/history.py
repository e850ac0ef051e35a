"""History of earlier rounds: meetings, seats, smaller tables and byes."""

from collections import defaultdict
from collections.abc import Iterable

from projections.tournaments.values import PlayedTable, Player, Round

Events = list[int]


class MeetingHistory:
    """The meetings, seats, smaller tables and byes of earlier rounds, each with its events."""

    def __init__(self, rounds: Iterable[Round]) -> None:
        self.met: dict[Player, dict[Player, Events]] = defaultdict(dict)
        self.sat: dict[Player, list[tuple[int, int]]] = defaultdict(list)  # seat and event
        self.smaller: dict[Player, Events] = defaultdict(list)
        self.byes: dict[Player, Events] = defaultdict(list)
        for round_ in rounds:
            self._add(round_)

    def times(self, player: Player, other: Player) -> int:
        """Returns how often two players sat at one table."""
        return len(self.met[player].get(other, ()))

    def seats(self, player: Player, size: int) -> list[int]:
        """Returns how often a player sat in each of the seats of a table of a size."""
        counts = [0] * size
        for seat, _ in self.sat[player]:
            if seat < size:
                counts[seat] += 1
        return counts

    def _add(self, round_: Round) -> None:
        largest = max((len(table.seats) for table in round_.tables), default=0)
        for table in round_.tables:
            if table.void is None:
                self._add_table(table, largest)
        for bye in round_.byes:
            self.byes[bye.player].append(bye.event)

    def _add_table(self, table: PlayedTable, largest: int) -> None:
        for seat, player in enumerate(table.seats):
            self.sat[player].append((seat, table.event))
            if len(table.seats) < largest:
                self.smaller[player].append(table.event)
            for other in table.seats:
                if other != player:
                    self.met[player].setdefault(other, []).append(table.event)

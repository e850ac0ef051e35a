"""Block designs: schedules in which every pair of a field meets equally often.

A row holds the tables of the first round; the next round adds one to every number within its orbit, that is modulo
`modulus` among the numbers that start at the same multiple of it; the last number stays. With one player fewer, the
table that misses its last number is a seat smaller. The rows were found by computer search and are proved by counting.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple


class Design(NamedTuple):
    """A schedule for a number of players, a table size and a number of rounds."""

    players: int
    size: int
    rounds: int
    modulus: int
    first: str

    @property
    def meetings(self) -> int:
        """How often every pair meets."""
        return self.rounds * (self.size - 1) // (self.players - 1)

    def tables(self, round_: int) -> list[list[int]]:
        """Returns the tables of a round; the first is 0."""
        return [[self._moved(int(number), round_) for number in table.split(",")] for table in self.first.split()]

    def _moved(self, number: int, steps: int) -> int:
        if number == self.players - 1:
            return number
        return number // self.modulus * self.modulus + (number + steps) % self.modulus


# fmt: off
DESIGNS: Final = (
    Design(9, 3, 4, 8, "0,4,8 1,2,7 3,5,6"),
    Design(12, 3, 11, 11, "0,8,11 1,2,4 3,7,9 5,6,10"),
    Design(15, 3, 7, 7, "1,10,14 2,6,13 7,11,12 3,4,9 0,5,8"),
    Design(18, 3, 17, 17, "0,11,17 1,5,13 2,3,4 6,9,16 7,10,15 8,12,14"),
    Design(24, 3, 23, 23, "0,11,23 1,14,16 2,7,9 3,6,12 4,8,17 5,10,22 13,20,21 15,18,19"),
    Design(27, 3, 13, 26, "0,13,26 1,23,24 10,11,14 2,7,21 8,15,20 3,12,18 5,16,25 4,6,22 9,17,19"),
    Design(8, 4, 7, 7, "0,1,3,7 2,4,5,6"),
    Design(12, 4, 11, 11, "0,1,3,11 2,6,7,9 4,5,8,10"),
    Design(16, 4, 5, 15, "0,5,10,15 1,3,4,12 2,6,8,9 7,11,13,14"),
    Design(20, 4, 19, 19, "0,2,13,19 1,7,9,10 3,4,16,18 5,8,12,17 6,11,14,15"),
    Design(24, 4, 23, 23, "0,17,22,23 1,8,12,14 2,6,9,11 3,7,18,21 4,10,19,20 5,13,15,16"),
    Design(28, 4, 9, 9, "3,14,21,27 2,4,25,26 7,8,18,24 13,15,19,23 11,17,20,22 0,6,12,16 1,5,9,10"),
    Design(32, 4, 31, 31, "0,14,26,31 1,6,15,23 2,3,21,24 4,10,16,20 5,8,12,28 7,9,25,27 11,13,17,18 19,22,29,30"),
    Design(40, 4, 13, 39, "0,13,26,39 1,5,8,25 14,18,21,38 12,27,31,34 2,3,11,36 10,15,16,24 23,28,29,37 4,6,22,33"
                          " 7,17,19,35 9,20,30,32"),
    Design(20, 5, 19, 19, "0,7,12,15,19 1,9,11,13,14 2,3,5,6,16 4,8,10,17,18"),
    Design(25, 5, 6, 24, "0,6,12,18,24 1,2,15,17,22 4,7,8,21,23 3,5,10,13,14 9,11,16,19,20"),
)
# fmt: on


def circle(players: int) -> Design:
    """Returns the design for tables of two, in which every pair meets once; for even numbers of players."""
    last = players - 1
    pairs = [(0, last), *((step, last - step) for step in range(1, players // 2))]
    return Design(players, 2, last, last, " ".join(f"{one},{other}" for one, other in pairs))


def design(sizes: Sequence[int], rounds: int) -> Design | None:
    """Returns the design for tables of these sizes and this number of rounds, or None when none is known.

    Rounds may be a multiple of the design's, and fewer when every pair meets at most once.
    """
    players, largest = sum(sizes), max(sizes)
    missing = len(sizes) * largest - players
    if missing > 1 or len(sizes) < 2:
        return None
    rows = (circle(players + missing),) if largest == 2 else DESIGNS
    return next((row for row in rows if _fits(row, players + missing, largest, rounds)), None)


def _fits(row: Design, players: int, size: int, rounds: int) -> bool:
    return (row.players, row.size) == (players, size) and (
        rounds % row.rounds == 0 or (row.meetings == 1 and rounds < row.rounds)
    )

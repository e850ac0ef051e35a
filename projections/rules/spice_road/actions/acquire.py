"""Acquire a merchant card: a cube on every card to its left, then the card and the cubes on it (rules 5.2)."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, overload

from events.json_types import Json
from projections.rules.dealer import Dealer
from projections.rules.spice_road.actions.turn import Book, draw, refused
from projections.rules.spice_road.cubes import LETTERS, Cubes, counted, holds, named
from projections.rules.spice_road.facts.cards import MERCHANT_CARD_TAKEN, MerchantCardDealt
from projections.rules.spice_road.facts.cubes import CUBES_PLACED
from projections.rules.spice_road.moves import Buy
from projections.rules.spice_road.state.position import MERCHANT_ROW, Position


class Payments(Sequence[Buy]):
    """All ways to pay for a position: one cube for each card to the left; which cube lies where matters (R-13).

    There can be a thousand of them, so they are counted and picked by number, and listed only on iteration.
    """

    __slots__ = ("_few", "_length", "caravan", "position")

    def __init__(self, position: int, caravan: Cubes) -> None:
        self.position = position
        self.caravan = caravan
        self._length = arrangements(caravan, position - 1)
        self._few: tuple[Buy, ...] = ()

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Buy: ...
    @overload
    def __getitem__(self, index: slice) -> list[Buy]: ...
    def __getitem__(self, index: int | slice) -> Buy | list[Buy]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(self._length))]
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return Buy(self.position, _numbered(index % self._length, self.caravan, self.position - 1))

    def __iter__(self) -> Iterator[Buy]:
        position = self.position
        return (Buy(position, cubes) for cubes in _listed(self.caravan, position - 1))

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Buy) and move.position == self.position and pays(self.caravan, move)

    def suggested(self) -> tuple[Buy, ...]:
        """Two sensible payments: the cheapest cubes, and those there are most of, cheapest to the left."""
        if not self._few:
            kinds = [(count, index) for index, count in enumerate(self.caravan) if count]
            plenty = sorted(kinds, key=lambda kind: -kind[0])
            cheap = dict.fromkeys((self._first(kinds), self._first(plenty)))
            self._few = tuple([Buy(self.position, cubes) for cubes in cheap])
        return self._few

    def slot(self) -> tuple[str, Json]:
        """How many cubes are laid down, out of which."""
        return f"buy {self.position}", {"cubes": self.position - 1, "of": named(self.caravan)}

    def _first(self, kinds: list[tuple[int, int]]) -> str:
        cubes = "".join(LETTERS[index] * count for count, index in kinds)[: self.position - 1]
        return "".join(sorted(cubes, key=LETTERS.index))


@cache  # of the 1001 caravans an action can begin with
def payments(caravan: Cubes) -> tuple[Payments, ...]:
    """The payments for each position that is in a caravan's reach."""
    return tuple(Payments(place, caravan) for place in range(1, min(MERCHANT_ROW, sum(caravan) + 1) + 1))


def pays(caravan: Cubes, move: Buy) -> bool:
    """Whether the cubes named are as many as there are cards to the left, and all in the caravan."""
    place, letters = move
    cubes = counted(letters)
    return len(letters) == sum(cubes) == place - 1 and holds(caravan, cubes)


@lru_cache(maxsize=6 * 1024)
def arrangements(caravan: Cubes, length: int) -> int:
    """In how many ways cubes of the caravan can be laid on so many cards."""
    if length == 0:
        return 1
    return sum(arrangements(_one_less(caravan, index), length - 1) for index in range(4) if caravan[index])


def _numbered(number: int, caravan: Cubes, length: int) -> str:
    """The payment with this number in the order of the list."""
    cubes = ""
    while length:
        length -= 1
        for index, count in enumerate(caravan):
            if count:
                rest = _one_less(caravan, index)
                if number < (ways := arrangements(rest, length)):
                    break
                number -= ways
        cubes += LETTERS[index]
        caravan = rest
    return cubes


@lru_cache(maxsize=1024)
def _listed(caravan: Cubes, length: int) -> tuple[str, ...]:
    """All payments of this length, in the order of the track."""
    if length == 0:
        return ("",)
    return tuple(
        letter + rest
        for index, letter in enumerate(LETTERS)
        if caravan[index]
        for rest in _listed(_one_less(caravan, index), length - 1)
    )


def _one_less(caravan: Cubes, index: int) -> Cubes:
    y, r, g, b = caravan
    return (y - (index == 0), r - (index == 1), g - (index == 2), b - (index == 3))


def check(position: Position, move: Buy) -> Buy:
    """The move as listed; refused when there is no such card or the payment does not fit."""
    place, cubes = move
    row, caravan = len(position.merchant_row), position.caravans[position.turn]
    if not 1 <= place <= row:
        raise refused(move, "no_such_position", "5.2", said="merchant_row_ends", row=row)
    if len(cubes) != place - 1:
        raise refused(move, "wrong_payment", "R-13", cubes=place - 1)
    if not pays(caravan, move):
        raise refused(move, "cubes_missing", "R-13")
    return move


def acquire(position: Position, move: Buy, dealer: Dealer, recorder: Book) -> None:
    """Pay, take, refill - in this order."""
    seat = position.turn
    place, cubes = move
    card, lying = position.merchant_row[place - 1]
    if cubes:
        recorder.record(position, CUBES_PLACED((seat, cubes)))
    recorder.record(position, MERCHANT_CARD_TAKEN((seat, card, lying)))
    if position.merchant_deck:  # an empty deck leaves the row shorter
        recorder.record(position, MerchantCardDealt(draw(position.merchant_deck, dealer)))


CHECKS: Final = {Buy: check}
DEEDS: Final = {Buy: acquire}

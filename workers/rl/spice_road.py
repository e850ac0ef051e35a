"""The adapter of Century: Spice Road: vocabulary, and the table as numbers."""

from collections.abc import Mapping
from typing import Any, Final

from projections.rules.move_writer import END
from projections.rules.spice_road.cards import MERCHANT, POINT_CARDS
from projections.rules.spice_road.cubes import LETTERS, SPICES
from projections.rules.spice_road.state.position import CARAVAN_LIMIT, MERCHANT_ROW, POINT_ROW
from workers.rl.game_adapter import GameAdapter, amounts, counted, from_seat, one_of, relative_seat

CARDS: Final = tuple(MERCHANT)
VOCABULARY: Final = (
    END,
    *("play", "buy", "rest", "claim", "drop"),
    *(f" {card}" for card in CARDS),
    *(f" {place}" for place in range(1, MERCHANT_ROW + 1)),
    *(f" {letter}" for letter in LETTERS),
    *LETTERS,
    *(f" x{times}" for times in range(1, CARAVAN_LIMIT + 1)),
    " -coin",
    *"0123456789=,>",
)


def observe(view: Mapping[str, Any], seat: int) -> list[int]:
    """Returns the table from a seat as numbers: its own player, the others, then the rows; hidden values are 0."""
    seats = len(view["players"])
    numbers = [number for other in from_seat(seat, seats) for number in _player(view["players"][other])]
    return numbers + _table(view, seat, seats)


def _player(player: Mapping[str, Any]) -> list[int]:
    numbers = amounts(SPICES, player["caravan"]) + counted(CARDS, player["hand"] or ())
    numbers += counted(CARDS, player["played"]) + counted(POINT_CARDS, player["point_cards"] or ())
    return numbers + amounts(("hand_count", "point_card_count", "gold", "silver"), player)


def _table(view: Mapping[str, Any], seat: int, seats: int) -> list[int]:
    turn = view["turn"] or {}
    numbers = [view["round"], int(view["final_round"]), *relative_seat(turn.get("seat"), seat, seats)]
    numbers += amounts(("gold", "silver", "point_deck_count", "merchant_deck_count"), view)
    for place in range(POINT_ROW):
        numbers += one_of(POINT_CARDS, view["point_row"][place] if place < len(view["point_row"]) else None)
    for place in range(MERCHANT_ROW):
        lying = view["merchant_row"][place] if place < len(view["merchant_row"]) else None
        numbers += one_of(CARDS, lying and lying["card"]) + amounts(SPICES, lying["cubes"] if lying else {})
    return numbers


SPICE_ROAD: Final = GameAdapter(VOCABULARY, observe)

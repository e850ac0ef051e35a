"""Tables to test at: laid out in a few words, completed by the rules of conservation, restored like any document."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pytest

from events.json_types import Json
from projections.rules.dealer import DeclaredDealer
from projections.rules.errors import IllegalMove
from projections.rules.spice_road.cards import MARKET, POINT_CARDS, STARTING
from projections.rules.spice_road.cubes import SPICES, Cubes, counted
from projections.rules.spice_road.game import SpiceRoad
from projections.rules.spice_road.state.position import Position

GAME: Final = SpiceRoad()
CREATE, UPGRADE = STARTING


def merchant(number: int) -> str:
    """The market card of a number of the reference (M01 to M43)."""
    return MARKET[number - 1]


def points(number: int) -> str:
    """The point card of a number of the reference (P01 to P36)."""
    return POINT_CARDS[number - 1]


def table(
    seats: int = 2,
    *,
    turn: int = 0,
    round: int = 1,
    caravan: Cubes = (0, 0, 0, 0),
    others: Cubes = (0, 0, 0, 0),
    hand: Sequence[str] = (),
    played: Sequence[str] = (),
    row: Sequence[str] | None = None,
    cubes_on_row: Sequence[str] = (),
    merchant_deck: Sequence[str] | None = None,
    point_row: Sequence[str] = (),
    claims: Mapping[int, int | Sequence[str]] | None = None,
    gold: int | None = None,
    silver: int | None = None,
    **options: Json,
) -> Position:
    """Returns a position with these cards and cubes of the seat to act; the rest lies at its usual place.

    Starting cards that are not named are in the hand; a deck that is named leaves its missing cards with
    another seat; coins that are missing from the supply are with the last one.
    """
    point_row, claimed, point_deck = _point_cards(seats, point_row, claims or {})
    row, merchant_deck, bought = _merchant_cards((*hand, *played), row, merchant_deck)
    owners = [_starting(()) for _ in range(seats)]
    owners[-1 if turn < seats - 1 else 0] += bought
    hands = [[*hand, *_starting((*hand, *played))] if seat == turn else owners[seat] for seat in range(seats)]
    coins = {
        "gold": 0 if gold is None else 2 * seats - gold,
        "silver": 0 if silver is None else 2 * seats - silver,
    }
    players = [
        {
            "caravan": named(caravan if seat == turn else others),
            "hand": hands[seat],
            "played": list(played) if seat == turn else [],
            "point_cards": claimed[seat],
            **(coins if seat == seats - 1 else dict.fromkeys(coins, 0)),
        }
        for seat in range(seats)
    ]
    document: dict[str, Any] = {
        "game": "spice_road",
        "rules": GAME.rules,
        "options": GAME.read_options(options, seats),
        "round": round,
        "final_round": any(len(cards) == (6 if seats < 4 else 5) for cards in claimed),
        "turn": {"seat": turn, "decision": "caravan_limit" if sum(caravan) > 10 else "action"},
        "gold": 2 * seats - coins["gold"],
        "silver": 2 * seats - coins["silver"],
        "point_row": point_row,
        "point_deck": point_deck,
        "merchant_row": [
            {"card": card, "cubes": named(counted(cubes_on_row[at] if at < len(cubes_on_row) else ""))}
            for at, card in enumerate(row)
        ],
        "merchant_deck": merchant_deck,
        "players": players,
    }
    return GAME.restore(document)


def named(cubes: Cubes) -> dict[str, int]:
    """Cubes as a document names them."""
    return dict(zip(SPICES, cubes, strict=True))


def _starting(there: Sequence[str]) -> list[str]:
    return [card for card in STARTING if card not in there]


def _merchant_cards(
    owned: Sequence[str], row: Sequence[str] | None, deck: Sequence[str] | None
) -> tuple[list[str], list[str], list[str]]:
    """Returns the row, the deck, and the cards that another seat has bought."""
    free = [card for card in MARKET if card not in owned and card not in (row or ())]
    row = free[:6] if row is None else row
    free = [card for card in free if card not in row]
    if deck is None:
        return list(row), free, []
    return list(row), list(deck), [card for card in free if card not in deck]


def _point_cards(
    seats: int, row: Sequence[str], claims: Mapping[int, int | Sequence[str]]
) -> tuple[list[str], list[list[str]], list[str]]:
    """Returns the row, the claimed cards of every seat, and the deck."""
    named_cards = {card for cards in claims.values() if not isinstance(cards, int) for card in cards}
    free = [card for card in POINT_CARDS if card not in row and card not in named_cards]
    claimed: list[list[str]] = [[] for _ in range(seats)]
    for seat, cards in claims.items():
        claimed[seat] = [free.pop() for _ in range(cards)] if isinstance(cards, int) else list(cards)
    full = [*row, *(free.pop(0) for _ in range(5 - len(row)))]
    return full, claimed, free


def play(position: Position, text: str, *draws: str) -> list[Json]:
    """Make a move in any spelling, draws declared or the first cards that are left; the facts as they are stored."""
    recorder = GAME.recorder(recording=True)
    dealer = DeclaredDealer(draws or [*position.point_deck[:1], *position.merchant_deck[:1]][_kind(text) :])
    GAME.play(position, GAME.canonical(position, GAME.parse(text)), dealer, recorder)
    return [GAME.encode(fact) for fact in recorder.facts]


def _kind(text: str) -> int:
    return 0 if text.startswith("claim") else 1


def refusal(position: Position, text: str) -> IllegalMove:
    """Why a move is refused; nothing changes, and it is not among the legal ones."""
    before = GAME.copy(position)
    with pytest.raises(IllegalMove) as refused:
        play(position, text)
    assert position == before
    assert GAME.parse(text) not in GAME.legal(position)
    assert refused.value.sentence
    return refused.value


def texts(position: Position) -> list[str]:
    """The legal moves in notation."""
    return [GAME.notation(move) for move in GAME.legal(position)]

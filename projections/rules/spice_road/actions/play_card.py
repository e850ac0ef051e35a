"""Play a merchant card: take spices, raise them, or trade them as often as they last (rules 5.1)."""

from typing import Any, Final

from projections.rules.dealer import Dealer
from projections.rules.made_once import SEATS
from projections.rules.spice_road.actions.turn import Book, refused
from projections.rules.spice_road.cards import MERCHANT, NUMBERS, Kind, MerchantCard
from projections.rules.spice_road.cubes import INDEX, LETTERS, RAISED, SPICES, times
from projections.rules.spice_road.facts.cards import CARD_PLAYED, CardPlayed
from projections.rules.spice_road.facts.cubes import CUBES_UPGRADED, CubesGained, CubesReturned
from projections.rules.spice_road.moves import Play, PlaySpice, PlayTrade, PlayUpgrade
from projections.rules.spice_road.reach import reach
from projections.rules.spice_road.state.position import Position
from projections.rules.spice_road.ways import affordable

_SPICED: Final[tuple[dict[str, tuple[Any, ...]], ...]] = tuple(
    {
        card.id: (CardPlayed(seat, card.id), CubesGained(seat, card.receive))
        for card in MERCHANT.values()
        if card.kind == "spice"
    }
    for seat in SEATS
)  # by seat, the facts of each spice card
_TRADED: Final[tuple[dict[PlayTrade, tuple[Any, ...]], ...]] = tuple({} for _ in SEATS)  # by seat, of trades made once


def check_spice(position: Position, move: PlaySpice) -> PlaySpice:
    """The move as listed; refused when the card is not in the hand."""
    _check_hand(position, move, "spice")
    return move


def check_upgrade(position: Position, move: PlayUpgrade) -> PlayUpgrade:
    """The move as listed; refused when one of its steps, in the order given, cannot be made."""
    if _is_listed(position, move):
        return move
    card = _check_hand(position, move, "upgrade")
    caravan = list(position.caravans[position.turn])
    if len(move.steps) > card.steps:
        raise refused(move, "too_many_steps", "5.1", steps=card.steps)
    if len(move.steps) < position.rulings.min_upgrade_steps:
        raise refused(move, "too_few_steps", "R-9")
    for spice in move.steps:  # each step sees the caravan after the steps before it
        if spice not in RAISED:
            raise refused(move, "cannot_raise", "R-10")
        if not caravan[INDEX[spice]]:
            name = SPICES[INDEX[spice]]
            raise refused(move, "cube_missing", "R-10", spice=name)
        caravan[INDEX[spice]] -= 1
        caravan[INDEX[RAISED[spice]]] += 1
    return PlayUpgrade(move.card, "".join(sorted(move.steps, key=LETTERS.index)))


def check_trade(position: Position, move: PlayTrade) -> PlayTrade:
    """The move as listed; refused when the caravan cannot pay that often."""
    if _is_listed(position, move):
        return move
    card = _check_hand(position, move, "trade")
    if move.times < 1:
        raise refused(move, "no_trade", "R-11")
    most = affordable(card, position.caravans[position.turn])
    if move.times > most:
        raise refused(move, "cubes_missing", "5.1", said="trades_missing", most=most)
    return move


def play_spice(position: Position, move: PlaySpice, _: Dealer, recorder: Book) -> None:
    """Take the cubes shown."""
    (card,) = move
    for fact in _SPICED[position.turn][card]:
        recorder.record(position, fact)


def play_upgrade(position: Position, move: PlayUpgrade, _: Dealer, recorder: Book) -> None:
    """Raise cubes one after the other."""
    seat = position.turn
    card, steps = move
    recorder.record(position, CARD_PLAYED(seat, card))
    if steps:
        recorder.record(position, CUBES_UPGRADED(seat, steps))


def play_trade(position: Position, move: PlayTrade, _: Dealer, recorder: Book) -> None:
    """Give and receive, so many times."""
    for fact in _TRADED[position.turn].get(move) or _trading(position.turn, move):
        recorder.record(position, fact)


def _trading(seat: int, move: PlayTrade) -> tuple[Any, ...]:
    """Makes the facts of a trade, for the first time."""
    card, number = MERCHANT[move.card], move.times
    returned, gained = times(card.give, number), times(card.receive, number)
    facts: tuple[Any, ...] = (CardPlayed(seat, card.id), CubesReturned(seat, returned), CubesGained(seat, gained))
    _TRADED[seat][move] = facts
    return facts


CHECKS: Final = {PlaySpice: check_spice, PlayUpgrade: check_upgrade, PlayTrade: check_trade}
DEEDS: Final = {PlaySpice: play_spice, PlayUpgrade: play_upgrade, PlayTrade: play_trade}


def _is_listed(position: Position, move: PlayUpgrade | PlayTrade) -> bool:
    """Whether the move is offered to the seat to act, to the letter."""
    number = NUMBERS.get(move[0], -1)
    return number >= 0 and number in position.held[position.turn] and move in reach(position).ways[number]


def _check_hand(position: Position, move: Play, kind: Kind) -> MerchantCard:
    """The card, which has to be of this kind and in the hand."""
    seat = position.turn
    number = NUMBERS.get(move.card, len(NUMBERS))
    if number in position.held[seat]:
        card = MERCHANT[move.card]
        if card.kind == kind:
            return card
        raise refused(move, "other_kind_of_card", "5.1", card=card.kind, kind=kind)
    if number in position.spent[seat]:
        raise refused(move, "card_already_played", "5.3")
    raise refused(move, "card_not_in_hand", "5.1")

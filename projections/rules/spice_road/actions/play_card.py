"""Play a merchant card: take spices, raise them, or trade them as often as they last (rules 5.1)."""

from functools import cache, lru_cache
from typing import Any, Final

from projections.rules.dealer import Dealer
from projections.rules.spice_road.actions.turn import Book, refused
from projections.rules.spice_road.cards import MERCHANT, Kind, MerchantCard
from projections.rules.spice_road.cubes import INDEX, LETTERS, RAISED, SPICES, Cubes, times
from projections.rules.spice_road.facts.cards import CARD_PLAYED, CardPlayed
from projections.rules.spice_road.facts.cubes import CUBES_GAINED, CubesGained, CubesReturned, CubesUpgraded
from projections.rules.spice_road.moves import Play, PlaySpice, PlayTrade, PlayUpgrade
from projections.rules.spice_road.state.position import CARAVAN_LIMIT, Position

_TRADES: Final = {
    card.id: tuple(PlayTrade(card.id, number) for number in range(1, CARAVAN_LIMIT + 1))
    for card in MERCHANT.values()
    if card.kind == "trade"
}
_SPICES: Final = {card.id: (PlaySpice(card.id),) for card in MERCHANT.values() if card.kind == "spice"}
_UPGRADES: Final = {card.id: card.steps for card in MERCHANT.values() if card.kind == "upgrade"}


@cache  # an action begins with at most ten cubes: there are 1001 such caravans
def ways_with(caravan: Cubes, least_steps: int) -> dict[str, tuple[Play, ...]]:
    """For every card the ways to play it with a caravan, one for each distinct result."""
    ways: dict[str, tuple[Play, ...]] = dict(_SPICES)
    for card, trades in _TRADES.items():
        ways[card] = trades[: affordable(MERCHANT[card], caravan)]
    for card, most in _UPGRADES.items():
        ways[card] = tuple([PlayUpgrade(card, steps) for steps in _upgrades(most, caravan, least_steps)])
    return ways


def affordable(card: MerchantCard, caravan: Cubes) -> int:
    """How often in a row the caravan can pay for a trade (R-11)."""
    return min([owned // given for owned, given in zip(caravan, card.give, strict=True) if given])


def _upgrades(most: int, caravan: Cubes, least: int) -> list[str]:
    """Each distinct result once, by its steps in the order of the track.

    A result tells how often each kind was raised, and raising the lowest kind first is possible whenever
    any order is; so the sorted steps name a result.
    """
    y, r, g, _ = caravan
    return [
        "y" * yellow + "r" * red + "g" * green
        for yellow in range(min(y, most) + 1)
        for red in range(min(r + yellow, most - yellow) + 1)
        for green in range(min(g + red, most - yellow - red) + 1)
        if yellow + red + green >= least
    ]


def check_spice(position: Position, move: PlaySpice) -> PlaySpice:
    """The move as listed; refused when the card is not in the hand."""
    _check_hand(position, move, "spice")
    return move


def check_upgrade(position: Position, move: PlayUpgrade) -> PlayUpgrade:
    """The move as listed; refused when one of its steps, in the order given, cannot be made."""
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
    _check_hand(position, move, "trade")
    if move.times < 1:
        raise refused(move, "no_trade", "R-11")
    most = len(ways_with(position.caravans[position.turn], position.rulings.min_upgrade_steps)[move.card])
    if move.times > most:
        raise refused(move, "cubes_missing", "5.1", said="trades_missing", most=most)
    return move


def play_spice(position: Position, move: PlaySpice, _: Dealer, recorder: Book) -> None:
    """Take the cubes shown."""
    seat = position.turn
    recorder.record(position, CARD_PLAYED(seat, move.card))
    recorder.record(position, CUBES_GAINED(seat, MERCHANT[move.card].receive))


def play_upgrade(position: Position, move: PlayUpgrade, _: Dealer, recorder: Book) -> None:
    """Raise cubes one after the other."""
    seat = position.turn
    recorder.record(position, CARD_PLAYED(seat, move.card))
    if move.steps:
        recorder.record(position, CubesUpgraded(seat, move.steps))


def play_trade(position: Position, move: PlayTrade, _: Dealer, recorder: Book) -> None:
    """Give and receive, so many times."""
    for fact in trading(position.turn, move.card, move.times):
        recorder.record(position, fact)


@lru_cache(maxsize=1 << 12)
def trading(seat: int, card: str, number: int) -> tuple[Any, ...]:
    """The facts of a trade made so many times."""
    give, receive = MERCHANT[card].give, MERCHANT[card].receive
    return CardPlayed(seat, card), CubesReturned(seat, times(give, number)), CubesGained(seat, times(receive, number))


CHECKS: Final = {PlaySpice: check_spice, PlayUpgrade: check_upgrade, PlayTrade: check_trade}
DEEDS: Final = {PlaySpice: play_spice, PlayUpgrade: play_upgrade, PlayTrade: play_trade}


def _check_hand(position: Position, move: Play, kind: Kind) -> MerchantCard:
    """The card, which has to be of this kind and in the hand."""
    seat = position.turn
    if move.card in position.hands[seat]:
        card = MERCHANT[move.card]
        if card.kind == kind:
            return card
        raise refused(move, "other_kind_of_card", "5.1", card=card.kind, kind=kind)
    if move.card in position.played[seat]:
        raise refused(move, "card_already_played", "5.3")
    raise refused(move, "card_not_in_hand", "5.1")

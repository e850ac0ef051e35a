"""Which positions the rules can reach, as far as the table shows it; an impossible one is refused with the reason."""

from collections import Counter
from collections.abc import Iterable

from projections.rules.errors import ImpossiblePosition
from projections.rules.spice_road.cards import MARKET, POINT_CARDS, STARTING
from projections.rules.spice_road.state.position import CARAVAN_LIMIT, MERCHANT_ROW, POINT_ROW, Position


def check(position: Position) -> None:
    """Refuse a position that breaks an invariant of the rules (9.1)."""
    for rule in (_merchant_cards, _point_cards, _coins, _caravans, _end):
        rule(position)


def _merchant_cards(position: Position) -> None:
    for seat in range(position.seats):
        owned = Counter(position.hands[seat] + position.played[seat])
        for card in STARTING:
            _demand(
                owned[card] == 1, f"players[{seat}].hand", "{card} has to be in the hand or played, once", card=card
            )
    owned_by_all = [card for cards in position.hands + position.played for card in cards if card not in STARTING]
    row = [laid.card for laid in position.merchant_row]
    _each_once("merchant_deck", MARKET, [*owned_by_all, *row, *position.merchant_deck])
    full = MERCHANT_ROW if position.merchant_deck else min(len(row), MERCHANT_ROW)
    _demand(
        len(row) == full,
        "merchant_row",
        "{found} cards; {full} lie there while the deck lasts",
        found=len(row),
        full=full,
    )
    for at, laid in enumerate(position.merchant_row):
        most = len(MARKET)  # a purchase lays at most one cube on a card
        _demand(
            sum(laid.cubes) <= most, f"merchant_row[{at}].cubes", "no card collects more than {most} cubes", most=most
        )


def _point_cards(position: Position) -> None:
    claimed = [card for cards in position.claimed for card in cards]
    row = position.point_row
    _each_once("point_deck", POINT_CARDS, [*claimed, *row, *position.point_deck])
    full = POINT_ROW if position.point_deck else min(len(row), POINT_ROW)
    _demand(
        len(row) == full, "point_row", "{found} cards; {full} lie there while the deck lasts", found=len(row), full=full
    )
    for seat, cards in enumerate(position.claimed):
        most = position.threshold
        _demand(
            len(cards) <= most,
            f"players[{seat}].point_cards",
            "{found} cards; a player gets at most {most}",
            found=len(cards),
            most=most,
        )


def _coins(position: Position) -> None:
    made = position.rulings.fixed.coins_per_player * position.seats
    for coin, supply, taken in (
        ("gold", position.gold_supply, position.gold),
        ("silver", position.silver_supply, position.silver),
    ):
        there = supply + sum(taken)
        _demand(
            there == made,
            coin,
            "{there} coins in all; there are {made} with {seats} players",
            there=there,
            made=made,
            seats=position.seats,
        )
    for seat, cards in enumerate(position.claimed):
        coins = position.gold[seat] + position.silver[seat]
        _demand(
            coins <= len(cards),
            f"players[{seat}].gold",
            "{coins} coins for {found} claimed cards",
            coins=coins,
            found=len(cards),
        )


def _caravans(position: Position) -> None:
    for seat, caravan in enumerate(position.caravans):
        acting = seat == position.turn and not position.over
        most = CARAVAN_LIMIT + len(MARKET) if acting else CARAVAN_LIMIT  # the row's cubes may come on top
        _demand(
            sum(caravan) <= most,
            f"players[{seat}].caravan",
            "{found} cubes; it holds {limit}",
            found=sum(caravan),
            limit=CARAVAN_LIMIT,
        )


def _end(position: Position) -> None:
    _demand(position.round >= 1, "round", "rounds are counted from 1")
    reached = [seat for seat, cards in enumerate(position.claimed) if len(cards) >= position.threshold]
    final = bool(reached) or not position.point_row
    _demand(position.final_round == final, "final_round", "the claimed point cards say {over}", over=str(final).lower())
    if position.over:
        _demand(final, "turn", "the game is not over before a player has claimed enough point cards")
        return
    for seat in reached:
        _demand(seat < position.turn, f"players[{seat}].point_cards", "the game would have ended before this turn")


def _each_once(where: str, all_cards: Iterable[str], found: Iterable[str]) -> None:
    """Refuse unless each card is in exactly one place."""
    there = Counter(found)
    for card in all_cards:
        _demand(there[card] == 1, where, "{card} is in {there} places instead of one", card=card, there=there[card])


def _demand(holds: bool, where: str, reason: str, /, **values: object) -> None:
    if not holds:
        raise ImpossiblePosition(where, reason, **values)

"""Why goods cannot be had, sold, shipped or kept."""

from projections.puerto_rico import ask
from projections.puerto_rico.buildings.kinds import OFFICE, ROYAL_SUPPLIER, SMALL_WHARF, TRADING_POST, WHARF
from projections.puerto_rico.kinds import NONE, SMALL_WHARF_USED, SOLD, WHARF_USED, Goods5
from projections.puerto_rico.moves import Bonus, Sell, Ship, SmallWharf, Store, Supply, Wharf
from projections.puerto_rico.phases.captain import holds_for
from projections.puerto_rico.phases.storage import storage
from projections.puerto_rico.position import Position
from projections.puerto_rico.tables import HOUSE_PLACES
from projections.puerto_rico.why.words import Reason, building, good, number_of, unoccupied


def bonus(position: Position, seat: int, move: Bonus) -> Reason | None:
    """Privilege goods that cannot be had."""
    most = ask.privilege(position, seat)
    if len(move.goods) > most:
        return Reason("too_many_goods", "3.7", f"Your privilege is {number_of(most, 'good')}.")
    for kind in move.goods:
        if not position.produced[seat][kind]:
            return Reason("not_produced", "3.7", f"You did not produce any {good(kind)} in this phase.")
        if position.goods_supply[kind] < move.goods.count(kind):
            return Reason("supply_short", "3.7", f"The supply has not enough {good(kind)}.")
    return None


def sell(position: Position, seat: int, move: Sell) -> Reason | None:
    """A good that cannot be sold."""
    name = good(move.good)
    if position.done[seat] & SOLD:
        return Reason("already_sold", "3.8", "You have sold a good in this phase.")
    if not position.goods[seat][move.good]:
        return Reason("no_such_good", "3.8", f"You own no {name}.")
    if move.own_post:
        return unoccupied(position, seat, TRADING_POST, "4.3")
    if len(position.house) >= HOUSE_PLACES:
        return Reason("house_full", "3.8", "The trading house is full.")
    office = building(OFFICE)
    return Reason(
        "kind_in_house", "3.8", f"The trading house already holds {name}, and no {office} of yours is occupied."
    )


def ship(position: Position, seat: int, move: Ship) -> Reason | None:
    """A loading that is not legal."""
    name, owned = good(move.good), position.goods[seat][move.good]
    if move.capacity not in position.holds:
        ships = ", ".join(str(capacity) for capacity in position.holds)
        return Reason("no_such_ship", "3.9", f"The ships of this game hold {ships}.")
    if not owned:
        return Reason("no_such_good", "3.9", f"You own no {name}.")
    hold = position.holds.index(move.capacity)
    carried = position.ship_good[hold]
    if carried not in (NONE, move.good):
        return Reason(
            "ship_carries_other_kind", "3.9", f"The {move.capacity}-hold ship already carries {good(carried)}."
        )
    if move.good in position.ship_good and carried == NONE:
        other = position.holds[position.ship_good.index(move.good)]
        return Reason("kind_on_other_ship", "3.9", f"The {other}-hold ship already carries {name}.")
    if carried == move.good:
        return Reason("ship_full", "3.9", f"The {move.capacity}-hold ship is full.")
    best = " or ".join(str(position.holds[other]) for other in holds_for(position, move.good, owned))
    sentence = f"{name.capitalize()} goes on the empty ship that takes most of it: the one that holds {best}."
    return Reason("another_ship_takes_more", "3.9", sentence)


def wharf(position: Position, seat: int, move: Wharf) -> Reason | None:
    """A wharf that cannot be used."""
    reason = unoccupied(position, seat, WHARF, "4.2")
    if reason is None and position.done[seat] & WHARF_USED:
        reason = Reason("wharf_used", "4.2", "Your wharf was used in this phase.")
    if reason is None and not position.goods[seat][move.good]:
        reason = Reason("no_such_good", "4.2", f"You own no {good(move.good)}.")
    return reason


def small_wharf(position: Position, seat: int, move: SmallWharf) -> Reason | None:
    """A small wharf that cannot be used."""
    reason = unoccupied(position, seat, SMALL_WHARF, "4.3")
    if reason is None and position.done[seat] & SMALL_WHARF_USED:
        reason = Reason("small_wharf_used", "4.3", "Your small wharf was used in this phase.")
    if reason is None and not any(move.goods):
        reason = Reason("nothing_shipped", "R-58", "At least one good is shipped.")
    return reason or _owned(position, seat, move.goods, "4.3")


def _owned(position: Position, seat: int, goods: Goods5, rule: str) -> Reason | None:
    for kind, amount in enumerate(goods):
        owned = position.goods[seat][kind]
        if amount > owned:
            return Reason("no_such_good", rule, f"You own {owned} {good(kind)}, not {amount}.")
    return None


def supply(position: Position, seat: int, move: Supply) -> Reason | None:
    """Goods that the royal supplier does not take."""
    reason = unoccupied(position, seat, ROYAL_SUPPLIER, "4.4")
    for kind in move.goods:
        if reason is None and not position.goods[seat][kind]:
            reason = Reason("no_such_good", "4.4", f"You own no {good(kind)}.")
    nobles = position.nobles_of(seat)
    if reason is None and len(move.goods) > nobles:
        reason = Reason(
            "too_few_nobles", "4.4", f"You have {number_of(nobles, 'noble')}, and may hand in as many goods."
        )
    return reason


def store(position: Position, seat: int, move: Store) -> Reason | None:
    """Goods that cannot be kept."""
    reason = _owned(position, seat, move.goods, "3.9")
    if reason is not None:
        return reason
    kinds, singles = storage(position, seat)
    complete = f"all goods of {number_of(kinds, 'kind')} and " if kinds else ""
    return Reason("no_room", "3.9", f"You may keep {complete}{number_of(singles, 'single good')}.")

"""The end of the captain phase: goods are stored, and full ships leave (rules 3.9, storage and clean-up)."""

from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.engine.awards import check_vp_end
from projections.rules.puerto_rico.facts.goods import GoodsDiscarded
from projections.rules.puerto_rico.facts.ships import ShipUnloaded
from projections.rules.puerto_rico.long_choices.stores import StoreChoices
from projections.rules.puerto_rico.moves import Move, Store
from projections.rules.puerto_rico.plan import STORE, UNLOAD
from projections.rules.puerto_rico.state.position import Position

ALWAYS_KEPT: Final = 1  # single goods that every seat may keep


def stores(position: Position, seat: int) -> StoreChoices | tuple[Move, ...]:
    """D-CAP-STORE: any goods within the capacity; everything is kept without asking when it fits."""
    corn, indigo, sugar, tobacco, coffee = position.goods[seat]
    owned = (corn, indigo, sugar, tobacco, coffee)
    if not any(owned):
        return ()
    found = StoreChoices(owned, *storage(position, seat))
    return (Store(owned),) if found.single else found


def storage(position: Position, seat: int) -> tuple[int, int]:
    """How many kinds a seat may keep complete, and how many single goods besides."""
    return effects.total(position, seat, effects.STORED_KINDS), ALWAYS_KEPT + effects.total(
        position, seat, effects.STORED_SINGLES
    )


def store(position: Position, seat: int, move: Store, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """Goods that are not kept go to the supply."""
    corn, indigo, sugar, tobacco, coffee = [
        owned - kept for owned, kept in zip(position.goods[seat], move.goods, strict=True)
    ]
    discarded = (corn, indigo, sugar, tobacco, coffee)
    if any(discarded):
        recorder.record(position, GoodsDiscarded(seat, discarded))


def unload(position: Position, _seat: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """Full ships are emptied; with one option this is where an empty VP supply counts (R-80)."""
    for hold, capacity in enumerate(position.holds):
        if position.ship_load[hold] == capacity:
            recorder.record(position, ShipUnloaded(hold))
    check_vp_end(position, recorder)


CHOICES: Final[dict[int, effects.Choice]] = {STORE: stores}
DUTIES: Final[dict[int, effects.Duty]] = {UNLOAD: unload}
DEEDS: Final[dict[type, effects.Deed]] = {Store: store}

"""Effects of buildings in the trader phase."""

from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.puerto_rico.buildings.settler import removals
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.engine.awards import has_space, tile_obtainable
from projections.rules.puerto_rico.facts.island import DrawPaid, TileBought
from projections.rules.puerto_rico.facts.trade import GoodTraded
from projections.rules.puerto_rico.kinds import FINISHED, NONE, OFFICE_USED, SOLD
from projections.rules.puerto_rico.moves import Move, Plant, Sell
from projections.rules.puerto_rico.phases import trader
from projections.rules.puerto_rico.phases.settler import draw_and_place, may_forest
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import PRICES


def closed(position: Position, seat: int, used: int) -> bool:
    """Whether a building is used already, or its owner has passed and nothing of his is used any more (R-2)."""
    done = position.done[seat]
    return bool(done & used) or (position.rulings.pass_closes_buildings and bool(done & FINISHED))


def post_sales(position: Position, seat: int) -> tuple[Move, ...]:
    """Trading post: any kind, also when the house is full or holds it (R-52)."""
    if closed(position, seat, SOLD):
        return ()
    return tuple(Sell(good, own_post=True) for good, owned in enumerate(position.goods[seat]) if owned)


def sell(position: Position, seat: int, move: Sell, dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """At the trading post the price knows the privilege and no market; the good goes to the supply."""
    if move.own_post:
        price = PRICES[move.good] + effects.privilege(position, seat)
        recorder.record(position, GoodTraded(seat, move.good, price))
    else:
        trader.sell(position, seat, move, dealer, recorder)


def office_purchases(position: Position, seat: int) -> tuple[Move, ...]:
    """Land office with a colonist: a plantation for a doubloon, face-down or from the row (R-72)."""
    if closed(position, seat, OFFICE_USED) or not position.doubloons[seat] or not has_space(position, seat):
        return ()
    if not position.rulings.office_from_row:
        return (Plant(),) if tile_obtainable(position) else ()
    tiles = [tile for tile, number in enumerate(position.row) if number]
    forests = tiles if may_forest(position, seat) else []
    return (*(Plant(tile) for tile in tiles), *(Plant(tile, forest=True) for tile in forests))


def plant(position: Position, seat: int, move: Plant, dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The tile is paid for and comes onto the island."""
    if move.tile == NONE:
        recorder.record(position, DrawPaid(seat))
        draw_and_place(position, seat, dealer, recorder)
    else:
        recorder.record(position, TileBought(seat, move.tile, move.forest))


def office_sales(position: Position, seat: int) -> tuple[Move, ...]:
    """Land office with a noble: a plantation or forest for a doubloon (R-73)."""
    if closed(position, seat, OFFICE_USED):
        return ()
    return tuple(removals(position, seat, forests=position.rulings.office_sells_forest))


DEEDS: Final[dict[type, effects.Deed]] = {Sell: sell, Plant: plant}

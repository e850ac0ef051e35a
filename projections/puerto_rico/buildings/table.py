"""What every building does, one row each; a building without a row only scores or only produces."""

from collections.abc import Sequence
from typing import Final

from projections.puerto_rico import ask
from projections.puerto_rico.ask import Adds, Allows, Effect, Offers, Scores, When
from projections.puerto_rico.buildings import builder, captain, craftsman, scoring, settler
from projections.puerto_rico.buildings import kinds as b
from projections.puerto_rico.facts import BuildingBought, GoodsLoaded, PayoutDue, SmallWharfUsed, TileTaken, WharfUsed
from projections.puerto_rico.plan import DRAW, LOAD

EFFECTS: Final[dict[int, tuple[Effect, ...]]] = {
    b.SMALL_MARKET: (Adds(ask.SALE_PRICE, 1),),
    b.HACIENDA: (Offers(DRAW, settler.draws),),
    b.CONSTRUCTION_HUT: (Allows(ask.TAKE_QUARRY),),
    b.SMALL_WAREHOUSE: (Adds(ask.STORED_KINDS, 1),),
    b.HOSPICE: (When(TileTaken, settler.staff_tile, optional=settler.colonist_for_tile),),
    b.OFFICE: (Allows(ask.SELL_DUPLICATE),),
    b.LARGE_MARKET: (Adds(ask.SALE_PRICE, 2),),
    b.LARGE_WAREHOUSE: (Adds(ask.STORED_KINDS, 2),),
    b.FACTORY: (When(PayoutDue, craftsman.factory),),
    b.UNIVERSITY: (When(BuildingBought, builder.staff_building, optional=builder.colonist_for_building),),
    b.HARBOR: tuple(When(loading, captain.harbor) for loading in (GoodsLoaded, WharfUsed, SmallWharfUsed)),
    b.WHARF: (Offers(LOAD, captain.wharf_loads),),
    b.GUILD_HALL: (Scores(scoring.guild_hall),),
    b.RESIDENCE: (Scores(scoring.residence),),
    b.FORTRESS: (Scores(scoring.fortress),),
    b.CUSTOMS_HOUSE: (Scores(scoring.customs_house),),
    b.CITY_HALL: (Scores(scoring.city_hall),),
}

DEEDS: Final[dict[type, ask.Deed]] = {**captain.DEEDS}


def posts(building: int) -> Sequence[int]:
    """The bits of a building by who works there: anybody, a colonist, a noble."""
    return b.post(building, noble=False), b.post(building, noble=False), b.post(building, noble=True)


for _building, _effects in EFFECTS.items():
    ask.ANSWERS.learn(_building, posts(_building), _effects)

"""The effects of every building, one row each; a building without a row only produces or only has printed points."""

from typing import Final

from projections.rules.puerto_rico.buildings import (
    black_market,
    builder,
    captain,
    craftsman,
    guests,
    mayor,
    scoring,
    settler,
    trader,
)
from projections.rules.puerto_rico.buildings import printed as b
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.engine.effects import (
    BY_COLONIST,
    BY_NOBLE,
    Adds,
    Allows,
    Effect,
    Offers,
    Scores,
    When,
)
from projections.rules.puerto_rico.facts.buildings import BuildingBought
from projections.rules.puerto_rico.facts.goods import GoodsProduced
from projections.rules.puerto_rico.facts.island import TileTaken
from projections.rules.puerto_rico.facts.moments import (
    CraftingBegun,
    LoadingOver,
    MayorTurnBegun,
    PayoutDue,
    SettlingOver,
)
from projections.rules.puerto_rico.facts.ships import FirstTurnBegun, GoodsLoaded, SmallWharfUsed, WharfUsed
from projections.rules.puerto_rico.plan import BUILD, DRAW, LOAD, LODGE, SUPPLY, TRADE, TRADE_AGAIN

LOADINGS: Final = (GoodsLoaded, WharfUsed, SmallWharfUsed)

# Reactions to the same fact run in the order of this table.
EFFECTS: Final[dict[int, tuple[Effect, ...]]] = {
    b.SMALL_MARKET: (Adds(effects.SALE_PRICE, 1),),
    b.HACIENDA: (Offers(DRAW, settler.draws),),
    b.CONSTRUCTION_HUT: (Allows(effects.TAKE_QUARRY),),
    b.SMALL_WAREHOUSE: (Adds(effects.STORED_KINDS, 1),),
    b.HOSPICE: (When(TileTaken, settler.staff_tile, optional=settler.colonist_for_tile),),
    b.OFFICE: (Allows(effects.SELL_DUPLICATE),),
    b.LARGE_MARKET: (Adds(effects.SALE_PRICE, 2),),
    b.LARGE_WAREHOUSE: (Adds(effects.STORED_KINDS, 2),),
    b.FACTORY: (When(PayoutDue, craftsman.factory),),
    b.UNIVERSITY: (When(BuildingBought, builder.staff_building, optional=builder.colonist_for_building),),
    b.HARBOR: tuple(When(loading, captain.harbor) for loading in LOADINGS),
    b.WHARF: (Offers(LOAD, captain.wharf_loads),),
    b.GUILD_HALL: (Scores(scoring.guild_hall),),
    b.RESIDENCE: (Scores(scoring.residence),),
    b.FORTRESS: (Scores(scoring.fortress),),
    b.CUSTOMS_HOUSE: (Scores(scoring.customs_house),),
    b.CITY_HALL: (Scores(scoring.city_hall),),
    # New Buildings
    b.AQUEDUCT: (When(GoodsProduced, craftsman.aqueduct),),
    b.FOREST_HOUSE: (Allows(effects.MAKE_FOREST),),
    b.BLACK_MARKET: (Offers(BUILD, black_market.purchases),),
    b.STOREHOUSE: (Adds(effects.STORED_SINGLES, 3),),
    b.GUESTHOUSE: tuple(Offers(window, moves) for window, moves in guests.WINDOWS.items()),
    b.TRADING_POST: (Offers(TRADE, trader.post_sales), Offers(TRADE_AGAIN, trader.post_sales)),
    b.CHURCH: (When(BuildingBought, builder.church),),
    b.SMALL_WHARF: (Offers(LOAD, captain.small_wharf_loads),),
    b.LIGHTHOUSE: (
        *(When(loading, captain.lighthouse) for loading in LOADINGS),
        When(LoadingOver, captain.idle_lighthouse),
    ),
    b.LIBRARY: (Adds(effects.PRIVILEGE, 1),),
    b.SPECIALTY_FACTORY: (When(PayoutDue, craftsman.specialty_factory),),
    b.UNION_HALL: (When(FirstTurnBegun, captain.union_hall),),
    b.CLOISTER: (Scores(scoring.cloister),),
    # Nobles
    b.LAND_OFFICE: (
        Allows(effects.TRADE_TWICE, BY_COLONIST),
        Allows(effects.TRADE_TWICE, BY_NOBLE),
        *(Offers(step, trader.office_purchases, BY_COLONIST) for step in (TRADE, TRADE_AGAIN)),
        *(Offers(step, trader.office_sales, BY_NOBLE) for step in (TRADE, TRADE_AGAIN)),
    ),
    b.CHAPEL: (
        When(CraftingBegun, craftsman.chapel_doubloon, BY_COLONIST),
        When(CraftingBegun, craftsman.chapel_point, BY_NOBLE),
    ),
    b.HUNTING_LODGE: (
        Offers(LODGE, settler.lodge_removals, BY_COLONIST),
        When(SettlingOver, settler.most_empty, BY_NOBLE),
    ),
    b.ZONING_OFFICE: (Adds(effects.SMALL_DISCOUNT, 1, BY_COLONIST), Adds(effects.LARGE_DISCOUNT, 2, BY_NOBLE)),
    b.ROYAL_SUPPLIER: (Offers(SUPPLY, captain.supplies),),
    b.VILLA: (When(MayorTurnBegun, mayor.villa),),
    b.JEWELER: (When(PayoutDue, craftsman.jeweler),),
    b.ROYAL_GARDEN: (Scores(scoring.royal_garden),),
}

# Moves that buildings add; selling knows the trading post besides the house.
DEEDS: Final[dict[type, effects.Deed]] = settler.DEEDS | trader.DEEDS | captain.DEEDS | guests.DEEDS


def posts(building: int) -> tuple[int, int, int]:
    """Returns the bits of a building by its staff: any person, a colonist, a noble."""
    return b.POSTS[building], b.POSTS[building], b.NOBLE_POSTS[building]


for _building, _effects in EFFECTS.items():
    effects.ANSWERS.learn(_building, posts(_building), _effects)

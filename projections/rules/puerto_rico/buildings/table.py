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
from projections.rules.puerto_rico.buildings.printed import Building
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
    Building.SMALL_MARKET: (Adds(effects.SALE_PRICE, 1),),
    Building.HACIENDA: (Offers(DRAW, settler.draws),),
    Building.CONSTRUCTION_HUT: (Allows(effects.TAKE_QUARRY),),
    Building.SMALL_WAREHOUSE: (Adds(effects.STORED_KINDS, 1),),
    Building.HOSPICE: (When(TileTaken, settler.staff_tile, optional=settler.colonist_for_tile),),
    Building.OFFICE: (Allows(effects.SELL_DUPLICATE),),
    Building.LARGE_MARKET: (Adds(effects.SALE_PRICE, 2),),
    Building.LARGE_WAREHOUSE: (Adds(effects.STORED_KINDS, 2),),
    Building.FACTORY: (When(PayoutDue, craftsman.factory),),
    Building.UNIVERSITY: (When(BuildingBought, builder.staff_building, optional=builder.colonist_for_building),),
    Building.HARBOR: tuple(When(loading, captain.harbor) for loading in LOADINGS),
    Building.WHARF: (Offers(LOAD, captain.wharf_loads),),
    Building.GUILD_HALL: (Scores(scoring.guild_hall),),
    Building.RESIDENCE: (Scores(scoring.residence),),
    Building.FORTRESS: (Scores(scoring.fortress),),
    Building.CUSTOMS_HOUSE: (Scores(scoring.customs_house),),
    Building.CITY_HALL: (Scores(scoring.city_hall),),
    # New Buildings
    Building.AQUEDUCT: (When(GoodsProduced, craftsman.aqueduct),),
    Building.FOREST_HOUSE: (Allows(effects.MAKE_FOREST),),
    Building.BLACK_MARKET: (Offers(BUILD, black_market.purchases),),
    Building.STOREHOUSE: (Adds(effects.STORED_SINGLES, 3),),
    Building.GUESTHOUSE: tuple(Offers(window, moves) for window, moves in guests.WINDOWS.items()),
    Building.TRADING_POST: (Offers(TRADE, trader.post_sales), Offers(TRADE_AGAIN, trader.post_sales)),
    Building.CHURCH: (When(BuildingBought, builder.church),),
    Building.SMALL_WHARF: (Offers(LOAD, captain.small_wharf_loads),),
    Building.LIGHTHOUSE: (
        *(When(loading, captain.lighthouse) for loading in LOADINGS),
        When(LoadingOver, captain.idle_lighthouse),
    ),
    Building.LIBRARY: (Adds(effects.PRIVILEGE, 1),),
    Building.SPECIALTY_FACTORY: (When(PayoutDue, craftsman.specialty_factory),),
    Building.UNION_HALL: (When(FirstTurnBegun, captain.union_hall),),
    Building.CLOISTER: (Scores(scoring.cloister),),
    # Nobles
    Building.LAND_OFFICE: (
        Allows(effects.TRADE_TWICE, BY_COLONIST),
        Allows(effects.TRADE_TWICE, BY_NOBLE),
        *(Offers(step, trader.office_purchases, BY_COLONIST) for step in (TRADE, TRADE_AGAIN)),
        *(Offers(step, trader.office_sales, BY_NOBLE) for step in (TRADE, TRADE_AGAIN)),
    ),
    Building.CHAPEL: (
        When(CraftingBegun, craftsman.chapel_doubloon, BY_COLONIST),
        When(CraftingBegun, craftsman.chapel_point, BY_NOBLE),
    ),
    Building.HUNTING_LODGE: (
        Offers(LODGE, settler.lodge_removals, BY_COLONIST),
        When(SettlingOver, settler.most_empty, BY_NOBLE),
    ),
    Building.ZONING_OFFICE: (Adds(effects.SMALL_DISCOUNT, 1, BY_COLONIST), Adds(effects.LARGE_DISCOUNT, 2, BY_NOBLE)),
    Building.ROYAL_SUPPLIER: (Offers(SUPPLY, captain.supplies),),
    Building.VILLA: (When(MayorTurnBegun, mayor.villa),),
    Building.JEWELER: (When(PayoutDue, craftsman.jeweler),),
    Building.ROYAL_GARDEN: (Scores(scoring.royal_garden),),
}

# Moves that buildings add; selling knows the trading post besides the house.
DEEDS: Final[dict[type, effects.Deed]] = settler.DEEDS | trader.DEEDS | captain.DEEDS | guests.DEEDS


def posts(building: int) -> tuple[int, int, int]:
    """Returns the bits of a building by its staff: any person, a colonist, a noble."""
    return b.POSTS[building], b.POSTS[building], b.NOBLE_POSTS[building]


for _building, _effects in EFFECTS.items():
    effects.ANSWERS.learn(_building, posts(_building), _effects)

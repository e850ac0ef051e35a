"""Effects of buildings in the craftsman phase."""

from typing import Final

from projections.rules.fact_recorder import FactRecorder
from projections.rules.puerto_rico.buildings.printed import Building
from projections.rules.puerto_rico.engine.awards import award, gain
from projections.rules.puerto_rico.facts.goods import GoodsAdded, GoodsProduced
from projections.rules.puerto_rico.facts.moments import CraftingBegun, PayoutDue
from projections.rules.puerto_rico.kinds import CORN, INDIGO, SUGAR
from projections.rules.puerto_rico.state.position import Position

FACTORY_PAY: Final = (0, 0, 1, 2, 3, 5)  # doubloons by number of kinds


def chapel_doubloon(position: Position, fact: CraftingBegun, recorder: FactRecorder[Position]) -> None:
    """Chapel with a colonist."""
    gain(position, fact.seat, 1, recorder)


def chapel_point(position: Position, fact: CraftingBegun, recorder: FactRecorder[Position]) -> None:
    """Chapel with a noble."""
    award(position, fact.seat, 1, recorder)


def aqueduct(position: Position, fact: GoodsProduced, recorder: FactRecorder[Position]) -> None:
    """Aqueduct: a good more where the large building took part and the supply has one (R-47)."""
    indigo = _one_more(position, fact, INDIGO, Building.INDIGO_PLANT)
    sugar = _one_more(position, fact, SUGAR, Building.SUGAR_MILL)
    if indigo or sugar:
        recorder.record(position, GoodsAdded(fact.seat, (0, indigo, sugar, 0, 0)))


def _one_more(position: Position, fact: GoodsProduced, good: int, building: int) -> int:
    took_part = fact.goods[good] and position.city_people[fact.seat][building]
    return 1 if took_part and position.goods_supply[good] else 0


def factory(position: Position, fact: PayoutDue, recorder: FactRecorder[Position]) -> None:
    """Factory: doubloons by the number of kinds really received."""
    kinds = sum(1 for amount in position.received[fact.seat] if amount)
    gain(position, fact.seat, FACTORY_PAY[kinds], recorder)


def specialty_factory(position: Position, fact: PayoutDue, recorder: FactRecorder[Position]) -> None:
    """Specialty factory: the most received kind but corn, less one (R-49)."""
    counted = position.received if position.rulings.all_received else position.produced
    gain(position, fact.seat, max(counted[fact.seat][CORN + 1 :]) - 1, recorder)


def jeweler(position: Position, fact: PayoutDue, recorder: FactRecorder[Position]) -> None:
    """Jeweler: a doubloon for every own noble."""
    gain(position, fact.seat, position.nobles_of(fact.seat), recorder)

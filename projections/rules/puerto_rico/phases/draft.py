"""Which violet buildings are in the game: drafted by the seats or drawn by the dealer (rules 6.1)."""

from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.puerto_rico.buildings.printed import COSTS, NAMES, NUMBERS
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.facts.frame import BuildingDrafted, BuildingsLaidOut
from projections.rules.puerto_rico.moves import Draft, Move
from projections.rules.puerto_rico.plan import DRAFT_BUILDING, DRAFTING
from projections.rules.puerto_rico.rulings import Rulings
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import DRAFT_PLACES


def candidates(rulings: Rulings, in_play: int) -> list[int]:
    """The kinds not chosen yet whose cost still has a free place."""
    chosen = [building for building in rulings.candidates if in_play >> building & 1]
    taken = [COSTS[building] for building in chosen]
    closed = rulings.exclusive if any(rulings.exclusive >> building & 1 for building in chosen) else 0
    return [
        building
        for building in rulings.candidates
        if not (in_play | closed) >> building & 1 and taken.count(COSTS[building]) < DRAFT_PLACES[COSTS[building]]
    ]


def drafting(position: Position) -> bool:
    """Whether a place is left."""
    return bool(candidates(position.rulings, position.in_play))


def drafts(position: Position, _seat: int) -> tuple[Move, ...]:
    """D-DRAFT: one kind."""
    return tuple(Draft(building) for building in candidates(position.rulings, position.in_play))


def draft(position: Position, seat: int, move: Draft, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The kind comes into play with all its copies."""
    recorder.record(position, BuildingDrafted(seat, move.building))


def draw_buildings(position: Position, dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The dealer fills the places instead (R-91)."""
    drawn: list[int] = []
    in_play = position.in_play
    while left := candidates(position.rulings, in_play):
        building = NUMBERS[dealer.draw({NAMES[kind]: 1 for kind in left})]
        drawn.append(building)
        in_play |= 1 << building
    recorder.record(position, BuildingsLaidOut(tuple(drawn)))


GATES: Final[dict[int, effects.Gate]] = {DRAFTING: drafting}
CHOICES: Final[dict[int, effects.Choice]] = {DRAFT_BUILDING: drafts}
DEEDS: Final[dict[type, effects.Deed]] = {Draft: draft}

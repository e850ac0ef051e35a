"""The table before the first move (rules 2): pieces without chance first, then the draws."""

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.puerto_rico.changes.frame import bring_into_play
from projections.rules.puerto_rico.facts.frame import PhaseBegun
from projections.rules.puerto_rico.kinds import CORN, DRAFT, ROLE_CHOICE
from projections.rules.puerto_rico.phases.draft import draw_buildings
from projections.rules.puerto_rico.phases.settler import deal_row
from projections.rules.puerto_rico.rulings import Rulings, buildings_laid_out
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import (
    COLONISTS,
    COLONISTS_WITH_NOBLES,
    FORESTS,
    GOODS_TOKENS,
    NOBLES_IN_GAME,
    PLANTATIONS,
    QUARRIES,
    ROLE_CARDS,
    START_DOUBLOONS,
    START_TILES,
)


def blank_position(rulings: Rulings, seats: int) -> Position:
    """Everything that needs no chance: boards, supplies, ships, cards, buildings."""
    position = Position.empty(rulings, seats)
    position.round = 0 if rulings.draft and rulings.rounds_as_played else 1
    position.cards_out = sum(1 << role for role in ROLE_CARDS[seats])
    position.goods_supply = list(GOODS_TOKENS[seats])
    position.vp_supply = rulings.vp_pool
    position.pile = list(PLANTATIONS[seats])
    position.quarries = QUARRIES[seats]
    position.forests = FORESTS if rulings.new_buildings and rulings.forest_stack else 0
    for seat, tile in enumerate(START_TILES[seats]):
        corn_start = rulings.balanced and tile == CORN
        position.doubloons[seat] = START_DOUBLOONS[seats] - (1 if corn_start else 0)
        position.tiles[seat][tile] = 1
        position.pile[tile] -= 1
    _put_out_people(position)
    for building in buildings_laid_out(rulings):
        bring_into_play(position, building)
    return position


def _put_out_people(position: Position) -> None:
    """The colonist ship carries one person per player; with nobles one of them is a noble (R-70)."""
    nobles = position.rulings.nobles
    colonists = COLONISTS_WITH_NOBLES if nobles else COLONISTS[position.seats]
    position.noble_ship = 1 if nobles else 0
    position.noble_supply = NOBLES_IN_GAME - 1 if nobles else 0
    position.colonist_ship = position.seats - position.noble_ship
    position.colonist_supply = colonists - position.colonist_ship


def add_chance(position: Position, dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """Draws the row and, by option, the buildings; then the first phase begins."""
    deal_row(position, dealer, recorder)
    if position.rulings.drawn:
        draw_buildings(position, dealer, recorder)
    recorder.record(position, PhaseBegun(DRAFT if position.rulings.draft else ROLE_CHOICE, 0))

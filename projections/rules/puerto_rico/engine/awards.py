"""Helpers that several phases and buildings share: award points, find a colonist, draw a tile."""

from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.made_once import made_once
from projections.rules.puerto_rico.facts.bank import DoubloonsGained, VpGained
from projections.rules.puerto_rico.facts.frame import EndMet
from projections.rules.puerto_rico.facts.island import DiscardsShuffled, TileDrawn
from projections.rules.puerto_rico.kinds import FROM_SHIP, FROM_SUPPLY, GOODS, NONE, VP_GONE
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import ISLAND_SPACES

VP_GAINED: Final = made_once(VpGained)
DOUBLOONS_GAINED: Final = made_once(DoubloonsGained)
TILE_DRAWN: Final = made_once(TileDrawn)
NUMBER_OF_GOOD: Final = {name: number for number, name in enumerate(GOODS)}


def award(position: Position, seat: int, points: int, recorder: FactRecorder[Position]) -> None:
    """Victory points from the supply; missing chips are noted (rules 5.2)."""
    if points <= 0:
        return
    supply = position.vp_supply
    chips = points if points < supply else supply
    recorder.record(position, VP_GAINED(seat, chips, points - chips))
    if not position.rulings.captain_ends_vp:
        check_vp_end(position, recorder)


def check_vp_end(position: Position, recorder: FactRecorder[Position]) -> None:
    """The game ends when the supply has reached 0, also when no seat is short (R-80)."""
    if position.vp_supply == 0 and not position.ends & VP_GONE:
        recorder.record(position, EndMet(VP_GONE))


def gain(position: Position, seat: int, doubloons: int, recorder: FactRecorder[Position]) -> None:
    """Doubloons from the bank, which is never empty (R-8)."""
    if doubloons > 0:
        recorder.record(position, DOUBLOONS_GAINED(seat, doubloons))


def colonist_source(position: Position) -> int:
    """Where a single colonist comes from: the supply, else the ship (R-17, R-39); NONE when both are empty."""
    if position.colonist_supply:
        return FROM_SUPPLY
    return FROM_SHIP if position.colonist_ship else NONE


def has_space(position: Position, seat: int) -> bool:
    """Whether a tile fits on the island."""
    return position.island(seat) < ISLAND_SPACES


def tile_obtainable(position: Position) -> bool:
    """Whether a face-down tile can be drawn, after a shuffle of the discards if need be (R-12)."""
    return any(position.pile) or any(position.discards)


def draw_tile(position: Position, seat: int, dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """Turn over the top face-down plantation."""
    if not any(position.pile):
        recorder.record(position, DiscardsShuffled())
    recorder.record(position, TILE_DRAWN(seat, draw_from(position.pile, dealer)))


def draw_from(counts: list[int], dealer: Dealer) -> int:
    """One of these plantations by chance."""
    corn, indigo, sugar, tobacco, coffee = counts
    drawn = dealer.draw({"corn": corn, "indigo": indigo, "sugar": sugar, "tobacco": tobacco, "coffee": coffee})
    return NUMBER_OF_GOOD[drawn]

"""The settler phase: tiles for every seat, then a new row (rules 3.4)."""

from functools import lru_cache
from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.made_once import made_once
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.engine.awards import draw_from, draw_tile, has_space
from projections.rules.puerto_rico.facts.island import (
    DiscardsShuffled,
    DrawnTilePlaced,
    RowCleared,
    RowDealt,
    SecondTileTaken,
    TileTaken,
)
from projections.rules.puerto_rico.facts.moments import SettlingOver
from projections.rules.puerto_rico.kinds import NONE, QUARRY
from projections.rules.puerto_rico.moves import PASS, Draw, Keep, Move, Take
from projections.rules.puerto_rico.plan import CLEAR_ROW, KEEPS, SECOND_TAKE, SETTLING_OVER, TAKE
from projections.rules.puerto_rico.state.position import Position

NOTHING: Final[tuple[Move, ...]] = (PASS,)
TILE_TAKEN: Final = made_once(TileTaken)
SECOND_TILE_TAKEN: Final = made_once(SecondTileTaken)
ROW_DEALT: Final = made_once(RowDealt)
DRAWN_TILE_PLACED: Final = made_once(DrawnTilePlaced)


def takes(position: Position, seat: int) -> tuple[Move, ...]:
    """D-SET-TAKE: any kind in the row, for some a quarry, or nothing."""
    if not has_space(position, seat):
        return NOTHING
    quarry = seat == position.chooser or effects.allowed(position, seat, effects.TAKE_QUARRY)
    return take_moves(
        kinds_open(position, quarry), may_forest(position, seat), effects.waivers(position, seat, TileTaken)
    )


def second_takes(position: Position, seat: int) -> tuple[Move, ...]:
    """D-SET-LIB: a doubled privilege takes once more; a quarry needs its own permission (R-25)."""
    if effects.privilege(position, seat) < 2:
        return ()
    if not has_space(position, seat):
        return NOTHING
    quarry = effects.allowed(position, seat, effects.TAKE_QUARRY)
    return take_moves(kinds_open(position, quarry), may_forest(position, seat), (0,))


def kinds_open(position: Position, quarry: bool) -> int:
    """The kinds of tiles that can be taken, as bits."""
    row = position.row
    mask = 0
    for tile in range(5):
        if row[tile]:
            mask |= 1 << tile
    return mask | 1 << QUARRY if quarry and position.quarries else mask


def may_forest(position: Position, seat: int) -> bool:
    """Whether the seat may place a forest instead of a plantation it takes (R-20)."""
    if not effects.allowed(position, seat, effects.MAKE_FOREST):
        return False
    return not position.rulings.forest_stack or position.forests > 0


@lru_cache(maxsize=1024)
def take_moves(kinds: int, forest: bool, waivers: tuple[int, ...]) -> tuple[Move, ...]:
    """The takes of these kinds, and `pass`."""
    tiles = [tile for tile in range(QUARRY + 1) if kinds >> tile & 1]
    moves: list[Move] = []
    for waived in waivers:
        moves += [Take(tile, forest=False, waived=waived) for tile in tiles]
        if forest:
            moves += [Take(tile, forest=True, waived=waived) for tile in tiles if tile != QUARRY]
    return (*moves, PASS)


def take(position: Position, seat: int, move: Take, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """A tile goes from the row or the quarry stack onto the island."""
    fact = SECOND_TILE_TAKEN if position.step == SECOND_TAKE else TILE_TAKEN
    tile, forest, recorder.waived, _ = move
    recorder.record(position, fact(seat, tile, forest))
    recorder.waived = 0


def draw(position: Position, seat: int, _move: Draw, dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The top face-down plantation is turned over and must be placed (R-16)."""
    draw_and_place(position, seat, dealer, recorder)


def draw_and_place(position: Position, seat: int, dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """Draw a tile; it is placed at once unless its owner has to choose between plantation and forest."""
    draw_tile(position, seat, dealer, recorder)
    if not may_forest(position, seat):
        recorder.record(position, DRAWN_TILE_PLACED(seat, False))


def keeps(position: Position, _seat: int) -> tuple[Move, ...]:
    """D-SET-HAC-F, D-TRD-F: the drawn tile as a plantation or as a forest."""
    return (Keep(), Keep(forest=True)) if position.hand != NONE else ()


def keep(position: Position, seat: int, move: Keep, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The drawn tile comes onto the island."""
    recorder.record(position, DRAWN_TILE_PLACED(seat, move.forest))


def settling_over(position: Position, seat: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """All tiles are taken: a moment buildings wait for."""
    if effects.listens(position, seat, SettlingOver):
        recorder.record(position, SettlingOver(seat))


def clear_row(position: Position, _seat: int, dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The row is discarded and dealt anew; it stays short when even the discards run out (R-13)."""
    recorder.record(position, RowCleared())
    deal_row(position, dealer, recorder)


def deal_row(position: Position, dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """Turn up tiles until the row has one more than there are players."""
    wanted = position.seats + 1
    while wanted and (any(position.pile) or any(position.discards)):
        if not any(position.pile):
            recorder.record(position, DiscardsShuffled())
        pile = position.pile[:]
        tiles: list[int] = []
        for _ in range(min(wanted, sum(pile))):
            tile = draw_from(pile, dealer)
            pile[tile] -= 1
            tiles.append(tile)
        wanted -= len(tiles)
        recorder.record(position, ROW_DEALT(tuple(tiles)))


CHOICES: Final[dict[int, effects.Choice]] = {TAKE: takes, SECOND_TAKE: second_takes, **dict.fromkeys(KEEPS, keeps)}
DUTIES: Final[dict[int, effects.Duty]] = {SETTLING_OVER: settling_over, CLEAR_ROW: clear_row}
DEEDS: Final[dict[type, effects.Deed]] = {Take: take, Draw: draw, Keep: keep}

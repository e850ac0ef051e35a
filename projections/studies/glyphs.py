"""Glyphs: short annotations by number, as in chess (NAG); those from 220 on are about several seats."""

from collections.abc import Mapping
from typing import Final, NamedTuple

MOVE, POSITION, OBSERVATION = "move", "position", "observation"


class Glyph(NamedTuple):
    """An annotation symbol: its family, sign and meaning."""

    family: str
    sign: str
    meaning: str


GLYPHS: Final[Mapping[int, Glyph]] = {
    1: Glyph(MOVE, "!", "a good move"),
    2: Glyph(MOVE, "?", "a mistake"),
    3: Glyph(MOVE, "!!", "a brilliant move"),
    4: Glyph(MOVE, "??", "a blunder"),
    5: Glyph(MOVE, "!?", "an interesting move"),
    6: Glyph(MOVE, "?!", "a doubtful move"),
    7: Glyph(MOVE, "□", "the only move"),
    10: Glyph(POSITION, "=", "all stand alike"),
    13: Glyph(POSITION, "∞", "unclear"),
    14: Glyph(POSITION, "+=", "who moved is slightly ahead"),
    15: Glyph(POSITION, "=+", "who moved is slightly behind"),
    16: Glyph(POSITION, "±", "who moved is ahead"),
    17: Glyph(POSITION, "∓", "who moved is behind"),
    18: Glyph(POSITION, "+−", "who moved is winning"),
    19: Glyph(POSITION, "−+", "who moved is losing"),
    22: Glyph(OBSERVATION, "⨀", "whatever follows makes it worse"),
    32: Glyph(OBSERVATION, "⟳", "ahead in building up"),
    36: Glyph(OBSERVATION, "↑", "has the initiative"),
    40: Glyph(OBSERVATION, "→", "puts others under pressure"),
    132: Glyph(OBSERVATION, "⇆", "has an answer"),
    138: Glyph(OBSERVATION, "⊕", "short of time"),
    140: Glyph(OBSERVATION, "∆", "with the idea"),
    146: Glyph(OBSERVATION, "N", "new"),
    220: Glyph(OBSERVATION, "⊘", "takes something away from another seat"),
    221: Glyph(OBSERVATION, "↷", "serves the next seat"),
    222: Glyph(OBSERVATION, "⚓", "blocks a ship or a place"),
    223: Glyph(OBSERVATION, "⇥", "brings the end nearer"),
}
NUMBERS: Final = {glyph.sign: number for number, glyph in GLYPHS.items()}

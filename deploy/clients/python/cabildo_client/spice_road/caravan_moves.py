"""The moves of Spice Road as frozen values; `str(move)` is the notation."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from cabildo_client.errors import UnreadableAnswer
from cabildo_client.spice_road.caravan_board import SpiceCounts

SPICES: Final = ("turmeric", "saffron", "cardamom", "cinnamon")
LETTERS: Final = "yrgb"  # the same, lowest first


@dataclass(frozen=True, slots=True)
class PlaySpiceMove:
    """Play a spice card."""

    card: str

    def __str__(self) -> str:
        return f"play {self.card}"


@dataclass(frozen=True, slots=True)
class UpgradeMove:
    """Play an upgrade card; `raised` has the letter of each raised cube, `y` raises turmeric to saffron."""

    card: str
    raised: str = ""

    def __str__(self) -> str:
        steps = (f"{letter}>{LETTERS[LETTERS.index(letter) + 1]}" for letter in self.raised)
        return " ".join(("play", self.card, *steps))


@dataclass(frozen=True, slots=True)
class TradeMove:
    """Play a trade card so many times in a row."""

    card: str
    times: int = 1

    def __str__(self) -> str:
        return f"play {self.card} x{self.times}"


@dataclass(frozen=True, slots=True)
class BuyMove:
    """Acquire the merchant card at a position, from 1; `cubes` are the letters laid on the cards before it."""

    position: int
    cubes: str = ""

    def __str__(self) -> str:
        return f"buy {self.position} {','.join(self.cubes)}".rstrip()


@dataclass(frozen=True, slots=True)
class RestMove:
    """Take all played cards back into the hand."""

    def __str__(self) -> str:
        return "rest"


@dataclass(frozen=True, slots=True)
class ClaimMove:
    """Claim the point card at a position, from 1; its coin may be waived where that is an option."""

    position: int
    coin: bool = True

    def __str__(self) -> str:
        return f"claim {self.position}{'' if self.coin else ' -coin'}"


@dataclass(frozen=True, slots=True)
class DropMove:
    """Return the cubes that the caravan cannot hold."""

    cubes: SpiceCounts

    def __str__(self) -> str:
        counts = zip(LETTERS, (getattr(self.cubes, spice) for spice in SPICES), strict=True)
        return " ".join(("drop", *(f"{letter}={count}" for letter, count in counts if count)))


SpiceRoadMove: TypeAlias = PlaySpiceMove | UpgradeMove | TradeMove | BuyMove | RestMove | ClaimMove | DropMove


def read_move(text: str) -> SpiceRoadMove:
    """Returns the move of its canonical text, as the service writes it; raises UnreadableAnswer."""
    for pattern, make in FORMS.items():
        if found := re.fullmatch(pattern, text):
            return make(found)
    raise UnreadableAnswer(f"not a move of Spice Road: {text!r:.80}")


def _dropped(found: "re.Match[str]") -> DropMove:
    counts = dict(part.split("=") for part in found[1].split())
    return DropMove(SpiceCounts(*(int(counts.get(letter, 0)) for letter in LETTERS)))


FORMS: Final[Mapping[str, Callable[["re.Match[str]"], SpiceRoadMove]]] = {
    r"play ((?:get|create)_\w+)": lambda found: PlaySpiceMove(found[1]),
    r"play (upgrade_\d)((?: [yrg]>[rgb])*)": lambda found: UpgradeMove(found[1], found[2][1::4]),
    r"play (trade_\w+) x(\d+)": lambda found: TradeMove(found[1], int(found[2])),
    r"buy (\d+)(?: ([yrgb](?:,[yrgb])*))?": lambda found: BuyMove(int(found[1]), (found[2] or "").replace(",", "")),
    r"rest": lambda _: RestMove(),
    r"claim (\d+)( -coin)?": lambda found: ClaimMove(int(found[1]), coin=not found[2]),
    r"drop((?: [yrgb]=\d+)+)": _dropped,
}

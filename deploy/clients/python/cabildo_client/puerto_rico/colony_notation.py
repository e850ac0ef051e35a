"""Reads the canonical text of a move of Puerto Rico, as the service writes it."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import cabildo_client.puerto_rico.colony_moves as m
from cabildo_client.errors import UnreadableAnswer
from cabildo_client.puerto_rico.island_board import GoodCounts

PLAIN: Final = ("draw", "keep", "ask_guests", "pass")
PLACEMENT: Final = re.compile(r"(\w+)=(\d+)(?:\+(\d+)n)?")
PERSONS: Final = ("colonist", "noble")
MARKET: Final = "black_market="
MISREAD: Final = (ValueError, TypeError, IndexError)  # of words that do not fit their verb


def read_move(text: str) -> m.PuertoRicoMove:
    """Returns the move of its canonical text; raises UnreadableAnswer."""
    verb, *words = text.split() or [""]
    try:
        move = m.PlainMove(verb) if verb in PLAIN and not words else READERS[verb](words)
    except (KeyError, *MISREAD) as fault:
        raise UnreadableAnswer(f"not a move of Puerto Rico: {text!r:.80}") from fault
    if str(move) != text:
        raise UnreadableAnswer(f"not a move of Puerto Rico in its canonical form: {text!r:.80}")
    return move


def _split(words: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Returns the words, and the buildings that are waived."""
    return [word for word in words if word[0] != "-"], tuple(word[1:] for word in words if word[0] == "-")


def _take(words: Sequence[str]) -> m.PuertoRicoMove:
    (tile,), waived = _split(words)
    return m.TakeMove(tile, waived=waived)


def _forest(words: Sequence[str]) -> m.PuertoRicoMove:
    if not words:
        return m.PlainMove("forest")
    (tile,), waived = _split(words)
    return m.TakeMove(tile, forest=True, waived=waived)


def _unplant(words: Sequence[str]) -> m.PuertoRicoMove:
    tile, *rest = words
    faces, persons = [word for word in rest if word in m.GOODS], [word for word in rest if word in PERSONS]
    return m.UnplantMove(tile, next(iter(faces), None), next(iter(persons), None))


def _placement(word: str) -> m.Placement:
    found = PLACEMENT.fullmatch(word)
    if found is None:
        raise ValueError(word)
    return m.Placement(found[1], int(found[2]), int(found[3] or 0))


def _build(words: Sequence[str]) -> m.PuertoRicoMove:
    (building, *payment), waived = _split(words)
    items = payment[0].removeprefix(MARKET).split(",") if payment else ()
    return m.BuildMove(building, tuple(items), waived)


def _goods(words: Sequence[str]) -> GoodCounts:
    return GoodCounts(**{good: int(amount) for good, amount in (word.split("=") for word in words)})


READERS: Final[Mapping[str, Callable[[Sequence[str]], m.PuertoRicoMove]]] = {
    "draft": lambda words: m.DraftMove(*words),
    "role": lambda words: m.RoleMove(*words),
    "forest": _forest,
    "take": _take,
    "unplant": _unplant,
    "pick": lambda words: m.PickMove(*words),
    "place": lambda words: m.PlaceMove(tuple(map(_placement, words))),
    "build": _build,
    "bonus": lambda words: m.BonusMove(tuple(words)),
    "sell": lambda words: m.SellMove(words[0], "trading_post" in words[1:]),
    "plant": lambda words: m.PlantMove(next((word for word in words if word != "forest"), None), "forest" in words),
    "ship": lambda words: m.ShipMove(words[0], int(words[1])),
    "wharf": lambda words: m.WharfMove(*words),
    "small_wharf": lambda words: m.SmallWharfMove(_goods(words)),
    "supply": lambda words: m.SupplyMove(tuple(words)),
    "store": lambda words: m.StoreMove(_goods(words)),
    "guest": lambda words: m.GuestMove(tuple(words)),
    "stay": lambda words: m.StayMove(words == ["phase"]),
}

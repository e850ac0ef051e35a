"""Moves as one line of text: the canonical form, and every other spelling that says the same.

    play create_2              play a spice card
    play upgrade_2 y>r r>g     each step names the spice before and after; no step: play upgrade_2
    play trade_yy_g x3         trade three times; without a number: once
    buy 4 y,y,r                the merchant card at position 4; cubes for the cards 1, 2 and 3
    rest
    claim 2                    the point card at position 2; where the coin is optional: claim 2 -coin
    drop y=1 r=2               return one turmeric and two saffron

Canonical text is lower case with single spaces; zeros are left out, `x1` is written, cubes of one colour stand in the
order of the track (payments in the order of the cards). The steps of an upgrade are listed lowest first: two orders
that end with the same caravan are one move. Accepted besides: upper case, the names of the spices, `y>g` for two
steps, `yyr` or `y y r` for cubes in a row, `acquire` for `buy`.
"""

import re
from collections.abc import Callable
from typing import Any, Final

from projections.rules.errors import UnreadableMove
from projections.rules.spice_road.cards import MERCHANT
from projections.rules.spice_road.cubes import LETTERS, RAISED, SPICES, counted
from projections.rules.spice_road.moves import Buy, Claim, Drop, Move, PlaySpice, PlayTrade, PlayUpgrade, Rest

_LONGEST: Final = 200  # more than any move needs
_SPICE_NAMES: Final = re.compile(r"\b(turmeric|saffron|cardamom|cinnamon)\b")
_STEPS: Final = re.compile(r"([yrgb]>[yrgb])( [yrgb]>[yrgb])*")
_CUBES: Final = re.compile(r"[yrgb]([ ,]*[yrgb])*")
_COUNTS: Final = re.compile(r"[yrgb]=[0-9]{1,3}([ ,]+[yrgb]=[0-9]{1,3})*")


def notation(move: Move) -> str:
    """The canonical text of a move."""
    return _WRITERS[type(move)](move)


def parse(text: str) -> Move:
    """Read a move in any accepted spelling; refuses with UnreadableMove."""
    words = " ".join(text[:_LONGEST].lower().split())
    verb, _, rest = _SPICE_NAMES.sub(lambda name: LETTERS[SPICES.index(name[0])], words).partition(" ")
    if len(text) > _LONGEST or not text.isascii() or verb not in _READERS:
        raise UnreadableMove(text[:_LONGEST], "play, buy, rest, claim or drop")
    move = _READERS[verb](rest)
    if move is None:
        raise UnreadableMove(text, _EXPECTED[verb])
    return move


def _write_upgrade(move: PlayUpgrade) -> str:
    return " ".join(("play", move.card, *(f"{spice}>{RAISED.get(spice, spice)}" for spice in move.steps)))


def _write_drop(move: Drop) -> str:
    counts = (f"{letter}={count}" for letter, count in zip(LETTERS, move.cubes, strict=True) if count)
    return " ".join(("drop", *counts))


_WRITERS: Final[dict[type, Callable[[Any], str]]] = {
    PlaySpice: lambda move: f"play {move.card}",
    PlayUpgrade: _write_upgrade,
    PlayTrade: lambda move: f"play {move.card} x{move.times}",
    Buy: lambda move: f"buy {move.position} {','.join(move.cubes)}".rstrip(),
    Rest: lambda _: "rest",
    Claim: lambda move: f"claim {move.position}" if move.coin else f"claim {move.position} -coin",
    Drop: _write_drop,
}


def _read_play(rest: str) -> Move | None:
    card, _, how = rest.partition(" ")
    if card not in MERCHANT:
        return None
    kind = MERCHANT[card].kind
    if kind == "spice":
        return PlaySpice(card) if not how else None
    if kind == "trade":
        times = re.fullmatch(r"(?:x ?)?([0-9]{1,3})|([0-9]{1,3}) ?x", how or "x1")
        return PlayTrade(card, int(times[1] or times[2])) if times else None
    steps = _read_steps(how)
    return None if steps is None else PlayUpgrade(card, steps)


def _read_steps(how: str) -> str | None:
    """The spices raised, in the order given; `y>g` raises y, then r. None when it cannot be read."""
    how = re.sub(r" ?(?:->|>) ?", ">", how.replace(",", " "))
    how = " ".join(how.split())
    if not how:
        return ""
    if not _STEPS.fullmatch(how):
        return None
    steps = [LETTERS[LETTERS.index(step[0]) : LETTERS.index(step[2])] for step in how.split()]
    return "".join(steps) if all(steps) else None


def _read_buy(rest: str) -> Move | None:
    place, _, cubes = rest.partition(" ")
    if not re.fullmatch(r"[0-9]{1,3}", place) or (cubes and not _CUBES.fullmatch(cubes)):
        return None
    return Buy(int(place), re.sub(r"[ ,]", "", cubes))


def _read_claim(rest: str) -> Move | None:
    claim = re.fullmatch(r"([0-9]{1,3})( -coin)?", rest)
    return Claim(int(claim[1]), coin=not claim[2]) if claim else None


def _read_drop(rest: str) -> Move | None:
    if _CUBES.fullmatch(rest):
        return Drop(counted(rest))
    if not _COUNTS.fullmatch(rest):
        return None
    amounts = dict.fromkeys(LETTERS, 0)
    for part in rest.replace(",", " ").split():
        amounts[part[0]] += int(part[2:])
    cubes = (amounts["y"], amounts["r"], amounts["g"], amounts["b"])
    return Drop(cubes) if any(cubes) else None


_READERS: Final[dict[str, Callable[[str], Move | None]]] = {
    "play": _read_play,
    "buy": _read_buy,
    "acquire": _read_buy,
    "rest": lambda rest: None if rest else Rest(),
    "claim": _read_claim,
    "drop": _read_drop,
}

_EXPECTED: Final = {
    "play": "play create_2, play upgrade_2 y>r r>g, play trade_yy_g x3, with the id of a merchant card",
    "buy": "buy 1, or buy 4 y,y,r",
    "acquire": "buy 1, or buy 4 y,y,r",
    "rest": "rest",
    "claim": "claim 2, or claim 2 -coin",
    "drop": "drop y=1 r=2",
}

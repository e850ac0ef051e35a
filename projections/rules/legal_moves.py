"""The document of the legal moves, of one shape for every decision, and the ways to go on with a half-made move."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, TypeVar

from events.json_types import JsonObject
from projections.rules.errors import IllegalMove
from projections.rules.move_writer import MoveWriter, write_forced
from projections.rules.protocol import Game

P = TypeVar("P")
M = TypeVar("M")
FEW: Final = 40  # alternatives named in a refusal


def legal_moves_document(game: Game[P, M], position: P, language: str = "en") -> JsonObject:
    """The legal moves of the seat to act: all, or some of a long choice with its slots; none when the game is over."""
    seat = game.actor(position)
    if seat is None:
        return no_moves_document()
    moves = game.legal(position)
    slots = moves.slots()
    listed = list(moves) if slots is None else moves.suggested()
    return {
        "seat": seat,
        "decision": game.decision(position),
        "complete": len(listed) == len(moves),
        "count": len(moves),
        "moves": [move_document(game, position, move, language) for move in listed],
        "slots": slots,
    }


def no_moves_document(turn: tuple[int, str] | None = None) -> JsonObject:
    """The document without moves, in the turn of another seat or in none."""
    seat, decision = turn or (None, None)
    return {"seat": seat, "decision": decision, "complete": True, "count": 0, "moves": [], "slots": None}


def move_document(game: Game[P, M], position: P, move: M, language: str) -> JsonObject:
    """Returns a move as text and in words, with its effect."""
    return {
        "move": game.notation(move),
        "label": game.label(position, move, language),
        "effect": game.effect(position, move, language),
    }


def continuations(game: Game[P, Any], position: P, begun: str) -> list[JsonObject]:
    """The ways to go on with the beginning of a move, up to the next choice; none when no legal move begins so."""
    if game.actor(position) is None:
        return []
    return [
        {
            "text": writer.text if writer.move is None else game.notation(writer.move),
            "complete": writer.move is not None,
        }
        for writer in _continued(game, game.writer(position), begun)
    ]


def _continued(game: Game[P, Any], writer: MoveWriter, begun: str) -> Iterator[MoveWriter]:
    """Yields writers that have written more than the beginning, or a whole move."""
    if writer.move is not None:
        if game.notation(writer.move).startswith(begun):
            yield writer
        return
    for further in _written(writer):
        text = further.text
        if text.startswith(begun) and (further.move is not None or text != begun):
            write_forced(further)
            yield further
        elif begun.startswith(text) or further.move is not None:
            yield from _continued(game, further, begun)


def _written(writer: MoveWriter) -> Iterator[MoveWriter]:
    """Yields the writer with each of the next words."""
    for atom in writer.choices():
        further = writer.copy()
        further.write(atom)
        yield further


def refused_moves(game: Game[P, Any], position: P, texts: Iterable[str], language: str = "en") -> list[JsonObject]:
    """Those of some moves that are not open now, each with the reason, the rule and a sentence a player understands."""
    return [why for text in texts if (why := _why_not(game, position, text, language)) is not None]


def are_open(texts: Iterable[str], refusals: Iterable[JsonObject]) -> list[JsonObject]:
    """Each of some moves, in the order they were asked about, and whether it is open now: not one of the refused."""
    closed = {refusal["move"] for refusal in refusals}
    return [{"move": text, "open": text not in closed} for text in texts]


def _why_not(game: Game[P, Any], position: P, text: str, language: str) -> JsonObject | None:
    move = game.parse(text)
    try:
        game.canonical(position, move)
    except IllegalMove as why:
        return {"move": text, "reason": why.reason, "rule": why.rule, "sentence": why.sentence_in(language)}
    return None


def alternatives(game: Game[P, Any], position: P) -> list[str]:
    """Returns legal moves to name in a refusal; none when the game is over."""
    if game.actor(position) is None:
        return []
    return [game.notation(move) for move in islice(game.legal(position).suggested(), FEW)]

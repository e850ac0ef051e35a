"""The document of the legal moves: every move in words, or the slots of a choice that is too long to list."""

from collections.abc import Iterable
from itertools import islice
from typing import Any, Final, TypeVar

from events.json_types import JsonObject
from projections.rules.errors import IllegalMove
from projections.rules.protocol import Game

P = TypeVar("P")
M = TypeVar("M")
FEW: Final = 40  # alternatives named in a refusal


def legal_moves_document(game: Game[P, M], position: P, language: str = "en") -> JsonObject:
    """The legal moves of the seat to act; none when the game is over."""
    seat = game.actor(position)
    head = {"seat": seat, "decision": game.decision(position)}
    if seat is None:
        return {**head, "moves": []}
    moves = game.legal(position)
    slots = moves.slots()
    if slots is None:
        return {**head, "moves": [move_document(game, position, move, language) for move in moves]}
    suggested = [move_document(game, position, move, language) for move in moves.suggested()]
    return {**head, "slots": slots, "count": len(moves), "suggested": suggested}


def move_document(game: Game[P, M], position: P, move: M, language: str) -> JsonObject:
    """Returns a move as text and in words, with its effect."""
    return {
        "move": game.notation(move),
        "label": game.label(position, move, language),
        "effect": game.effect(position, move, language),
    }


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

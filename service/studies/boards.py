"""Boards of chapters, and checks of a reader's answers to lessons."""

from typing import Any, Final

from events.json_types import JsonObject
from projections.rules.legal_moves import legal_moves_document
from projections.studies.study import LessonQuestion, Place
from service.core.errors import NotThere
from service.games import queries
from service.games.turns import turn_document, turn_of
from service.games.visibility import ALL, viewer
from service.studies.chapter_game import Ground
from service.studies.visibility import View

SPECTATOR: Final = "spectator"


def board(ground: Ground, place: Place, eyes: str | None, language: str, *, legal: bool) -> JsonObject:
    """Returns the board at a place for a viewpoint; raises NotAllowed when it would show hidden information."""
    ground.at(place)
    position, rules = ground.board(place), ground.rules
    shown = queries.seen(rules, position, eyes_of(ground, eyes))
    return {
        "at": place,
        "position": shown,
        "turn": turn_document(turn_of(rules, position)),
        "scores": queries.scores(rules, position, shown),
        "legal": legal_moves_document(rules, position, language) if legal and ground.over else None,
    }


def seen_at(view: View, place: Place) -> JsonObject:
    """Returns the board at a place as a reader may see it, from the chapter's viewpoint where that is allowed."""
    ground = view.ground
    assert ground is not None
    eyes = None if view.chapter.eyes is None or not ground.over else str(view.chapter.eyes)
    return queries.seen(ground.rules, ground.board(place), eyes_of(ground, eyes))


def markers_at(view: View, place: Place) -> list[JsonObject]:
    """Returns the markers of all authors at a place."""
    note = view.notes.get(place)
    return [] if note is None else [marker for marks in note.marks.values() for marker in marks.markers]


def eyes_of(ground: Ground, eyes: str | None) -> int | str | None:
    """Returns the viewpoint that a reader asks for: a seat, all, or a spectator (None)."""
    wished = ALL if eyes is None and ground.over else None if eyes == SPECTATOR else eyes
    if ground.sight is not None:
        return viewer(ground.sight, wished)
    if wished is None or wished == ALL:
        return wished
    ground.need_seat(int(wished))
    return int(wished)


def asked(ground: Ground, place: Place) -> LessonQuestion:
    """Returns the question at a place; raises NotThere."""
    ground.at(place)
    question: LessonQuestion | None = ground.chapter.note(place).question
    if question is None:
        raise NotThere("question at", place)
    return question


def judged(ground: Ground, place: Place, move: str, language: str) -> tuple[bool, dict[str, Any], str | None]:
    """Returns whether a lesson accepts a move, the move with its label, and the hash of the reply."""
    question, rules, position = asked(ground, place), ground.rules, ground.board(place)
    made = rules.canonical(position, rules.parse(move))
    told_move = {"move": rules.notation(made), "label": rules.label(position, made, language)}
    replies = dict(question.answers)
    right = told_move["move"] in replies
    return right, told_move, replies[told_move["move"]] if right else question.otherwise

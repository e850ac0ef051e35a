"""Boards of chapters, and checks of a reader's answers to lessons."""

from typing import Final

from events.json_types import JsonObject
from projections.rules.legal_moves import legal_moves_document
from projections.studies.study import LessonQuestion, Place
from service.core.errors import NotThere
from service.games import queries
from service.games.turns import turn_document, turn_of
from service.games.visibility import ALL, viewer
from service.studies.chapter_game import ChapterGame
from service.studies.visibility import View

SPECTATOR: Final = "spectator"


def board(chapter_game: ChapterGame, place: Place, eyes: str | None, language: str, *, legal: bool) -> JsonObject:
    """Returns the board at a place for a viewpoint; raises NotAllowed when it would show hidden information."""
    chapter_game.at(place)
    position, rules = chapter_game.board(place), chapter_game.rules
    view = queries.visible_board(rules, position, eyes_of(chapter_game, eyes))
    return {
        "at": place,
        "position": view,
        "turn": turn_document(turn_of(rules, position)),
        "scores": queries.scores(rules, position, view),
        "legal": legal_moves_document(rules, position, language) if legal and chapter_game.is_over else None,
    }


def seen_at(view: View, place: Place) -> JsonObject:
    """Returns the board at a place as a reader may see it, from the chapter's viewpoint where that is allowed."""
    chapter_game = view.chapter_game
    assert chapter_game is not None
    eyes = None if view.chapter.eyes is None or not chapter_game.is_over else str(view.chapter.eyes)
    return queries.visible_board(chapter_game.rules, chapter_game.board(place), eyes_of(chapter_game, eyes))


def markers_at(view: View, place: Place) -> list[JsonObject]:
    """Returns the markers of all authors at a place."""
    note = view.notes.get(place)
    return [] if note is None else [marker for marks in note.marks.values() for marker in marks.markers]


def eyes_of(chapter_game: ChapterGame, eyes: str | None) -> int | str | None:
    """Returns the viewpoint that a reader asks for: a seat, all, or a spectator (None)."""
    wished = ALL if eyes is None and chapter_game.is_over else None if eyes == SPECTATOR else eyes
    if chapter_game.visible is not None:
        return viewer(chapter_game.visible, wished)
    if wished is None or wished == ALL:
        return wished
    chapter_game.need_seat(int(wished))
    return int(wished)


def question_at(chapter_game: ChapterGame, place: Place) -> LessonQuestion:
    """Returns the question at a place; raises NotThere."""
    chapter_game.at(place)
    question: LessonQuestion | None = chapter_game.chapter.note(place).question
    if question is None:
        raise NotThere("question at", place)
    return question


def judge_answer(
    chapter_game: ChapterGame, place: Place, move: str, language: str
) -> tuple[bool, dict[str, str], str | None]:
    """Returns whether a lesson accepts a move, the move with its label, and the hash of the reply."""
    question, rules, position = question_at(chapter_game, place), chapter_game.rules, chapter_game.board(place)
    made = rules.canonical(position, rules.parse(move))
    labelled = {"move": rules.notation(made), "label": rules.label(position, made, language)}
    replies = dict(question.answers)
    right = labelled["move"] in replies
    return right, labelled, replies[labelled["move"]] if right else question.otherwise

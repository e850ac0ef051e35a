"""Edits of notes at a place: comments, glyphs and markers, the question of a lesson."""

from typing import Final

from events.json_types import Json, JsonObject
from projections.studies.glyphs import GLYPHS
from projections.studies.study import OWNER, Comment, Marks, PlaceNotes, hashes_of
from service.core.errors import NotAllowed, NotThere
from service.studies import board_parts
from service.studies.editing.context import Edit, EditContext, Made
from service.studies.errors import EditConflict, LimitReached, StudyRefused

MOST_COMMENTS: Final = 50


def comment(context: EditContext, edit: Edit) -> Made:
    """Adds or replaces a comment."""
    at, note = _there(context, edit)
    context.chapter_game(edit).need_seat(edit.get("eyes"))
    old = None if edit.get("comment") is None else _comment(context, edit, note)
    if old is not None and old.author != context.unit.actor:
        raise NotAllowed("not_yours", "only the author of a comment can change it")
    if old is None and len(note.comments) >= MOST_COMMENTS:
        raise LimitReached("comments at one place", MOST_COMMENTS)
    about: JsonObject = {"comment": None if old is None else old.id, "eyes": edit.get("eyes")}
    text = context.unit.text(edit["text"])
    seq = context.unit.write("comment_written", {"chapter": edit["chapter"], "at": at, "text": text, **about})
    if old is not None:
        context.unit.erase(old.text)
    return {"comment": seq if old is None else old.id}


def delete_comment(context: EditContext, edit: Edit) -> Made:
    """Deletes a comment and erases its text; an owner may delete any, a writer only their own."""
    at, note = _there(context, edit)
    old = _comment(context, edit, note)
    if old.author != context.unit.actor and context.unit.study.role(context.unit.actor) != OWNER:
        raise NotAllowed("not_yours", "only the author or an owner can delete a comment")
    context.unit.write("comment_deleted", {"chapter": edit["chapter"], "at": at, "comment": old.id})
    context.unit.erase(old.text, old.credit)
    return {}


def _comment(context: EditContext, edit: Edit, note: PlaceNotes) -> Comment:
    """Returns the comment of an edit; raises NotThere, or EditConflict when it has changed since."""
    old = next((comment for comment in note.comments if comment.id == edit["comment"]), None)
    if old is None or not context.chapter_game(edit).shows(old.author, edit["at"]):
        raise NotThere("comment", edit["comment"])
    if context.missed(old.version):
        text = context.texts([old.text]).get(old.text)
        raise EditConflict("comment", old.version, {"comment": old.id, "text": text, "eyes": old.eyes})
    return old


def mark(context: EditContext, edit: Edit) -> Made:
    """Replaces the author's glyphs and markers at a place; an owner may remove those of others."""
    at, note = _there(context, edit)
    by, glyphs, markers = edit.get("by", context.unit.actor), edit["glyphs"], edit["markers"]
    if by != context.unit.actor and (glyphs or markers or context.unit.study.role(context.unit.actor) != OWNER):
        raise NotAllowed("not_yours", "an owner may remove other members' marks, but not draw for them")
    if not context.chapter_game(edit).shows(by, edit["at"]):
        raise NotThere("marks of player", by)
    unknown = [number for number in glyphs if number not in GLYPHS]
    if unknown:
        raise StudyRefused("unknown_glyph", "there is no glyph {unknown}", unknown=unknown[0])
    old = note.marks.get(by, Marks(by, (), (), 0))
    if context.missed(old.version):
        current = {"glyphs": list(old.glyphs), "markers": list(old.markers)}
        raise EditConflict("marks", old.version, current)
    if markers:
        chapter_game = context.chapter_game(edit)
        board_parts.check(chapter_game.rules.document(chapter_game.board(edit["at"])), markers)
    marked = [{"on": it["on"], "kind": it["kind"], "to": it.get("to")} for it in markers]
    if not glyphs and not markers:
        context.unit.erase(*(marks.credit for marks in note.marks.values() if marks.author == by))
    data = {"chapter": edit["chapter"], "at": at, "by": by, "glyphs": list(glyphs), "markers": marked}
    context.unit.write("place_marked", data)
    return {}


def ask(context: EditContext, edit: Edit) -> Made:
    """Sets or removes the question of a lesson."""
    at, note = _there(context, edit)
    chapter_game, given = context.chapter_game(edit), edit["question"]
    chapter_game.need_over()
    if context.missed(note.asked):
        raise EditConflict("question", note.asked, {"at": edit["at"]})
    if note.question is not None:
        context.unit.erase(*hashes_of(PlaceNotes(question=note.question)))
    question = None if given is None else _question(context, edit, given)
    context.unit.write("question_set", {"chapter": edit["chapter"], "at": at, "question": question})
    return {}


def _question(context: EditContext, edit: Edit, given: Edit) -> JsonObject:
    """Returns a question as events store it; raises for an answer that is not a legal move."""
    chapter_game, unit = context.chapter_game(edit), context.unit
    board = chapter_game.board(edit["at"])
    answers: list[Json] = []
    for answer in given["answers"]:
        move = chapter_game.rules.notation(
            chapter_game.rules.canonical(board, chapter_game.rules.parse(answer["move"]))
        )
        answers.append({"move": move, "reply": unit.text(answer["reply"]) if answer.get("reply") else None})
    otherwise = unit.text(given["otherwise"]) if given.get("otherwise") else None
    hints = unit.texts(given.get("hints", ()))
    return {"text": unit.text(given["text"]), "answers": answers, "hints": hints, "otherwise": otherwise}


def _there(context: EditContext, edit: Edit) -> tuple[JsonObject, PlaceNotes]:
    """Returns the place of an edit as events store it, and its notes."""
    at = context.chapter_game(edit).at(edit["at"], edit.get("hash"))
    return at, context.chapter(edit).note(edit["at"])

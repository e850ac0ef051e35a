"""Documents of studies as clients read them."""

from collections.abc import Mapping

from events.json_types import JsonObject
from projections.studies.study import (
    Anchor,
    Chapter,
    Comment,
    LessonQuestion,
    Marks,
    Place,
    PlaceNotes,
    Study,
    VariationMove,
)
from service.core.clock import iso_time as told_time
from service.studies.chapter_game import ChapterGame
from service.studies.markdown import to_html
from service.studies.visibility import View, order

Words = Mapping[str, str]


def heading(study: Study, reader: str | None, views: list[View], texts: Words, names: Words) -> JsonObject:
    """Returns the document of a study without the contents of its chapters."""
    return {
        "id": str(study.id),
        "title": texts.get(study.title),
        "visibility": study.visibility,
        "version": study.version,
        "head": study.head.hex(),
        "cloned_from": study.cloned_from,
        "created": told_time(study.created),
        "changed": told_time(study.changed),
        "role": study.role(reader),
        "members": [{"player": person(id, names), "role": role} for id, role in study.members.items()],
        "chapters": [chapter_heading(view, texts) for view in views],
    }


def chapter_heading(view: View, texts: Words) -> JsonObject:
    """Returns the entry of a chapter in the list; only number, version and flags of a withheld one."""
    chapter, chapter_game = view.chapter, view.chapter_game
    known = chapter_game is not None
    return {
        "chapter": chapter.id,
        "withheld": not known,
        "title": texts.get(chapter.title) if known else None,
        "game": chapter.game if known else None,
        "of": str(chapter.of.stream) if known and chapter.of else None,
        "runs": chapter_game is not None and not chapter_game.is_over,
        "eyes": chapter.eyes if known else None,
        "lesson": chapter.lesson,
        "version": chapter.newest,
    }


def chapter(study: Study, view: View, texts: Words, names: Words, language: str) -> JsonObject:
    """Returns the contents of a chapter without the answers to open questions, with moves labelled in a language."""
    contents, chapter_game, notes = view.chapter, view.chapter_game, view.notes
    head = {**chapter_heading(view, texts), "study": str(study.id), "version": study.version}
    if chapter_game is None:
        return {**head, "position": None, "anchor": None, "nodes": [], "notes": {}}
    asks = view.lesson.asks
    note_documents = {place: note(notes[place], texts, names, open=place in asks) for place in sorted(notes, key=order)}
    return {
        **head,
        "position": contents.position,
        "anchor": None if contents.of is None or not chapter_game.reaches(contents.of.seq) else _anchor(contents.of),
        "hashes": {
            str(seq): hash for seq, hash in sorted(contents.hashes.items()) if chapter_game.is_over or str(seq) in notes
        },
        "nodes": [
            {**_node(contents, node, names), "label": label(chapter_game, node, language)}
            for node in contents.nodes.values()
        ],
        "notes": note_documents,
    }


def _anchor(of: Anchor) -> JsonObject:
    return {"seq": of.seq, "hash": of.hash}


def note(note: PlaceNotes, texts: Words, names: Words, *, open: bool) -> JsonObject:
    """Returns the comments, marks and question at a place."""
    return {
        "comments": [_comment(comment, texts, names) for comment in note.comments],
        "marks": [_marks(marks, texts, names) for marks in note.marks.values()],
        "question": None if note.question is None else _question(note.question, texts, names, open=open),
    }


def written(text: str | None) -> JsonObject:
    """Returns a text and its HTML; null for an erased text."""
    return {"text": text, "html": None if text is None else to_html(text)}


def _comment(comment: Comment, texts: Words, names: Words) -> JsonObject:
    return {
        "comment": comment.id,
        "author": person(comment.author, names),
        "credit": None if comment.credit is None else texts.get(comment.credit),
        **written(texts.get(comment.text)),
        "eyes": comment.eyes,
        "at": told_time(comment.at),
        "version": comment.version,
    }


def _marks(marks: Marks, texts: Words, names: Words) -> JsonObject:
    return {
        "author": person(marks.author, names),
        "credit": None if marks.credit is None else texts.get(marks.credit),
        "glyphs": list(marks.glyphs),
        "markers": list(marks.markers),
        "version": marks.version,
    }


def _question(question: LessonQuestion, texts: Words, names: Words, *, open: bool) -> JsonObject:
    answers = [{"move": move, "reply": texts.get(reply or "")} for move, reply in question.answers]
    return {
        **written(texts.get(question.text)),
        "open": open,
        "author": person(question.author, names),
        "hints": [texts.get(hint) for hint in question.hints],
        "answers": None if open else answers,
        "otherwise": None if open else texts.get(question.otherwise or ""),
        "version": question.version,
    }


def _node(chapter: Chapter, node: VariationMove, names: Words) -> JsonObject:
    siblings = chapter.branches[node.parent]
    return {
        "node": place(node),
        "parent": node.parent,
        "rank": siblings.index(node.id),
        "author": person(node.author, names),
        "seat": node.seat,
        "move": node.move,
        "chance": node.chance,
        "seed": node.seed,
        "drew": list(node.drew),
        "then": node.deed["then"],
        "version": node.version,
    }


def label(chapter_game: ChapterGame, node: VariationMove, language: str) -> str:
    """Returns the label of a variation's move."""
    return chapter_game.rules.report(chapter_game.board(node.parent), chapter_game.rules.parse(node.move), language)


def place(node: VariationMove) -> Place:
    """Returns the place of a node."""
    return f"v{node.id}"


def person(id: str, names: Words) -> JsonObject:
    """Returns a player's id and name; an erased account has no name."""
    return {"id": id, "name": names.get(id)}

"""Exports the visible part of a study as a script; names replace player ids."""

from typing import Final

from projections.games.replay import line
from projections.studies.script import (
    Annotations,
    Branch,
    Marking,
    ScriptChapter,
    ScriptComment,
    ScriptStep,
    StudyScript,
    Task,
    canonical,
)
from projections.studies.study import Chapter, Place, PlaceNotes
from service.studies.queries import StudyReader
from service.studies.visibility import View

HASH: Final = 12  # leading digits of a hash
ERASED: Final = "…"


def script(read: StudyReader) -> StudyScript:
    """Returns a script of the visible chapters; variations are numbered in the order of the text."""
    study_script = as_numbered(read)
    return study_script._replace(parts=tuple(map(canonical, study_script.parts)))


def as_numbered(read: StudyReader) -> StudyScript:
    """Returns a script of the visible chapters; variations keep the numbers of their nodes in the study."""
    parts = [_part(read, view) for view in read.views if view.chapter_game is not None]
    return StudyScript(_line(read.texts.get(read.study.title, ERASED)), tuple(parts))


def _part(read: StudyReader, view: View) -> ScriptChapter:
    chapter = view.chapter
    return ScriptChapter(
        title=_line(read.texts.get(chapter.title, ERASED)),
        game=chapter.game,
        of=None if chapter.of is None else str(chapter.of.stream),
        position=chapter.position,
        eyes=chapter.eyes,
        lesson=chapter.lesson,
        steps=tuple(_steps(read, view)),
        opening=_annotations(read, view, "v0"),
        branches=tuple(_branches(read, view)),
    )


def _steps(read: StudyReader, view: View) -> list[ScriptStep]:
    """Returns the game's moves and every other annotated event; a lesson ends at its open question."""
    chapter_game, chapter = view.chapter_game, view.chapter
    assert chapter_game is not None
    kept, last = {event.seq for event in line(chapter_game.events)}, view.lesson.last
    hung = {int(place) for place in (*view.notes, *chapter.branches) if not place.startswith("v")}
    found = []
    for event in chapter_game.events:
        if (event.seq in kept or event.seq in hung) and (last is None or event.seq <= last):
            data = event.data
            drew = data.get("drew")
            seat, move = data.get("seat"), data.get("move")
            moved = isinstance(seat, int) and isinstance(move, str)
            found.append(
                ScriptStep(
                    event.seq,
                    event.hash.hex()[:HASH],
                    seat if moved and isinstance(seat, int) else None,
                    move if moved and isinstance(move, str) else None,
                    tuple(map(str, drew)) if chapter_game.is_over and isinstance(drew, list | tuple) else (),
                    _annotations(read, view, str(event.seq)),
                )
            )
    return found


def _branches(read: StudyReader, view: View) -> list[Branch]:
    chapter: Chapter = view.chapter
    return [
        Branch(
            node.id,
            node.parent,
            chapter.branches[node.parent].index(node.id),
            node.seat,
            node.move,
            node.drew,
            node.chance,
            node.seed,
            _annotations(read, view, f"v{node.id}"),
        )
        for node in chapter.nodes.values()
    ]


def _annotations(read: StudyReader, view: View, place: Place) -> Annotations:
    note = view.notes.get(place, PlaceNotes())
    remarks = [
        ScriptComment(read.texts[one.text], _name(read, one.author, one.credit), one.eyes)
        for one in note.comments
        if one.text in read.texts
    ]
    markings = [Marking(one.glyphs, one.markers, _name(read, one.author, one.credit)) for one in note.marks.values()]
    return Annotations(tuple(remarks), tuple(markings), _task(read, view, place, note))


def _task(read: StudyReader, view: View, place: Place, note: PlaceNotes) -> Task | None:
    """Returns the question at a place with its answers; None when it is open or absent."""
    asked = note.question
    if asked is None or place in view.lesson.asks:
        return None
    answers = tuple((move, read.texts.get(reply or "")) for move, reply in asked.answers)
    hints = tuple(read.texts.get(hint, ERASED) for hint in asked.hints)
    return Task(read.texts.get(asked.text, ERASED), answers, hints, read.texts.get(asked.otherwise or ""))


def _name(read: StudyReader, author: str, credit: str | None) -> str | None:
    return read.names.get(author) if credit is None else read.texts.get(credit)


def _line(text: str) -> str:
    return " ".join(text.split())

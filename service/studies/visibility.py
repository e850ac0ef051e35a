"""Who may know of a study, and what of it somebody may read: never more than the games in it show them."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from projections.studies.study import OWNER, WRITER, Chapter, Place, PlaceNotes, Study, hashes_of, node_of
from service.core.errors import NotThere, TableClosed
from service.studies.chapter_game import Ground, Grounds
from service.studies.errors import QuestionsOpen, StudyDeleted
from service.studies.lessons import Lesson, lesson


class View(NamedTuple):
    """A chapter as one reader may read it; without ground, its game is not for the reader to know of."""

    lesson: Lesson
    ground: Ground | None
    notes: dict[Place, PlaceNotes]

    @property
    def chapter(self) -> Chapter:
        """The chapter without what is behind an open question."""
        return self.lesson.chapter


def see(study: Study, reader: str | None) -> Study:
    """Refuse with NotThere who may not know of the study, and with StudyDeleted who comes too late."""
    if study.visibility == "private" and study.role(reader) is None:
        raise NotThere("study", study.id)
    if study.deleted:
        raise StudyDeleted(study.id)
    return study


def writes(study: Study, reader: str | None) -> bool:
    """Whether somebody may write into the study, and knows the answers of its lessons."""
    return study.role(reader) in (OWNER, WRITER)


def opened(study: Study, chapter: Chapter, reader: str | None, tickets: Collection[str]) -> Lesson:
    """A chapter as far as it is told to a reader who shows some tickets; a lesson hides nothing from its writers."""
    return lesson(chapter, tickets) if chapter.lesson and not writes(study, reader) else Lesson(chapter)


def view(found: Lesson, grounds: Grounds) -> View:
    """A chapter as far as the reader may see its game."""
    try:
        ground = grounds.of(found.chapter)
    except (NotThere, TableClosed):
        return View(found, None, {})
    return View(found, ground, {place: note for place, note in _readable(found.chapter, ground) if not note.empty})


def _readable(chapter: Chapter, ground: Ground) -> Iterator[tuple[Place, PlaceNotes]]:
    for place, note in chapter.notes.items():
        comments = tuple(comment for comment in note.comments if ground.shows(comment.author, place))
        marks = {
            key: marks
            for key, marks in note.marks.items()
            if (marks.glyphs or marks.markers) and ground.shows(marks.author, place)
        }
        yield place, note._replace(comments=comments, marks=marks)


def need_answered(found: View) -> None:
    """Refuse with QuestionsOpen a lesson of which the reader has not seen everything."""
    if found.lesson.asks:
        raise QuestionsOpen(found.chapter.id, min(found.lesson.asks, key=order))


def texts_of(found: View) -> Iterator[str]:
    """The texts that a reader of the chapter needs."""
    if found.ground is not None:
        yield found.chapter.title
        for note in found.notes.values():
            yield from hashes_of(note)


def people_of(found: View) -> Iterator[str]:
    """The authors in the chapter."""
    if found.ground is not None:
        yield from (node.author for node in found.chapter.nodes.values())
        for note in found.notes.values():
            yield from (comment.author for comment in note.comments)
            yield from (marks.author for marks in note.marks.values())
            if note.question is not None:
                yield note.question.author


def order(place: Place) -> tuple[bool, int]:
    """Where a place stands among others: the game's events first, then the nodes as they were added."""
    node = node_of(place)
    return (node is not None, int(place) if node is None else node)

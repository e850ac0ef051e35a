"""Visibility of studies: a reader sees never more of a game than the game itself shows."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from projections.studies.study import OWNER, WRITER, Chapter, Place, PlaceNotes, Study, hashes_of, node_of
from service.core.errors import NotThere, TableClosed
from service.studies.chapter_game import ChapterGame, ChapterGames
from service.studies.errors import QuestionsOpen, StudyDeleted
from service.studies.lessons import Lesson, lesson


class View(NamedTuple):
    """A chapter as one reader may read it; without a game, it is hidden from the reader."""

    lesson: Lesson
    chapter_game: ChapterGame | None
    notes: dict[Place, PlaceNotes]

    @property
    def chapter(self) -> Chapter:
        """Returns the chapter without its contents behind an open question."""
        return self.lesson.chapter


def see(study: Study, reader: str | None) -> Study:
    """Returns the study; raises NotThere when it is hidden from the reader, StudyDeleted when it is deleted."""
    if study.visibility == "private" and study.role(reader) is None:
        raise NotThere("study", study.id)
    if study.deleted:
        raise StudyDeleted(study.id)
    return study


def writes(study: Study, reader: str | None) -> bool:
    """Returns whether the reader may edit the study and see the answers of its lessons."""
    return study.role(reader) in (OWNER, WRITER)


def opened(study: Study, chapter: Chapter, reader: str | None, tickets: Collection[str]) -> Lesson:
    """Returns a chapter as a reader with these tickets may read it; a lesson hides nothing from its writers."""
    return lesson(chapter, tickets) if chapter.lesson and not writes(study, reader) else Lesson(chapter)


def view(found: Lesson, chapter_games: ChapterGames) -> View:
    """Returns a chapter with the notes that the reader may see."""
    try:
        chapter_game = chapter_games.of(found.chapter)
    except (NotThere, TableClosed):
        return View(found, None, {})
    return View(
        found, chapter_game, {place: note for place, note in _readable(found.chapter, chapter_game) if not note.empty}
    )


def _readable(chapter: Chapter, chapter_game: ChapterGame) -> Iterator[tuple[Place, PlaceNotes]]:
    for place, note in chapter.notes.items():
        comments = tuple(comment for comment in note.comments if chapter_game.shows(comment.author, place))
        marks = {
            key: marks
            for key, marks in note.marks.items()
            if (marks.glyphs or marks.markers) and chapter_game.shows(marks.author, place)
        }
        yield place, note._replace(comments=comments, marks=marks)


def need_answered(found: View) -> None:
    """Raises QuestionsOpen for a lesson with open questions."""
    if found.lesson.asks:
        raise QuestionsOpen(found.chapter.id, min(found.lesson.asks, key=order))


def texts_of(found: View) -> Iterator[str]:
    """Yields the hashes of the texts in the visible chapter."""
    if found.chapter_game is not None:
        yield found.chapter.title
        for note in found.notes.values():
            yield from hashes_of(note)


def people_of(found: View) -> Iterator[str]:
    """Yields the ids of the authors in the visible chapter."""
    if found.chapter_game is not None:
        yield from (node.author for node in found.chapter.nodes.values())
        for note in found.notes.values():
            yield from (comment.author for comment in note.comments)
            yield from (marks.author for marks in note.marks.values())
            if note.question is not None:
                yield note.question.author


def order(place: Place) -> tuple[bool, int]:
    """Returns the sort key of a place: events of the game first, then nodes as they were added."""
    node = node_of(place)
    return (node is not None, int(place) if node is None else node)

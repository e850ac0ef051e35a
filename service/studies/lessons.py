"""Lessons: hides everything at and behind an open question but the question itself.

A reader gets a ticket for a question answered or given up, and sends it to read on; the server stores no
answers. A ticket is derived from the salted hash of the question's text, which readers never see: a changed
question has a new ticket.
"""

import hashlib
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from projections.studies.study import START, Chapter, LessonQuestion, Place, PlaceNotes, node_of

DIGITS: Final = 16
NOWHERE: Final[frozenset[Place]] = frozenset()


class Lesson(NamedTuple):
    """A chapter cut at its open questions, and their places."""

    chapter: Chapter
    asks: frozenset[Place] = NOWHERE

    @property
    def last(self) -> int | None:
        """Returns the last visible event of the game; None: all are visible."""
        return min((int(place) for place in self.asks if node_of(place) is None), default=None)


def ticket(place: Place, question: LessonQuestion) -> str:
    """Returns the ticket of a question."""
    return hashlib.sha256(f"ticket {place} {question.version} {question.text}".encode()).hexdigest()[:DIGITS]


def lesson(chapter: Chapter, tickets: Collection[str]) -> Lesson:
    """Returns a chapter as a reader with these tickets may read it."""
    asks = frozenset(
        place
        for place, note in chapter.notes.items()
        if note.question is not None and ticket(place, note.question) not in tickets
    )
    if not asks:
        return Lesson(chapter)
    open_places = frozenset(_open_places(chapter, asks))
    return Lesson(_cut(chapter, open_places, asks), asks & open_places)


def _open_places(chapter: Chapter, asks: frozenset[Place]) -> Iterator[Place]:
    """Yields the places that are not behind an open question."""
    last = Lesson(chapter, asks).last
    trunk = {START, *chapter.notes, *chapter.branches}
    waiting = [
        place for place in trunk if not node_of(place) and (place == START or last is None or int(place) <= last)
    ]
    while waiting:
        place = waiting.pop()
        yield place
        if place not in asks:
            waiting += (f"v{node}" for node in chapter.branches.get(place, ()))


def _cut(chapter: Chapter, open_places: frozenset[Place], asks: frozenset[Place]) -> Chapter:
    return chapter._replace(
        hashes={seq: hash for seq, hash in chapter.hashes.items() if str(seq) in open_places},
        notes={
            place: PlaceNotes(question=note.question) if place in asks else note
            for place, note in chapter.notes.items()
            if place in open_places
        },
        nodes={id: node for id, node in chapter.nodes.items() if f"v{id}" in open_places},
        branches={place: nodes for place, nodes in chapter.branches.items() if place in open_places - asks},
    )

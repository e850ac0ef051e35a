"""What a lesson tells before its questions are answered: nothing at or behind an open one but the question itself.

Who answers a question, or gives it up, gets its ticket, and reads on by showing it; nothing is kept of who answered.
A ticket is made of the salted hash of the question's text, which no reader is told: a question asked anew has another.
"""

import hashlib
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from projections.studies.study import START, Chapter, LessonQuestion, Place, PlaceNotes, node_of

DIGITS: Final = 16
NOWHERE: Final[frozenset[Place]] = frozenset()


class Lesson(NamedTuple):
    """A chapter as far as its questions have been answered, and the questions in it that are open."""

    chapter: Chapter
    asks: frozenset[Place] = NOWHERE

    @property
    def last(self) -> int | None:
        """The event of the game behind which nothing is told; None: there is no such."""
        return min((int(place) for place in self.asks if node_of(place) is None), default=None)


def ticket(place: Place, question: LessonQuestion) -> str:
    """What shows that a question was answered or given up."""
    return hashlib.sha256(f"ticket {place} {question.version} {question.text}".encode()).hexdigest()[:DIGITS]


def lesson(chapter: Chapter, tickets: Collection[str]) -> Lesson:
    """A lesson for a reader who shows some tickets."""
    asks = frozenset(
        place
        for place, note in chapter.notes.items()
        if note.question is not None and ticket(place, note.question) not in tickets
    )
    if not asks:
        return Lesson(chapter)
    told = frozenset(_told(chapter, asks))
    return Lesson(_cut(chapter, told, asks), asks & told)


def _told(chapter: Chapter, asks: frozenset[Place]) -> Iterator[Place]:
    """The places that are not behind an open question."""
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


def _cut(chapter: Chapter, told: frozenset[Place], asks: frozenset[Place]) -> Chapter:
    return chapter._replace(
        hashes={seq: hash for seq, hash in chapter.hashes.items() if str(seq) in told},
        notes={
            place: PlaceNotes(question=note.question) if place in asks else note
            for place, note in chapter.notes.items()
            if place in told
        },
        nodes={id: node for id, node in chapter.nodes.items() if f"v{id}" in told},
        branches={place: nodes for place, nodes in chapter.branches.items() if place in told - asks},
    )

"""The state of a study; texts are known by their hashes alone, changes by the version that made them."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from uuid import UUID

from events.json_types import JsonObject

OWNER, WRITER, READER = "owner", "writer", "reader"
ROLES: Final = (OWNER, WRITER, READER)
VISIBILITIES: Final = ("public", "unlisted", "private")
NOTHING: Final[Mapping[Any, Any]] = MappingProxyType({})
Place = str  # "41": event 41 of the game; "v17": the node that event 17 of the study added; "v0": where it begins
Eyes = int | str | None
START: Final[Place] = "v0"


class Comment(NamedTuple):
    """A comment at a place."""

    id: int  # the event that first wrote it
    author: str
    text: str
    eyes: Eyes
    credit: str | None
    at: int
    version: int


class Marks(NamedTuple):
    """The glyphs and markers of one author at a place."""

    author: str
    glyphs: tuple[int, ...]
    markers: tuple[JsonObject, ...]
    version: int
    credit: str | None = None  # the name of an author outside the service


class LessonQuestion(NamedTuple):
    """A question of a lesson, with the replies to its answers."""

    text: str
    answers: tuple[tuple[str, str | None], ...]  # moves, each with the reply to it
    hints: tuple[str, ...]
    otherwise: str | None  # the reply to any other move
    author: str
    version: int


class PlaceNotes(NamedTuple):
    """All annotations at one place."""

    comments: tuple[Comment, ...] = ()
    marks: Mapping[str, Marks] = NOTHING  # by author, or by the name of an author outside the service
    question: LessonQuestion | None = None
    asked: int = 0  # the version that last changed the question, be it to none

    @property
    def empty(self) -> bool:
        """Whether there are no annotations."""
        return not self.comments and not self.marks and self.question is None


SILENCE: Final = PlaceNotes()


class VariationMove(NamedTuple):
    """A move of a variation, with its draws and facts."""

    id: int
    parent: Place
    author: str
    seat: int
    move: str
    chance: str
    seed: str | None
    drew: tuple[str, ...]
    deed: JsonObject
    version: int


class Anchor(NamedTuple):
    """An event of a game, by number and hash."""

    stream: UUID
    seq: int
    hash: str


class Chapter(NamedTuple):
    """A game, or an analysis of a position, with its annotations."""

    id: int
    title: str
    game: str
    rules: str
    of: Anchor | None
    position: JsonObject | None
    eyes: Eyes
    lesson: bool
    version: int  # of the fields above
    newest: int  # the version that last changed anything in it
    hashes: Mapping[int, str] = NOTHING  # of the game's annotated events
    notes: Mapping[Place, PlaceNotes] = NOTHING
    nodes: Mapping[int, VariationMove] = NOTHING
    branches: Mapping[Place, tuple[int, ...]] = NOTHING  # the nodes after a place, in order

    def note(self, place: Place) -> PlaceNotes:
        """Returns the annotations at a place."""
        return self.notes.get(place, SILENCE)

    def line(self, node: int) -> list[VariationMove]:
        """Returns the nodes of a variation from its first node to this one."""
        found: list[VariationMove] = []
        at: int | None = node
        while at:
            found.append(self.nodes[at])
            at = node_of(found[-1].parent)
        return found[::-1]

    def below(self, node: int) -> Iterator[int]:
        """Yields a node and all nodes after it."""
        waiting = [node]
        while waiting:
            at = waiting.pop()
            yield at
            waiting += self.branches.get(f"v{at}", ())

    def touched(self, place: Place) -> int:
        """Returns the version of the last change at a place."""
        node = node_of(place)
        note = self.note(place)
        versions = [comment.version for comment in note.comments] + [marks.version for marks in note.marks.values()]
        own = self.nodes[node].version if node else 0
        return max([own, note.asked, *versions])


class Study(NamedTuple):
    """A study at one version."""

    id: UUID
    version: int
    head: bytes
    title: str
    visibility: str
    cloned_from: str | None
    members: Mapping[str, str]  # player -> role
    chapters: Mapping[int, Chapter]  # in their order
    settled: int  # the version that last changed title or visibility
    last_chapter: int  # the highest number ever given
    created: int
    changed: int
    deleted: bool = False

    @property
    def owners(self) -> list[str]:
        """The members with all rights."""
        return [player for player, role in self.members.items() if role == OWNER]

    def role(self, player: str | None) -> str | None:
        """Returns the role of a player (None: not signed in), or None for a non-member."""
        return None if player is None else self.members.get(player)


def place_of(at: Mapping[str, Any]) -> Place:
    """Returns the place that an event names."""
    return f"v{at['node']}" if "node" in at else str(at["seq"])


def node_of(place: Place) -> int | None:
    """Returns the node number of a place, or None for an event of the game."""
    return int(place[1:]) if place.startswith("v") else None


def hashes(study: Study) -> Iterator[str]:
    """Yields the hashes of all texts that the study uses now."""
    yield study.title
    for chapter in study.chapters.values():
        yield chapter.title
        for note in chapter.notes.values():
            yield from hashes_of(note)


def hashes_of(note: PlaceNotes) -> Iterator[str]:
    """Yields the texts of one note."""
    for comment in note.comments:
        yield comment.text
        if comment.credit is not None:
            yield comment.credit
    yield from (marks.credit for marks in note.marks.values() if marks.credit is not None)
    if note.question is not None:
        yield note.question.text
        yield from note.question.hints
        replies = (note.question.otherwise, *(reply for _, reply in note.question.answers))
        yield from (reply for reply in replies if reply is not None)

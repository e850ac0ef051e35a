"""The types of loaded bodies and queries of studies."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict
from uuid import UUID

from events.json_types import JsonObject


class LoadedNewStudy(TypedDict):
    """A loaded `NewStudy`."""

    title: str
    visibility: str
    games: Sequence[UUID]


class LoadedStudyQuery(TypedDict):
    """A loaded `StudyQuery`."""

    about: UUID | None
    member: UUID | None
    game: str | None
    lesson: bool | None
    title: str | None
    limit: int
    after: str | None


class LoadedTicketQuery(TypedDict):
    """A loaded `TicketQuery`."""

    tickets: str


class LoadedBoardQuery(LoadedTicketQuery):
    """A loaded `BoardQuery`."""

    at: str
    eyes: str | None
    legal: bool


class LoadedMarker(TypedDict):
    """A loaded `Marker`."""

    on: str
    kind: str
    to: str | None


class LoadedLessonAnswer(TypedDict):
    """A loaded `LessonAnswer`."""

    move: str
    reply: str | None


class LoadedNewQuestion(TypedDict):
    """A loaded `NewQuestion`."""

    text: str
    answers: Sequence[LoadedLessonAnswer]
    hints: Sequence[str]
    otherwise: str | None


class LoadedStudyEdit(TypedDict):
    """A loaded `StudyEdit`."""

    do: str
    title: NotRequired[str]
    visibility: NotRequired[str]
    player: NotRequired[str]
    role: NotRequired[str | None]
    of: NotRequired[UUID]
    game: NotRequired[str]
    position: NotRequired[JsonObject]
    eyes: NotRequired[str | int | None]
    lesson: NotRequired[bool]
    chapter: NotRequired[int]
    before: NotRequired[int | None]
    at: NotRequired[str]
    hash: NotRequired[str]
    moves: NotRequired[Sequence[str]]
    chance: NotRequired[str]
    draws: NotRequired[Sequence[str]]
    seed: NotRequired[str]
    node: NotRequired[str]
    rank: NotRequired[int]
    comment: NotRequired[int | None]
    text: NotRequired[str]
    glyphs: NotRequired[Sequence[int]]
    markers: NotRequired[Sequence[LoadedMarker]]
    by: NotRequired[UUID]
    question: NotRequired[LoadedNewQuestion | None]


class LoadedStudyEdits(TypedDict):
    """A loaded `StudyEdits`."""

    edits: Sequence[LoadedStudyEdit]
    saw: int


class LoadedDeletionQuery(TypedDict):
    """A loaded `DeletionQuery`."""

    saw: int


class LoadedFind(TypedDict):
    """A loaded `Find`."""

    at: str
    move: str | None
    tickets: Sequence[str]


class LoadedChangeQuery(TypedDict):
    """A loaded `ChangeQuery`."""

    after: int | None
    wait: int


class LoadedClone(TypedDict):
    """A loaded `Clone`."""

    title: str | None
    visibility: str
    chapters: Sequence[int] | None
    tickets: Sequence[str]


class LoadedReportQuery(LoadedTicketQuery):
    """A loaded `ReportQuery`."""

    language: NotRequired[str]


class LoadedPictureQuery(LoadedReportQuery):
    """A loaded `PictureQuery`."""

    at: str


class LoadedNewScript(TypedDict):
    """A loaded `NewScript`."""

    text: str | None
    script: JsonObject | None
    visibility: str

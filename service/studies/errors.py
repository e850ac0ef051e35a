"""Why something about a study is refused."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from events.errors import CabildoError
from events.messages import Message
from service.core.errors import Refusal


class StudyDeleted(CabildoError):
    """The study was there, and one of its owners has deleted it."""

    def __init__(self, study: UUID) -> None:
        super().__init__("study {study} was deleted by one of its owners", study=study)
        self.study = study


class EditConflict(CabildoError):
    """What an edit would replace or delete has changed since its author saw it; what it is now comes along."""

    def __init__(self, what: str, version: int, current: Mapping[str, Any]) -> None:
        super().__init__(
            "the {what} was changed in version {version}; nothing of yours was written",
            what=Message(what),
            version=version,
        )
        self.what = what
        self.version = version
        self.current = dict(current)


class AnotherHistory(CabildoError):
    """The hash is not that of the game's event of this number."""

    def __init__(self, game: str, seq: int) -> None:
        super().__init__("event {seq} of game {game} has another hash", seq=seq, game=game)
        self.game = game
        self.seq = seq


class GameRuns(CabildoError):
    """This takes a game that is over: while it runs, nobody gets help with it and nothing hidden is shown."""

    def __init__(self, game: str) -> None:
        super().__init__("game {game} is not over", game=game)
        self.game = game


class StudyRefused(Refusal):
    """The edit can be read, but the study does not take it."""


class QuestionsOpen(CabildoError):
    """A lesson is copied whole or not at all: the reader has not answered all its questions, nor given them up."""

    def __init__(self, chapter: int, at: str) -> None:
        super().__init__(
            "answer or give up the question at {at} of chapter {chapter}, or leave the chapter out",
            at=at,
            chapter=chapter,
        )
        self.chapter = chapter
        self.at = at


class LimitReached(CabildoError):
    """There are as many of something as there may be."""

    def __init__(self, what: str, limit: int) -> None:
        super().__init__("there are {limit} {what}, and there may be no more", limit=limit, what=Message(what))
        self.what = what
        self.limit = limit

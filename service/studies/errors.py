"""Errors of studies."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from events.errors import CabildoError
from events.messages import Message
from service.core.errors import Refusal


class StudyDeleted(CabildoError):
    """An owner deleted the study."""

    def __init__(self, study: UUID) -> None:
        super().__init__("study {study} was deleted by one of its owners", study=study)
        self.study = study


class EditConflict(CabildoError):
    """An edit replaces or deletes a part that has changed since its author saw it; carries the current part."""

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
    """The given hash is not the hash of this event of the game."""

    def __init__(self, game: str, seq: int) -> None:
        super().__init__("event {seq} of game {game} has another hash", seq=seq, game=game)
        self.game = game
        self.seq = seq


class GameRuns(CabildoError):
    """The game still runs: no help and no hidden information before its end."""

    def __init__(self, game: str) -> None:
        super().__init__("game {game} is not over", game=game)
        self.game = game


class StudyRefused(Refusal):
    """The edit is well formed, but the study refuses it."""


class QuestionsOpen(CabildoError):
    """A lesson is copied only when the reader has answered or given up all its questions."""

    def __init__(self, chapter: int, at: str) -> None:
        super().__init__(
            "answer or give up the question at {at} of chapter {chapter}, or leave the chapter out",
            at=at,
            chapter=chapter,
        )
        self.chapter = chapter
        self.at = at


class LimitReached(CabildoError):
    """A limit on the number of items is reached."""

    def __init__(self, what: str, limit: int) -> None:
        super().__init__("there are {limit} {what}, and there may be no more", limit=limit, what=Message(what))
        self.what = what
        self.limit = limit

"""The log of a tournament: every event as a sentence with its actor and reason."""

from collections.abc import Collection, Iterator
from functools import partial
from typing import Any, Final, NamedTuple
from uuid import UUID

from flask import Blueprint, request

from events.event import Event
from events.store.free_texts import shown_texts
from service.core.clock import iso_time
from service.core.command_handler import SERVICE
from service.core.errors import NotThere
from service.i18n import phrases
from service.i18n.messages import hidden_notice
from service.pages.site.visitor import reader
from service.pages.tournaments.board import Board, board_of
from service.players.queries import names_of
from service.web.responses import request_language
from service.web.routing import container

MOST: Final = 100  # lines on a page
PRIVATE: Final = ("withdrawn",)  # only directors see the reasons of these kinds
PLAYERS: Final = ("player",)
ENTRANTS: Final = ("entrant", "by")
MINUTE: Final = 60


pages = Blueprint("tournament_log", __name__)


@pages.get("/tournaments/<uuid:tournament>/log")
def log(tournament: UUID) -> str:
    """Renders the log, newest first, with reasons."""
    board, identity = board_of(tournament), reader()
    before = request.args.get("before", str(board.state.head.seq + 1))
    if not before.isdecimal() or len(before) > 9:
        raise NotThere("event", before)
    directs = identity is not None and board.record.directs(identity.id)
    return board.page("tournament_log.html", log_page=EventLogPage(board, int(before), () if directs else PRIVATE))


class LogLine(NamedTuple):
    """An event as a line of the log."""

    event: int
    at: str
    who: str
    what: str
    reason: str | None


class EventLogPage:
    """The events before a number, newest first; hides the reasons of private kinds."""

    def __init__(self, board: Board, before: int, private: Collection[str]) -> None:
        after = max(0, min(before, board.state.head.seq + 1) - 1 - MOST)
        events = list(container().games.store.read(board.state.id, after, MOST))
        events = [event for event in events if event.seq < before]
        self.more = after + 1 if after else None
        self._board, self._say = board, partial(phrases.phrase, request_language())
        with container().stores.pool.connection() as connection:
            self._names = names_of(connection, {*_people(events)})
            hashes = [_reason(event) for event in events if event.kind not in private]
            notice = hidden_notice(request_language())
            self._reasons = shown_texts(connection, board.state.id, hashes, notice)
        self.lines = [self._line(event) for event in reversed(events)]

    def _line(self, event: Event) -> LogLine:
        reason = self._reasons.get(_reason(event))
        what = self._say(f"desk.did_{event.kind}", **dict(self._values(event)))
        return LogLine(event.seq, str(iso_time(event.at)), self._person(event.actor), what, reason)

    def _values(self, event: Event) -> Iterator[tuple[str, Any]]:
        """Yields the variables of an event's sentence: players by name, times in minutes."""
        for name, value in event.data.items():
            if name in ENTRANTS:
                yield name, self._board.name(self._board.record.entry(int(str(value))).player)
            elif name in PLAYERS:
                yield name, self._person(str(value))
            elif name == "seconds":
                yield "minutes", f"{int(str(value)) / MINUTE:g}"
            else:
                yield name, value

    def _person(self, actor: str) -> str:
        if actor in self._board.people:
            return self._board.name(actor)
        if actor == SERVICE:
            return self._say("desk.service")
        return self._names.get(actor) or self._say("common.forgotten")


def _reason(event: Event) -> str:
    """Returns the hash of an event's reason; empty without a reason."""
    return str(event.data.get("reason") or "")


def _people(events: list[Event]) -> Iterator[str]:
    for event in events:
        yield event.actor
        yield str(event.data.get("player", ""))

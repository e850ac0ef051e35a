"""A channel: one source, read once for all followers that are level with it; those behind read pages of their own."""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import psycopg
import structlog

from events.errors import CabildoError
from service.live.delivery.follower import Follower
from service.live.delivery.members import Members
from service.live.delivery.writer import Writer
from service.live.protocol import REPLACED, TEXTS, HistoryReplaced, Item, Noticing, RightsChanged, Source, TextsChanged

TRY_AGAIN: Final = 1.0  # seconds after the store could not be read
STORE_FAULTS: Final = (psycopg.Error, CabildoError)
log = structlog.get_logger("service.live.delivery.channel")


class Channel:
    """The followers of one source, in reader threads; what is written goes through the writer, in order."""

    def __init__(
        self,
        source: Source,
        writer: Writer,
        submit: Callable[[Callable[[], None]], None],
        read_on: Callable[[Follower], None],
        dissolve: Callable[["Channel"], None],
    ) -> None:
        self.source = source
        self.members = Members()
        self.ahead: set[Follower] = set()  # that have seen more than the members; they wait for these
        self.users = 0  # followers that are level or behind, as the hub counts them
        self.over = False  # its followers look up their sources anew
        self._writer = writer
        self._submit = submit
        self._read_on = read_on
        self._dissolve = dissolve
        self._number: int | None = None  # what the members have; None before the first one
        self._noticed: str | None = None  # the document of the last notice
        self._lock = threading.Lock()
        self._woken = False
        source.topic.listeners.add(self._ring)
        self._wake_later()  # for what was announced shortly before

    def close(self) -> None:
        """Listens no more, and releases the source."""
        self.source.topic.listeners.discard(self._ring)
        self.source.close()

    def _ring(self) -> None:
        self.wake()
        self._wake_later()

    def _wake_later(self) -> None:
        for lag in self.source.lags:
            self._writer.later(lag, self.wake)

    def wake(self) -> None:
        """Lets a reader thread look for new items, once for wake-ups that come together."""
        if not self._woken:
            self._woken = True
            self._submit(self._advance)

    def serve(self, follower: Follower) -> bool:
        """Gives a follower its next page, or makes it a member. Returns False when it needs another channel."""
        with self._lock:
            if self.over:
                return False
            try:
                self._serve(follower)
            except HistoryReplaced:
                self._writer.call(partial(self._writer.end, follower, REPLACED, 0))
            except TextsChanged:
                self._writer.call(partial(self._writer.end, follower, TEXTS))
            except RightsChanged:
                self._end_channel()
                return False
        return True

    def _serve(self, follower: Follower) -> None:
        number = follower.number
        while number != self._number:
            if items := self.source.after(number):
                self._writer.call(partial(self._writer.page, follower, items, whole=self.source.forgets))
                return
            if self._number is None:
                self._number = self.source.newest()
            elif self._number < number:
                self._broadcast_new()
            if self._number < number:
                self.ahead.add(follower)  # of what this viewer may see now
                return
        if reason := self.source.end(number):
            self._writer.call(partial(self._writer.end, follower, reason))
        else:
            notices = [self.source.notice(number)] if isinstance(self.source, Noticing) else []
            self._writer.call(partial(self._writer.level, self.members, follower, notices))

    def _advance(self) -> None:
        """Reads and broadcasts what is new."""
        with self._lock:
            self._woken = False
            if self.over or self._number is None:
                return
            try:
                self._broadcast_new()
                self._notice(self._number)
                if reason := self.source.end(self._number):
                    self._end_members(reason)
                self._serve_ahead()
            except HistoryReplaced:
                self._end_members(REPLACED, 0)
            except TextsChanged:
                self._end_members(TEXTS)
            except RightsChanged:
                self._end_channel()
            except STORE_FAULTS as problem:
                log.debug("a stream is read again shortly", reason=str(problem))  # the sweeps warn
                self._writer.later(TRY_AGAIN, self.wake)
            except Exception:
                log.exception("a stream is read again shortly")
                self._writer.later(TRY_AGAIN, self.wake)

    def _broadcast_new(self) -> None:
        assert self._number is not None
        while items := self.source.after(self._number):
            self._number = items[-1].number
            self._tell(items)

    def _notice(self, number: int) -> None:
        """Tells the members what the source has to tell beside its items, if that is new."""
        if isinstance(self.source, Noticing):
            item = self.source.notice(number)
            if item.document != self._noticed:
                self._noticed = item.document
                self._tell([item])

    def _serve_ahead(self) -> None:
        for follower in list(self.ahead):
            self.ahead.discard(follower)
            self._read_on(follower)

    def _tell(self, items: Sequence[Item]) -> None:
        self._writer.call(partial(self._writer.broadcast, self.members, items))

    def _end_members(self, reason: str, number: int | None = None) -> None:
        self._writer.call(partial(self._writer.end_all, self.members, reason, number))

    def _end_channel(self) -> None:
        self.over = True
        self._dissolve(self)
        self._serve_ahead()

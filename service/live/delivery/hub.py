"""The hub of a process: all who follow something, grouped so that an event is read and made once for equal viewers.

A request is answered up to its headers in a thread; then its connection belongs to the hub and costs no thread.
"""

import threading
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Final

import structlog

from service.core.errors import NotThere, TableClosed
from service.live.delivery.channel import STORE_FAULTS, TRY_AGAIN, Channel
from service.live.delivery.follower import Follower
from service.live.delivery.reader_threads import ReaderThreads
from service.live.delivery.writer import Writer
from service.live.protocol import NO_ACCESS, Source
from service.studies.errors import StudyDeleted

CLOSING_SECONDS: Final = 6.0  # longer than a slow reader is waited for
REFUSALS: Final = (NotThere, TableClosed, StudyDeleted)
log = structlog.get_logger("service.live.delivery.hub")


class Hub:
    """The channels of a process and the followers of each."""

    def __init__(self) -> None:
        self._writer = Writer(self._read_on, self._left)
        self._readers = ReaderThreads()
        self._channels: dict[Hashable, Channel] = {}
        self._channel_of: dict[Follower, Channel | None] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._writer)

    def follow(self, follower: Follower, source: Source) -> None:
        """Serves a follower from now on; the source is closed when nobody follows it."""
        with self._lock:
            self._channel_of[follower] = None
        self._enter(follower, source)
        self._writer.call(partial(self._writer.begin, follower))

    def end(self, follower: Follower, reason: str) -> None:
        """Ends a follower for a reason."""
        self._writer.call(partial(self._writer.end, follower, reason))

    def sweeping(self, *sweeps: Callable[[], None]) -> Callable[[], None]:
        """Returns a call that lets a reader thread look for what no wake-up told; it returns at once."""
        running = threading.Lock()  # one at a time, however slow the store is

        def sweep() -> None:
            try:
                for look in sweeps:
                    look()
            finally:
                running.release()

        def begin() -> None:
            if running.acquire(blocking=False):
                self._readers.submit(sweep)

        return begin

    def close(self) -> None:
        """Tells all followers that the server stops; new ones are told so at once."""
        self._writer.close()

    def join(self) -> None:
        """Ends the threads, once all followers have been told."""
        self._writer.stop(CLOSING_SECONDS)
        self._readers.close()

    def _enter(self, follower: Follower, source: Source) -> Channel:
        """Moves a follower to the channel of a source, which it opens if there is none."""
        with self._lock:
            channel = self._channels.get(source.key)
            is_new = channel is None
            if channel is None:
                channel = Channel(source, self._writer, self._readers.submit, self._read_on, self._dissolve)
                self._channels[source.key] = channel
            channel.users += 1  # so that it stays open
        if not is_new:
            source.close()
        self._move(follower, channel)
        self._leave(channel)
        return channel

    def _move(self, follower: Follower, channel: Channel) -> None:
        """Moves a follower to another channel, if both are still there."""
        with self._lock:
            if follower not in self._channel_of or not channel.users:
                return
            before, self._channel_of[follower] = self._channel_of[follower], channel
            channel.users += 1
        if before is not None:
            self._leave(before)

    def _leave(self, channel: Channel) -> None:
        with self._lock:
            channel.users -= 1
            empty = not channel.users
            if empty and self._channels.get(channel.source.key) is channel:
                del self._channels[channel.source.key]
        if empty:
            self._readers.submit(channel.close)  # which may wait for a store

    def _left(self, follower: Follower) -> None:
        """In the writer's thread: a follower has ended."""
        with self._lock:
            channel = self._channel_of.pop(follower, None)
        if channel is not None:
            channel.members.discard(follower)
            channel.ahead.discard(follower)
            self._leave(channel)

    def _read_on(self, follower: Follower) -> None:
        self._readers.submit(partial(self._serve, follower))

    def _serve(self, follower: Follower) -> None:
        channel = self._channel_of.get(follower)
        if channel is None:
            return  # has ended
        try:
            if not channel.serve(follower):
                self._readmit([follower])
        except STORE_FAULTS as problem:
            log.debug("a page is read again shortly", reason=str(problem))  # the sweeps warn
            self._writer.later(TRY_AGAIN, partial(self._read_on, follower))
        except Exception:
            log.exception("a page is read again shortly")
            self._writer.later(TRY_AGAIN, partial(self._read_on, follower))

    def _dissolve(self, channel: Channel) -> None:
        """Lets the followers of a channel look up their sources anew, where they are."""
        with self._lock:
            if self._channels.get(channel.source.key) is channel:
                del self._channels[channel.source.key]
        self._writer.call(partial(self._writer.take, channel.members, self._look_again))

    def _look_again(self, followers: Sequence[Follower]) -> None:
        self._readers.submit(partial(self._readmit, followers))

    def _readmit(self, followers: Sequence[Follower]) -> None:
        """Finds the source of each follower anew: once for all with the same viewer."""
        by_viewer: dict[Hashable, list[Follower]] = {}
        for follower in followers:
            by_viewer.setdefault(follower.following.viewer, []).append(follower)
        for alike in by_viewer.values():
            try:
                self._admit(alike)
            except Exception:
                log.exception("rights are looked up again shortly")
                self._writer.later(TRY_AGAIN, partial(self._look_again, alike))

    def _admit(self, followers: Sequence[Follower]) -> None:
        try:
            source = followers[0].following.find()
        except REFUSALS:
            for follower in followers:
                self.end(follower, NO_ACCESS)
            return
        channel = self._enter(followers[0], source)
        for follower in followers:
            if self._channel_of.get(follower) is not channel:
                self._move(follower, channel)
            self._serve(follower)

"""The loop that writes to all followers of a process: one thread, non-blocking sockets, bounded buffers.

Other threads hand it calls, which it makes in order. Nothing here reads a store.
"""

import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import structlog

from service.live.delivery import sending
from service.live.delivery.follower import Follower, FollowerState
from service.live.delivery.members import Members
from service.live.delivery.timers import Timers
from service.live.protocol import STOPPING, TOO_SLOW, Item, Piece

LONGEST_SLEEP: Final = 5.0
TAKEN: Final = 65_536  # bytes of wake-ups in one read
log = structlog.get_logger("service.live.delivery.writer")


class Writer:
    """The loop; starts with the first call."""

    def __init__(self, read_on: Callable[[Follower], None], left: Callable[[Follower], None]) -> None:
        self._read_on = read_on  # asks for the next page of a follower
        self._left = left  # a follower has ended
        self._calls: deque[Callable[[], None]] = deque()
        self._timers = Timers()
        self._followers: set[Follower] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = self._stopping = False

    def __len__(self) -> int:
        return len(self._followers)

    def call(self, does: Callable[[], None]) -> None:
        """Lets the loop make a call, after those that wait already."""
        self._calls.append(does)
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    self._start()
        with suppress(OSError):  # full of wake-ups, or stopped
            self._wake.send(b"\0")

    def later(self, seconds: float, does: Callable[[], None]) -> None:
        """Lets the loop make a call after some seconds."""
        self.call(partial(self._timers.add, seconds, does))

    def close(self) -> None:
        """Tells all followers, new ones too, that the server stops."""
        if self._thread is not None or self._calls:
            self.call(self._close)
        self._closing = True

    def stop(self, within: float) -> None:
        """Ends the loop when all followers have been told."""
        self._stopping = True
        if self._thread is not None:
            self.call(self._close)
            self._thread.join(within)
            self._wake.close()

    def _start(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._woken, self._wake = socket.socketpair()
        self._woken.setblocking(False)
        self._wake.setblocking(False)
        self._selector.register(self._woken, selectors.EVENT_READ, None)
        self._thread = threading.Thread(target=self._run, name="stream writer", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while self._followers or self._calls or not self._stopping:
            try:
                self._turn()
            except Exception:
                log.exception("a turn of the streams failed")  # of one follower; the others go on
        self._selector.close()
        self._woken.close()

    def _turn(self) -> None:
        for key, mask in self._selector.select(0 if self._calls else self._timers.wait(LONGEST_SLEEP)):
            if key.data is None:
                self._woken.recv(TAKEN)
            elif mask & selectors.EVENT_WRITE:
                self._flush(key.data)
            else:
                self._hear(key.data)
        for _ in range(len(self._calls)):
            self._calls.popleft()()
        self._timers.run()

    # What the loop does with followers.

    def begin(self, follower: Follower) -> None:
        """Takes a new follower, and asks for its first page."""
        self._followers.add(follower)
        if follower.sock is not None:
            sending.prepare(follower)
            self._watch(follower, selectors.EVENT_READ)
        follower.last_sent = time.monotonic()
        if follower.encoding is None:
            self._timers.add(follower.pace.keep_alive, partial(self._finish, follower, again=True))
        else:
            self._timers.add(follower.pace.keep_alive, partial(self._keep_alive, follower))
        if self._closing:
            self.end(follower, STOPPING)
        else:
            self._ask(follower)

    def level(self, members: Members, follower: Follower, notices: Sequence[Item] = ()) -> None:
        """A follower has nothing to read: it gets the notices, and what its channel gets from now on."""
        follower.asked = False
        if follower.state is not FollowerState.READING:
            return
        follower.state = FollowerState.LIVE
        members.add(follower)
        if not follower.greeted and follower.encoding is not None:
            self._give(follower, [Piece(follower.encoding.sign_of_life(), follower.number)])
        if notices and follower.encoding is not None:
            self._give(follower, list(follower.encoding.pieces(notices)))

    def page(self, follower: Follower, items: Sequence[Item], *, whole: bool) -> None:
        """Writes a page to a follower that reads; unless it is kept whole, what finds no room is read again later."""
        follower.asked = False
        if follower.state is not FollowerState.READING:
            return
        if follower.encoding is None:
            self._finish(follower, again=True)
            return
        for piece in follower.encoding.pieces(items):
            if follower.pending and not whole:
                break
            self._give(follower, [piece])
        if not follower.pending:
            self._ask(follower)

    def broadcast(self, members: Members, items: Sequence[Item]) -> None:
        """Writes items to all followers of a channel, encoded once for each encoding."""
        for encoding, followers in members.by_encoding():
            pieces = [] if encoding is None else list(encoding.pieces(items))
            for follower in followers:
                if encoding is None:
                    self._finish(follower, again=True)
                elif not self._give(follower, pieces):
                    members.discard(follower)
                    if follower.state is FollowerState.LIVE:
                        follower.state = FollowerState.READING  # once it has room

    def take(self, members: Members, then: Callable[[Sequence[Follower]], None]) -> None:
        """Lets followers be looked after by another channel, which `then` finds."""
        taken = [follower for follower in members.take() if follower.state is FollowerState.LIVE]
        for follower in taken:
            follower.state = FollowerState.READING
        ready = [follower for follower in taken if not follower.pending]  # the others ask once they have room
        for follower in ready:
            follower.asked = True
        if ready:
            then(ready)

    def end_all(self, members: Members, reason: str, number: int | None) -> None:
        """Ends the followers of a channel for a reason."""
        for follower in members.take():
            self.end(follower, reason, number)

    def end(self, follower: Follower, reason: str, number: int | None = None) -> None:
        """Ends a follower for a reason, after what was taken for it; with a number to continue from, or its own."""
        if follower.state in (FollowerState.ENDING, FollowerState.ENDED):
            return
        follower.reason = reason
        if follower.encoding is None:
            self._finish(follower, again=True)
            return
        follower.state = FollowerState.ENDING
        try:
            if reason == TOO_SLOW:
                sending.make_last_room(follower)
            last = follower.encoding.farewell(reason, follower.number if number is None else number)
            all_sent = sending.send(follower, Piece(last, follower.number))
        except OSError:
            self._finish(follower, again=False)
            return
        if all_sent or reason == TOO_SLOW:
            self._finish(follower, again=all_sent and follower.encoding.chunked)
        else:
            self._block(follower)

    def _ask(self, follower: Follower) -> None:
        """Asks for the next page of a follower that reads, unless it is asked for."""
        if follower.state is FollowerState.READING and not follower.asked:
            follower.asked = True
            self._read_on(follower)

    def _give(self, follower: Follower, pieces: Sequence[Piece]) -> bool:
        """Sends pieces or keeps them until there is room. Returns whether the follower can go on with the next ones."""
        for piece in pieces:
            if follower.pending and not sending.has_place(follower, piece):
                return False
            try:
                if not sending.send(follower, piece):
                    self._block(follower)
            except OSError:
                self._finish(follower, again=False)
                return False
        follower.greeted = True
        return True

    def _flush(self, follower: Follower) -> None:
        try:
            progressed = sending.flush(follower)
        except OSError:
            self._finish(follower, again=False)
            return
        if progressed:
            follower.blocked = time.monotonic()
        if follower.pending:
            return
        if follower.state is FollowerState.ENDING:
            self._finish(follower, again=follower.encoding is not None and follower.encoding.chunked)
            return
        self._watch(follower, follower.watched & ~selectors.EVENT_WRITE)
        self._ask(follower)

    def _block(self, follower: Follower) -> None:
        """Waits for room, but not for ever."""
        if follower.watched & selectors.EVENT_WRITE:
            return
        follower.blocked = time.monotonic()
        self._watch(follower, follower.watched | selectors.EVENT_WRITE)
        self._timers.add(follower.pace.send_seconds, partial(self._check_room, follower))

    def _check_room(self, follower: Follower) -> None:
        if not follower.pending or follower.state is FollowerState.ENDED:
            return
        left = follower.blocked + follower.pace.send_seconds - time.monotonic()
        if left > 0:
            self._timers.add(left, partial(self._check_room, follower))
        elif follower.state is FollowerState.ENDING:
            self._finish(follower, again=False)
        else:
            self.end(follower, TOO_SLOW)

    def _keep_alive(self, follower: Follower) -> None:
        if follower.state in (FollowerState.ENDING, FollowerState.ENDED) or follower.encoding is None:
            return
        left = follower.last_sent + follower.pace.keep_alive - time.monotonic()
        if left <= 0 and not follower.pending:
            self._give(follower, [Piece(follower.encoding.sign_of_life(), follower.number)])
        self._timers.add(left if left > 0 else follower.pace.keep_alive, partial(self._keep_alive, follower))

    def _hear(self, follower: Follower) -> None:
        """A client has hung up, or sends its next request already: that is left where it is."""
        assert follower.sock is not None
        try:
            gone = not follower.sock.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError:
            gone = True
        if gone:
            self._finish(follower, again=False)
        else:
            self._watch(follower, follower.watched & ~selectors.EVENT_READ)

    def _watch(self, follower: Follower, events: int) -> None:
        assert follower.sock is not None
        if not follower.watched and events:
            self._selector.register(follower.sock, events, follower)
        elif follower.watched and not events:
            self._selector.unregister(follower.sock)
        elif events != follower.watched:
            self._selector.modify(follower.sock, events, follower)
        follower.watched = events

    def _finish(self, follower: Follower, *, again: bool) -> None:
        """Gives the connection back; `again`: it can be used again."""
        if follower.state is FollowerState.ENDED:
            return
        follower.state = FollowerState.ENDED
        follower.pending = None
        if follower.sock is not None:
            self._watch(follower, 0)
        self._followers.discard(follower)
        self._left(follower)
        follower.on_end(again)

    def _close(self) -> None:
        for follower in list(self._followers):
            self.end(follower, STOPPING)

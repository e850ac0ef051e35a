"""Sends pieces over a follower's socket without waiting, and keeps what found no room."""

import socket
from collections import deque
from contextlib import suppress
from time import monotonic

from service.live.delivery.follower import LAST_ROOM, MOST_PENDING, SEND_BUFFER, Follower, Pending
from service.live.protocol import Piece


def prepare(follower: Follower) -> None:
    """Lets a follower's socket never wait, and bounds what the system keeps for its reader."""
    assert follower.sock is not None
    follower.sock.setblocking(False)
    if follower.encoding is not None:
        with suppress(OSError):  # has hung up, which is noticed soon
            follower.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)


def has_place(follower: Follower, piece: Piece) -> bool:
    """Returns whether a piece may wait behind what is pending."""
    return follower.size + len(piece.data) <= MOST_PENDING


def send(follower: Follower, piece: Piece) -> bool:
    """Sends a piece, or as much as there is room for; the rest is pending. Returns whether all was sent.

    Raises OSError when the client has gone.
    """
    follower.number = piece.number
    follower.last_sent = monotonic()
    sent = 0 if follower.pending else _send(follower, piece.data)
    if sent == len(piece.data):
        follower.sent = piece.number
        return True
    if follower.pending is None:
        follower.pending = deque()
    follower.pending.append(Pending(memoryview(piece.data)[sent:], piece.number, begun=sent > 0))
    follower.size += len(piece.data) - sent
    return False


def flush(follower: Follower) -> bool:
    """Sends what is pending as far as there is room. Returns whether anything was sent; raises OSError."""
    progressed = False
    while follower.pending:
        data, number, begun = follower.pending[0]
        sent = _send(follower, data)
        progressed |= sent > 0
        follower.size -= sent
        if sent < len(data):
            follower.pending[0] = Pending(data[sent:], number, begun or sent > 0)
            return progressed
        follower.sent = number
        follower.pending.popleft()
    follower.pending = None
    return progressed


def make_last_room(follower: Follower) -> None:
    """Makes room for the last words to a slow reader; of what is pending only a begun piece is sent."""
    pending = follower.pending or deque()
    follower.pending = deque([pending[0]] if pending and pending[0].begun else [])
    follower.size = sum(len(one.data) for one in follower.pending)
    follower.number = follower.pending[0].number if follower.pending else follower.sent
    if follower.sock is not None:
        with suppress(OSError):
            follower.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LAST_ROOM)
    flush(follower)


def _send(follower: Follower, data: bytes | memoryview) -> int:
    """Returns how many bytes there was room for. Raises OSError."""
    assert follower.sock is not None
    try:
        return follower.sock.send(data)
    except BlockingIOError:
        return 0

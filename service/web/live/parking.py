"""Requests that wait without a thread: each runs once until it waits, and once again when the wait is over."""

from collections.abc import Callable
from socket import socket
from typing import Final

from flask import Response, g, request

from service.core.errors import AccessEnded
from service.web.server.connection import TimedSocket

PARKED: Final = "parked"


def park(connection: TimedSocket, begin: Callable[[socket, Callable[[bool], None]], None]) -> Response:
    """Lets the request wait until `begin`'s second argument is called. Returns a response that is not sent."""
    connection.park(begin)
    setattr(g, PARKED, True)
    return Response()


def is_parked() -> bool:
    """Returns whether this request waits, and its response is not sent."""
    return PARKED in g


def runs_again() -> bool:
    """Returns whether this request has waited before."""
    connection = request.environ.get("gunicorn.socket")
    return isinstance(connection, TimedSocket) and connection.waited


def refuse_lost_access() -> None:
    """Raises AccessEnded for a request whose right ended while it waited."""
    if runs_again() and request.environ["gunicorn.socket"].lost_access:
        raise AccessEnded

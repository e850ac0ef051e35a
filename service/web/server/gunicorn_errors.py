"""Answers requests that gunicorn itself refuses, unreadable or oversized ones, with a problem too."""

import json
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from socket import socket

from gunicorn import util

from service.web.problem_types import MEDIA_TYPE, TYPE_PREFIX, type_name


def write_problem(headers: Mapping[str, str], client: socket, status: int, reason: str, detail: str) -> None:
    """Writes a problem to the connection, in place of gunicorn's error page."""
    title = reason or HTTPStatus(status).phrase
    document = {"type": TYPE_PREFIX + type_name(status), "title": title, "status": status, "detail": detail}
    body = json.dumps(document).encode()
    wait = ("Retry-After: 2",) if status == HTTPStatus.SERVICE_UNAVAILABLE else ()
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        "Connection: close",
        f"Content-Type: {MEDIA_TYPE}",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in headers.items()),
        *wait,
    )
    util.write_nonblock(client, "\r\n".join((*head, "", "")).encode("ascii") + body)


def install(headers: Mapping[str, str]) -> None:
    """Replaces the error page of every worker of this server; its answers carry these headers."""
    util.write_error = partial(write_problem, headers)

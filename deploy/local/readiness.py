"""Asks the web server whether it is ready; with the standard library alone, which takes little memory."""

import http.client
import json
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from events.log.signing_gate import NOT_ASKED

ANSWERS_WITHIN: Final = 5.0


class ReadyAnswer(NamedTuple):
    """An answer of `/readyz`."""

    status: int
    document: dict[str, Any]

    @property
    def fault_of_signing(self) -> str:
        """Returns why nothing is written into the log; empty when it takes writes."""
        checks = self.document.get("checks", ())
        return "".join(one["found"] for one in checks if (one["name"], one["state"]) == ("signing", "failing"))


def is_ready(url: str) -> bool:
    """Returns whether the web server is ready, and a keeper has judged whether the log takes writes."""
    try:
        answer = _readiness(url)
    except (OSError, http.client.HTTPException, ValueError):
        return False
    return answer.status == HTTPStatus.OK and NOT_ASKED not in answer.fault_of_signing


def fault_of_signing(url: str) -> str:
    """Returns why a ready service writes nothing into the log; empty when it takes writes."""
    return _readiness(url).fault_of_signing


def _readiness(url: str) -> ReadyAnswer:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=ANSWERS_WITHIN)
    try:
        connection.request("GET", "/readyz")
        answer = connection.getresponse()
        return ReadyAnswer(answer.status, json.loads(answer.read()))
    finally:
        connection.close()

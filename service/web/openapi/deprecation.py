"""What of the API is deprecated, since when and until when; answers to its users say so in headers.

A row stands for at least a year before it ends. RFC 9745 defines `Deprecation`, RFC 8594 `Sunset`. A whole operation is
deprecated where it is declared: `Routes.on(..., deprecated=Deprecated(...))`.
"""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from email.utils import format_datetime
from typing import Final, NamedTuple

from flask import Flask, Response, g, has_request_context

from events.messages import Message

PAGE: Final = "/changelog"
WORD: Final = re.compile(r"[\w-]+")


class Deprecated(NamedTuple):
    """Something that clients should use no more."""

    since: date
    sunset: date  # from this day on it may be refused
    meaning: Message  # what is deprecated, and what to use


NUMBERS_AS_TIMES: Final = "numbers_as_times"
DEPRECATED: Final[Mapping[str, Deprecated]] = {
    NUMBERS_AS_TIMES: Deprecated(
        date(2026, 11, 19),
        date(2027, 11, 19),
        Message("times in requests as numbers of microseconds; send ISO 8601 with its zone"),
    ),
}


def use_deprecated(name: str, row: Deprecated | None = None) -> None:
    """Notes that the request uses something deprecated, by default of the table; its answer will say so."""
    if has_request_context():
        g.setdefault("deprecated", {})[name] = row or DEPRECATED[name]


def anchor(method: str, rule: str) -> str:
    """Returns the name under which the changelog tells of a deprecated operation."""
    return "_".join([method.lower(), *WORD.findall(rule)])


def add_deprecation_headers(app: Flask) -> None:
    """Adds the headers to answers of requests that used something deprecated."""
    app.after_request(_warn)


def _warn(response: Response) -> Response:
    used: Mapping[str, Deprecated] = g.get("deprecated", {})
    if used:
        next_to_end = min(used.values(), key=lambda row: row.sunset)
        response.headers["Deprecation"] = f"@{int(_midnight(next_to_end.since).timestamp())}"
        response.headers["Sunset"] = format_datetime(_midnight(next_to_end.sunset), usegmt=True)
    for name in used:
        response.headers.add("Link", f'<{PAGE}#{name}>; rel="deprecation"; type="text/html"')
    return response


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)

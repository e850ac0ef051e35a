"""The cookie in which a browser without an account keeps how the pages look."""

from typing import Final
from urllib.parse import parse_qsl, urlencode

from flask import Response, request

from service.players.preferences.values import VOLUME, Appearance, appearance_of

APPEARANCE_COOKIE: Final = "cabildo_appearance"
REMEMBERED_FOR: Final = 366 * 86_400  # seconds
LONGEST: Final = 200  # characters that are read


def appearance_in_cookie() -> Appearance:
    """Returns the appearance that the browser keeps; the usual one for what it keeps badly."""
    try:
        kept: dict[str, object] = dict(
            parse_qsl(request.cookies.get(APPEARANCE_COOKIE, "")[:LONGEST], max_num_fields=9)
        )
    except ValueError:
        return Appearance()
    volume = str(kept.get(VOLUME, ""))
    return appearance_of({**kept, VOLUME: int(volume) if volume.isascii() and volume.isdecimal() else None})


def set_appearance_cookie(response: Response, appearance: Appearance, *, secure: bool) -> None:
    """Keeps an appearance in the browser."""
    response.set_cookie(
        APPEARANCE_COOKIE,
        urlencode(appearance._asdict()),
        max_age=REMEMBERED_FOR,
        httponly=True,
        samesite="Lax",
        secure=secure,
    )

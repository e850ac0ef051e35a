"""Tells a player of all that is due at once: one push to each browser, one mail; after quiet hours the rest."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from projections.rules.catalogue import fill
from service.container import Container
from service.core.clock import SECOND
from service.core.errors import ServiceBusy
from service.i18n.catalogue import MAILS, rows
from service.i18n.game_titles import GAME_TITLES
from service.mail.outbox import NOTICE, Mail, put_mail
from service.notices.push_queue import queue_push
from service.notices.quiet import end_of_quiet
from service.notices.unsubscribe import unsubscribe_url
from service.players.email.storage import email_of
from service.players.preferences.stored_settings import settings_of
from service.players.preferences.values import MAIL, PUSH, Telling, telling_of

MOST: Final = 20  # lines of a mail or push
WORTH: Final = 86_400 * SECOND  # how long a mail or push is tried
NEXT: Final = """
SELECT player FROM notices WHERE told IS NULL AND due <= %s ORDER BY due, player LIMIT 1 FOR UPDATE SKIP LOCKED
"""
PUT_OFF: Final = "UPDATE notices SET due = %s WHERE player = %s AND told IS NULL AND due < %s"
TELL: Final = """
WITH told AS (
    UPDATE notices SET told = %(now)s WHERE player = %(player)s AND told IS NULL AND due <= %(now)s
    RETURNING stream, what, due
)
SELECT told.what, told.stream, games.game FROM told LEFT JOIN games ON games.id = told.stream
ORDER BY told.due, told.stream, told.what
"""


class Notice(NamedTuple):
    """What a player is told of."""

    kind: str
    stream: UUID
    game: str | None  # the kind of the game; None: of a tournament


def tell_next(connection: Connection, here: Container) -> bool:
    """Tells the player whose notice is due first. Returns whether there was one."""
    now = here.now()
    with connection.transaction():
        row = connection.execute(NEXT, (now,)).fetchone()
        if row is None:
            return False
        (player,) = row
        telling = telling_of(settings_of(connection, player) or {})
        if (end := end_of_quiet(telling, now)) is not None:
            connection.execute(PUT_OFF, (end, player, end))
            return True
        notices = [Notice(*found) for found in connection.execute(TELL, {"now": now, "player": player}).fetchall()]
        _push(connection, now, player, _by(telling, PUSH, notices))
        _mail(connection, here, now, player, _by(telling, MAIL, notices))
    return True


def _by(telling: Telling, way: str, notices: Sequence[Notice]) -> Sequence[Notice]:
    return [notice for notice in notices if way in telling.ways.get(notice.kind, ())]


def _push(connection: Connection, now: int, player: UUID, notices: Sequence[Notice]) -> None:
    if not notices:
        return
    first = _path(notices[0]) if len(notices) == 1 else "/mine"

    def body(language: str) -> dict[str, str]:
        return {"title": _lead(notices, language), "body": "\n".join(_lines(notices, language)), "path": first}

    queue_push(connection, now, now + WORTH, player, body)


def _mail(connection: Connection, here: Container, now: int, player: UUID, notices: Sequence[Notice]) -> None:
    if not notices or here.settings.smtp_server is None:
        return
    address = email_of(connection, here.vault, now, player).confirmed
    if address is None:
        return
    url, words = here.settings.public_url.rstrip("/"), address.language
    said = [f"{line}\n" for line in _lines(notices, words)] if len(notices) > 1 else [""]  # the lead says one already
    values = {
        "lead": _lead(notices, words),
        "lines": "\n".join(f"{line}{url}{_path(one)}\n" for line, one in zip(said, notices, strict=False)),
        "settings": f"{url}/account/settings",
        "unsubscribe": unsubscribe_url(connection, here, player),
    }
    with suppress(ServiceBusy):  # too many mails wait: codes come first
        put_mail(connection, here.vault, now, Mail(player, NOTICE, address.address, words, values, now + WORTH))


def _path(notice: Notice) -> str:
    if notice.game is None:
        return f"/tournaments/{notice.stream}"
    return f"/games/{notice.stream}" if notice.kind == "over" else f"/games/{notice.stream}/play"


def _lead(notices: Sequence[Notice], language: str) -> str:
    if len(notices) == 1:
        return _line(notices[0], language)
    return _words("several", language, n=len(notices))


def _lines(notices: Sequence[Notice], language: str) -> Sequence[str]:
    return [_line(notice, language) for notice in notices[:MOST]]


def _line(notice: Notice, language: str) -> str:
    return _words(notice.kind, language, game=GAME_TITLES.get(notice.game or "", ""))


def _words(name: str, language: str, **values: object) -> str:
    return fill(language, rows(MAILS, "notices")[name][language], values)

"""Tells a player of all that is due at once: one push to each browser, one mail; after quiet hours the rest."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from psycopg import Connection

from service.container import Container
from service.core.clock import SECOND
from service.notices.mail_notices import mail_held
from service.notices.push_queue import queue_push
from service.notices.quiet import end_of_quiet
from service.notices.wording import Notice, lead, lines, path_of
from service.players.preferences.stored_settings import settings_of
from service.players.preferences.values import MAIL, PUSH, Telling, telling_of

WORTH: Final = 86_400 * SECOND  # how long a push is tried
NEXT_MAIL: Final = """
SELECT player FROM notices WHERE mail <= %s ORDER BY mail, player LIMIT 1 FOR UPDATE SKIP LOCKED
"""
NEXT: Final = """
SELECT player FROM notices WHERE told IS NULL AND due <= %s ORDER BY due, player LIMIT 1 FOR UPDATE SKIP LOCKED
"""
PUT_OFF: Final = "UPDATE notices SET due = %s WHERE player = %s AND told IS NULL AND due < %s"
PUT_OFF_MAIL: Final = "UPDATE notices SET mail = %s WHERE player = %s AND mail < %s"
TELL: Final = """
WITH told AS (
    UPDATE notices SET told = %(now)s, mail = CASE WHEN what = ANY(%(mailed)s) THEN %(now)s ELSE mail END
    WHERE player = %(player)s AND told IS NULL AND due <= %(now)s
    RETURNING stream, what, due
)
SELECT told.what, told.stream, games.game FROM told LEFT JOIN games ON games.id = told.stream
ORDER BY told.due, told.stream, told.what
"""


def tell_next(connection: Connection, here: Container) -> bool:
    """Tells the player whose notice or mail is due first. Returns whether there was one."""
    now = here.now()
    with connection.transaction():
        row = connection.execute(NEXT_MAIL, (now,)).fetchone() or connection.execute(NEXT, (now,)).fetchone()
        if row is None:
            return False
        (player,) = row
        telling = telling_of(settings_of(connection, player) or {})
        if (end := end_of_quiet(telling, now)) is not None:
            for put_off in (PUT_OFF, PUT_OFF_MAIL):
                connection.execute(put_off, (end, player, end))
            return True
        mailed = [] if here.settings.smtp_server is None else _kinds(telling, MAIL)
        asked = {"now": now, "player": player, "mailed": mailed}
        notices = [Notice(*found) for found in connection.execute(TELL, asked).fetchall()]
        pushed = _kinds(telling, PUSH)
        _push(connection, now, player, [notice for notice in notices if notice.kind in pushed])
        mail_held(connection, here, now, player, telling)
    return True


def _kinds(telling: Telling, way: str) -> list[str]:
    return [kind for kind, ways in telling.ways.items() if way in ways]


def _push(connection: Connection, now: int, player: UUID, notices: Sequence[Notice]) -> None:
    if not notices:
        return
    first = path_of(notices[0]) if len(notices) == 1 else "/mine"

    def body(language: str) -> dict[str, str]:
        return {"title": lead(notices, language), "body": "\n".join(lines(notices, language)), "path": first}

    queue_push(connection, now, now + WORTH, player, body)

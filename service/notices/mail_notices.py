"""Mails of notices: so many an hour to an account at most; what is above waits, and is told in the next mail.

Some mails of the hour are kept for time that runs out. A mail tells of all that waits for one; what was answered
meanwhile is told of no more.
"""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from psycopg import Connection

from service.container import Container
from service.core.clock import SECOND
from service.core.errors import ServiceBusy
from service.mail.outbox import NOTICE, Mail, put_mail, waits_for
from service.notices.quiet import HOUR
from service.notices.unsubscribe import unsubscribe_url
from service.notices.wording import Notice, lead, lines, path_of
from service.players.email.storage import StoredAddress, email_of
from service.players.preferences.values import MAIL, Telling

MOST_AN_HOUR: Final = 6  # mails to an account
KEPT_FOR_URGENT: Final = 2  # of them
URGENT: Final = "time"  # the kind of notice that these are kept for
PAUSE: Final = 120 * SECOND  # while the last mail to the account waits in the queue, or too many to all
WORTH: Final = 86_400 * SECOND  # how long a mail is tried
HELD: Final = """
SELECT what, stream FROM notices WHERE player = %s AND mail IS NOT NULL ORDER BY what <> %s, due, stream, what
"""
KINDS: Final = "SELECT id, game FROM games WHERE id = ANY(%s)"
LET_GO: Final = "UPDATE notices SET mail = NULL WHERE player = %s AND mail IS NOT NULL"
HOLD: Final = """
UPDATE notices SET mail = CASE WHEN what = %s THEN %s::bigint ELSE %s::bigint END WHERE player = %s AND mail IS NOT NULL
"""
MAILED: Final = "SELECT mailed FROM player_settings WHERE player = %s FOR UPDATE"
NOTE: Final = "UPDATE player_settings SET mailed = %s WHERE player = %s"


def mail_held(connection: Connection, here: Container, now: int, player: UUID, telling: Telling) -> None:
    """Mails a player all that waits for a mail, or puts it off until a mail may go."""
    wanted = [notice for notice in _held(connection, player) if MAIL in telling.ways.get(notice.kind, ())]
    mails = wanted and here.settings.smtp_server is not None
    address = email_of(connection, here.vault, now, player).confirmed if mails else None
    if address is None:
        connection.execute(LET_GO, (player,))
        return
    mailed = _mailed(connection, player)
    urgent, other = (next_mail(mailed, now, most) for most in (MOST_AN_HOUR, MOST_AN_HOUR - KEPT_FOR_URGENT))
    if now == (urgent if wanted[0].kind == URGENT else other):
        if _queued(connection, here, now, player, address, wanted):
            connection.execute(LET_GO, (player,))
            connection.execute(NOTE, ([*mailed, now][-MOST_AN_HOUR:], player))
            return
        urgent = other = now + PAUSE
    connection.execute(HOLD, (URGENT, urgent, other, player))


def _held(connection: Connection, player: UUID) -> list[Notice]:
    """Returns what waits for a mail to a player, time that runs out first."""
    held = connection.execute(HELD, (player, URGENT)).fetchall()
    kinds: dict[UUID, str] = dict(connection.execute(KINDS, ([stream for _, stream in held],)).fetchall())
    return [Notice(what, stream, kinds.get(stream)) for what, stream in held]


def next_mail(mailed: Sequence[int], now: int, most: int) -> int:
    """Returns when a mail may go after the last ones, of which so many an hour may: now, or later."""
    lately = sorted(at for at in mailed if at > now - HOUR)
    return now if len(lately) < most else lately[-most] + HOUR


def _mailed(connection: Connection, player: UUID) -> Sequence[int]:
    row = connection.execute(MAILED, (player,)).fetchone()
    return [] if row is None else row[0]


def _queued(
    connection: Connection, here: Container, now: int, player: UUID, address: StoredAddress, notices: Sequence[Notice]
) -> bool:
    """Queues a mail, unless one waits already, or too many to others; returns whether it did."""
    if waits_for(connection, player, NOTICE):
        return False
    to, language = address.address, address.language
    values = _values(here, notices, language, unsubscribe_url(connection, here, player))
    try:
        put_mail(connection, here.vault, now, Mail(player, NOTICE, to, language, values, now + WORTH))
    except ServiceBusy:
        return False
    return True


def _values(here: Container, notices: Sequence[Notice], language: str, unsubscribe: str) -> Mapping[str, str]:
    url = here.settings.public_url.rstrip("/")
    said = [f"{line}\n" for line in lines(notices, language)] if len(notices) > 1 else [""]  # the lead says one already
    return {
        "lead": lead(notices, language),
        "lines": "\n".join(f"{line}{url}{path_of(one)}\n" for line, one in zip(said, notices, strict=False)),
        "settings": f"{url}/account/settings",
        "unsubscribe": unsubscribe,
    }

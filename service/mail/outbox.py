"""The queue of mails: bounded, each mail sealed, tried again with growing pauses until it is too old."""

import json
from collections.abc import Mapping
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.event import new_stream
from events.messages import Message
from events.sealing.vault import Vault
from service.core.clock import SECOND
from service.core.errors import ServiceBusy
from service.core.sealing.sealed_columns import OUTGOING_MAILS

MAILS: Final = Message("mails")
MOST_WAITING: Final = 1_000
MOST_NOTICES: Final = 500  # of them; the rest is for codes
NOTICE: Final = "notice"  # the kind of mails that tell what is new in games; codes go before them
RETRY_SECONDS: Final = 60  # what a client is told when the queue is full
PAUSES: Final = (30, 120, 300, 600, 1_200)  # seconds after each attempt; then the last one
PUT: Final = """
INSERT INTO outgoing_mails (id, player, kind, sealed, due, expires)
SELECT %s, %s, %s, %s, %s, %s WHERE (SELECT count(*) FROM outgoing_mails) < %s
"""
WAITS: Final = "SELECT EXISTS (SELECT FROM outgoing_mails WHERE player = %s AND kind = %s)"
IS_FULL: Final = "SELECT count(*) >= %s FROM outgoing_mails"
CLAIM: Final = """
UPDATE outgoing_mails SET attempts = attempts + 1, due = %s + (%s::bigint[])[least(attempts + 1, %s)] WHERE id = (
    SELECT id FROM outgoing_mails WHERE due <= %s ORDER BY kind = 'notice', due, id LIMIT 1 FOR UPDATE SKIP LOCKED
) RETURNING id, player, kind, sealed, attempts
"""
NOTE_FAULT: Final = "UPDATE outgoing_mails SET fault = %s WHERE id = %s"
DELETE: Final = "DELETE FROM outgoing_mails WHERE id = %s"
DELETE_EXPIRED: Final = "DELETE FROM outgoing_mails WHERE expires <= %s"


class Mail(NamedTuple):
    """A mail before it is put into words."""

    player: UUID
    kind: str
    to: str  # the address
    language: str
    values: Mapping[str, str]
    expires: int  # when it is too late to send it


class ClaimedMail(NamedTuple):
    """A mail that is to be sent now."""

    id: UUID
    player: UUID
    kind: str
    sealed: bytes
    attempts: int  # this one included


class MailContent(NamedTuple):
    """What a sealed mail holds."""

    to: str
    language: str
    values: Mapping[str, str]


def put_mail(connection: Connection, vault: Vault, at: int, mail: Mail) -> None:
    """Queues a mail; raises ServiceBusy when too many wait, for a notice sooner."""
    id = new_stream(at)
    content = json.dumps([mail.to, mail.language, dict(mail.values)])
    sealed = vault.seal(OUTGOING_MAILS, id, content.encode())
    row = (id, mail.player, mail.kind, sealed, at, mail.expires, MOST_NOTICES if mail.kind == NOTICE else MOST_WAITING)
    if connection.execute(PUT, row).rowcount == 0:
        raise ServiceBusy(MAILS, RETRY_SECONDS)


def waits_for(connection: Connection, player: UUID, kind: str) -> bool:
    """Returns whether a mail of a kind to a player waits."""
    row = connection.execute(WAITS, (player, kind)).fetchone()
    return bool(row and row[0])


def refuse_when_full(connection: Connection) -> None:
    """Raises ServiceBusy when too many mails wait."""
    row = connection.execute(IS_FULL, (MOST_WAITING,)).fetchone()
    if row and row[0]:
        raise ServiceBusy(MAILS, RETRY_SECONDS)


def claim_mail(connection: Connection, at: int) -> ClaimedMail | None:
    """Returns a due mail, notices last, whose next attempt is put off; None when none is due."""
    pauses = [pause * SECOND for pause in PAUSES]
    row = connection.execute(CLAIM, (at, pauses, len(pauses), at)).fetchone()
    return None if row is None else ClaimedMail(row[0], row[1], row[2], bytes(row[3]), row[4])


def content_of(vault: Vault, claimed: ClaimedMail) -> MailContent:
    """Returns the content of a mail; raises SealedSecretLost."""
    return MailContent(*json.loads(vault.open(OUTGOING_MAILS, claimed.id, claimed.sealed)))


def note_fault(connection: Connection, id: UUID, fault: str | None) -> None:
    """Notes why the server took no mail; None when it only refused this one."""
    connection.execute(NOTE_FAULT, (fault, id))


def remove_mail(connection: Connection, id: UUID) -> None:
    """Removes a mail that was sent or refused for good."""
    connection.execute(DELETE, (id,))


def remove_expired(connection: Connection, at: int) -> int:
    """Removes mails that are too old. Returns their number."""
    return connection.execute(DELETE_EXPIRED, (at,)).rowcount

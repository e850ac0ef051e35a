"""Recovery by mail: a request by name or address is answered alike for all; the keeper looks the account up later.

So neither the answer nor its time tells whether an account exists or has an address.
"""

from typing import Final, NamedTuple
from uuid import UUID

import psycopg
import structlog
from psycopg import Connection

from events.event import new_stream
from events.sealing.vault import SealedSecretLost
from events.store.failpoints import failpoint
from service.container import Container
from service.core.clock import SECOND
from service.core.errors import ServiceBusy
from service.core.sealing.sealed_columns import RECOVERY_REQUESTS
from service.mail.outbox import MAILS, RETRY_SECONDS, Mail, put_mail, refuse_when_full
from service.mail.texts import RECOVER
from service.players.commands.email import MAILS_OF_ACCOUNT, MAILS_TO_ADDRESS
from service.players.email.addresses import normal_address
from service.players.email.storage import address_hash, email_of, players_with_address
from service.players.errors import NoMail
from service.players.queries import find_by_name, get_player
from service.players.recovery_codes import code_hash, random_code

CODE_MINUTES: Final = 30
CODE_VALID: Final = CODE_MINUTES * 60 * SECOND
MOST_ACCOUNTS: Final = 5  # of one address
MOST_REQUESTS: Final = 1_000  # that wait for the keeper
PUT: Final = """
INSERT INTO recovery_requests (id, sealed, created)
SELECT %s, %s, %s WHERE (SELECT count(*) FROM recovery_requests) < %s
"""
TAKE: Final = """
DELETE FROM recovery_requests WHERE id = (
    SELECT id FROM recovery_requests ORDER BY created, id LIMIT 1 FOR UPDATE SKIP LOCKED
) RETURNING id, sealed, created
"""
DROP_OLD: Final = "DELETE FROM recovery_requests WHERE created <= %s"
LOCK: Final = "SELECT FROM players WHERE id = %s AND forgotten IS NULL FOR NO KEY UPDATE"
PUT_CODE: Final = "INSERT INTO recovery_codes (hash, player, created, expires) VALUES (%s, %s, %s, %s)"
PAGE: Final = "/recovery"
log = structlog.get_logger("service.players.mailed_recovery")
before_commit = failpoint("recovery_mail.before_commit")


class AskForRecoveryMail(NamedTuple):
    """Asks for a code by mail."""

    account: str  # its name or address
    address: str | None = None  # of the client


class MailRecoveryCodes(NamedTuple):
    """Mails the codes of the oldest request."""


def ask_for_recovery_mail(here: Container, command: AskForRecoveryMail) -> None:
    """Notes the request. Raises NoMail, TooManyAttempts or ServiceBusy, whether the account exists or not."""
    if here.settings.smtp_server is None:
        raise NoMail
    here.delays.begin_mailed_recovery(command.account.casefold(), command.address)
    at = here.now()
    id = new_stream(at)
    row = (id, here.vault.seal(RECOVERY_REQUESTS, id, command.account.encode()), at, MOST_REQUESTS)
    with here.stores.pool.connection() as connection:
        refuse_when_full(connection)
        if connection.execute(PUT, row).rowcount == 0:
            raise ServiceBusy(MAILS, RETRY_SECONDS)


def mail_recovery_codes(here: Container, _command: MailRecoveryCodes) -> bool:
    """Mails a code for each account that a request names. Returns whether there was a request."""
    with here.stores.pool.connection() as connection, connection.transaction():
        row = connection.execute(TAKE).fetchone()
        if row is None:
            return False
        id, sealed, created = row
        if here.now() < created + CODE_VALID:
            try:
                with connection.transaction():
                    _mail_codes(here, connection, here.vault.open(RECOVERY_REQUESTS, id, bytes(sealed)).decode())
            except (SealedSecretLost, psycopg.DataError) as fault:  # holds up no other request
                log.warning("request for recovery dropped", reason=type(fault).__name__)
        before_commit()
        return True


def _mail_codes(here: Container, connection: Connection, asked: str) -> None:
    for player in _players(here, connection, asked):
        _mail_code(here, connection, player)


def drop_old_requests(connection: Connection, at: int) -> None:
    """Removes requests that no keeper looked at in time."""
    connection.execute(DROP_OLD, (at - CODE_VALID,))


def _players(here: Container, connection: Connection, asked: str) -> list[UUID]:
    """Returns the players who confirmed an address, or the one with a name; a name may look like an address."""
    address = normal_address(asked)
    found = [] if address is None else players_with_address(connection, here.vault, here.now(), address, MOST_ACCOUNTS)
    named = find_by_name(connection, asked)
    return found if named is None or named in found else [*found, named]


def _mail_code(here: Container, connection: Connection, player: UUID) -> None:
    """Queues a code for a player who has an address, unless too many mails went there lately."""
    at = here.now()
    connection.execute(LOCK, (player,))
    email, name = email_of(connection, here.vault, at, player).confirmed, get_player(connection, player).name
    if email is None or name is None:
        return
    hashed = address_hash(connection, here.vault, at, email.address).hex()
    receivers = ((f"recover {player}", MAILS_OF_ACCOUNT), (f"recover {hashed}", MAILS_TO_ADDRESS))
    if not all(here.delays.may_mail(receiver, most) for receiver, most in receivers):
        return
    code, expires, url = random_code(), at + CODE_VALID, here.settings.public_url
    connection.execute(PUT_CODE, (code_hash(code), player, at, expires))
    values = {"name": name, "code": code, "minutes": str(CODE_MINUTES), "url": url, "page": url + PAGE}
    put_mail(connection, here.vault, at, Mail(player, RECOVER, email.address, email.language, values, expires))

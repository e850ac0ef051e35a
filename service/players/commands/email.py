"""Stores, confirms and removes the e-mail address of an account. Nothing tells whether another account has it, too."""

from contextlib import suppress
from typing import Final, NamedTuple

from psycopg import Connection

from service.container import Container
from service.core.clock import SECOND
from service.core.errors import InvalidRequest, ServiceBusy, TooManyAttempts
from service.mail.outbox import Mail, put_mail
from service.mail.texts import CHANGED, CONFIRM
from service.players.commands.confirmation import check_confirmed, lock_confirmed, session_of
from service.players.email import storage
from service.players.email.addresses import BAD_ADDRESS, normal_address
from service.players.email.storage import AccountEmail, NewAddress, email_of
from service.players.errors import EmailCodeRefused, NoMail
from service.players.identity import Identity
from service.players.queries import get_player
from service.players.recovery_codes import code_hash, random_code, void_codes

CODE_MINUTES: Final = 30
CODE_VALID: Final = CODE_MINUTES * 60 * SECOND
MAILS_OF_ACCOUNT: Final = 5  # an hour, of each kind: strangers who ask for codes use up none of the owner's
MAILS_TO_ADDRESS: Final = 5  # an hour, of each kind, for all accounts; more are left out without a word
HOUR: Final = 3_600
NOTICE_FOR: Final = 86_400 * SECOND  # how long a notice to an old address is tried


class SetEmailAddress(NamedTuple):
    """Stores an address, which counts once its code was entered."""

    client: Identity
    address: str
    language: str  # of mails to it


class ConfirmEmailAddress(NamedTuple):
    """Enters the code of the mail."""

    client: Identity
    code: str


class RemoveEmailAddress(NamedTuple):
    """Removes the address of the account, and one that waits for its code."""

    client: Identity


def set_email_address(here: Container, command: SetEmailAddress) -> AccountEmail:
    """Stores an address and mails its code. Returns the addresses of the account.

    Raises NoMail, NotAllowed for a token, InvalidRequest, ConfirmationRequired, TooManyAttempts or ServiceBusy.
    """
    session_of(command.client)
    if here.settings.smtp_server is None:
        raise NoMail
    address = normal_address(command.address)
    if address is None:
        raise InvalidRequest({"address": [BAD_ADDRESS]})
    at, player, code = here.now(), command.client.player, random_code()
    with here.stores.pool.connection() as connection:
        check_confirmed(connection, at, command.client)
        hashed = storage.address_hash(connection, here.vault, at, address)
    if not here.delays.may_mail(f"confirm {player}", MAILS_OF_ACCOUNT):
        raise TooManyAttempts(HOUR)
    may_mail = here.delays.may_mail(f"confirm {hashed.hex()}", MAILS_TO_ADDRESS)
    expires = at + CODE_VALID
    with here.stores.pool.connection() as connection, connection.transaction():
        lock_confirmed(connection, at, command.client)
        new = NewAddress(player, address, command.language, code_hash(code), expires)
        storage.put_waiting(connection, here.vault, at, new)
        if may_mail:
            values = {"code": code, "minutes": str(CODE_MINUTES), "url": here.settings.public_url}
            put_mail(connection, here.vault, at, Mail(player, CONFIRM, address, command.language, values, expires))
        return email_of(connection, here.vault, at, player)


def confirm_email_address(here: Container, command: ConfirmEmailAddress) -> AccountEmail:
    """Lets the waiting address count, and tells the one that it replaces. Returns the addresses of the account.

    Raises NotAllowed for a token, or EmailCodeRefused.
    """
    session_of(command.client)
    at, player = here.now(), command.client.player
    with here.stores.pool.connection() as connection, connection.transaction():
        before = email_of(connection, here.vault, at, player)
        if not storage.confirm_waiting(connection, at, player, code_hash(command.code)):
            raise EmailCodeRefused
        after = email_of(connection, here.vault, at, player)
        if after.confirmed and before.confirmed and after.confirmed.address != before.confirmed.address:
            _gone(here, connection, command.client, before)
        return after


def remove_email_address(here: Container, command: RemoveEmailAddress) -> None:
    """Removes the addresses of the account, and tells the one that counted.

    Raises NotAllowed for a token, or ConfirmationRequired.
    """
    session_of(command.client)
    with here.stores.pool.connection() as connection, connection.transaction():
        lock_confirmed(connection, here.now(), command.client)
        before = email_of(connection, here.vault, here.now(), command.client.player)
        storage.drop_waiting(connection, command.client.player)
        storage.drop_confirmed(connection, command.client.player)
        if before.confirmed:
            _gone(here, connection, command.client, before)


def _gone(here: Container, connection: Connection, client: Identity, before: AccountEmail) -> None:
    """Tells an address that it does not count any more, and voids codes that were mailed to it."""
    void_codes(connection, client.player, own=False)
    if before.confirmed is None or here.settings.smtp_server is None:
        return
    at, old = here.now(), before.confirmed
    values = {"name": get_player(connection, client.player).name or "", "url": here.settings.public_url}
    notice = Mail(client.player, CHANGED, old.address, old.language, values, at + NOTICE_FOR)
    with suppress(ServiceBusy):  # too many mails wait: the change is worth more than its notice
        put_mail(connection, here.vault, at, notice)

"""Switches the second factor of an account on, by a first code, and off, by password and code."""

from typing import Final, NamedTuple

from psycopg import Connection

from events.event import new_stream
from service.container import Container
from service.core.errors import NotThere
from service.live.access import RIGHTS_ENDED
from service.players.commands.confirmation import check_confirmed, lock_confirmed, session_of
from service.players.errors import SecondFactorOn, SecondFactorRefused
from service.players.identity import Identity
from service.players.login_delays import LoginAttempt
from service.players.second_factor import storage
from service.players.second_factor.storage import SecondFactor
from service.players.second_factor.totp import Enrolment, enrolment_uri, new_secret

NAMES: Final = "SELECT name, folded FROM players WHERE id = %s AND forgotten IS NULL"
END_OTHER_SESSIONS: Final = "DELETE FROM sessions WHERE player = %s AND id IS DISTINCT FROM %s"


class EnrolSecondFactor(NamedTuple):
    """Makes a secret for a second factor; logins need no code before it is confirmed."""

    client: Identity


class ConfirmSecondFactor(NamedTuple):
    """Puts the second factor in force by a first code."""

    client: Identity
    code: str
    address: str | None = None  # of the client


class RemoveSecondFactor(NamedTuple):
    """Switches the second factor off."""

    client: Identity
    code: str
    address: str | None = None


def enrol_second_factor(here: Container, command: EnrolSecondFactor) -> Enrolment:
    """Stores a new secret, instead of one that was not confirmed. Returns it.

    Raises NotAllowed for a token, ConfirmationRequired, or SecondFactorOn.
    """
    session_of(command.client)
    at, player, secret = here.now(), command.client.player, new_secret()
    with here.stores.pool.connection() as connection, connection.transaction():
        lock_confirmed(connection, at, command.client)
        if not storage.put_secret(connection, here.vault, at, new_stream(at), player, secret):
            raise SecondFactorOn
        return Enrolment(secret, enrolment_uri(secret, _names(connection, command.client)[0]))


def confirm_second_factor(here: Container, command: ConfirmSecondFactor) -> None:
    """Puts the secret in force and ends the other sessions, which began without a code.

    Raises NotAllowed for a token, ConfirmationRequired, NotThere without a secret, SecondFactorOn, SecondFactorRefused
    or TooManyAttempts.
    """
    own, player = session_of(command.client), command.client.player
    attempt = _begin(here, command.client, command.address)
    with here.stores.pool.connection() as connection, connection.transaction():
        lock_confirmed(connection, here.now(), command.client)
        factor = _factor(connection, command.client)
        if factor.confirmed:
            raise SecondFactorOn
        if not storage.confirm(connection, here.vault, here.now(), factor, command.code):
            raise SecondFactorRefused
        connection.execute(END_OTHER_SESSIONS, (player, own))
    here.delays.end_login(attempt)
    here.authenticator.forget()
    here.announcer.announce(RIGHTS_ENDED)


def remove_second_factor(here: Container, command: RemoveSecondFactor) -> None:
    """Removes the secret: one in force by a code or a recovery code, another one without.

    Raises NotAllowed for a token, ConfirmationRequired, NotThere without a secret, SecondFactorRefused or
    TooManyAttempts.
    """
    session_of(command.client)
    attempt = _begin(here, command.client, command.address)
    with here.stores.pool.connection() as connection, connection.transaction():
        lock_confirmed(connection, here.now(), command.client)
        factor = _factor(connection, command.client)
        if factor.confirmed and not storage.use_code(connection, here.vault, here.now(), factor, command.code):
            raise SecondFactorRefused
        storage.remove_second_factor(connection, command.client.player)
    here.delays.end_login(attempt)


def _begin(here: Container, client: Identity, address: str | None) -> LoginAttempt:
    """Counts a guess, before a lock is held; raises ConfirmationRequired first."""
    with here.stores.pool.connection() as connection:
        check_confirmed(connection, here.now(), client)
        _factor(connection, client)
        account = _names(connection, client)[1]
    return here.delays.begin_second_factor(account, address)


def _factor(connection: Connection, client: Identity) -> SecondFactor:
    factor = storage.second_factor_of(connection, client.player)
    if factor is None:
        raise NotThere("second factor of", client.player)
    return factor


def _names(connection: Connection, client: Identity) -> tuple[str, str]:
    """Returns the name of the account, as shown and as compared."""
    row = connection.execute(NAMES, (client.player,)).fetchone()
    if row is None:
        raise NotThere("player", client.player)
    return row[0], row[1]

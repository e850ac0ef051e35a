"""Guests: accounts made with one click, kept by a name and a password, and erased when nobody uses them."""

import secrets
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from service.container import Container
from service.core.announce import LISTS_CHANGED
from service.core.clock import SECOND
from service.core.errors import NameConfusable, NameTaken, NotAllowed
from service.live.access import RIGHTS_ENDED
from service.players.commands.accounts import SET_LOGIN, rename_player, store_player
from service.players.commands.confirmation import CONFIRM
from service.players.commands.erasure import NO_GUEST, close_accounts
from service.players.commands.sessions import OpenGuest, open_session
from service.players.identity import Identity, lock_account, lock_credential
from service.players.lookalikes import refuse_service_name
from service.players.queries import Player, get_player

UNUSED_SECONDS: Final = 14 * 86_400  # until a guest is erased
BATCH: Final = 50  # guests that one step erases
NAME: Final = "Guest {number}"
NUMBERS: Final = 10_000_000  # of guests: so many that few are tried twice
TRIES: Final = 8
LOCKED_GUEST: Final = "SELECT FROM players WHERE id = %s AND guest AND forgotten IS NULL FOR NO KEY UPDATE"
KEEP: Final = "UPDATE players SET guest = false WHERE id = %s"
UNUSED: Final = """
SELECT id FROM players AS p
WHERE guest AND forgotten IS NULL AND created < %(since)s AND id = coalesce(%(player)s, id) AND NOT EXISTS (
    SELECT FROM sessions WHERE player = p.id AND expires > %(now)s AND coalesce(used, created) >= %(since)s
) ORDER BY id LIMIT %(most)s
"""


class KeepGuest(NamedTuple):
    """Makes the account of a guest a lasting one."""

    client: Identity
    name: str
    password: str
    address: str | None = None


class EraseUnusedGuests(NamedTuple):
    """Erases guests whose browsers have not come back."""


def open_guest(here: Container, command: OpenGuest) -> tuple[str, Identity]:
    """Creates a guest and a session; returns its secret and identity. Raises TooManyAttempts."""
    here.delays.begin_guest(command.address)
    at = here.now()
    for tried in range(TRIES):
        try:
            with here.stores.pool.connection() as connection, connection.transaction():
                player = store_player(connection, at, _drawn_name(), guest=True)
                return open_session(connection, at, player.id, command)
        except (NameTaken, NameConfusable):
            if tried == TRIES - 1:
                raise
    raise AssertionError("the last try returns or raises")


def keep_guest(here: Container, command: KeepGuest) -> Player:
    """Gives a guest a name and a password; games, sessions and id stay.

    Raises NotAllowed for an account that is no guest, BadName, NameReserved, NameTaken, NameConfusable,
    TooManyAttempts or ServiceBusy.
    """
    refuse_service_name(command.name)
    here.delays.begin_registration(command.address)
    at, id, hashed = here.now(), command.client.player, here.passwords.hash(command.password)
    with here.stores.pool.connection() as connection, connection.transaction():
        if connection.execute(LOCKED_GUEST, (id,)).rowcount == 0:
            raise NotAllowed("no_guest", NO_GUEST)
        lock_credential(connection, command.client)
        rename_player(connection, at, id, command.name)
        connection.execute(SET_LOGIN, (hashed, id))
        connection.execute(KEEP, (id,))
        connection.execute(CONFIRM, (at, command.client.session))
        kept = get_player(connection, id)
    here.authenticator.forget()
    here.announcer.announce(LISTS_CHANGED)
    return kept


def erase_unused_guests(here: Container, _command: EraseUnusedGuests) -> int:
    """Closes the accounts of guests that nobody uses; the keeper finishes what is noted. Returns their number."""
    at = here.now()
    since = at - UNUSED_SECONDS * SECOND
    with here.stores.pool.connection() as connection:
        unused = connection.execute(UNUSED, {"since": since, "now": at, "player": None, "most": BATCH}).fetchall()
    for (player,) in unused:
        with here.stores.pool.connection() as connection, connection.transaction():
            _close_unused(connection, player, since, at)
    if unused:
        here.authenticator.forget()
        here.announcer.announce(RIGHTS_ENDED)
        here.announcer.announce(LISTS_CHANGED)
    return len(unused)


def _close_unused(connection: Connection, player: UUID, since: int, at: int) -> None:
    """Closes an account unless its player came back, or kept it, meanwhile."""
    lock_account(connection, player)
    again = {"since": since, "now": at, "player": player, "most": 1}
    if connection.execute(UNUSED, again).rowcount == 1:
        close_accounts(connection, player, at)


def _drawn_name() -> str:
    return NAME.format(number=secrets.randbelow(NUMBERS - 1) + 1)

"""Erases accounts: closes them at once, then leaves their games and tournaments; every step may be repeated.

The first transaction closes the account and notes that there is more to do. A process that is killed afterwards loses
nothing: the keeper finishes what is noted.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.messages import Message
from events.store.failpoints import failpoint
from service.container import Container
from service.core.announce import LISTS_CHANGED
from service.core.errors import NotAllowed
from service.live.access import RIGHTS_ENDED
from service.moderation.record import record_acts
from service.players.commands.confirmation import lock_confirmed
from service.players.commands.leaving import FinishErasure, finish_erasure
from service.players.commands.tokens import rights_to_end
from service.players.identity import Identity, lock_account, lock_credential
from service.players.personal_data import ERASED
from service.players.queries import is_guest
from service.players.reserved_names import reserve_names

ACCOUNTS: Final = "SELECT id FROM players WHERE (id = %s OR owner = %s) AND forgotten IS NULL FOR UPDATE"
NAMES: Final = "SELECT folded FROM players WHERE id = ANY(%s) AND folded IS NOT NULL"
NOTE: Final = "INSERT INTO erasures (player, begun) SELECT unnest(%s::uuid[]), %s ON CONFLICT DO NOTHING"
ERASE: Final = """
UPDATE players SET name = NULL, folded = NULL, password = NULL, engine = NULL, manifest = NULL, key = NULL,
    forgotten = %s
WHERE id = ANY(%s)
"""
NO_GUEST: Final = Message("this account is no guest's: it has a name of its own already")

after_account = failpoint("erasure.after_account")


class ErasePlayer(NamedTuple):
    """Erases the personal data of the client and of the client's bots, who leave their games; keeps ids and games."""

    client: Identity


class EraseGuest(NamedTuple):
    """Erases a guest; the session is all that there is to confirm it with."""

    client: Identity


def erase_player(here: Container, command: ErasePlayer) -> None:
    """Ends tokens, sessions and webhooks, erases personal data, and leaves all games and tournaments.

    Raises ConfirmationRequired.
    """
    at = here.now()
    with here.stores.pool.connection() as connection, connection.transaction():
        lock_confirmed(connection, at, command.client)
        accounts = close_accounts(connection, command.client.player, at)
    _finish(here, accounts)


def erase_guest(here: Container, command: EraseGuest) -> None:
    """Erases a guest as `erase_player` does a player. Raises NotAllowed for an account that is no guest's."""
    at = here.now()
    with here.stores.pool.connection() as connection, connection.transaction():
        lock_account(connection, command.client.player)
        lock_credential(connection, command.client)
        if not is_guest(connection, command.client.player):
            raise NotAllowed("no_guest", NO_GUEST)
        accounts = close_accounts(connection, command.client.player, at)
    _finish(here, accounts)


def _finish(here: Container, accounts: Sequence[UUID]) -> None:
    here.authenticator.forget()
    here.announcer.announce(RIGHTS_ENDED)
    here.announcer.announce(LISTS_CHANGED)
    after_account()
    for account in accounts:
        finish_erasure(here, FinishErasure(account))


def close_accounts(connection: Connection, player: UUID, at: int) -> list[UUID]:
    """Closes an account and its bots in this transaction. Returns their ids."""
    accounts = [id for (id,) in connection.execute(ACCOUNTS, (player, player)).fetchall()]
    reserve_names(connection, at, [name for (name,) in connection.execute(NAMES, (accounts,)).fetchall()])
    connection.execute(NOTE, (accounts, at))
    ended = rights_to_end(connection, str(player), accounts)
    for statement in ERASED:
        connection.execute(statement, (accounts,))
    connection.execute(ERASE, (at, accounts))
    record_acts(connection, at, ended)
    return accounts

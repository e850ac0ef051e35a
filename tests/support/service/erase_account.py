"""Erases an account in a process of its own, to be ended at a fail point: `erase_account PLAYER`."""

import os
import sys
from uuid import UUID, uuid4

from service import settings
from service.container import Container, open_container
from service.core.clock import SECOND
from service.players.commands.erasure import ErasePlayer, erase_player
from service.players.commands.leaving import FinishErasure, finish_erasure
from service.players.identity import FIRST_SCOPES, Identity

OPEN = "INSERT INTO sessions (hash, id, player, csrf, created, expires, confirmed) VALUES (%s, %s, %s, '', %s, %s, %s)"
UNFINISHED = "SELECT player FROM erasures ORDER BY player"


def erase_or_go_on(player: UUID) -> None:
    """Erases the account, or finishes what an earlier process has begun."""
    here = open_container(settings.load(os.environ), "test")
    with here.stores.pool.connection() as connection:
        begun = [id for (id,) in connection.execute(UNFINISHED).fetchall()]
    if not begun:
        erase_player(here, ErasePlayer(_logged_in(here, player)))
    for account in begun:
        finish_erasure(here, FinishErasure(account))
    here.close()


def _logged_in(here: Container, player: UUID) -> Identity:
    """Returns a session of the player in which the password was given now."""
    session = uuid4()
    with here.stores.pool.connection() as connection:
        connection.execute(OPEN, (session.bytes, session, player, here.now(), here.now() + SECOND, here.now()))
    return Identity(player, frozenset(FIRST_SCOPES), session=session)


if __name__ == "__main__":
    erase_or_go_on(UUID(sys.argv[1]))

"""Erases an account in a process of its own, to be ended at a fail point: `erase_account PLAYER`."""

import os
import sys
from uuid import UUID

from service import settings
from service.container import open_container
from service.players.commands.erasure import ErasePlayer, erase_player
from service.players.commands.leaving import FinishErasure, finish_erasure

UNFINISHED = "SELECT player FROM erasures ORDER BY player"


def erase_or_go_on(player: UUID) -> None:
    """Erases the account, or finishes what an earlier process has begun."""
    here = open_container(settings.load(os.environ), "test")
    with here.stores.pool.connection() as connection:
        begun = [id for (id,) in connection.execute(UNFINISHED).fetchall()]
    if not begun:
        erase_player(here, ErasePlayer(player))
    for account in begun:
        finish_erasure(here, FinishErasure(account))
    here.close()


if __name__ == "__main__":
    erase_or_go_on(UUID(sys.argv[1]))

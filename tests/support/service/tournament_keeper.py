"""A keeper that dies and comes again: attends to one tournament in children that its fail points kill.

`python -m tests.support.service.tournament_keeper TOURNAMENT STATUS` goes on until the round has the status, and
prints how often a keeper died on the way.
"""

import os
import signal
import sys
from uuid import UUID

from events.errors import CabildoError
from events.store.connections import connect
from service import settings
from service.container import open_container
from service.tournaments.scheduler import attend

MOST = 12  # keepers


def keep(tournament: UUID, until: str) -> bool:
    """Attend to a tournament once; whether its round is where it should be."""
    container = open_container(settings.load(os.environ), "keeper")
    with connect(container.settings.database_url) as connection:
        attend(container, connection, tournament, container.now())
    current = container.tournaments.load(tournament).known.rounds[-1:]
    return bool(current) and current[0].status == until


def in_a_child(tournament: UUID, until: str) -> int:
    """How a keeper of its own ended: 0 when the round is there, 1 when it is not yet, else the signal."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if keep(tournament, until) else 1)
        except CabildoError:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main(tournament: UUID, until: str) -> None:
    """One keeper after the other."""
    deaths = 0
    for _ in range(MOST):
        ended = in_a_child(tournament, until)
        deaths += ended == -signal.SIGKILL
        if ended == 0:
            break
    sys.stdout.write(f"{deaths}\n")


if __name__ == "__main__":
    main(UUID(sys.argv[1]), sys.argv[2])

"""Carries rulings into their games: each once, as an event that names the ruling."""

from typing import Final
from uuid import UUID

from psycopg import Connection

from events.store.failpoints import failpoint
from events.store.free_texts import read_texts
from service.container import Container
from service.core.command_handler import Request
from service.games.commands.tournament_games import CarryRuling, carry_ruling
from service.games.decisions.carry_ruling import PendingRuling

ERRANDS: Final = "SELECT seq, game FROM errands WHERE id = %s ORDER BY seq, game"
DONE: Final = "DELETE FROM errands WHERE id = %s AND seq = %s AND game = %s"
before_done = failpoint("tournament.before_errand_done")


def run_errands(here: Container, connection: Connection, tournament: UUID) -> None:
    """Carry the pending rulings of a tournament into its games."""
    due = connection.execute(ERRANDS, (tournament,)).fetchall()
    if not due:
        return
    record = here.tournaments.load(tournament).known
    rulings = {ruling.event: ruling for ruling in record.rulings}
    for seq, game in due:
        ruling = rulings[seq]
        texts = read_texts(connection, tournament, [bytes.fromhex(ruling.reason)])
        errand = PendingRuling(tournament, record, ruling, next(iter(texts.values()), None))
        if here.games.store.head(game).seq:  # a game created later starts from the tournament's state at that time
            carry_ruling(here, CarryRuling(game, errand), Request(ruling.actor))
        before_done()
        connection.execute(DONE, (tournament, seq, game))

"""The summary of a game for one player: names, tournament table, written record, invitation codes."""

from collections.abc import Sequence

from events.json_types import JsonObject
from events.store.statements import Statement
from projections.games.record import INVITE
from service.container import Container
from service.games import documents, invites
from service.games.decisions import clocks
from service.games.game_state import GameState
from service.games.written_records import names_by_chair, written
from service.players.queries import names_of
from service.tournaments import at_table as at_tables
from service.tournaments.at_table import at_table, entrants_by_chair


def game_summary(here: Container, table: GameState, player: str | None, beside: Sequence[Statement] = ()) -> JsonObject:
    """Returns a game for a player (None: a visitor); the host also gets the invitation codes.

    `beside` holds the statements of a written record that are not stored yet.
    """
    found = at_table(here.tournaments, table.known.tournament, table.id)  # takes a connection of its own
    with here.stores.pool.connection() as connection:
        names = names_of(connection, documents.people(table.known))
        event = None if found is None else at_tables.document(connection, found)
        record = written(connection, table.id, beside) if table.known.imported else None
    document = documents.summary(_timed(here, table), names, entrants_by_chair(found), names_by_chair(record))
    invited = {"invites": _codes(here, table)} if player is not None and player == table.known.host else {}
    return {**document, "tournament_table": event, "record": record and record.document(), **invited}


def _timed(here: Container, table: GameState) -> GameState:
    """Returns the game with its clock after the outages that its events do not state yet."""
    charged = clocks.charged_until(table.known)
    if charged is None:
        return table
    return table._replace(record=clocks.without_outages(table.known, here.outages.stored(charged, here.now())))


def _codes(here: Container, table: GameState) -> dict[str, str]:
    """Returns the codes of the free chairs that are kept for invited players."""
    secret = bytes(here.settings.master_key)
    kept = [number for number, chair in enumerate(table.known.chairs) if chair.kept_for == INVITE and not chair.player]
    return {str(number): invites.code(secret, table.id, number) for number in kept}

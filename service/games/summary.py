"""The summary of a game for one player: names, tournament table, written record, invitation codes."""

from collections.abc import Sequence
from typing import Any

from events.store.statements import Statement
from projections.games.record import INVITE
from service.container import Container
from service.games import documents, invites
from service.games.game_state import GameState
from service.games.written_records import with_names, written
from service.players.queries import names_of
from service.tournaments import at_table as at_tables
from service.tournaments.at_table import at_table, with_entrants


def game_summary(
    here: Container, table: GameState, player: str | None, beside: Sequence[Statement] = ()
) -> dict[str, Any]:
    """Returns a game for a player (None: a visitor); the host also gets the invitation codes.

    `beside` holds the statements of a written record that are not stored yet.
    """
    found = at_table(here.tournaments, table.known.tournament, table.id)  # takes a connection of its own
    with here.stores.pool.connection() as connection:
        names = names_of(connection, documents.people(table.known))
        event = None if found is None else at_tables.document(connection, found)
        record = written(connection, table.id, beside) if table.known.imported else None
    document = documents.summary(table, names) | {"tournament_table": event, "record": record}
    document["seats"] = with_names(with_entrants(document["seats"], found), record)
    if player is not None and player == table.known.host:
        document["invites"] = _codes(here, table)
    return document


def _codes(here: Container, table: GameState) -> dict[str, str]:
    """Returns the codes of the free chairs that are kept for invited players."""
    secret = bytes(here.settings.master_key)
    kept = [number for number, chair in enumerate(table.known.chairs) if chair.kept_for == INVITE and not chair.player]
    return {str(number): invites.code(secret, table.id, number) for number in kept}

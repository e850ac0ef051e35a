"""The summary of a game for one player: names, tournament table, written record, invitation codes."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from events.json_types import JsonObject
from events.store.statements import Statement
from projections.games.record import INVITE
from service.container import Container
from service.games import documents, house_bots, invites
from service.games.decisions import clocks
from service.games.game_state import GameState
from service.games.written_records import names_by_chair, written
from service.i18n.messages import hidden_notice
from service.players.bot_descriptions import bots_among
from service.players.queries import names_of
from service.tournaments import at_table as at_tables
from service.tournaments.at_table import at_table, entrants_by_chair


def game_summary(here: Container, table: GameState, player: str | None, language: str) -> JsonObject:
    """Returns a game for a player (None: a visitor); the host also gets the invitation codes."""
    return with_invitation_codes(here, stored_summary(here, table, player, language))


def with_invitation_codes(here: Container, document: JsonObject) -> JsonObject:
    """Returns a summary with the codes of the invited chairs that it names; codes follow from the master key."""
    chairs = document.get("invites")
    if not isinstance(chairs, Mapping):
        return document
    key, game = here.settings.master_keys.current, UUID(str(document["id"]))
    return {**document, "invites": {chair: invites.code(key, game, int(chair)) for chair in chairs}}


def stored_summary(
    here: Container, table: GameState, player: str | None, language: str, beside: Sequence[Statement] = ()
) -> JsonObject:
    """Returns a game for a player, with the host's invited chairs but not their codes: answers are stored for days.

    `beside` holds the statements of a written record that are not stored yet.
    """
    found = at_table(here.tournaments, table.known.tournament, table.id)  # takes a connection of its own
    with here.stores.pool.connection() as connection:
        names = names_of(connection, documents.people(table.known))
        bots = bots_among(connection, documents.programs(table.known))
        event = None if found is None else at_tables.document(connection, found, language)
        record = written(connection, table.id, hidden_notice(language), beside) if table.known.imported else None
    entrants = entrants_by_chair(found)
    other_names = {**house_bots.names_by_chair(table.known, entrants, language), **names_by_chair(record)}
    document = documents.summary(_timed(here, table), names, entrants, other_names, bots)
    invited = {"invites": _invited_chairs(table)} if player is not None and player == table.known.host else {}
    return {**document, "tournament_table": event, "record": record and record.document(), **invited}


def _timed(here: Container, table: GameState) -> GameState:
    """Returns the game with its clock after the outages that its events do not state yet."""
    charged = clocks.charged_until(table.known)
    if charged is None:
        return table
    return table._replace(record=clocks.without_outages(table.known, here.outages.stored(charged, here.now())))


def _invited_chairs(table: GameState) -> dict[str, None]:
    """Returns the free chairs that are kept for invited players, each in the place of its code."""
    chairs = enumerate(table.known.chairs)
    return {str(number): None for number, chair in chairs if chair.kept_for == INVITE and not chair.player}

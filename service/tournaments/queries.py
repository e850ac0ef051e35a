"""Queries of tournaments: a tournament that a player may see, its names, its next pairing."""

from typing import NamedTuple
from uuid import UUID

from projections.tournaments.record import DRAFT
from service.container import Container
from service.core.errors import NotThere
from service.tournaments import documents, rounds
from service.tournaments.declare import direct
from service.tournaments.documents import TournamentNames
from service.tournaments.tournament_repository import TournamentState


class RoundPreview(NamedTuple):
    """The next round as it would be paired now, and the tournament with the bots that would fill in."""

    state: TournamentState
    next: rounds.Next


def check_visible(state: TournamentState, player: str | None) -> None:
    """Raises NotThere for a draft that the player does not direct."""
    if state.known.status == DRAFT and (player is None or not state.known.directs(player)):
        raise NotThere("tournament", state.id)


def visible_tournament(here: Container, tournament: UUID, player: str | None) -> TournamentState:
    """Returns a tournament that a player (None: a visitor) may see; only directors see drafts. Raises NotThere."""
    state = here.tournaments.load(tournament)
    check_visible(state, player)
    return state


def directed_tournament(here: Container, tournament: UUID, player: str) -> TournamentState:
    """Returns a tournament for its directors. Raises NotThere, or NotAllowed for other players."""
    state = visible_tournament(here, tournament, player)
    direct(here.tournament_commands.begin(state, player))
    return state


def entrant_number(here: Container, tournament: UUID, player: str) -> int:
    """Returns the number of the player's own entry. Raises NotThere."""
    for entry in visible_tournament(here, tournament, player).known.entries:
        if entry.player == player:
            return entry.number
    raise NotThere("entrant", player)


def tournament_names(here: Container, state: TournamentState, language: str) -> TournamentNames:
    """Returns the names and texts of a tournament."""
    with here.stores.pool.connection() as connection:
        return documents.words(connection, state, language)


def preview_round(here: Container, tournament: UUID, player: str) -> RoundPreview:
    """Returns the next pairing for a director; writes nothing. Raises NotThere or NotAllowed."""
    unit = here.tournament_commands.begin(directed_tournament(here, tournament, player), player)
    found = rounds.preview(unit)
    return RoundPreview(unit.before._replace(record=unit.record), found)

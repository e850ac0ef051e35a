"""Commands of the service on games of tournaments; a director's ruling comes with the director as actor."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from projections.tournaments.record import Entry
from service.container import Container
from service.core.command_handler import Request
from service.games.command_handler import GameOutcome
from service.games.decisions import carry_ruling as rulings
from service.games.decisions import proposals, tournament_games
from service.games.decisions.carry_ruling import PendingRuling
from service.games.decisions.proposals import Proposal
from service.games.game_state import GameUnitOfWork


class OpenDeclaredGame(NamedTuple):
    """Create a game that a tournament has declared, and seat the entrants (none: they take their seats)."""

    game: UUID
    proposal: Proposal
    entrants: Sequence[Entry]


class StartWithoutAbsent(NamedTuple):
    """Start a game whose time to sit down is over; the seats of absent entrants follow the rule for leavers."""

    game: UUID
    entrants: Sequence[Entry]
    absent: Sequence[int]


class CarryRuling(NamedTuple):
    """Carry a ruling into the game of its table."""

    game: UUID
    ruling: PendingRuling


class ShowSharedSeed(NamedTuple):
    """Reveal the seed that the games of a round share."""

    game: UUID


def open_declared_game(here: Container, command: OpenDeclaredGame, request: Request) -> GameOutcome:
    """Create a declared game under its declared id. Raises StaleVersion when it exists."""

    def decide(unit: GameUnitOfWork) -> None:
        proposals.create(unit, command.proposal)
        if command.entrants:
            tournament_games.seat_entrants(unit, command.entrants)

    return here.game_commands.create(command.game, request, decide)


def start_without_absent(here: Container, command: StartWithoutAbsent, request: Request) -> GameOutcome:
    """Seat the entrants and start the game; resign the seats of those that are absent."""
    return here.game_commands.execute(
        command.game, request, lambda unit: tournament_games.start_without(unit, command.entrants, command.absent)
    )


def carry_ruling(here: Container, command: CarryRuling, request: Request) -> GameOutcome:
    """Carry a ruling into its game, once."""
    return here.game_commands.execute(command.game, request, lambda unit: rulings.carry(unit, command.ruling))


def show_shared_seed(here: Container, command: ShowSharedSeed, request: Request) -> GameOutcome:
    """Reveal the shared seed in a game that is over, once."""
    return here.game_commands.execute(command.game, request, tournament_games.show_shared_seed)

"""Starts the games of a declared round: each once, also after a crash."""

from contextlib import suppress
from typing import Any
from uuid import UUID

from events.errors import StaleVersion
from events.store.failpoints import failpoint
from projections.games.chance import ChanceLevel
from projections.games.clocks import read_setting
from projections.games.record import BOT
from projections.tournaments.record import DECLARED, Entry, RoundRecord, Sitting, TournamentRecord
from service.container import Container
from service.core.command_handler import BY_SERVICE
from service.games.commands.tournament_games import (
    OpenDeclaredGame,
    ShowSharedSeed,
    open_declared_game,
    show_shared_seed,
)
from service.games.decisions.proposals import Proposal
from service.tournaments.commands.upkeep import RecordStart, record_start

before_games = failpoint("tournament.before_games")
between_games = failpoint("tournament.between_games")
before_started = failpoint("tournament.before_started")


def start_games(here: Container, tournament: UUID) -> None:
    """Create the missing games of the declared round, then record its start."""
    record = here.tournaments.load(tournament).known
    current = record.round
    if current is None or current.status != DECLARED:
        return
    before_games()
    for table in current.tables:
        if not table.is_over:
            start_game(here, tournament, record, current, table)
            between_games()
    before_started()
    record_start(here, RecordStart(tournament, current.number), BY_SERVICE)


def start_game(
    here: Container, tournament: UUID, record: TournamentRecord, current: RoundRecord, table: Sitting
) -> None:
    """Create the game of a table, unless it exists."""
    proposal = proposed(tournament, record, current, table)
    seats_people = record.regulations["no_show"] is None
    entrants = [record.entry(number) for number in table.seats] if seats_people else []
    with suppress(StaleVersion):  # it exists already
        open_declared_game(here, OpenDeclaredGame(UUID(table.game), proposal, entrants), BY_SERVICE)


def proposed(tournament: UUID, record: TournamentRecord, current: RoundRecord, table: Sitting) -> Proposal:
    """Returns the game of a table as a proposal under the regulations."""
    rules: dict[str, Any] = record.regulations
    return Proposal(
        game=rules["game"],
        options=rules["options"],
        seats=[_chair(record.entry(number)) for number in table.seats],
        clock=read_setting(rules["clock"]),
        rated=rules["rated"],
        visibility=record.visibility,
        level=ChanceLevel(rules["chance"]),
        first_chair=0,
        leaver=rules["leaver"],
        spectator_delay=rules["spectator_delay"],
        tournament=str(tournament),
        deal=None if current.deal is None else UUID(current.deal),
        silent=rules.get("silent", False),  # regulations of earlier versions leave these out
        pauses=rules.get("pauses", True),
    )


def _chair(entry: Entry) -> str:
    return BOT + entry.bot if entry.bot else entry.player


def show_deal(here: Container, current: RoundRecord) -> bytes | None:
    """Reveal the shared seed of a round in each of its finished games. Returns the seed; None without a shared deal."""
    if current.deal is None:
        return None
    for table in current.tables:
        if table.game is not None and here.games.store.head(UUID(table.game)).seq:
            show_shared_seed(here, ShowSharedSeed(UUID(table.game)), BY_SERVICE)
    return here.seeds.get(UUID(current.tables[0].game))

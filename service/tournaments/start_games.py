"""Starts the games of a declared round: each once, also after a crash."""

from typing import Any
from uuid import UUID

from events.errors import StaleVersion
from events.store.failpoints import failpoint
from projections.games.chance import ChanceLevel
from projections.games.clocks import read_setting
from projections.games.record import BOT, OPEN
from projections.tournaments.record import DECLARED, Entry, RoundRecord, Sitting, TournamentRecord
from service.container import Container
from service.core.command_handler import BY_SERVICE
from service.games import game_state as games
from service.games.decisions import endings, game_start, proposals, take_seats
from service.games.decisions.proposals import Proposal
from service.tournaments.repository import TournamentUnitOfWork
from service.tournaments.rounds import MINUTE

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
    here.tournament_commands.execute(tournament, BY_SERVICE, lambda unit: _say_started(unit, current.number))


def start_game(
    here: Container, tournament: UUID, record: TournamentRecord, current: RoundRecord, table: Sitting
) -> None:
    """Create the game of a table, unless it exists."""
    proposal = proposed(tournament, record, current, table)
    seats_people = record.regulations["no_show"] is None
    people = [record.entry(number) for number in table.seats]

    def decide(unit: games.GameUnitOfWork) -> None:
        proposals.create(unit, proposal)
        if seats_people:
            seat_all(unit, people)

    try:
        here.game_commands.create(UUID(table.game), BY_SERVICE, decide)
    except StaleVersion:
        return  # it exists already


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
    )


def seat_all(unit: games.GameUnitOfWork, people: list[Entry]) -> None:
    """Seat the entrants on their chairs; a table of bots alone has already started."""
    if unit.record.status == OPEN:
        for chair, entry in enumerate(people):
            if unit.record.chairs[chair].player is None:
                take_seats.sit_down(unit, chair, entry.player, program=entry.program)
        game_start.start_when_ready(unit)


def _chair(entry: Entry) -> str:
    return BOT + entry.bot if entry.bot else entry.player


def _say_started(unit: TournamentUnitOfWork, round: int) -> None:
    current = unit.record.round
    if current is None or current.number != round or current.status != DECLARED:
        return
    no_show = unit.record.regulations["no_show"]
    unit.write("round_started", round=round, sit_by=None if no_show is None else unit.at + no_show["minutes"] * MINUTE)


def show_deal(here: Container, current: RoundRecord) -> bytes | None:
    """Reveal the shared seed of a round in each of its finished games. Returns the seed; None without a shared deal."""
    if current.deal is None:
        return None
    for table in current.tables:
        if table.game is not None and here.games.store.head(UUID(table.game)).seq:
            here.game_commands.execute(UUID(table.game), BY_SERVICE, _show)
    return here.seeds.get(UUID(current.tables[0].game))


def _show(unit: games.GameUnitOfWork) -> None:
    if unit.record.deal is not None and unit.record.seed is None and unit.record.result is not None:
        endings.show_seed(unit)

"""Stages and rounds: begin, preview, pair, publish, declare the games, close."""

import secrets
from typing import Final, NamedTuple

from events.json_types import Json
from events.messages import Message
from projections.games import chance
from projections.tournaments import inputs
from projections.tournaments.advancement import advancing, is_over
from projections.tournaments.errors import CannotPair
from projections.tournaments.pairing import seeds
from projections.tournaments.pairing.pair_round import pair
from projections.tournaments.pairing.stage_field import first_field, next_field
from projections.tournaments.record import (
    DECLARED,
    OPEN,
    PAIRED,
    PUBLISHED,
    RUNNING,
    STARTED,
    RoundRecord,
    StageRecord,
    TournamentRecord,
)
from projections.tournaments.values import Pairing, Stage
from service.core.clock import SECOND
from service.core.errors import NotAtThisStage
from service.tournaments import entries
from service.tournaments.tournament_repository import TournamentUnitOfWork

MINUTE: Final = 60 * SECOND
NOBODY_LEFT: Final = "Those who are left cannot be seated"
IN_ONE_EVENT: Final = 300  # declared games; the size of an event is limited


class Next(NamedTuple):
    """The next pairing: its number, the present entrants, and its seed."""

    number: int
    attempt: int
    present: tuple[int, ...]
    seed: bytes
    pairing: Pairing


def begin(unit: TournamentUnitOfWork) -> None:
    """Begin the first stage, or the next one with the advancing entrants. Raises NotAtThisStage."""
    record = unit.record
    if record.status == OPEN:
        least, field = record.regulations["least"], first_field(record)
        if len(field) < least:
            raise NotAtThisStage(
                record.status, "{found} entrants are present; {least} are required", found=len(field), least=least
            )
        unit.write("stage_begun", stage=1, field=list(field))
        return
    _running(record)
    if record.stage is not None or not has_next_stage(record):
        raise NotAtThisStage(record.status, "a stage still runs, or all are over")
    unit.write("stage_begun", stage=len(record.stages) + 1, field=list(next_field(record)))


def has_next_stage(record: TournamentRecord) -> bool:
    """Returns whether the regulations name another stage."""
    return len(record.stages) < len(record.regulations["stages"])


def preview(unit: TournamentUnitOfWork) -> Next:
    """Computes the next pairing; the bots that it adds exist in this unit of work only."""
    stage = current_stage(unit.record)
    number, attempt = _upcoming(unit.record)
    present = _present(unit, stage, number)
    seed = seeds.pairing_seed(unit.id, unit.seed(), number, attempt)
    pairing = pair(inputs.pairing_input(unit.record, stage.number, number, present), seed)
    return Next(number, attempt, present, seed, pairing)


def pair_round(unit: TournamentUnitOfWork, reason: str | None = None) -> None:
    """Pair the next round; with a reason, pair the current one again while its games are not declared."""
    anew = unit.record.round is not None
    if anew and reason is None:
        raise NotAtThisStage(status_of(unit.record), "the round is paired; give a reason to pair it again")
    upcoming = preview(unit)
    unit.write(
        "round_paired",
        round=upcoming.number,
        stage=len(unit.record.stages),
        attempt=upcoming.attempt,
        inputs=unit.now.head.seq,
        present=list(upcoming.present),
        seed=upcoming.seed.hex(),
        reason=unit.text(reason),
        **inputs.pairing_data(unit.record, upcoming.pairing),
    )


def pair_or_close(unit: TournamentUnitOfWork) -> None:
    """Pair the next round; close the stage when no later round can seat the remaining entrants either."""
    try:
        pair_round(unit)
    except CannotPair:
        stage = current_stage(unit.record)
        here = inputs.present(unit.record, stage.number, len(unit.record.rounds) + 1)
        if any(e.gone is None and e.number not in here for e in inputs.field_of(unit.record, stage.number)):
            raise  # an entrant sits out only this round
        close_stage(unit, NOBODY_LEFT)


def publish(unit: TournamentUnitOfWork) -> None:
    """Publish the pairing; where players choose or bid for seats, the time for it begins."""
    current = in_status(unit.record, PAIRED)
    choosing = any(not table.settled for table in current.tables)
    choose_by = unit.at + unit.record.regulations["choosing"] * MINUTE if choosing else None
    unit.write("round_published", round=current.number, choose_by=choose_by)


def declare(unit: TournamentUnitOfWork) -> None:
    """Declare every game with the commitment to its deal before its creation; store the seeds with the events."""
    current = in_status(unit.record, PUBLISHED)
    if any(not table.settled for table in current.tables):
        raise NotAtThisStage(current.status, "some seats are not chosen yet")
    deal = seeds.deal_of(unit.id, current.number, current.attempt) if unit.record.regulations["duplicate"] else None
    shared = secrets.token_bytes(chance.SECRET)
    games: list[Json] = []
    for table in current.tables:
        game = seeds.game_of(unit.id, current.number, current.attempt, table.number)
        seed = shared if deal else secrets.token_bytes(chance.SECRET)
        unit.new_seeds.append((game, seed))
        games.append(
            {"table": table.number, "game": str(game), "commitment": chance.commitment(deal or game, seed).hex()}
        )
    for first in range(0, len(games), IN_ONE_EVENT):
        some = games[first : first + IN_ONE_EVENT]
        unit.write("games_declared", round=current.number, games=some, deal=None if deal is None else str(deal))


def close_round(unit: TournamentUnitOfWork, deal_seed: bytes | None) -> None:
    """Close a round once all its tables are over. Raises NotAtThisStage."""
    current = in_status(unit.record, STARTED)
    if not current.is_over:
        raise NotAtThisStage(current.status, "tables of the round are still open")
    unit.write("round_closed", round=current.number, deal_seed=None if deal_seed is None else deal_seed.hex())


def is_played_out(record: TournamentRecord, stage: StageRecord) -> bool:
    """Returns whether a stage has played all its rounds."""
    return is_over(inputs.stage_of(record, stage.number), inputs.rounds_of(record, stage.number))


def rounds_left(record: TournamentRecord, stage: StageRecord) -> int:
    """Returns the number of rounds that a stage could still have."""
    if is_played_out(record, stage):
        return 0
    return inputs.stage_of(record, stage.number).rounds - len(record.rounds_of(stage.number))


def close_stage(unit: TournamentUnitOfWork, reason: str | None = None) -> None:
    """Close the stage and name the advancing entrants in seeding order; with rounds left, a reason is required."""
    stage = current_stage(unit.record)
    if unit.record.round is not None:
        raise NotAtThisStage(unit.record.round.status, "a round is still open")
    left = rounds_left(unit.record, stage)
    if left and reason is None:
        raise NotAtThisStage(unit.record.status, "{left} rounds are left; give a reason to close the stage", left=left)
    said: dict[str, Json] = {"reason": unit.text(reason)} if left else {}
    number = inputs.numbers_of(unit.record)
    found = advancing(
        inputs.stage_of(unit.record, stage.number),
        inputs.rounds_of(unit.record, stage.number),
        inputs.entrants(unit.record, stage.number),
    )
    unit.write(
        "stage_closed",
        stage=stage.number,
        inputs=unit.now.head.seq,
        advancing=[number[player] for player in found.players],
        alternates=[number[player] for player in found.alternates],
        **said,
    )


def current_stage(record: TournamentRecord) -> StageRecord:
    """Returns the current stage. Raises NotAtThisStage."""
    _running(record)
    if record.stage is None:
        raise NotAtThisStage(record.status, "no stage is running")
    return record.stage


def in_status(record: TournamentRecord, status: str) -> RoundRecord:
    """Returns the current round if it has this status. Raises NotAtThisStage."""
    if record.round is None or record.round.status != status:
        raise NotAtThisStage(status_of(record), "the round must be {status}", status=Message(status))
    return record.round


def status_of(record: TournamentRecord) -> str:
    """Returns the status of the current round, or else of the tournament."""
    return record.round.status if record.round is not None else record.status


def _upcoming(record: TournamentRecord) -> tuple[int, int]:
    """Returns the number and attempt of the next pairing. Raises NotAtThisStage."""
    current = record.round
    if current is None:
        stage = current_stage(record)
        if is_played_out(record, stage):
            raise NotAtThisStage(record.status, "all rounds of the stage are played")
        return len(record.rounds) + 1, 1
    if current.status in (DECLARED, STARTED):
        raise NotAtThisStage(current.status, "the games of the round are declared")
    return current.number, current.attempt + 1


def _present(unit: TournamentUnitOfWork, stage: StageRecord, number: int) -> tuple[int, ...]:
    """Returns the present entrants; adds bots where the regulations allow it and the tables would not be full."""
    present = inputs.present(unit.record, stage.number, number)
    rules: Stage = inputs.stage_of(unit.record, stage.number)
    if unit.record.regulations["bots"] is None or stage.number > 1:
        return present
    for _ in range(entries.missing(len(present), rules.sizes)):
        entries.add_bot(unit)
    return inputs.present(unit.record, stage.number, number)


def _running(record: TournamentRecord) -> None:
    if record.status != RUNNING:
        raise NotAtThisStage(record.status, "the tournament is {status}, not running", status=Message(record.status))

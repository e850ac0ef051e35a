"""Corrections of a tournament that was closed: the order that holds after them, computed alike live and in an audit."""

from projections.tournaments import inputs
from projections.tournaments.advancement import advancing
from projections.tournaments.record import TournamentRecord


def final_order(record: TournamentRecord) -> list[int]:
    """Returns the entrants of the last stage who are still in it, in the order of its standings; lots part the tied."""
    stage, number = len(record.stages), inputs.numbers_of(record)
    found = advancing(inputs.stage_of(record, stage), inputs.rounds_of(record, stage), inputs.entrants(record, stage))
    return [number[player] for player in (*found.players, *found.alternates)]

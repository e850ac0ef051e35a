"""Corrections of a closed tournament: the final order, computed alike live and in verification."""

from projections.tournaments import inputs
from projections.tournaments.advancement import advancing
from projections.tournaments.record import TournamentRecord


def final_order(record: TournamentRecord) -> list[int]:
    """Returns the remaining entrants of the last stage in the order of its standings; lots break ties."""
    stage, number = len(record.stages), inputs.numbers_of(record)
    found = advancing(inputs.stage_of(record, stage), inputs.rounds_of(record, stage), inputs.entrants(record, stage))
    return [number[player] for player in (*found.players, *found.alternates)]

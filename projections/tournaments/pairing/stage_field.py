"""The field of a stage: the present entrants at the beginning, later the advancing players."""

from projections.tournaments.record import StageRecord, TournamentRecord


def next_field(record: TournamentRecord) -> tuple[int, ...]:
    """Returns the field of the stage that begins next, in the order that seeds it."""
    return going_on(record, record.stages[-1]) if record.stages else first_field(record)


def first_field(record: TournamentRecord) -> tuple[int, ...]:
    """Returns the entrants present at the beginning of the first stage."""
    checks = record.regulations["check_in"]
    return tuple(e.number for e in record.in_field if not checks or e.bot or e.checked_in is not None)


def going_on(record: TournamentRecord, before: StageRecord) -> tuple[int, ...]:
    """Returns the advancing players, with alternates in place of those gone."""
    there = [number for number in before.advancing if record.entry(number).gone is None]
    spare = [number for number in before.alternates if record.entry(number).gone is None]
    return (*there, *spare[: len(before.advancing) - len(there)])

"""V12: checks the actor of each tournament event, and the numbering of entrants, rounds and attempts."""

from collections.abc import Mapping
from typing import Any, Final

from events.event import Event
from projections.tournaments.fold import CORRECTING, table_of
from projections.tournaments.record import CANCELLED, DECLARED, FINISHED, PAIRED, PUBLISHED, STARTED, TournamentRecord
from projections.verify.checks.case import CheckFailed

SERVICE: Final = "service"
OWN: Final = frozenset(("entered", "checked_in", "withdrawn", "returned", "absence_noted", "seats_wished"))
ORDER: Final[Mapping[str, tuple[str, ...]]] = {
    "round_published": (PAIRED,),
    "seats_wished": (PUBLISHED,),
    "seats_given": (PUBLISHED,),
    "games_declared": (PUBLISHED, DECLARED),  # large rounds need several events
    "round_started": (DECLARED,),
    "result_recorded": (STARTED,),
    "round_closed": (STARTED,),
}
OVER: Final = (FINISHED, CANCELLED)
CORRECTED: Final = "tournament_corrected"


def check_author(record: TournamentRecord, event: Event) -> None:
    """Raises CheckFailed unless the actor is a director, the entrant, or the service, as the kind requires."""
    if record.status in OVER:
        _check_correction(record, event)
    if event.actor == SERVICE or record.directs(event.actor):
        return
    if event.kind not in OWN or _speaker(record, event.data) != event.actor:
        raise CheckFailed("author", "{kind} is not for {actor} to say", event.seq, kind=event.kind, actor=event.actor)


def _check_correction(record: TournamentRecord, event: Event) -> None:
    """Checks that after the end each ruling is followed by its edition of the archive."""
    last = record.editions[-1].event
    if record.status != FINISHED or event.kind not in (*CORRECTING, CORRECTED) or not record.directs(event.actor):
        raise CheckFailed("after_the_end", "happens after the tournament was closed", event.seq)
    if event.seq != last + (2 if event.kind == CORRECTED else 1):
        raise CheckFailed("correction", "is not one ruling and the edition that it issues", event.seq)


def _speaker(record: TournamentRecord, data: Mapping[str, Any]) -> str:
    """Returns the player of an entrant's own event."""
    return str(data["player"]) if "player" in data else record.entry(data["entrant"]).player


def check_order(record: TournamentRecord, event: Event) -> None:
    """Checks that rounds and stages only move forward."""
    wanted = ORDER.get(event.kind)
    current = record.round
    if wanted is not None and (
        current is None or current.status not in wanted or current.number != event.data["round"]
    ):
        raise CheckFailed(
            "order", "{kind} takes a round that is {known}", event.seq, kind=event.kind, known=" or ".join(wanted)
        )


def check_entrant(record: TournamentRecord, event: Event) -> None:
    """Checks that entrants are numbered consecutively, and no player enters twice."""
    data: Mapping[str, Any] = event.data
    if data["entrant"] != len(record.entries) + 1 or record.entry_of(data["player"]) is not None:
        raise CheckFailed("entrant", "is not the next entrant, or entered before", event.seq)


def check_about(record: TournamentRecord, event: Event) -> None:
    """Raises CheckFailed for a ruling or an absence about a player who did not enter, or has no seat at the table."""
    data: Mapping[str, Any] = event.data
    at_table = table_of(record, data).paired if "table" in data else range(1, len(record.entries) + 1)
    if data["entrant"] not in at_table:
        raise CheckFailed("about", "is about entrant {entrant}, who is not there", event.seq, entrant=data["entrant"])


def check_substitute(record: TournamentRecord, event: Event) -> None:
    """Raises CheckFailed for a substitute who did not enter, takes part no longer, or has a seat in the round."""
    check_about(record, event)
    data: Mapping[str, Any] = event.data
    by, seated = data["by"], {number for table in record.rounds[data["round"] - 1].tables for number in table.paired}
    if by > len(record.entries) or record.entry(by).gone is not None or by in seated:
        sentence = "entrant {by} cannot take a seat: did not enter, takes part no longer, or has a seat in this round"
        raise CheckFailed("substitute", sentence, event.seq, by=by)


def check_attempt(record: TournamentRecord, event: Event) -> None:
    """Checks that rounds are consecutive; pairing again needs a reason, and a round without games."""
    data: Mapping[str, Any] = event.data
    current = record.round
    if current is None:
        expected = (len(record.rounds) + 1, 1)
    else:
        expected = (current.number, current.attempt + 1)
        if data["reason"] is None or current.status in (DECLARED, STARTED):
            raise CheckFailed("attempt", "pairs a round anew without a reason, or too late", event.seq)
    if (data["round"], data["attempt"]) != expected or data["stage"] != len(record.stages):
        raise CheckFailed("attempt", "is not the next round of the stage, or not the next attempt at it", event.seq)

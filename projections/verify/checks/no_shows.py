"""V8, before the result: a player recorded as absent never arrived."""

from collections.abc import Iterable

from events.event import Event
from projections.games.no_shows import Arrivals
from projections.verify.checks.case import CheckFailed

LEAVES = ("resigned", "flag_fell")  # the kinds of event that may record a player as absent


def check_no_shows(events: Iterable[Event]) -> None:
    """Raises CheckFailed for an absent player that sat down or moved, or in a game without a tournament."""
    arrivals, tournament = Arrivals(), None
    for event in events:
        if event.kind == "game_created":
            tournament = event.data["tournament"]
        arrivals.hear(event)
        if event.kind not in LEAVES or not event.data.get("absent"):
            continue
        if tournament is None:
            raise CheckFailed("no_show", "takes a player for absent in a game of no tournament", event.seq)
        if not arrivals.never_came(int(str(event.data["seat"]))):
            raise CheckFailed("no_show", "takes a player for absent who sat down or made a move", event.seq)

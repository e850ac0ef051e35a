"""Editions of a tournament's archive: how many a set of bundles has, and whether one archive continues another."""

from collections.abc import Iterable, Mapping
from typing import Final
from uuid import UUID

from events.errors import CabildoError
from events.event import Event, received
from events.log.bundle import Bundle
from projections.tournaments.fold import OPENS

CORRECTED: Final = "tournament_corrected"
CLOSED: Final = "tournament_closed"


class NoLaterEdition(CabildoError):
    """The other archive is of another tournament, or has a different history of this one."""


def editions(kinds: Iterable[str]) -> int:
    """Returns the number of editions: one at the end of the tournament, and one for each correction."""
    return sum(kind in (CLOSED, CORRECTED) for kind in kinds)


def tournament_of(games: Mapping[UUID, bytes]) -> tuple[Event, ...]:
    """Returns the events of the tournament in an archive; empty when it holds games only."""
    for data in games.values():
        events = tuple(received(body) for body in Bundle.read(data).events)
        if events and events[0].kind == OPENS:
            return events
    return ()


def editions_known(games: Mapping[UUID, bytes], other: Mapping[UUID, bytes]) -> int:
    """Returns the number of editions in two archives of a tournament; raises NoLaterEdition when they fork."""
    one, two = tournament_of(games), tournament_of(other)
    if not one or not two or any(own.hash != its.hash for own, its in zip(one, two, strict=False)):
        raise NoLaterEdition("the other archive is not of the same tournament, or parts from this one")
    return max(editions(event.kind for event in events) for events in (one, two))

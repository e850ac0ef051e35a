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
    """Another archive is not of the same tournament, or tells another story of it."""


def editions(kinds: Iterable[str]) -> int:
    """How many editions events of these kinds make: one by the end of the tournament, one more by each correction."""
    return sum(kind in (CLOSED, CORRECTED) for kind in kinds)


def tournament_of(games: Mapping[UUID, bytes]) -> tuple[Event, ...]:
    """Returns the events of the tournament in an archive; none where it holds games alone."""
    for data in games.values():
        events = tuple(received(body) for body in Bundle.read(data).events)
        if events and events[0].kind == OPENS:
            return events
    return ()


def editions_known(games: Mapping[UUID, bytes], other: Mapping[UUID, bytes]) -> int:
    """Returns how many editions two archives of one tournament know of; raises NoLaterEdition when they part."""
    one, two = tournament_of(games), tournament_of(other)
    if not one or not two or any(own.hash != its.hash for own, its in zip(one, two, strict=False)):
        raise NoLaterEdition("the other archive is not of the same tournament, or parts from this one")
    return max(editions(event.kind for event in events) for events in (one, two))

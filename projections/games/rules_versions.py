"""Which rules a game keeps to at each of its events, and the same board under newer ones."""

from collections.abc import Iterable
from typing import Any, Final, TypeVar

from events.json_types import JsonObject
from projections.games.event_views import EventView
from projections.rules.protocol import Game

P = TypeVar("P")
MOVED_ON: Final = "rules_changed"  # the kind of event from which on a game keeps to newer rules


def rules_after(event: EventView) -> str:
    """Returns the version that the game keeps to from an event on."""
    return str(event.data["to"]) if event.kind == MOVED_ON else event.rules


def all_rules(events: Iterable[EventView]) -> tuple[str, ...]:
    """Returns every version that the game has kept to, in order."""
    return tuple(dict.fromkeys(version for event in events for version in (event.rules, rules_after(event))))


def relaid(newer: Game[P, Any], board: P) -> P:
    """Returns the same board under other rules; raises ImpossiblePosition for one that cannot be under them."""
    return newer.restore(named(newer.document(board), newer.rules))


def named(document: JsonObject, rules: str) -> JsonObject:
    """Returns a document of a board under the name of other rules, where it names its rules at all."""
    return {**document, "rules": rules} if "rules" in document else document

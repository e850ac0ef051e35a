"""The rules version of a game at each of its events, and its board under newer rules."""

from collections.abc import Iterable
from typing import Any, Final, TypeVar

from events.json_types import JsonObject
from projections.games.event_views import EventView
from projections.rules.protocol import Game

P = TypeVar("P")
MOVED_ON: Final = "rules_changed"  # the kind of event that changes the rules of a game


def rules_after(event: EventView) -> str:
    """Returns the rules version after an event."""
    return str(event.data["to"]) if event.kind == MOVED_ON else event.rules


def all_rules(events: Iterable[EventView]) -> tuple[str, ...]:
    """Returns every rules version of the game, in order."""
    return tuple(dict.fromkeys(version for event in events for version in (event.rules, rules_after(event))))


def board_under_rules(newer: Game[P, Any], board: P) -> P:
    """Returns the same board under other rules; raises ImpossiblePosition when these do not allow it."""
    return newer.restore(with_rules_name(newer.document(board), newer.rules))


def with_rules_name(document: JsonObject, rules: str) -> JsonObject:
    """Returns the document of a board with the name of other rules, if it names its rules."""
    return {**document, "rules": rules} if "rules" in document else document

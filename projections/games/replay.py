"""Replays a game: applies its recorded facts to a blank board; needs no rules."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from events.json_types import Json
from projections.games.event_views import EventView, H
from projections.games.rules_versions import MOVED_ON, board_under_rules
from projections.rules.options import Options
from projections.rules.protocol import Game
from projections.rules.registry import rules_of

P = TypeVar("P")
CHANGES: Final = frozenset(("game_started", "moved"))  # the kinds of event whose facts change the board
RETURNS: Final = frozenset(("undone", "ruled"))  # the kinds that may take the board back to an earlier version
SHOWN: Final = CHANGES | {MOVED_ON}  # the kinds that are steps, also where nothing is taken back


class GameSetup(NamedTuple, Generic[P]):
    """The game, options and seats that make the blank board."""

    game: Game[P, Any]
    options: Options
    seats: int

    def blank(self) -> P:
        """Returns the board before the first fact."""
        return self.game.blank(self.options, self.seats)

    def under(self, rules: str) -> "GameSetup[P]":
        """Returns the same set-up under another version of the rules."""
        return self if rules == self.game.rules else self._replace(game=rules_of(self.game.name, rules))


class ReplayStep(NamedTuple, Generic[H, P]):
    """The board after an event that changed it, or after a change of rules."""

    event: H
    position: P
    kept: bool  # False: a later event undid it


def line(events: Iterable[H], at: int | None = None) -> list[H]:
    """Returns the events that made the board at a version, without those undone by then."""
    kept: list[H] = []
    for event in events:
        if at is not None and event.seq > at:
            break
        earlier = returns_to(event)
        if earlier is not None:
            drop_after(kept, earlier)
        elif event.kind in CHANGES:
            kept.append(event)
    return kept


def drop_after(kept: list[H], version: int) -> None:
    """Removes the events after a version from the end; each event is removed once, so many undos cost no more."""
    while kept and kept[-1].seq > version:
        kept.pop()


def position_at(setting: GameSetup[P], events: Iterable[EventView], at: int | None = None) -> P:
    """Returns the board after event `at`, or after the newest event."""
    position = setting.blank()
    for event in line(events, at):
        apply(setting.game, position, event)
    return position


def apply(game: Game[P, Any], position: P, event: EventView) -> None:
    """Applies all facts of an event."""
    for stored in cast(Sequence[Json], event.data["facts"]):
        game.apply(position, game.decode(stored))


def returns_to(event: EventView) -> int | None:
    """Returns the version whose board an event restores, or None when it restores none."""
    return cast("int | None", event.data["to"]) if event.kind in RETURNS else None


class ReplayStart(NamedTuple, Generic[P]):
    """Where the replay of later events begins, under the rules of that version."""

    position: P
    board_at: Callable[[int], P]  # the boards that later events return to


def steps(
    setting: GameSetup[P], events: Sequence[H], *, undone: bool = False, start: ReplayStart[P] | None = None
) -> Iterator[ReplayStep[H, P]]:
    """Yields the board after each event that changed it; with `undone`, also undone moves and the undos.

    Without a start, the events are those of the whole game. Before a change of rules, the board is then under the rules
    that the game began with, not those of the set-up.
    """
    kept = {event.seq for event in line(events)}
    targets = {returns_to(event) for event in events} if undone else set()
    boards: dict[int | None, P] = {}
    if start is None:
        setting = setting.under(next((event.rules for event in events if event.kind == MOVED_ON), setting.game.rules))
        position = setting.blank()
    else:
        position = setting.game.copy(start.position)
        boards.update((seq, start.board_at(seq)) for seq in targets if seq is not None and seq < events[0].seq)
    for event in events:
        earlier = returns_to(event)
        if event.kind in CHANGES and (undone or event.seq in kept):
            apply(setting.game, position, event)
        elif earlier is not None and undone:
            position = setting.game.copy(boards[earlier])
        elif event.kind == MOVED_ON:
            setting = setting.under(str(event.data["to"]))
            position = board_under_rules(setting.game, position)
            boards = {seq: board_under_rules(setting.game, board) for seq, board in boards.items()}
        elif event.seq not in targets:
            continue
        if event.seq in targets:
            boards[event.seq] = setting.game.copy(position)
        if event.kind in SHOWN or earlier is not None:
            yield ReplayStep(event, setting.game.copy(position), event.kind not in CHANGES or event.seq in kept)

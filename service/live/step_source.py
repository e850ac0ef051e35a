"""The events of one game as steps that pages apply; viewers with the same view share them."""

import json
from collections.abc import Callable

from events.event import Event
from service.games.game_repository import forward
from service.games.game_state import GameState
from service.games.live_steps import LiveSteps, StateChange, Viewpoint
from service.games.visibility import Visibility
from service.live.event_cache import CachedStream
from service.live.game_source import GameSource
from service.live.protocol import HistoryReplaced, Item


class StepSource(GameSource):
    """What each event of a game changed, as one viewer may see it."""

    def __init__(
        self,
        feed: CachedStream,
        sight: Visibility,
        look_again: Callable[[], Visibility],
        steps: LiveSteps,
        player: str | None,
        language: str,
    ) -> None:
        super().__init__(feed, sight, look_again)
        self._steps = steps
        self._player = player
        self._language = language

    def _item(self, event: Event) -> Item:
        with self._feed.telling:  # one follower computes what the others share
            change = self._change(event)
            seat = None if self._player is None else change.after.known.seat_of(self._player)
            viewpoint = Viewpoint(seat, self._ended, self._language)

            def make() -> Item:
                document = self._steps.document(change, viewpoint)
                return Item(event.seq, event.kind, json.dumps(document, ensure_ascii=False, separators=(",", ":")))

            return self._feed.document((event.seq, viewpoint), make)

    def _change(self, event: Event) -> StateChange:
        """Returns the game before and after an event. Raises HistoryReplaced."""
        states = self._feed.states
        change: StateChange | None = states.get(event.seq)
        if change is None:
            previous = states.get(event.seq - 1)
            before = self._loaded(event) if previous is None else previous.after
            after = forward(before, [event], self._steps.games.past(event.stream))
            change = states[event.seq] = StateChange(before, event, after)
        return change

    def _loaded(self, event: Event) -> GameState:
        games = self._steps.games
        before = games.at(event.stream, event.seq - 1) if event.seq > 1 else games.empty(event.stream)
        if before.head.hash != event.prev:
            raise HistoryReplaced
        return before

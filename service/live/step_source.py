"""The events of one game as steps that pages apply; viewers with the same view share them."""

import json
from collections.abc import Hashable
from uuid import UUID

from events.event import Event
from service.games.game_repository import GameRepository, forward
from service.games.game_state import GameState
from service.games.live_steps import LiveSteps, StateChange, Viewpoint
from service.games.shared_deals import SharedDeals
from service.games.visibility import Visibility
from service.live.event_cache import CachedStream, EventCache
from service.live.game_source import GameSource, seen_game
from service.live.protocol import HistoryReplaced, Item


class StepSource(GameSource):
    """What each event of a game changed, as viewers with the same seat and language may see it."""

    def __init__(
        self,
        cache: EventCache,
        feed: CachedStream,
        visible: Visibility,
        looked: int,
        steps: LiveSteps,
        player: str | None,
        language: str,
    ) -> None:
        super().__init__(cache, feed, visible, looked)
        self._steps = steps
        is_seated = player is not None and visible.record.chair_of(player) is not None
        self._seated = player if is_seated else None
        self._language = language

    @property
    def key(self) -> Hashable:
        """Sources with equal keys give the same items."""
        return super().key, self._seated, self._language

    def _item(self, event: Event) -> Item:
        with self._feed.telling:  # one reader computes what the others share
            change = self._change(event)
            seat = None if self._seated is None else change.after.known.seat_of(self._seated)
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


def step_source(
    cache: EventCache,
    games: GameRepository,
    deals: SharedDeals,
    game: UUID,
    player: str | None,
    steps: LiveSteps,
    language: str,
) -> StepSource:
    """Returns the steps of a game that a player may see. Raises NotThere or TableClosed."""
    with seen_game(cache, games, deals, game, player) as seen:
        return StepSource(cache, *seen, steps, player, language)

"""The events of one game, the newest with the board and the legal moves after it: a bot needs no other request."""

import json
from collections.abc import Hashable, Set
from typing import Final
from uuid import UUID

from events.event import Event
from events.json_types import Json
from projections.games.redaction import conceal
from projections.rules.protocol import NO_BOARD
from service.core.errors import NotAllowed
from service.games import queries
from service.games.documents import event_document
from service.games.game_repository import GameRepository
from service.games.live_steps import LiveSteps
from service.games.queries import LegalQuestion
from service.games.shared_deals import SharedDeals
from service.games.visibility import Visibility
from service.live.event_cache import CachedStream, EventCache
from service.live.game_source import seen_game
from service.live.protocol import Item
from service.live.step_source import StepSource

POSITION: Final = "position"
LEGAL: Final = "legal"


class BoardSource(StepSource):
    """Events of a game as viewers with the same seat and language may see them, the newest with what they ask for."""

    def __init__(
        self,
        cache: EventCache,
        feed: CachedStream,
        visible: Visibility,
        looked: int,
        steps: LiveSteps,
        player: str | None,
        language: str,
        beside: Set[str],
    ) -> None:
        super().__init__(cache, feed, visible, looked, steps, player, language)
        self._beside = frozenset(beside)

    @property
    def key(self) -> Hashable:
        """Sources with equal keys give the same items."""
        return super().key, self._beside

    def _item(self, event: Event) -> Item:
        if event.seq != self.newest():
            return super(StepSource, self)._item(event)
        with self._feed.telling:  # one reader computes what the others share
            change = self._change(event)
            seat = None if self._seated is None else change.after.known.seat_of(self._seated)
            sight = Visibility(change.after, seat, self._sight.behind)

            def make() -> Item:
                told = conceal(event_document(event), self._secrets, seat)
                document = {**told, **self._told_beside(sight)}
                return Item(event.seq, event.kind, json.dumps(document, ensure_ascii=False, separators=(",", ":")))

            return self._feed.document((event.seq, seat, self._ended, self._language, self._beside), make)

    def _told_beside(self, sight: Visibility) -> dict[str, Json]:
        """Returns the board and the legal moves, as far as they are asked for; null where there are none to see."""
        told: dict[str, Json] = {}
        if POSITION in self._beside:
            board = None if sight.table.board is NO_BOARD else sight.board
            view = None if board is None else queries.visible_board(sight.game, board, sight.seat)
            told[POSITION] = view and {**view, "version": sight.version}
        if LEGAL in self._beside:
            try:
                told[LEGAL] = queries.legal(sight, self._language, LegalQuestion())
            except NotAllowed:
                told[LEGAL] = None
        return told


def board_source(
    cache: EventCache,
    games: GameRepository,
    deals: SharedDeals,
    game: UUID,
    player: str | None,
    steps: LiveSteps,
    language: str,
    beside: Set[str],
) -> BoardSource:
    """Returns the events of a game that a player may see, with what is told beside. Raises NotThere or TableClosed."""
    with seen_game(cache, games, deals, game, player) as seen:
        return BoardSource(cache, *seen, steps, player, language, beside)

"""Streams that also tell when there is something to read in the talk of a game or tournament.

Players of a game that is over are told beside it of a rematch.
"""

import json
from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import Final
from uuid import UUID

from events.json_types import Json
from service.games.decisions.rematch import StandingRematch, standing_rematch
from service.games.game_repository import GameRepository
from service.games.live_steps import LiveSteps
from service.games.shared_deals import SharedDeals
from service.games.visibility import Visibility
from service.live.event_cache import CachedStream, EventCache
from service.live.followed_talks import FollowedTalks
from service.live.game_source import seen_game
from service.live.protocol import Item
from service.live.step_source import StepSource
from service.live.tournament_source import TournamentSource
from service.talk.queries import newest_seen, talk_state
from service.talk.rooms import EVERYTHING, PLAYERS, SPECTATORS, TOURNAMENT

KIND: Final = "talk"
NOTHING: Final[Mapping[str, Json]] = MappingProxyType({})


class TalkStepSource(StepSource):
    """The steps of a game with notices of its talk; the talk goes on when the game is over."""

    def __init__(
        self,
        talks: FollowedTalks,
        cache: EventCache,
        feed: CachedStream,
        visible: Visibility,
        looked: int,
        steps: LiveSteps,
        player: str | None,
        language: str,
    ) -> None:
        super().__init__(cache, feed, visible, looked, steps, player, language)
        self._talks = talks
        talks.enter(feed.stream, feed.topic)

    def close(self) -> None:
        """Releases the cached events and the talk."""
        self._talks.leave(self._feed.stream)
        super().close()

    def notice(self, number: int) -> Item:
        """Returns how far the talk has come for these viewers; to players of an ended game, also its rematch."""
        again = self._rematch() if self._ended and self._seated is not None else None
        beside = {} if again is None else {"rematch": {"game": str(again.game), "by": again.host}}
        return _notice(self._talks, self._feed.stream, self._reads(), number, beside)

    def _rematch(self) -> StandingRematch | None:
        with self._talks.pool.connection() as connection:
            return standing_rematch(connection, self._feed.stream)

    def end(self, number: int) -> None:
        """Returns None: messages may follow."""
        super().end(number)  # raises when the followers have to begin again

    def _reads(self) -> Mapping[str, int]:
        if self._ended:
            return {PLAYERS: EVERYTHING, SPECTATORS: EVERYTHING}
        if self._seated is not None:
            return {PLAYERS: EVERYTHING}
        seen = self.newest() if self._sight.behind else EVERYTHING
        return {PLAYERS: seen, SPECTATORS: seen}


class TalkTournamentSource(TournamentSource):
    """The events of a tournament with notices of its talk, which goes on when the tournament is over."""

    def __init__(self, talks: FollowedTalks, cache: EventCache, feed: CachedStream, looked: int) -> None:
        super().__init__(cache, feed, looked)
        self._talks = talks
        talks.enter(feed.stream, feed.topic)

    def close(self) -> None:
        """Releases the cached events and the talk."""
        self._talks.leave(self._feed.stream)
        super().close()

    @property
    def key(self) -> Hashable:
        """Sources with equal keys give the same items."""
        return super().key, TalkTournamentSource

    def notice(self, number: int) -> Item:
        """Returns how far the talk has come."""
        return _notice(self._talks, self._feed.stream, {TOURNAMENT: EVERYTHING}, number)

    def end(self, number: int) -> None:
        """Returns None: messages may follow."""
        super().end(number)  # raises when the followers have to begin again


def talk_step_source(
    talks: FollowedTalks,
    cache: EventCache,
    games: GameRepository,
    deals: SharedDeals,
    game: UUID,
    player: str | None,
    language: str,
) -> TalkStepSource:
    """Returns the steps of a game that a player may see, with notices of its talk. Raises NotThere or TableClosed."""
    with seen_game(cache, games, deals, game, player) as seen:
        return TalkStepSource(talks, cache, *seen, LiveSteps(games, talks.pool), player, language)


def _notice(
    talks: FollowedTalks, stream: UUID, reads: Mapping[str, int], number: int, beside: Mapping[str, Json] = NOTHING
) -> Item:
    with talks.pool.connection() as connection:
        newest, state = newest_seen(connection, stream, reads), talk_state(connection, stream)
    told = {"talk": {"newest": newest, "changes": state.changes}, **beside}
    return Item(number, KIND, json.dumps(told, separators=(",", ":")))

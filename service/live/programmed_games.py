"""Marks in Redis the games in which players have left answers, so that a move asks no database about them.

A lost mark delays an answer: a sweep of the keeper calls the turn and sets the mark again.
"""

from collections.abc import Sequence
from typing import Any, Final, cast

import redis

KEY: Final = "cabildo:programmed"  # the set of their ids; as many as games with answers


class ProgrammedGames:
    """The marked games."""

    def __init__(self, client: "redis.Redis") -> None:
        self._redis = client

    def mark(self, game: str) -> None:
        """Marks a game."""
        self._redis.sadd(KEY, game)

    def unmark(self, game: str) -> None:
        """Takes the mark off a game without answers."""
        self._redis.srem(KEY, game)

    def are_marked(self, games: Sequence[str]) -> list[bool]:
        """Returns for each game whether it is marked."""
        return [bool(found) for found in cast("list[Any]", self._redis.smismember(KEY, list(games)))] if games else []

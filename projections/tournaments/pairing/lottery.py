"""Seeded lots: a player's lot depends on the seed and the player alone, not on the other players."""

import hashlib
import hmac
from collections.abc import Iterable

from projections.rules.dealer import SeededDealer
from projections.tournaments.values import Player


class Lots:
    """Draws for one purpose, such as the tables of round 2, independent of draws for another."""

    def __init__(self, seed: bytes, purpose: str) -> None:
        self._key = hmac.digest(seed, b"cabildo/lots/v1" + purpose.encode(), hashlib.sha256)
        self._dealer = SeededDealer(self._key)

    def of(self, player: Player) -> bytes:
        """Returns the lot of a player; the order of lots is uniformly random."""
        return hmac.digest(self._key, b"player" + player.encode(), hashlib.sha256)

    def shuffled(self, players: Iterable[Player]) -> list[Player]:
        """Returns the players in the order of their lots."""
        return sorted(players, key=self.of)

    def below(self, number: int) -> int:
        """Returns a uniformly random number from zero to below this one; every call draws anew."""
        return int(self._dealer.draw({f"{choice:08}": 1 for choice in range(number)}))

"""Contributions to a committed deal as steps: entropy that is committed to and revealed, hash chains, signing keys."""

import time
from typing import Final
from uuid import UUID

from cabildo_client.commitments import CHAINED, entropy_hash, key_text
from cabildo_client.connection.steps import Ask, Meanwhile, Steps, Wait
from cabildo_client.decode import read
from cabildo_client.documents import GameOverview, TakenSeat
from cabildo_client.errors import Refused, Unreachable
from cabildo_client.json_values import Json
from cabildo_client.secrets import ClientSecrets

RETRY_SECONDS: Final = 120.0  # how long a request without an answer is repeated
REVEAL_PAUSE: Final = 0.2  # seconds between two questions whether the commitments are sealed


class DealOperations:
    """What a client knows of its player, and what its seats bring to a deal."""

    def __init__(self, secrets: ClientSecrets, token: str, retry_seconds: float, *, signs: bool) -> None:
        self.secrets = secrets
        self.token = token
        self.retry_seconds = retry_seconds
        self.signs = signs  # registers a key, and signs each move of the seats it takes
        self.player_id = ""
        self.levels: dict[UUID, int] = {}  # chance levels of the games in which it moved

    def player(self) -> Steps[str]:
        """Returns the id of the player to whom the token belongs."""
        if not self.player_id:
            self.player_id = str((yield Ask("GET", "/v1/me"))["id"])
        return self.player_id

    def game(self, game: UUID | str) -> Steps[GameOverview]:
        """Returns a game without its board."""
        return read(GameOverview, (yield Ask("GET", f"/v1/games/{game}")))

    def key_fields(self) -> Steps[dict[str, Json]]:
        """Registers the client's key. Returns the fields of a seat that promises signatures."""
        proof = self.secrets.sign(key_text((yield from self.player()))).hex()
        yield Ask("PUT", "/v1/me/key", {"key": self.secrets.public_key().hex(), "proof": proof})
        return {"signs": True}

    def bring(self, game: UUID | str) -> Steps[None]:
        """Commits or reveals what the own seat still owes to an open game, as after a restart."""
        known = yield from self.game(game)
        mine = known.seat_of((yield from self.player()))
        if known.status != "open" or mine is None:
            return
        if mine.commitment is not None:
            yield Meanwhile(self.reveal(game))
        elif mine.promised:
            yield from self.commit(known)

    def commit(self, known: GameOverview) -> Steps[GameOverview]:
        """Commits to the own entropy, and at level 3 to a hash chain; reveals them when all commitments are sealed."""
        chair = (yield from self._own(known)).chair
        commitment = entropy_hash(known.id, chair, self.secrets.entropy(known.id, chair)).hex()
        body: dict[str, Json] = {"commitment": commitment, "echo": known.chance.commitment}
        if known.chance.level == CHAINED:
            body["chain"] = self.secrets.chain(known.id, chair)[0].hex()
        committed = read(GameOverview, (yield Ask("POST", f"/v1/games/{known.id}/seats", body)))
        yield Meanwhile(self.reveal(known.id))
        return committed

    def reveal(self, game: UUID | str) -> Steps[GameOverview]:
        """Reveals the own entropy once all commitments are sealed; returns the game. Raises Unreachable."""
        give_up = time.monotonic() + self.retry_seconds
        while True:
            known = yield from self.game(game)
            mine = known.seat_of((yield from self.player()))
            if known.status != "open" or mine is None or mine.entropy is not None:
                return known
            if known.chance.closed is not None:
                try:
                    entropy = self.secrets.entropy(known.id, mine.chair).hex()
                    revealed = yield Ask("POST", f"/v1/games/{game}/entropy", {"entropy": entropy})
                    return read(GameOverview, revealed)
                except Refused as refused:
                    if refused.reason != "not_sealed":
                        raise
            if time.monotonic() > give_up:
                raise Unreachable("the commitments of the other seats")
            yield Wait(REVEAL_PAUSE)

    def next_link(self, game: UUID) -> Steps[str | None]:
        """Returns the link that the next move reveals; None for a seat without a chain."""
        known = yield from self.game(game)
        mine = known.seat_of((yield from self.player()))
        if mine is None or mine.link is None:
            return None
        return self.secrets.chain(game, mine.chair)[mine.link.number + 1].hex()

    def _own(self, known: GameOverview) -> Steps[TakenSeat]:
        mine = known.seat_of((yield from self.player()))
        if mine is None:
            raise Refused(409, {"detail": "no seat at this table is yours"})
        return mine

"""Games without an end, whose moves the bench of streams makes."""

import json
import time
from collections.abc import Mapping
from typing import Final

from deploy.bench.clients import Wire

MOVES: Final = ("play upgrade_2", "rest")  # leave the caravans unchanged, so that they can be repeated for ever


class Movers:
    """Two players of all games, over one connection."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.wire = Wire(*address)
        people = [self.wire.post("/v1/players", _body(name=name)).document() for name in ("one", "other")]
        self.tokens: Mapping[str, str] = {person["player"]["id"]: person["token"] for person in people}

    def close(self) -> None:
        """Closes the connection."""
        self.wire.close()


class EndlessGame:
    """A game of two players without an end."""

    def __init__(self, movers: Movers) -> None:
        self._wire = movers.wire
        host, guest = movers.tokens.values()
        proposal = _body(game="spice_road", seats=["me", "open"])
        self.id: str = self._wire.post("/v1/games", proposal, host).document()["id"]
        started = self._wire.post(f"/v1/games/{self.id}/seats", b"{}", guest).document()
        self.version: int = started["version"]
        self._tokens = [movers.tokens[seat["player"]["id"]] for seat in started["seats"]]
        self._made = 0

    def move(self) -> float:
        """Makes a move. Returns the seconds until the answer. Raises RuntimeError when it is refused."""
        text, token = MOVES[self._made // 2 % 2], self._tokens[self._made % 2]
        began = time.perf_counter()
        answer = self._wire.post(f"/v1/games/{self.id}/moves", _body(move=text), token)
        took = time.perf_counter() - began
        if answer.status != 201:
            raise RuntimeError(f"a move was refused: {answer.body.decode()}")
        self._made += 1
        self.version += 1
        return took


def _body(**fields: object) -> bytes:
    return json.dumps(fields).encode()

"""Records a game over HTTP as the script of the client's fake server: every answer that the first player got."""

import json
from pathlib import Path
from typing import Any, Final

from cabildo_client import PlayerTurn
from cabildo_client.decode import read
from cabildo_client.documents import GameOverview
from cabildo_client.legal_moves import LegalMoves
from flask.testing import FlaskClient

from tests.support.running_program import PROJECT
from tests.support.service.players import Person, answer
from workers.external_bot import HouseBot

SCRIPTS: Final = PROJECT / "deploy/clients/python/cabildo_client/testing"
FRESH: Final = PROJECT / ".artefacts"
SEED: Final = "42" * 32


class ScriptRecorder:
    """Plays one game with two greedy players, and writes down what the first one sees."""

    def __init__(self, client: FlaskClient, game: str) -> None:
        self._players = [Person(client, f"{name} of {game}") for name in ("Ada", "Ben")]
        host, guest = self._players
        asked = {"game": game, "seats": ["me", "open"], "chance": 0, "seed": SEED, "start_player": "seat_0"}
        asked = {name: value for name, value in asked.items() if name != "start_player"}
        self._game = host.post("/v1/games", asked)["id"]
        guest.join(self._game)
        self._bot, self._seen = HouseBot("greedy"), 0

    def _get(self, person: Person, path: str = "") -> dict[str, Any]:
        return answer(person.ask("GET", f"/v1/games/{self._game}{path}"), 200)

    def record(self, most: int = 1_000) -> dict[str, Any]:
        """Returns the script: the game, each decision of the first player, and the end."""
        overview = self._get(self._players[0])
        turns: list[dict[str, Any]] = []
        while len(turns) < most and (now := self._get(self._players[0]))["status"] == "running":
            player = next(one for one in self._players if one.id == self._acting(now))
            legal, position = self._get(player, "/legal"), self._get(player, "/position")
            if player is self._players[0]:
                turns.append(self._scene(overview, now) | {"legal": legal, "position": position})
            turn = PlayerTurn.of(read(GameOverview, now), position, read(LegalMoves, legal))
            player.move(self._game, self._bot.choose(turn))
        end = self._scene(overview, self._get(self._players[0]))
        position = self._get(self._players[0], "/position")
        return {"me": self._players[0].id, "overview": overview, "turns": turns, "end": end | {"position": position}}

    def _acting(self, now: dict[str, Any]) -> str:
        return str(next(seat for seat in now["seats"] if seat["seat"] == now["turn"]["seat"])["player"]["id"])

    def _scene(self, overview: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
        """Returns the events since the last scene, and what has changed in the game."""
        events = self._get(self._players[0], f"/events?after={self._seen}")["events"]
        self._seen = events[-1]["seq"]
        return {"events": events, "changes": {name: now[name] for name in now if now[name] != overview[name]}}


def stored(game: str) -> dict[str, Any]:
    """Returns the script that the client has."""
    script: dict[str, Any] = json.loads((SCRIPTS / f"{game}.json").read_text())
    return script


def write(game: str, script: dict[str, Any], folder: Path) -> None:
    """Writes a script, a line for each scene."""
    folder.mkdir(exist_ok=True)
    (folder / f"{game}.json").write_text(json.dumps(script, separators=(",", ":"), ensure_ascii=False) + "\n")

"""Something to watch for hours: a bot that takes its time plays one sample game after the other, over the API."""

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final
from uuid import UUID

import structlog

from deploy.local.sample_games import BOTH, CREDENTIAL_FILE, GREEDY
from events.errors import CabildoError
from events.json_types import JsonObject
from projections.games.chance import ChanceLevel
from service.client.http import Client
from workers.external_bot import HouseBot

PACE: Final = 10.0  # seconds between two looks at the table; a look costs next to nothing, a move not much
MOST_GAMES: Final = 60  # that one start of the service shows; some hours of play
TIMEOUT: Final = 5.0  # seconds for a request; one that failed is made again at the next look
SHOWN: Final[Sequence[Mapping[str, Any]]] = (
    {"game": "puerto_rico", "seats": ["me", *[GREEDY] * 4], "options": {"expansions": BOTH}},
    {"game": "spice_road", "seats": ["me", *[GREEDY] * 3]},
    {"game": "puerto_rico", "seats": ["me", *[GREEDY] * 3]},
)
CLOCK: Final[JsonObject] = {
    "kind": "per_move",
    "seconds": 3_600,
}  # a bot of the house goes on with what nobody comes back to
log = structlog.get_logger("deploy.local.demo_games")


class DemoGames:
    """Goes on while it is entered; a game that was begun before is played on."""

    def __init__(self, url: str, directory: Path, pace: float = PACE) -> None:
        self._client = Client(url, (directory / CREDENTIAL_FILE).read_text(), keep=directory, patience=TIMEOUT)
        self._house = HouseBot("greedy")
        self._pace = pace
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._show, name="exhibition", daemon=True)

    def __enter__(self) -> "DemoGames":
        self._thread.start()
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        self._stopping.set()
        self._thread.join(TIMEOUT)
        self._client.close()

    def _show(self) -> None:
        begun = 0
        while begun < MOST_GAMES:
            try:
                begun += self._go_on(SHOWN[begun % len(SHOWN)])
            except CabildoError as problem:
                log.info("exhibition waits", reason=str(problem))
            if self._stopping.wait(self._pace):
                return

    def _go_on(self, next_game: Mapping[str, Any]) -> bool:
        """Make a move if it is the bot's turn, begin the next game if none is left; whether one was begun."""
        games = self._client.ask("GET", f"/v1/games?player={self._client.player()}&limit=1")["games"]
        if not games or games[0]["status"] in ("finished", "aborted"):
            self._client.create(**next_game, chance=ChanceLevel.CHAINED, clock=CLOCK, leaver=GREEDY)
            return True
        turn = self._client.turn(UUID(games[0]["id"]))
        if turn is not None:
            self._client.move(turn.game, self._house.choose(turn), turn.version)
        return False

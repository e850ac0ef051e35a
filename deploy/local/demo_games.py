"""Demo games: a slow bot plays one sample game after the other over the API, for viewers to watch."""

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final
from uuid import UUID

import structlog
from cabildo_client import Client, ClientError

from deploy.local.sample_games import BOTH, CREDENTIAL_FILE, GREEDY
from events.json_types import JsonObject
from projections.games.chance import ChanceLevel
from workers.external_bot import HouseBot

PACE: Final = 10.0  # seconds between two polls
MOST_GAMES: Final = 60  # for one start of the service; some hours of play
TIMEOUT: Final = 5.0  # seconds for a request; the next poll repeats a failed one
SHOWN: Final[Sequence[Mapping[str, Any]]] = (
    {"game": "puerto_rico", "seats": ["me", *[GREEDY] * 4], "options": {"expansions": BOTH}},
    {"game": "spice_road", "seats": ["me", *[GREEDY] * 3]},
    {"game": "puerto_rico", "seats": ["me", *[GREEDY] * 3]},
)
CLOCK: Final[JsonObject] = {
    "kind": "per_move",
    "seconds": 3_600,
}  # a bot of the service takes over an abandoned seat
log = structlog.get_logger("deploy.local.demo_games")


class DemoGames:
    """Plays demo games in a thread while the context is entered; continues a game of an earlier run."""

    def __init__(self, url: str, directory: Path, pace: float = PACE) -> None:
        self._client = Client(url, (directory / CREDENTIAL_FILE).read_text(), keep=directory, retry_seconds=TIMEOUT)
        self._house = HouseBot("greedy")
        self._pace = pace
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._show, name="demo games", daemon=True)

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
            except ClientError as problem:
                log.info("demo games wait", reason=str(problem))
            if self._stopping.wait(self._pace):
                return

    def _go_on(self, next_game: Mapping[str, Any]) -> bool:
        """Makes a move if it is the bot's turn; or starts the next game if the last one is over."""
        games = self._client.ask("GET", f"/v1/games?player={self._client.player()}&limit=1")["games"]
        if not games or games[0]["status"] in ("finished", "aborted"):
            self._client.create(**next_game, chance=ChanceLevel.CHAINED, clock=CLOCK, leaver=GREEDY)
            return True
        turn = self._client.turn(UUID(games[0]["id"]))
        if turn is not None:
            self._client.move(turn.game, self._house.choose(turn), turn.version)
        return False

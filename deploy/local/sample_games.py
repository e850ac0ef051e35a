"""Sample games of bots for a fresh installation, created over the API."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import httpx
from psycopg import Connection

from service.core import clock
from service.players.commands.accounts import store_player
from service.players.commands.tokens import FIRST_LABEL, store_token

HOST: Final = "Cabildo"
CREDENTIAL_FILE: Final = "token"  # the file
DEMO_BOT: Final = "Cabildo, unhurried"
GREEDY: Final = "bot:greedy"
BOTH: Final = ["new_buildings", "nobles"]
GAMES: Final[Sequence[Mapping[str, Any]]] = (
    {"game": "puerto_rico", "seats": [GREEDY] * 4},
    {"game": "spice_road", "seats": [GREEDY] * 3},
    {"game": "puerto_rico", "seats": [GREEDY] * 3, "options": {"expansions": BOTH}},
    {"game": "spice_road", "seats": [GREEDY] * 5},
    {"game": "puerto_rico", "seats": [GREEDY] * 2},
    {"game": "spice_road", "seats": ["open", GREEDY]},  # a table with an open seat
)


def create_sample_games(client: httpx.Client, connection: Connection, folder: Path) -> list[str]:
    """Creates the sample games and returns their ids. The workers play them.

    Registers the demo bot too, and stores its token in the demo folder.
    """
    with connection.transaction():  # not over the API, which reserves the host's name
        host = store_player(connection, clock.now(), HOST)
        token = store_token(connection, clock.now(), host.id, FIRST_LABEL)[1]
    headers = {"Authorization": f"Bearer {token}"}
    slow = (
        client.post("/v1/bots", json={"name": DEMO_BOT, "engine": "greedy"}, headers=headers).raise_for_status().json()
    )
    folder.mkdir(parents=True)
    (folder / CREDENTIAL_FILE).touch(mode=0o600)
    (folder / CREDENTIAL_FILE).write_text(slow["token"])
    return [client.post("/v1/games", json=game, headers=headers).raise_for_status().json()["id"] for game in GAMES]

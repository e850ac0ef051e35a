"""The OpenAPI document is complete and true: generated requests against the running service find nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from deploy.stores import EmbeddedRedis
from tests.service.annotating import begin
from tests.service.conftest import Environ, variables
from tests.service.people import Person, somebody
from tests.service.shared import client
from tests.service.test_importing import a_record
from tests.service.test_streams import Server, server

__all__ = ["client", "server"]  # fixtures, shared with the streams
# Rules refuse much that has the right form, and say why; that is no contradiction. A stream never ends, and whoever
# erases the account or the study takes the token or the study away from all other requests.
CONFIG = """
[checks.positive_data_acceptance]
expected-statuses = ["2xx", 400, 401, 403, 404, 409, 422]

[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 414, 415, 422, 431]

[parameters]
"path.game" = "{game}"
"path.player" = "{player}"
"path.tournament" = "{tournament}"
"path.study" = "{study}"
"path.chapter" = 1
"path.name" = "puerto_rico"
"query.wait" = 0

[[operations]]
include-name = ["DELETE /v1/me", "DELETE /v1/studies/{{study}}", "GET /v1/me/stream"]
enabled = false
"""


@pytest.fixture(scope="module")
def environ(module_database: str, redis_server: EmbeddedRedis, tmp_path_factory: pytest.TempPathFactory) -> Environ:
    """As for the streams, but generated logins, all from one address, are not held up."""
    shared = variables(module_database, redis_server.url(), tmp_path_factory.mktemp("data"))
    return {**shared, "CABILDO_LOGINS_PER_MINUTE": "100000"}


def a_tournament(player: Person) -> str:
    """The draft of a tournament that a player is the host of."""
    regulations = {"game": "spice_road", "stages": [{"format": "heats", "rounds": 1}], "bots": "random"}
    declared = player.post("/v1/tournaments", {"title": "The open", "regulations": regulations})
    return str(declared["id"])


def run(server: Server, player: Person, game: str, place: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Let Schemathesis try every operation on a game."""
    config = place / "schemathesis.toml"
    there = {"game": game, "player": player.id, "tournament": a_tournament(player), "study": begin(player, game).id}
    config.write_text(CONFIG.format(**there))
    tool = (sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run", f"{server[1]}/openapi.json")
    bounds = (
        "--max-time",
        "15",
        "--request-timeout",
        "20",
        "--generation-database",
        "none",
        "--no-color",
        "--seed",
        "1",
    )
    token = ("-H", f"Authorization: Bearer {player.token}")
    return subprocess.run((*tool, *bounds, *token, *options), cwd=place, capture_output=True, text=True, check=False)


def test_generated_requests_find_no_contradiction(client: FlaskClient, server: Server, tmp_path: Path) -> None:
    player = somebody(client)
    game = player.create("me", "bot:random")["id"]
    ran = run(server, player, game, tmp_path, "-n", "5", "--phases", "coverage,fuzzing")
    assert ran.returncode == 0, ran.stdout
    assert "generated" in ran.stdout


def test_reading_a_whole_game_fits_the_document_too(client: FlaskClient, server: Server, tmp_path: Path) -> None:
    player = somebody(client)
    game = player.post("/v1/games/import", {"record": "".join(a_record("puerto_rico", 60))})["id"]
    ran = run(server, player, game, tmp_path, "-n", "4", "--phases", "fuzzing", "--include-method", "GET")
    assert ran.returncode == 0, ran.stdout

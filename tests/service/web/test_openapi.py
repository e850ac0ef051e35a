"""The OpenAPI document is complete and true: generated requests against the running service find nothing else."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from deploy.local.stores import EmbeddedRedis
from service.web.blueprints import ROUTES
from tests.service.conftest import Environ, variables
from tests.service.games.test_import_game import a_record
from tests.service.live.test_streams import Server, server
from tests.support.service.annotators import begin
from tests.support.service.players import Person, somebody
from tests.support.service.shared_fixtures import client

__all__ = ["client", "server"]  # fixtures, shared with the streams
# Rules refuse much that has the right form, and say why; that is no contradiction. Streams never end, and whoever
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
"header.If-None-Match" = 'W/"0"'

[[operations]]
include-name = ["DELETE /v1/me", "DELETE /v1/studies/{{study}}", "GET /v1/me/stream", "GET /v1/lobby/stream"]
enabled = false

# Generated names and passwords are wrong; both operations count them together and slow the address down. An account
# writes twelve messages a minute.
[[operations]]
include-name = [
    "POST /v1/session", "POST /v1/session/second-factor", "POST /v1/recovery",
    "POST /v1/games/{{game}}/talk", "POST /v1/tournaments/{{tournament}}/talk",
]

[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", 400, 401, 403, 404, 409, 422, 429]
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
        "10",
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


OF_HTTP = {"Content-Type", "Content-Length", "Cache-Control", "Vary"}
FOR_BROWSERS = {  # the same everywhere
    "Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Content-Security-Policy", "Referrer-Policy",
    "X-Content-Type-Options",
}  # fmt: skip
OF_A_GAME = "/v1/games/{game}"


def asked(client: FlaskClient, player: Person, game: str) -> dict[tuple[str, str], TestResponse]:
    """Answers of every manner: read, listed, unchanged, made, tried, refused, not allowed, not counted."""
    at = OF_A_GAME.format(game=game)
    tag = client.get(f"{at}/legal").headers["ETag"]
    move = {"move": player.ask("GET", f"{at}/legal").get_json()["moves"][0]["move"]}
    return {
        ("GET", OF_A_GAME): client.get(at),
        ("GET", f"{OF_A_GAME}/legal"): client.get(f"{at}/legal", headers={"If-None-Match": tag}),
        ("GET", f"{OF_A_GAME}/replay"): client.get(f"{at}/replay"),
        ("GET", "/v1/games"): client.get("/v1/games?limit=1"),
        ("POST", f"{OF_A_GAME}/moves"): player.ask("POST", f"{at}/moves?dry_run=true", move),
        ("POST", f"{OF_A_GAME}/undo"): player.ask("POST", f"{at}/undo", {}),
        ("POST", "/v1/games"): client.post("/v1/games", json={}),
        ("GET", "/v1/me"): client.get("/v1/me", headers={"Authorization": "Bearer cab_made_up"}),
        ("GET", "/healthz"): client.get("/healthz"),
    }


def resolved(document: Any, value: Any) -> Any:
    """Returns the target of a reference in the document."""
    for step in value["$ref"].split("/")[1:] if "$ref" in value else ():
        document = document[step]
        value = document
    return value


def test_the_headers_of_answers_are_those_of_the_document(client: FlaskClient) -> None:
    player = somebody(client)
    player.create("me", "open")
    game = player.create("me", "bot:random", start_player=0)["id"]
    document = client.get("/openapi.json").get_json()
    answers = asked(client, player, game)
    assert sorted({answer.status_code for answer in answers.values()}) == [200, 304, 401, 422]
    for (method, path), answer in answers.items():
        told = resolved(document, document["paths"][path][method.lower()]["responses"][str(answer.status_code)])
        headers = {name: resolved(document, header) for name, header in told["headers"].items()}
        assert {*answer.headers.keys()} - OF_HTTP - FOR_BROWSERS <= headers.keys(), path
        assert {name for name, header in headers.items() if header["required"]} <= {*answer.headers.keys()}, path


def test_the_document_names_what_an_operation_heeds_and_may_refuse(client: FlaskClient) -> None:
    document = client.get("/openapi.json").get_json()
    of_moves = document["paths"][f"{OF_A_GAME}/moves"]["post"]
    assert {resolved(document, one)["name"] for one in of_moves["parameters"]} == {
        "dry_run", "language", "Idempotency-Key", "Accept-Language",
    }  # fmt: skip
    refusals = {"400", "401", "403", "404", "409", "413", "415", "422", "429", "503"}
    assert of_moves["responses"].keys() == {"200", "201", "default"} | refusals
    of_events = document["paths"][f"{OF_A_GAME}/events"]["get"]
    heeded = {resolved(document, one)["name"] for one in of_events["parameters"]}
    assert heeded >= {"If-None-Match", "Last-Event-ID"}
    assert document["paths"]["/v1/verify"]["post"]["requestBody"]["content"].keys() == {
        "application/json", "application/zip",
    }  # fmt: skip
    assert {"bearer", "oauth2", "session"} == document["components"]["securitySchemes"].keys()
    assert r"\\Z" not in client.get("/openapi.json").text  # in the patterns of other languages that is the letter


def test_programs_of_others_find_how_to_sign_in_and_with_which_scopes(client: FlaskClient) -> None:
    document = client.get("/openapi.json").get_json()
    server = client.get("/.well-known/oauth-authorization-server").get_json()
    flows = document["components"]["securitySchemes"]["oauth2"]["flows"]
    by_code, by_device = flows["authorizationCode"], flows["x-deviceAuthorization"]
    assert server["authorization_endpoint"].endswith(by_code["authorizationUrl"])
    assert server["device_authorization_endpoint"].endswith(by_device["deviceAuthorizationUrl"])
    assert server["token_endpoint"].endswith(by_code["tokenUrl"])
    assert [*by_code["scopes"]] == [*by_device["scopes"]] == server["scopes_supported"]
    for subject in ROUTES:
        for one in subject.operations:
            security = document["paths"][openapi_path(one.rule)][one.method.lower()].get("security", [])
            taken = [need["oauth2"] for need in security if "oauth2" in need]
            asked = "read" if one.reading.readers else one.reading.scope
            assert taken == ([] if asked in (None, "admin") else [[asked]]), one.rule


def openapi_path(rule: str) -> str:
    """Returns a rule of Flask as the document writes it."""
    return re.sub(r"<(?:[^:>]+:)?(\w+)>", r"{\1}", rule)


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

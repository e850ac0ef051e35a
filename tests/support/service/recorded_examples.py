"""Records real answers as the examples of the OpenAPI document: `python -m tests.support.service.recorded_examples`."""

import json
from typing import Any

from flask.testing import FlaskClient

from deploy.bench.temporary_service import temporary_service
from projections.rules.registry import GAMES
from service import settings
from service.app import create_app
from service.web.openapi.specification import EXAMPLES_FILE
from tests.support.projections.random_games import random_game, written
from tests.support.service.players import Person

SEED = "11" * 32  # chosen, so that the same game is dealt every time
MOST_ITEMS = 2  # of a list


def answers(client: FlaskClient) -> dict[str, Any]:
    """Returns an example answer of every operation with a document, by method and path."""
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    told: dict[str, Any] = {"POST /v1/players": client.post("/v1/players", json={"name": "Carla"}).get_json()}
    table = anna.create("me", "open", chance=0, seed=SEED, start_player=0)
    game, of = table["id"], "/v1/games/<uuid:game>"
    told["POST /v1/games"] = table
    told[f"POST {of}/seats"] = birgir.join(game)
    told[f"POST {of}/moves"] = anna.move(game, "play create_2")
    for what in ("", "/position", "/events?after=3", "/replay?after=4"):
        told[f"GET {of}{what.partition('?')[0]}"] = anna.ask("GET", f"/v1/games/{game}{what}").get_json()
    told[f"GET {of}/legal"] = birgir.ask("GET", f"/v1/games/{game}/legal").get_json()  # whose turn it is
    for path in ("/v1/me", "/v1/tokens", "/v1/rules", "/v1/games"):
        told[f"GET {path}"] = anna.ask("GET", path).get_json()
    browser = client.application.test_client()
    account = {"name": "Dagny", "password": "correct horse"}
    for path in ("/v1/players", "/v1/session"):
        browser.post(path, json=account)
    for path in ("/v1/me/email", "/v1/me/second-factor"):
        told[f"GET {path}"] = browser.get(path).get_json()
    told["GET /v1/rules/<string:name>"] = anna.ask("GET", "/v1/rules/spice_road").get_json()
    question = {"game": "spice_road", "seats": 2, "seed": "tuesday", "moves": ["play create_2"]}
    told["POST /v1/analysis"] = client.post("/v1/analysis", json=question).get_json()
    record = written(random_game(GAMES["spice_road"], 2, seed=1, longest=12))
    told["POST /v1/games/import"] = anna.post("/v1/games/import", {"record": record})
    return {operation: shortened(document) for operation, document in told.items()}


def shortened(document: Any) -> Any:
    """The document with long lists cut off, and without a secret that a scanner would report."""
    if isinstance(document, dict):
        return {name: shortened(value) for name, value in document.items()}
    if isinstance(document, list):
        return [shortened(value) for value in document[:MOST_ITEMS]]
    return "cab_..." if isinstance(document, str) and document.startswith("cab_") else document


def record() -> None:
    """Write the examples anew."""
    with temporary_service() as copy:
        app = create_app(settings.load(copy.environ))
        text = json.dumps(answers(app.test_client()), indent=1, sort_keys=True, ensure_ascii=False)
        app.extensions["cabildo"].close()
    EXAMPLES_FILE.write_text(text + "\n")


if __name__ == "__main__":
    record()

"""While the log is not reconciled, reads are answered and writes are refused with what the operator must do."""

import pytest
from flask.testing import FlaskClient

from events.errors import LogNotReconciled
from events.log.signing_gate import NOT_ASKED, reason_shut, set_gate
from events.store.connections import connect
from service.i18n import messages
from service.settings import load
from service.web.problem_types import PROBLEMS
from tests.service.conftest import Environ
from tests.service.live.test_streams import two_at_a_table
from tests.support.running_program import eventually
from tests.support.service.players import Person, somebody
from workers.keeper.log import SealLog

GAME = {"game": "spice_road", "seats": ["me", "open"]}
STAGE = {"format": "swiss", "rounds": 1}
TITLE = PROBLEMS[LogNotReconciled].title


def version_of(player: Person, game: str) -> int:
    version: int = player.ask("GET", f"/v1/games/{game}").get_json()["version"]
    return version


def shut(database: str) -> None:
    with connect(database) as connection:
        set_gate(connection, is_open=False, reason="our own file shows 9 events and the log holds 5")


def test_a_move_is_refused_and_its_key_taken_again_later(client: FlaskClient, environ: Environ, database: str) -> None:
    game, first, _ = two_at_a_table(client)
    version = version_of(first, game)
    shut(database)
    headers = {"Idempotency-Key": "once"}
    told = first.ask("POST", f"/v1/games/{game}/moves", {"move": "play create_2"}, **headers)
    assert (told.status_code, told.get_json()["type"], told.headers["Retry-After"]) == (
        503,
        "/problems#log_not_reconciled",
        "2",
    )
    assert "cabildo log recover" in told.get_json()["detail"]
    assert version_of(first, game) == version
    keeping = environ | {"CABILDO_LOG_KEY": environ["CABILDO_MASTER_KEY"]}
    with connect(database) as connection:  # a keeper compares it with what was published
        SealLog(load(keeping), keeping)(connection)
    assert first.ask("POST", f"/v1/games/{game}/moves", {"move": "play create_2"}, **headers).status_code < 300
    assert version_of(first, game) == version + 1


@pytest.mark.parametrize("path", ["/v1/games", "/v1/studies", "/v1/tournaments"])
def test_nothing_new_is_opened_while_the_gate_is_shut(client: FlaskClient, database: str, path: str) -> None:
    bodies = {
        "/v1/games": GAME,
        "/v1/studies": {"title": "Openings"},
        "/v1/tournaments": {"title": "Spring", "regulations": {"game": "spice_road", "stages": [STAGE]}},
    }
    maker = somebody(client)
    shut(database)
    told = maker.ask("POST", path, bodies[path])
    assert (told.status_code, told.get_json()["type"]) == (503, "/problems#log_not_reconciled")


@pytest.mark.parametrize("language", ["is", "sv", "cs", "hu"])
def test_the_refusal_names_the_command_in_each_language(client: FlaskClient, database: str, language: str) -> None:
    maker = somebody(client)
    shut(database)
    told = maker.ask(
        "POST", "/v1/games", {"game": "spice_road", "seats": ["me", "open"]}, **{"Accept-Language": language}
    )
    assert told.headers["Content-Language"] == language
    assert "cabildo log status" in told.get_json()["detail"]
    assert told.get_json()["title"] == messages.translate(TITLE, language) != TITLE


def test_readiness_tells_why_no_writes_are_taken(client: FlaskClient, database: str) -> None:
    shut(database)
    told = client.get("/readyz")
    assert (told.status_code, told.get_json()["status"]) == (200, "degraded")
    assert "nothing is written: our own file shows 9 events and the log holds 5" in signing(client)
    with connect(database) as connection:
        connection.execute("INSERT INTO gates (cluster, open, reason) VALUES ('another start', true, 'reconciled')")
        assert reason_shut(connection) == NOT_ASKED
    assert eventually(lambda: NOT_ASKED in signing(client))


def signing(client: FlaskClient) -> str:
    """What the check of signing found."""
    checks = {check["name"]: check for check in client.get("/readyz").get_json()["checks"]}
    assert checks["signing"]["state"] == "failing"
    found: str = checks["signing"]["found"]
    return found

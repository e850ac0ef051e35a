"""The catalogue of problem types tells nothing that no test has seen: here the service answers them, one after another.

What no request can bring about - a broken log, a command that cannot go on - is seen by the test of its own part.
"""

import base64
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.wrappers import Response

from events.log.sequencer import sequence_once
from events.log.signing_gate import set_gate
from events.store.connections import connect
from projections.rules.registry import VERSIONS
from service import settings
from service.app import create_app
from service.core.clock import now
from service.core.command_handler import Request
from service.core.errors import RematchProposed
from service.games.commands.seats import CreateGame, create_game
from service.games.decisions import proposals, rematch
from service.players.commands.tokens import store_token
from service.web.error_handlers import handle_cabildo_error
from service.web.problem_types import PROBLEMS
from tests.service.conftest import Environ, opened_app
from tests.service.live.test_streams import two_at_a_table
from tests.service.web.test_problem_members import assert_told
from tests.support.service.players import Person, problem, somebody
from tests.support.service.shared_fixtures import app, environ
from workers.keeper.log import SealLog

__all__ = ["app", "environ"]  # shared by the tests of this module
TESTS: Final = Path(__file__).parents[2]
LISTS: Final = ("test_problem_catalogue.py", "test_titles.py")  # they go through all types without producing any
TOLD_OTHERWISE: Final = {
    "check_failed": "a report of the verification names the check",
    "chance_hidden": "a tried move is answered with what could be drawn",
    "impossible_draw": "the line that declares the draw is named",
    "no_later_edition": "only a verifier that holds another archive of the tournament compares the two",
    "parted": "a report of the verification names the event",
    "unreadable_promise": "a report of the verification names the event",
}
Produce = Callable[["Scene"], Response]
SCENES: dict[str, Produce] = {}


class Scene:
    """An application and its clients, for provoking refusals."""

    def __init__(self, app: Flask, environ: Environ) -> None:
        self.app = app
        self.environ = environ
        self.client: FlaskClient = app.test_client()

    def post(self, person: Person, path: str, body: Any = None, **headers: str) -> Response:
        """Returns the answer to a request about games."""
        return person.ask("POST", f"/v1/games{path}", {} if body is None else body, **headers)

    def moved(self, text: str, of: int = 0, **more: Any) -> Response:
        """Returns the answer to a move in a new game."""
        game, *people = two_at_a_table(self.client)
        return self.post(people[of], f"/{game}/moves", {"move": text, **more})

    def asked(self, **question: Any) -> Response:
        """Returns the answer to an analysis."""
        return self.client.post("/v1/analysis", json={"game": "spice_road", **question})


def produces(name: str) -> Callable[[Produce], Produce]:
    """Say which type a scene brings about."""

    def note(produce: Produce) -> Produce:
        SCENES[name] = produce
        return produce

    return note


@pytest.fixture(scope="module")
def scene(app: Flask, environ: Environ) -> Scene:
    """The application that all scenes share."""
    return Scene(app, environ)


SCENES |= {
    "illegal_move": lambda scene: scene.moved("buy 6 y,y,y,y,y"),
    "unreadable_move": lambda scene: scene.moved("sing"),
    "not_your_turn": lambda scene: scene.moved("rest", of=1),
    "stale_version": lambda scene: scene.moved("rest", expected=3),
    "signature_refused": lambda scene: scene.moved("play create_2", signature="11" * 64),
    "impossible_line": lambda scene: scene.asked(seats=2, moves=["claim 1"]),
    "impossible_position": lambda scene: scene.asked(position={}),
    "needless_draw": lambda scene: scene.asked(position=new_position(scene), draws=["get_b"]),
    "bad_options": lambda scene: scene.asked(seats=2, options={"colour": "blue"}),
    "invalid_request": lambda scene: scene.asked(),
    "unreadable_body": lambda scene: scene.client.post("/v1/analysis", data="{", content_type="application/json"),
    "unauthenticated": lambda scene: scene.client.get("/v1/me"),
    "not_there": lambda scene: scene.client.get(f"/v1/games/{UUID(int=1)}"),
    "bad_name": lambda scene: scene.client.post("/v1/players", json={"name": "\u200b"}),
}


@produces("too_many_streams")
def streams_of_one_address(scene: Scene) -> Response:
    return refused_stream(scene, CABILDO_STREAMS_PER_ADDRESS="1")


@produces("streams_full")
def streams_of_all(scene: Scene) -> Response:
    return refused_stream(scene, CABILDO_STREAMS="1")


def refused_stream(scene: Scene, **limits: str) -> Response:
    """The answer to the second stream of a service that has room for one."""
    game = two_at_a_table(scene.client)[0]
    with opened_app({**scene.environ, "REDIS_URL": "unix:///nowhere/redis.sock"}, **limits) as app:
        accept = {"Accept": "application/x-ndjson"}
        with app.test_client().get(f"/v1/games/{game}/events", headers=accept, buffered=False):
            return app.test_client().get(f"/v1/games/{game}/events", headers=accept)


def new_position(scene: Scene) -> Any:
    return scene.asked(seats=2).get_json()["position"]


@produces("game_is_over")
def a_finished_game(scene: Scene) -> Response:
    game, first, second = two_at_a_table(scene.client, leaver="forfeit")
    first.post(f"/v1/games/{game}/resign")
    return scene.post(second, f"/{game}/moves", {"move": "rest"})


@produces("unreadable_record")
def a_record_of_chess(scene: Scene) -> Response:
    return scene.post(somebody(scene.client), "/import", {"record": "game: chess\nseats: 2\n"})


@produces("key_reused")
def another_request_with_the_key(scene: Scene) -> Response:
    host = somebody(scene.client)
    for seats in (["me", "open"], ["me", "open", "open"]):
        told = scene.post(host, "", {"game": "spice_road", "seats": seats}, Idempotency_Key="one")
    return told


@produces("name_taken")
def a_name_of_somebody_else(scene: Scene) -> Response:
    return scene.client.post("/v1/players", json={"name": somebody(scene.client).name.upper()})


@produces("scope_missing")
def a_token_to_read(scene: Scene) -> Response:
    anna = somebody(scene.client)
    anna.token = anna.post("/v1/tokens", {"label": "to read", "scopes": ["read"]})["token"]
    return scene.post(anna, "", {"game": "spice_road", "seats": ["me", "open"]})


@produces("not_allowed")
def a_game_of_others(scene: Scene) -> Response:
    game, _, _ = two_at_a_table(scene.client)
    return scene.post(somebody(scene.client), f"/{game}/resign")


@produces("not_open")
def a_seat_in_a_running_game(scene: Scene) -> Response:
    game, _, _ = two_at_a_table(scene.client)
    return scene.post(somebody(scene.client), f"/{game}/seats")


@produces("not_running")
def a_resignation_from_a_finished_game(scene: Scene) -> Response:
    game, first, second = two_at_a_table(scene.client, leaver="forfeit")
    first.post(f"/v1/games/{game}/resign")
    return scene.post(second, f"/{game}/resign")


@produces("no_free_chair")
def a_seat_kept_for_somebody(scene: Scene) -> Response:
    host, guest = somebody(scene.client), somebody(scene.client)
    return scene.post(somebody(scene.client), f"/{host.create('me', guest.id)['id']}/seats")


@produces("chance_refused")
def a_commitment_that_the_level_does_not_ask_for(scene: Scene) -> Response:
    game = somebody(scene.client).create("me", "open", chance=1)["id"]
    return scene.post(somebody(scene.client), f"/{game}/seats", {"commitment": "00" * 32, "echo": "00" * 32})


def committed(scene: Scene) -> tuple[str, Person]:
    """A full table at level 2 with the host's commitment, the only one."""
    host, guest = somebody(scene.client), somebody(scene.client)
    table = host.create("me", "open", chance=2, commits=True)
    guest.join(table["id"])
    host.join(table["id"], commitment="00" * 32, echo=table["chance"]["commitment"])
    return table["id"], host


@produces("not_sealed")
def entropy_before_the_commitments_are_sealed(scene: Scene) -> Response:
    game, host = committed(scene)
    return scene.post(host, f"/{game}/entropy", {"entropy": "00" * 32})


@produces("broken_promise")
def entropy_that_was_not_committed_to(scene: Scene) -> Response:
    game, host = committed(scene)
    keys = {**scene.environ, "CABILDO_LOG_KEY": scene.environ["CABILDO_MASTER_KEY"]}
    with connect(scene.environ["DATABASE_URL"]) as connection:
        sequence_once(connection)
        SealLog(settings.load(scene.environ), keys)(connection)
    return scene.post(host, f"/{game}/entropy", {"entropy": "00" * 32})


@produces("false_signature")
def a_key_of_somebody_else(scene: Scene) -> Response:
    valid_point = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"  # RFC 8032, the first test vector
    return somebody(scene.client).ask("PUT", "/v1/me/key", {"key": valid_point, "proof": "00" * 64})


@produces("bad_key")
def a_key_that_is_no_key(scene: Scene) -> Response:
    return somebody(scene.client).ask("PUT", "/v1/me/key", {"key": "00" * 32, "proof": "00" * 64})


@produces("undo_refused")
def a_move_of_somebody_else(scene: Scene) -> Response:
    game, _, second = two_at_a_table(scene.client)
    return scene.post(second, f"/{game}/undo")


@produces("rules_not_moved")
def rules_that_are_not_newer(scene: Scene) -> Response:
    game, administrator, _ = two_at_a_table(scene.client)
    with connect(scene.environ["DATABASE_URL"]) as connection:
        _, administrator.token = store_token(connection, now(), UUID(administrator.id), "", ("admin",), None)
    return scene.post(administrator, f"/{game}/rules", {"to": "1", "reason": "a fault in the rules"})


@produces("offer_refused")
def an_answer_to_nothing(scene: Scene) -> Response:
    game, first, _ = two_at_a_table(scene.client)
    return scene.post(first, f"/{game}/offer", {"agrees": True})


@produces("vacation_refused")
def a_return_from_nowhere(scene: Scene) -> Response:
    _, first, _ = two_at_a_table(scene.client)
    return first.ask("DELETE", "/v1/me/vacation")


@produces("pause_refused")
def a_pause_without_clocks(scene: Scene) -> Response:
    game, first, _ = two_at_a_table(scene.client)
    return scene.post(first, f"/{game}/pause", {"seconds": 60})


@produces("sealed_seed_lost")
def a_draw_under_another_master_key(scene: Scene) -> Response:
    game, first, _ = two_at_a_table(scene.client)
    other = base64.b64encode(bytes(32)).decode()
    app = create_app(settings.load({**scene.environ, "CABILDO_MASTER_KEY": other}))
    first.client = app.test_client()
    told = scene.post(first, f"/{game}/moves", {"move": "buy 1"})
    app.extensions["cabildo"].close()
    return told


@produces("unknown_rules")
def a_game_of_rules_that_a_program_has_no_more(scene: Scene) -> Response:
    game, _, _ = two_at_a_table(scene.client)
    versions = VERSIONS["spice_road"]
    versions["2"] = versions.pop("1")  # the newest rules stay
    try:
        return scene.client.get(f"/v1/games/{game}/position")
    finally:
        versions["1"] = versions.pop("2")


@produces("takes_too_long")
def a_question_for_which_there_is_no_time(scene: Scene) -> Response:
    app = create_app(settings.load({**scene.environ, "CABILDO_QUESTION_SECONDS": "0"}))
    told = Scene(app, scene.environ).asked(seats=2, moves=["play create_2"])
    app.extensions["cabildo"].close()
    return told


@produces("store_unavailable")
def a_database_that_is_away(scene: Scene) -> Response:
    away = "postgresql://nobody@127.0.0.1:1/nowhere"
    app = create_app(settings.load({**scene.environ, "DATABASE_URL": away}))
    told = app.test_client().get("/readyz")
    app.extensions["cabildo"].close()
    assert int(told.headers["Retry-After"]) > 0
    return told


@produces("log_not_reconciled")
def a_log_that_was_not_compared_with_what_was_published(scene: Scene) -> Response:
    game, first, _ = two_at_a_table(scene.client)
    with connect(scene.environ["DATABASE_URL"]) as connection:
        set_gate(connection, is_open=False, reason="a test")
        told = scene.post(first, f"/{game}/moves", {"move": "play create_2"})
        set_gate(connection, is_open=True, reason="a test")
    return told


@produces("rematch_proposed")
def a_second_rematch_at_the_same_moment(scene: Scene) -> Response:
    """The slower player joins the other table, so that the refusal stays internal."""
    game, first, second = two_at_a_table(scene.client, leaver="forfeit")
    first.post(f"/v1/games/{game}/resign")
    world = scene.app.extensions["cabildo"]
    for player in (first, second):
        proposal = rematch.proposal(world.games.load(UUID(game)), player.id)
        command = CreateGame(proposal, proposals.new_seed())
        try:
            create_game(world, command, Request(player.id))
        except RematchProposed as refused:
            with scene.app.test_request_context():
                return handle_cabildo_error(refused)
    raise AssertionError("both rematches were opened")


@pytest.mark.parametrize("name", sorted(SCENES))
def test_the_service_answers_with_the_problem_type(scene: Scene, name: str) -> None:
    told = SCENES[name](scene).get_json(force=True)
    row = next(row for row in PROBLEMS.values() if row.name == name)
    assert (problem(told), told["status"]) == (name, row.status)
    assert told["title"]
    assert told["detail"]
    assert_told(told, name)


def expected(texts: Mapping[str, str], error: str, name: str) -> list[str]:
    """The tests that expect an error where no request brings it about, by its class or by its type."""
    form = re.compile(rf'raises\(\(?[^)]*\b{error}\b|== \(?"{name}"|, "{name}"\)|"/problems#{name}"')
    return [module for module, text in texts.items() if form.search(text)]


def test_every_other_type_is_expected_by_a_test_of_its_own_part() -> None:
    texts = {str(module): module.read_text() for module in TESTS.rglob("*.py") if module.name not in LISTS}
    rows = {error.__name__: row.name for error, row in PROBLEMS.items() if row.name not in SCENES}
    unseen = [name for error, name in rows.items() if not expected(texts, error, name)]
    assert set(unseen) <= TOLD_OTHERWISE.keys()
    assert SCENES.keys() | TOLD_OTHERWISE.keys() <= {row.name for row in PROBLEMS.values()}

"""What is private answers like what is absent: at every route, to a client that may not know of it."""

from typing import Any, Final
from uuid import UUID, uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.service.players import Person, somebody
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]

REASON: Final = {"reason": "x"}
AT: Final = {"round": 1, "table": 1, **REASON}
STAGE: Final = {"format": "swiss", "rounds": 1, "sizes": [2]}
REGULATIONS: Final = {"game": "spice_road", "stages": [STAGE]}
NEW_DRAFT: Final = {"title": "Mine", "regulations": REGULATIONS}
BODIES: Final[dict[str, dict[str, Any]]] = {  # the end of a route -> a body for it
    "/moves": {"move": "rest"},
    "/take-back": {"to": 1},
    "/offer": {"agrees": True},
    "/pause": {"seconds": 60},
    "bots/<uuid:bot>/tokens": {"scopes": ["read"]},
    "/entropy": {"entropy": "00" * 32},
    "games/<uuid:game>/record": {"lines": "rest"},
    "/edits": {"saw": 1, "edits": [{"do": "settle", "title": "Mine"}]},
    "/games/<uuid:game>/answers": {"move": "rest"},
    "/answers": {"at": "v0", "move": None},
    "/estimates": {"analysis": str(UUID(int=7))},
    "/draft": NEW_DRAFT,
    "/cancellation": REASON,
    "/directors": {"player": str(UUID(int=7))},
    "/invitations": {"player": str(UUID(int=7))},
    "/absences": {"round": 1},
    "/wishes": {"wish": [0, 1]},
    "/talk": {"text": "x"},
    "/talk/read": {"number": 0},
    "/games/<uuid:game>/talk/rooms": {"room": "players", "closed": False},
    "/talk/rooms": {"room": "tournament", "closed": False},
    "/rulings/time": {**AT, "entrant": 1, "seconds": 5},
    "/rulings/result": {**AT, "points": [1, 2], "tie_break": [0, 0], "places": [2, 1]},
    "/rulings/void": AT,
    "/rulings/substitution": {**AT, "entrant": 1, "by": 2},
    "/rulings/disqualification": {"entrant": 1, **REASON},
}
QUERIES: Final = {"/board": "?at=v0", "/picture": "?at=v0"}
NOT_HIDDEN: Final = {f"/v1/games/<uuid:game>/{what}" for what in ("rules", "end")}  # an administrator sees all games
THINGS: Final = ("game", "analysis", "study", "hook", "tournament", "token", "bot")


@pytest.fixture(scope="module")
def hidden(app: Flask, client: FlaskClient) -> dict[str, str]:
    """One private thing of each kind, by the name that routes give its id."""
    owner, guest = somebody(client), somebody(client)
    game = owner.create("me", guest.id, visibility="private")["id"]
    guest.join(game)
    owner.post(f"/v1/games/{game}/abort")
    study = owner.post("/v1/studies", {"title": "Mine", "visibility": "private"})["study"]
    hook = owner.post("/v1/webhooks", {"url": "https://93.184.215.14/hook"})["id"]
    return {
        "game": game,
        "analysis": owner.post(f"/v1/games/{game}/analyses", {}, 202)["id"],
        "study": study,
        "hook": hook,
        "tournament": owner.post("/v1/tournaments", NEW_DRAFT)["id"],
        "token": owner.post("/v1/tokens", {"scopes": ["read"]})["id"],
        "bot": owner.post("/v1/bots", {"name": f"bot {uuid4().hex[:8]}", "engine": "greedy 2"})["player"]["id"],
    }


def ways(app: Flask) -> list[tuple[str, str, str]]:
    """Yields each method and route of the API with such an id, and the parameter's name."""
    return sorted(
        (method, rule.rule, rule_name)
        for rule in app.url_map.iter_rules()
        for rule_name in THINGS
        if rule_name in rule.arguments and rule.rule.startswith("/v1/") and rule.rule not in NOT_HIDDEN
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS")
    )


def told(person: Person, method: str, rule: str, name: str, id: str) -> tuple[int, str]:
    """Status and words of an answer about a thing, with the id left out."""
    path = rule.replace(f"<uuid:{name}>", id).replace("<player>", str(UUID(int=7)))
    for number in ("chapter", "entrant", "number", "stage"):
        path = path.replace(f"<int:{number}>", "1")
    path += next((query for end, query in QUERIES.items() if rule.endswith(end)), "")
    body = next((body for end, body in BODIES.items() if rule.endswith(end)), {})
    answer = person.ask(method, path, body if method in ("POST", "PUT") else None)
    document = answer.get_json()
    document.pop("request_id", None)
    return answer.status_code, str(document).replace(id, "ID")


def test_private_and_absent_things_are_told_alike(app: Flask, client: FlaskClient, hidden: dict[str, str]) -> None:
    stranger = somebody(client)
    found = ways(app)
    assert {name for _, _, name in found} == {*THINGS}
    forbidden = {way[:2]: told(stranger, *way, hidden[way[2]]) for way in found}
    assert forbidden == {way[:2]: told(stranger, *way, str(uuid4())) for way in found}
    assert {way: answer for way, answer in forbidden.items() if answer[0] != 404} == {}


def test_a_full_queue_of_tests_does_not_betray_a_webhook(client: FlaskClient) -> None:
    owner, stranger = somebody(client), somebody(client)
    hook = owner.post("/v1/webhooks", {"url": "https://93.184.215.14/hook"})["id"]
    for _ in range(5):
        owner.post(f"/v1/webhooks/{hook}/test", status=202)
    stranger.post(f"/v1/webhooks/{hook}/test", status=404)


def test_a_public_study_does_not_name_the_private_game_in_it(client: FlaskClient) -> None:
    owner, guest, stranger = somebody(client), somebody(client), somebody(client)
    game = owner.create("me", guest.id, visibility="private")["id"]
    guest.join(game)
    made = {"title": "Mine", "visibility": "public", "games": [game]}
    study = owner.post("/v1/studies", made)["study"]
    for path in ("", "/chapters/1", "/chapters/1/board?at=2", "/export", "/report"):
        assert game not in stranger.ask("GET", f"/v1/studies/{study}{path}").text
    owner.post(
        f"/v1/studies/{study}/edits", {"saw": 2, "edits": [{"do": "member", "player": stranger.id, "role": "writer"}]}
    )
    body = {"analysis": str(uuid4())}
    assert game not in stranger.ask("POST", f"/v1/studies/{study}/chapters/1/estimates", body).text
    edit = {"saw": 3, "edits": [{"do": "comment", "chapter": 1, "at": "2", "text": "x"}]}
    assert game not in stranger.ask("POST", f"/v1/studies/{study}/edits", edit).text

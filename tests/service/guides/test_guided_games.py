"""The guided games: the rules play both scripts to the end, and every step teaches a legal move in five languages."""

import pytest
from flask.testing import FlaskClient

from projections.games.execute_move import enact
from projections.rules.catalogue import LANGUAGES
from projections.rules.dealer import SeededDealer
from projections.rules.registry import GAMES
from service.games.house_bots import called
from service.guides.documents import step_document
from service.guides.scripts import LEARNER, guided_game
from tests.service.pages.guests.test_guests import CSRF, PASSWORD, form

STEPS = 15
ROLES = ("settler", "mayor", "builder", "craftsman", "trader", "captain", "prospector")


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_rules_play_a_script_to_the_end_of_its_game(name: str) -> None:
    guide = guided_game(name)
    outcome = guide.game.outcome(guide.end)
    assert outcome is not None
    assert outcome.places[LEARNER] == 1
    assert len(guide.steps) == STEPS
    for step in range(1, STEPS + 1):
        wanted = guide.wanted(step)
        assert wanted is not None
        board = guide.game.copy(guide.board(step))
        assert guide.game.actor(board) == LEARNER == wanted.seat
        assert enact(guide.game, board, wanted.move, SeededDealer(b"any")).move == wanted.move


@pytest.mark.parametrize("name", sorted(GAMES))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_is_explained_in_every_language(name: str, language: str) -> None:
    texts = [step_document(name, step, language) for step in range(1, STEPS + 2)]
    assert all(text["title"] and text["explains"] and text["reason"] for text in texts)
    assert len({text["explains"] for text in texts}) == STEPS + 1
    if language != "en":
        english = {step_document(name, step, "en")["explains"] for step in range(1, STEPS + 2)}
        assert not english & {text["explains"] for text in texts}


def test_the_game_of_puerto_rico_shows_every_role() -> None:
    moves = {played.move for played in guided_game("puerto_rico").moves}
    assert {f"role {role}" for role in ROLES} <= moves


def test_a_reader_gets_a_step_without_an_account(client: FlaskClient) -> None:
    step = client.get("/v1/guides/puerto_rico/steps/6?why_not=take+quarry&why_not=take+sugar").get_json()
    assert step["move"]["move"] == "take tobacco"
    assert step["legal"]["seat"] == step["seat"] == LEARNER
    assert [refused["move"] for refused in step["refused"]] == ["take quarry"]
    assert step["refused"][0]["sentence"]
    assert step["refused"][0]["rule_page"] == f"/rules/puerto_rico?language=en#{step['refused'][0]['rule']}"
    assert {"move": "take sugar", "open": True} in step["asked"]
    assert step["story"][-1]["label"] == "took the corn plantation"
    assert "victory_points" not in str(step["position"]["players"][1]) or step["position"]["hides"]


def test_the_bots_of_a_guide_are_called_as_at_any_table(client: FlaskClient) -> None:
    page = client.get("/learn/puerto_rico").text
    step = client.get("/v1/guides/puerto_rico/steps/3").get_json()
    first = called("greedy", step["seat"] + 2, "en")
    assert first == "Gunnar (greedy)"
    assert f'"others": ["{first}", "Gloria (greedy)", "Gustav (greedy)"]' in page
    assert step["explains"].startswith(f"{first} chose the mayor")


def test_the_end_has_the_points_and_no_move(client: FlaskClient) -> None:
    end = client.get(f"/v1/guides/spice_road/steps/{STEPS + 1}").get_json()
    assert (end["move"], end["legal"]) == (None, None)
    assert end["result"]["places"][LEARNER] == 1
    assert end["scores"][LEARNER]["total"] == end["result"]["points"][LEARNER]
    for path in ("spice_road/steps/0", f"spice_road/steps/{STEPS + 2}", "chess/steps/1"):
        assert client.get(f"/v1/guides/{path}").status_code == 404
    assert client.get("/v1/guides").get_json() == {"guides": [{"game": name, "steps": STEPS} for name in GAMES]}


def test_the_pages_lead_from_home_through_the_guide_to_an_own_table(client: FlaskClient) -> None:
    assert 'href="/learn/spice_road"' in client.get("/").text
    page = client.get("/learn/spice_road").text
    assert 'value="random"' in page
    token = CSRF.findall(page)[0]
    opened = client.post("/play-now", data={"csrf": token, "game": "spice_road", "level": "random"})
    assert client.get(opened.location).status_code == 200


def test_who_registers_is_offered_the_guide(client: FlaskClient) -> None:
    assert '<a href="/learn">Learn to play</a>' in client.get("/register?next=/lobby").text
    answer = client.post("/register", data=form(client, "/register", name="Nina", password=PASSWORD))
    assert answer.location == "/learn?welcome=1"
    assert "/learn/puerto_rico" in client.get(answer.location).text

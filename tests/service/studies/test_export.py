"""Studies leave the house as text or JSON and come back the same; what does not fit a game is refused."""

import xml.etree.ElementTree as ET
from copy import deepcopy
from functools import reduce
from operator import getitem
from time import process_time
from typing import Any

import pytest
from flask.testing import FlaskClient

from events.json_types import JsonObject
from tests.support.service.annotators import Study, a_finished_game, a_running_game, begin, with_writers
from tests.support.service.players import Person, problem, somebody
from tests.support.service.shared_fixtures import client, environ

__all__ = ["client", "environ"]  # shared by the tests of this module
HOSTILE: tuple[Any, ...] = (5.5, [], {}, [[]], {"on": []}, True, 2**70)


def a_rich_study(client: FlaskClient, **more: Any) -> tuple[str, Study]:
    """A study with everything in it."""
    game, first, second = a_finished_game(client)
    study = with_writers(begin(first, game, title="Caravans", **more), second)
    study.say("6", "Why not *rest*?\n\nI would.", eyes=1)
    study.by(second).say("6", "; not a remark\n> nor a quote")
    study.edit("mark", chapter=1, at="8", glyphs=[5, 16, 222], markers=[{"on": "merchant_row[0]", "kind": "look"}])
    study.by(second).edit("mark", chapter=1, at="8", glyphs=[2], markers=[])
    line = study.play("4", "play upgrade_2", "buy 1", chance="same")
    study.play(line[0], "play create_2", "play create_2")
    study.play(line[0], "buy 1", chance="random")
    study.play("4", "buy 1", chance="random", seed="5a" * 16)
    study.edit("rank", chapter=1, node=study.play("4", "play create_2")[0], rank=0)
    study.say(line[1], "deep")
    question = {"text": "What now?", "answers": [{"move": "rest", "reply": None}], "hints": ["h"], "otherwise": "no"}
    study.edit("ask", chapter=1, at="8", question={**question, "answers": [{"move": "rest", "reply": "yes"}]})
    position = first.ask("GET", f"/v1/games/{game}/position?at=6").get_json()
    two = study.made("add_chapter", title="What if", game="spice_road", position=position, lesson=True, eyes=0)
    first_move = study.play("v0", "play upgrade_2", chapter=two["chapter"])[0]
    study.play("v0", "buy 1", chapter=two["chapter"])
    study.say(first_move, "so", chapter=two["chapter"])
    return game, study


def text_of(study: Study) -> str:
    return study.person.ask("GET", f"{study.path}/export", Accept="text/plain").get_data(as_text=True)


def brought_in(person: Person, status: int = 201, **body: Any) -> Any:
    told = person.post("/v1/studies/import", body, status)
    return Study(person, told["study"]) if status == 201 else told


def test_what_is_exported_and_brought_in_is_exported_the_same(client: FlaskClient) -> None:
    _, study = a_rich_study(client, visibility="public")
    text, script = text_of(study), study.read("/export")
    for line in ("study: Caravans", "start", "  marks !? ± ⚓ | look merchant_row[0] by"):
        assert line in text
    assert "  - 0: buy 1 [" in text
    for person in (study.person, somebody(client)):
        from_text, from_json = brought_in(person, text=text), brought_in(person, script=script)
        assert text_of(from_text) == text_of(from_json) == text
        assert from_text.read("/export") == script
    comments = from_text.note("6")["comments"]
    assert [one["credit"] for one in comments] == [study.person.name, comments[1]["credit"]]


def test_a_reader_takes_home_what_a_reader_may_read(client: FlaskClient) -> None:
    _, study = a_rich_study(client, visibility="public")
    study.edit("change_chapter", chapter=1, lesson=True)
    reader = text_of(study.by(somebody(client)))
    assert "ask" not in reader.split("\n")
    running, first, second = a_running_game(client)
    open_study = with_writers(begin(first, running, visibility="public"), second)
    open_study.say("6", "my plan")
    assert "my plan" in text_of(open_study)
    assert "my plan" not in text_of(open_study.by(second))


def test_what_does_not_fit_the_game_is_refused(client: FlaskClient) -> None:
    game, study = a_rich_study(client)
    text, person = text_of(study), study.person
    other, _, _ = a_finished_game(client)
    lines = text.split("\n")
    anchored = next(line for line in lines if line.startswith("6."))
    forged = anchored[: anchored.index("#")] + "#" + "0" * 12
    assert problem(brought_in(person, 409, text=text.replace(anchored, forged))) == "another_history"
    assert problem(brought_in(person, 409, text=text.replace(game, other))) == "another_history"
    assert problem(brought_in(person, 404, text=text.replace(game, study.id))) == "not_there"
    drawn = next(line for line in lines if "(random 5a5a" in line)
    lied = drawn.replace("5a" * 16, "5b" * 16)
    refused = brought_in(person, 422, text=text.replace(drawn, lied))
    assert (problem(refused), refused["reason"]) == ("study_refused", "draws_differ")
    illegal = text.replace("1: play create_2\n", "1: claim 5\n", 1)
    assert problem(brought_in(person, 422, text=illegal)) == "impossible_line"
    unreadable = brought_in(person, 400, text=text + "what is this\n")
    assert (problem(unreadable), unreadable["line"]) == ("unreadable_study", len(lines))
    assert problem(brought_in(person, 404, text=text.replace("game: spice_road\nposition", "game: chess\nposition")))


@pytest.mark.parametrize(
    "script",
    [
        {},
        {"format": "cabildo/study/1", "title": "x", "parts": [{}]},
        {"format": "cabildo/study/1", "title": "x", "parts": "yes"},
        {"format": "cabildo/study/2", "title": "x", "parts": []},
    ],
)
def test_json_in_another_form_is_refused(client: FlaskClient, script: dict[str, Any]) -> None:
    assert problem(brought_in(somebody(client), 400, script=script)) == "unreadable_study"


@pytest.mark.parametrize(
    "place",
    [
        "of", "position", "eyes", "steps.2.seq", "steps.2.said.remarks.0.author", "steps.2.said.remarks.0.eyes",
        "steps.4.said.markings.0.glyphs.0", "steps.4.said.markings.0.markers.0", "steps.4.said.markings.0.markers.0.on",
        "steps.4.said.markings.0.markers.0.to", "steps.4.said.task.answers.0.1", "steps.4.said.task.otherwise",
        "branches.0.rank", "branches.0.seed",
    ],
)  # fmt: skip
def test_whatever_stands_in_a_script_is_read_or_refused(client: FlaskClient, script: JsonObject, place: str) -> None:
    person = somebody(client)
    for hostile in HOSTILE:
        spoilt: Any = deepcopy(script)
        *way, last = [int(step) if step.isdigit() else step for step in place.split(".")]
        reduce(getitem, way, spoilt["parts"][0])[last] = hostile
        answered = person.ask("POST", "/v1/studies/import", {"script": spoilt})
        assert answered.status_code in (201, 400, 404, 422), (hostile, answered.text)


@pytest.fixture(scope="module")
def script(client: FlaskClient) -> JsonObject:
    """A script with everything in it."""
    _, study = a_rich_study(client, visibility="public")
    return study.read("/export")


def test_variations_that_follow_nothing_or_one_another_are_refused(client: FlaskClient) -> None:
    _, study = a_rich_study(client)
    script = study.read("/export")
    branches = script["parts"][0]["branches"]
    branches[1]["parent"], branches[0]["parent"] = f"v{branches[0]['number']}", f"v{branches[1]['number']}"
    refused = brought_in(study.person, 422, script=script)
    assert (problem(refused), refused["reason"]) == ("study_refused", "no_parent")
    branches[1]["number"] = branches[0]["number"]
    assert problem(brought_in(study.person, 400, script=script)) == "unreadable_study"


def test_a_line_of_a_thousand_moves_is_brought_in_within_seconds(client: FlaskClient) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game)
    round_of_four = ["play upgrade_2", "play upgrade_2", "rest", "rest"]
    at = "4"
    for _ in range(3):
        at = study.play(at, *round_of_four * 90)[-1]
    text = text_of(study)
    began = process_time()
    copy = brought_in(first, text=text)
    assert process_time() - began < 30
    assert text_of(copy) == text


def test_an_import_says_one_thing(client: FlaskClient) -> None:
    assert problem(brought_in(somebody(client), 422)) == "invalid_request"
    nowhere = "study: x\n\nchapter: a\ngame: spice_road\nof: y\n"
    assert problem(brought_in(somebody(client), 404, text=nowhere)) == "not_there"
    assert problem(brought_in(somebody(client), 422, text=nowhere.replace("chapter: a", "chapter: a\x07b")))


def test_a_study_is_no_game(client: FlaskClient) -> None:
    study = begin(somebody(client))
    assert client.get(f"/v1/games/{study.id}").status_code == 404
    assert problem(study.edit("add_chapter", 404, title="itself", of=study.id)) == "not_there"


def test_a_report_has_pictures_and_nothing_that_runs(client: FlaskClient) -> None:
    _, study = a_rich_study(client, visibility="public")
    study.edit("settle", title="<script>alert(1)</script>")
    study.say("8", "<img src=x onerror=alert(1)> *so*")
    html = study.person.ask("GET", f"{study.path}/report", Accept="text/html").get_data(as_text=True)
    assert html.count("<svg ") >= 5
    assert "<em>so</em>" in html
    assert html.count('<p id="1/8" class="move">') == 1  # where #1/8 in a comment leads to
    assert "<script" not in html
    assert "<img" not in html
    told = study.person.ask("GET", f"{study.path}/report").get_data(as_text=True)
    assert "> Why not *rest*?" in told
    assert "- **the beginning**" in told
    assert "****" not in told
    address = told.split("![the board](")[1].split(")")[0]
    picture = client.get("/v1/" + address.split("/v1/")[1])
    assert (picture.status_code, picture.mimetype) == (200, "image/svg+xml")
    ET.fromstring(picture.data)
    marked = study.person.ask("GET", f"{study.path}/chapters/1/picture?at=8").get_data(as_text=True)
    for seen, markers in ((marked, 1), (html, 1)):
        assert seen.count("●") == markers
    assert client.get(f"/studies/{study.id}/report").status_code == 200
    assert client.get(f"/studies/{study.id}/text").mimetype == "text/plain"
    assert study.person.ask("GET", f"{study.path}/chapters/1/picture?at=999").status_code == 404


@pytest.mark.parametrize(
    ("language", "said", "beginning", "board", "hand"),
    [
        ("en", "played “create 2”: took 2 turmeric", "the beginning", "the board", "hand"),
        ("sv", "spelade ”skapa 2”: tog 2 gurkmeja", "början", "spelplanen", "hand"),
        ("hu", "kijátszotta", "a kezdet", "a tábla", "kéz"),
    ],
)
def test_a_report_speaks_the_language_of_its_reader(
    client: FlaskClient, language: str, said: str, beginning: str, board: str, hand: str
) -> None:
    _, study = a_rich_study(client, visibility="public")
    path = f"{study.path}/report"
    asked = client.get(path, headers={"Accept-Language": language})
    named = client.get(f"{path}?language={language}", headers={"Accept-Language": "cs"})
    assert asked.text == named.text
    assert asked.headers["Content-Language"] == language
    assert f" {said}" in asked.text.replace("\\", "")
    assert f"- **{beginning}**" in asked.text
    assert "`play create_2`" in asked.text
    address = asked.text.split(f"![{board}](")[1].split(")")[0]
    assert address.endswith(f"&language={language}")
    assert f">{hand}</text>" in client.get("/v1/" + address.split("/v1/")[1]).text
    page = client.get(f"{path}?language={language}", headers={"Accept": "text/html"}).text
    assert f'<html lang="{language}">' in page
    assert f">{hand}</text>" in page
    assert f" {said}" in page


def test_no_report_is_told_in_a_language_nobody_wrote(client: FlaskClient) -> None:
    study = begin(somebody(client), visibility="public")
    assert problem(study.read("/report?language=tlh", 422)) == "invalid_request"

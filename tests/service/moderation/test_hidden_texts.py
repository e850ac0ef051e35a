"""Hidden texts: no reader gets one from any route, page or stream, while events and proofs stay as they are."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from projections.rules.catalogue import LANGUAGES
from service.i18n.messages import hidden_notice
from tests.service.conftest import Environ
from tests.service.games.test_written_records import record
from tests.service.studies.test_shared import keep_up
from tests.support.service.administrators import administrator
from tests.support.service.annotators import Study, a_finished_game, begin
from tests.support.service.players import Person, answer, problem
from tests.support.service.tournament_fixture import Hall

SECRET: Final = "Arecibo"  # stands in each text that is hidden, and in no page of the documentation
NOTICE: Final = "hidden by an administrator"
PASSWORD: Final = {"password": "correct horse"}
FORMS: Final = ("*/*", "text/plain", "text/html", "text/markdown", "text/csv", "application/x-ndjson")
LOBBY: Final = "/v1/lobby/stream"  # followed in each form, and never at its end
ENDLESS: Final = ("/events", "/changes", "/stream")  # followed, unless their first form is asked for
NOT_HIDDEN: Final = ("/v1/me/stream", "/v1/me/export")  # without texts; with the player's own
PARAMETER: Final = re.compile(r"<(?:[^:<>]+:)?(\w+)>")
STAGE: Final = {"format": "swiss", "rounds": 1, "sizes": [2]}
QUESTION: Final = {
    "text": f"{SECRET}?",
    "answers": [{"move": "rest", "reply": f"{SECRET}!"}],
    "hints": [f"{SECRET}…"],
    "otherwise": f"no {SECRET}",
}


@pytest.fixture
def admin(app: Flask) -> Person:
    return administrator(app)


@pytest.fixture
def anna(client: FlaskClient) -> Person:
    return Person(client, "Anna", **PASSWORD)


@pytest.fixture
def read_models(environ: Environ) -> Callable[[], None]:
    """Brings the lists up to date, as the keeper does."""
    return partial(keep_up, environ)


def hide(admin: Person, about: str, id: str, number: int = 0, status: int = 201) -> dict[str, Any]:
    """Hides a text."""
    body = {"about": about, "id": id, "number": number, "reason": "rude"}
    return admin.post("/v1/admin/hidden-texts", body, status)


def show(admin: Person, about: str, id: str, number: int = 0, status: int = 201) -> dict[str, Any]:
    """Shows a text again."""
    body = {"about": about, "id": id, "number": number, "reason": "not so rude"}
    return admin.post("/v1/admin/shown-texts", body, status)


def end(admin: Person, game: str) -> int:
    """Ends a game for a reason; returns the number of the event that holds it."""
    admin.post(f"/v1/games/{game}/end", {"reason": f"{SECRET}!"})
    (note,) = answer(admin.client.get(f"/v1/games/{game}/replay"), 200)["notes"]
    return int(note["version"])


def told(app: Flask, person: Person, **ids: str) -> Iterator[tuple[str, str]]:
    """Yields each page and route that reads things with these ids or none, and what it answers their author."""
    browser = app.test_client()
    answer(browser.post("/v1/session", json={"name": person.name, **PASSWORD}), 201)
    values = {"chapter": "1", "number": "1", "round": "1", "table": "1", "stage": "1", "rank": "1", "player": person.id}
    values |= ids
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or not rule.arguments <= values.keys() or rule.rule.startswith("/static"):
            continue
        path = PARAMETER.sub(lambda found: values[found[1]], re.sub(r"<any\('([^']*)'[^>]*>", r"\1", rule.rule))
        for form in FORMS[: 1 if rule.rule.endswith(ENDLESS) else None]:
            if rule.rule not in NOT_HIDDEN:
                query = "?at=5" if rule.rule.endswith(("/board", "/picture")) else ""
                response = browser.get(path + query, headers={"Accept": form})
                followed = rule.rule == LOBBY and response.status_code == 200
                said = first_item(response) if followed else response.data
                yield f"{path} {form}", said.decode(errors="replace")  # also of pictures
                if "accept" not in response.vary:
                    break  # it has one form


def first_item(response: TestResponse) -> bytes:
    """Returns the beginning of a stream without an end, with its first item, and leaves it."""
    said = b""
    with closing(response):
        for piece in response.iter_encoded():
            said += piece
            if b'"number"' in said:
                break
    return said


def tells(app: Flask, person: Person, **ids: str) -> set[str]:
    """Returns the pages and routes that tell a hidden text."""
    return {path for path, text in told(app, person, **ids) if SECRET in text}


def annotated(anna: Person) -> tuple[Study, list[tuple[str, int]]]:
    """A study with a text of each kind, and the texts."""
    game, *_ = a_finished_game(anna.client)
    study = begin(anna, game, title=f"{SECRET} study")
    study.edit("change_chapter", chapter=1, title=f"{SECRET} chapter")
    comment = study.say("5", f"A {SECRET} comment")
    study.edit("ask", chapter=1, at="6", question=QUESTION)
    asked = study.note("6")["question"]["version"]
    return study, [("study", 0), ("chapter", 1), ("comment", comment), ("question", asked)]


def test_no_page_or_route_tells_a_hidden_text_of_a_study(
    app: Flask, anna: Person, admin: Person, read_models: Callable[[], None]
) -> None:
    study, texts = annotated(anna)
    read_models()
    before = tells(app, anna, study=study.id)
    for path in (
        "/v1/studies */*",
        f"/studies/{study.id}/text */*",
        f"/studies/{study.id}/markdown */*",
        "/studies */*",
    ):
        assert path in before
    for about, number in texts:
        assert hide(admin, about, study.id, number)["hidden"] is True
    assert tells(app, anna, study=study.id) == set()
    assert study.read()["title"] == NOTICE
    assert study.said("5") == [NOTICE]
    for about, number in texts:
        assert show(admin, about, study.id, number)["hidden"] is False
    assert tells(app, anna, study=study.id) == before


def test_no_page_or_route_tells_a_hidden_text_of_a_tournament_or_its_games(
    app: Flask, admin: Person, client: FlaskClient
) -> None:
    anna = Person(client, "Anna", **PASSWORD)
    hall = Hall(app, [STAGE], anna, title=f"The open of {SECRET}").open(2)
    hall.direct("stages")
    hall.start()
    game = str(hall.games()[0])
    hall.direct("rulings/void", {"round": 1, "table": 1, "reason": f"A {SECRET} reason"})
    hall.keep()
    event = hall.read("rulings")["rulings"][0]["event"]
    ids = {"tournament": hall.id, "game": game}
    before = tells(app, anna, **ids)
    assert {f"/v1/tournaments/{hall.id} */*", f"/v1/games/{game}/replay */*", "/tournaments */*"} <= before
    hide(admin, "tournament", hall.id)
    hide(admin, "reason", hall.id, event)
    assert tells(app, anna, **ids) == set()  # the game holds the reason of the ruling, too
    assert hall.read()["title"] == NOTICE
    for about, number in (("tournament", 0), ("reason", event)):
        show(admin, about, hall.id, number)
    assert tells(app, anna, **ids) == before


def test_no_page_or_route_tells_a_hidden_record_or_reason_of_a_game(app: Flask, anna: Person, admin: Person) -> None:
    text = record().replace("Reykjavík", SECRET).replace("They shook hands", SECRET).replace("slow", SECRET)
    game = anna.post("/v1/games/import", {"record": text.replace("Úlfur", SECRET)})["id"]
    ended = end(admin, game)
    before = tells(app, anna, game=game)
    assert {f"/v1/games/{game} */*", f"/v1/games/{game}/record */*", f"/v1/games/{game}/replay */*"} <= before
    hide(admin, "record", game)
    hide(admin, "reason", game, ended)
    assert tells(app, anna, game=game) == set()
    assert answer(anna.ask("GET", f"/v1/games/{game}"), 200)["record"]["below"] == [NOTICE]
    show(admin, "record", game)
    show(admin, "reason", game, ended)
    assert tells(app, anna, game=game) == before


def test_no_page_or_route_tells_the_hidden_engine_of_a_bot(app: Flask, anna: Person, admin: Person) -> None:
    bot = anna.post("/v1/bots", {"name": "Annas bot", "engine": f"{SECRET} 1"})["player"]["id"]
    before = tells(app, anna)
    assert {f"/players/{anna.id} */*", "/v1/bots */*"} <= before
    assert f"{SECRET} 1" in app.test_client().get(f"/players/{bot}").text
    hide(admin, "engine", bot)
    assert tells(app, anna) == set()
    assert NOTICE in app.test_client().get(f"/players/{bot}").text
    assert answer(anna.ask("GET", f"/v1/players/{bot}"), 200)["engine"] is None
    show(admin, "engine", bot)
    assert tells(app, anna) == before
    assert problem(hide(admin, "engine", anna.id, 0, 404)) == "not_there"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_notice_is_in_the_language_of_the_reader(
    anna: Person, admin: Person, language: str, read_models: Callable[[], None]
) -> None:
    study = begin(anna, title=SECRET, visibility="public")
    hide(admin, "study", study.id)
    read_models()
    notice, query = hidden_notice(language), f"?language={language}"
    assert study.read(query)["title"] == notice
    assert [one["title"] for one in answer(anna.ask("GET", f"/v1/studies{query}"), 200)["studies"]] == [notice]
    for path in (f"/studies/{study.id}", "/studies"):
        assert notice in anna.client.get(f"{path}{query}").text


def test_a_hidden_title_is_not_found_by_its_words(
    anna: Person, admin: Person, client: FlaskClient, read_models: Callable[[], None]
) -> None:
    study = begin(anna, title=f"The {SECRET} opening", visibility="public")
    read_models()
    assert len(client.get(f"/v1/studies?title={SECRET}").get_json()["studies"]) == 1
    hide(admin, "study", study.id)
    assert client.get(f"/v1/studies?title={SECRET}").get_json()["studies"] == []
    assert [one["title"] for one in client.get("/v1/studies").get_json()["studies"]] == [NOTICE]


def test_hidden_texts_are_not_copied_into_a_clone(anna: Person, admin: Person, client: FlaskClient) -> None:
    study, texts = annotated(anna)
    for about, number in texts:
        hide(admin, about, study.id, number)
    clone = Study(anna, anna.post(f"{study.path}/clones", {"visibility": "public"})["study"])
    assert SECRET not in anna.ask("GET", f"{clone.path}/export").text
    assert clone.said("5") == []


def test_an_edit_conflict_does_not_tell_a_hidden_text(anna: Person, admin: Person) -> None:
    study = begin(anna, title=SECRET)
    hide(admin, "study", study.id)
    study.edit("settle", visibility="unlisted")
    refused = study.edit("settle", status=409, saw=1, title="New")
    assert refused["current"] == {"title": NOTICE, "visibility": "unlisted"}


def test_another_text_of_the_author_is_shown(anna: Person, admin: Person) -> None:
    study = begin(anna, title=SECRET)
    hide(admin, "study", study.id)
    study.edit("settle", title="A better title")
    assert study.read()["title"] == "A better title"
    assert answer(admin.ask("GET", "/v1/admin/hidden-texts"), 200)["texts"] == []  # the old one was erased


def test_tags_change_with_a_hidden_text(anna: Person, admin: Person) -> None:
    game = anna.create("me", "open")["id"]
    ended = end(admin, game)
    path = f"/v1/games/{game}/replay"
    before = anna.ask("GET", path).headers["ETag"]
    hide(admin, "reason", game, ended)
    changed = anna.ask("GET", path, If_None_Match=before)
    assert changed.status_code == 200
    assert SECRET not in changed.text
    show(admin, "reason", game, ended)
    assert anna.ask("GET", path, If_None_Match=before).status_code == 304


def test_administrators_list_hidden_texts_and_read_them(anna: Person, admin: Person) -> None:
    study, texts = annotated(anna)
    for about, number in texts:
        hide(admin, about, study.id, number)
    listed, path = list[dict[str, Any]](), "/v1/admin/hidden-texts?limit=1"
    page = answer(admin.ask("GET", path), 200)
    while page["next"]:
        listed += page["texts"]
        page = answer(admin.ask("GET", f"{path}&after={page['next']}"), 200)
    listed += page["texts"]
    assert [(one["about"], one["number"]) for one in reversed(listed)] == texts
    assert listed[-1]["texts"] == [f"{SECRET} study"]
    assert len(listed[0]["texts"]) == 4


def test_each_act_on_a_text_is_recorded_once(anna: Person, admin: Person) -> None:
    study = begin(anna, title=SECRET)
    for act in (hide, hide, show):
        act(admin, "study", study.id)
    assert problem(show(admin, "study", study.id, status=404)) == "not_there"
    acts = answer(admin.ask("GET", "/v1/admin/record"), 200)["acts"]
    assert [(act["act"], act["reason"]) for act in acts] == [("text_shown", "not so rude"), ("text_hidden", "rude")]
    assert {(act["by"]["id"], act["subject"]["id"]) for act in acts} == {(admin.id, study.id)}


def test_what_is_no_text_or_erased_cannot_be_hidden(anna: Person, admin: Person) -> None:
    study = begin(anna, title=SECRET)
    game = anna.create("me", "open")["id"]
    for about, id, number in (
        ("comment", study.id, 99),
        ("study", game, 0),
        ("reason", game, 1),
        ("reason", study.id, 0),
        ("record", game, 0),
        ("tournament", study.id, 0),
    ):
        assert problem(hide(admin, about, id, number, 404)) == "not_there"
    assert problem(hide(admin, "player", anna.id, 0, 422)) == "invalid_request"
    anna.ask("DELETE", study.path)
    assert problem(hide(admin, "study", study.id, 0, 404)) == "not_there"


def test_bundles_stay_as_they_are_and_verify(app: Flask, admin: Person, client: FlaskClient) -> None:
    hall = Hall(app, [STAGE]).open(2)
    hall.direct("cancellation", {"reason": SECRET})
    archive = client.get(f"{hall.path}/archive").data
    event = hall.read()["version"]
    hide(admin, "tournament", hall.id)
    hide(admin, "reason", hall.id, event)
    assert client.get(f"{hall.path}/archive").data == archive

"""Many people at one study: at the same moment, live, after somebody was forgotten, after everything was rebuilt."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from flask.testing import FlaskClient

from events.chain import check
from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.read_models.rebuild import rebuild
from projections.read_models.registry import READ_MODELS, advance_all
from service.pages.studies import studies as study_pages
from tests.service.conftest import Environ
from tests.support.service.annotators import Study, a_finished_game, begin, with_writers
from tests.support.service.players import Person, answer, problem, somebody
from tests.support.service.scriptless_browser import Visitor
from tests.support.service.shared_fixtures import client, environ

__all__ = ["client", "environ"]  # shared by the tests of this module
ROUNDS = 12


def keep_up(environ: Environ) -> None:
    """Number the events and bring the read models on."""
    with connect(environ["DATABASE_URL"]) as connection:
        sequence_once(connection)
        while advance_all(connection):
            pass


def many_studies(client: FlaskClient, environ: Environ) -> tuple[str, Person, list[Study]]:
    game, first, _ = a_finished_game(client)
    studies = [begin(first, game, title=f"Caravans {number}", visibility="public") for number in range(3)]
    keep_up(environ)
    return game, first, studies


def test_two_writers_at_once_lose_nothing(client: FlaskClient) -> None:
    game, first, second = a_finished_game(client)
    study = with_writers(begin(first, game), second)

    def write(person: Person) -> list[str]:
        mine = study.by(Person.__new__(Person))
        mine.person.__dict__.update({**person.__dict__, "client": client.application.test_client()})
        for number in range(ROUNDS):
            mine.say("6", f"{person.name} {number}")
            mine.edit("mark", chapter=1, at="8", glyphs=[number % 6 + 1], markers=[])
        return [f"{person.name} {number}" for number in range(ROUNDS)]

    with ThreadPoolExecutor(2) as pool:
        written = [text for texts in pool.map(write, (first, second)) for text in texts]
    assert sorted(str(text) for text in study.said("6")) == sorted(written)
    assert len(study.note("8")["marks"]) == 2


def test_of_two_who_rewrite_one_comment_the_slower_learns_what_it_is_now(client: FlaskClient) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game)
    comment = study.say("6", "draft")
    saw = study.read()["version"]

    def rewrite(text: str) -> tuple[int, dict[str, Any]]:
        edit = {"do": "comment", "chapter": 1, "at": "6", "comment": comment, "text": text}
        headers = {"Authorization": f"Bearer {first.token}"}
        sent = client.application.test_client().post(
            f"{study.path}/edits", json={"edits": [edit], "saw": saw}, headers=headers
        )
        return sent.status_code, sent.get_json()

    with ThreadPoolExecutor(2) as pool:
        ended = sorted(pool.map(rewrite, ("one", "other")), key=lambda end: end[0])
    assert [status for status, _ in ended] == [201, 409]
    assert [ended[1][1]["current"]["text"]] == study.said("6")


def test_studies_are_listed_found_and_paged(client: FlaskClient, environ: Environ) -> None:
    game, first, studies = many_studies(client, environ)
    private = begin(first, game, title="Not for others", visibility="private")
    keep_up(environ)
    newest = [studies[2].id, studies[1].id, studies[0].id]

    def found(query: str, person: Person | None = None) -> list[str]:
        path = f"/v1/studies?{query}"
        told = answer(client.get(path) if person is None else person.ask("GET", path), 200)
        return [one["id"] for one in told["studies"]]

    assert found(f"about={game}") == newest
    assert found(f"about={game}", first) == [private.id, *newest]
    assert found(f"title=caravans+1&member={first.id}") == [studies[1].id]
    assert found(f"member={first.id}&lesson=true") == []
    assert [one["id"] for one in answer(client.get(f"/v1/games/{game}/studies"), 200)["studies"]] == newest
    page = client.get(f"/v1/studies?about={game}&limit=2")
    assert [one["id"] for one in page.get_json()["studies"]] == newest[:2]
    following = page.headers["Link"].split(">")[0].lstrip("<")
    assert [one["id"] for one in answer(client.get(following), 200)["studies"]] == newest[2:]


def test_a_study_survives_a_rebuild_of_all_projections(client: FlaskClient, environ: Environ) -> None:
    _, first, studies = many_studies(client, environ)
    studies[0].play("4", "play upgrade_2")
    studies[0].say("6", "kept")
    studies[0].edit("settle", visibility="unlisted", title="Renamed")
    studies[1].edit("delete_chapter", chapter=1)
    keep_up(environ)
    before = studies[0].chapter(), answer(first.ask("GET", f"/v1/studies?member={first.id}"), 200)
    with connect(environ["DATABASE_URL"]) as connection:
        for model in READ_MODELS.values():
            assert rebuild(connection, model, lambda _done, _of: None).compared
    after = studies[0].chapter(), answer(first.ask("GET", f"/v1/studies?member={first.id}"), 200)
    assert before == after


def test_the_events_of_a_study_are_a_chain_without_free_text(client: FlaskClient, environ: Environ) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game, title="Unmistakable title")
    study.say("6", "unmistakable words")
    bodies, texts = bodies_and_texts(environ, study)
    chain = check(bodies, stream=UUID(study.id))
    assert [event.kind for event in chain] == ["study_created", "chapter_added", "comment_written"]
    assert texts == 3
    assert b"nmistakable" not in b"".join(bodies)
    assert first.name.encode() not in b"".join(bodies)


def test_a_person_who_is_forgotten_leaves_a_study_that_can_be_read(client: FlaskClient) -> None:
    game, first, second = a_finished_game(client)
    study = with_writers(begin(first, game, visibility="public"), second)
    study.by(second).say("6", "what I thought")
    reader = somebody(client)
    tag = reader.ask("GET", f"{study.path}/chapters/1").headers["ETag"]
    assert second.ask("DELETE", "/v1/me").status_code == 204
    seen = reader.ask("GET", f"{study.path}/chapters/1", If_None_Match=tag)
    assert seen.status_code == 200
    assert second.name not in seen.text
    (comment,) = seen.get_json()["notes"]["6"]["comments"]
    assert (comment["author"], comment["text"]) == ({"id": second.id, "name": None}, "what I thought")
    assert second.name not in study.person.ask("GET", study.path).text


def bodies_and_texts(environ: Environ, study: Study) -> tuple[list[bytes], int]:
    """The events of a study as they are stored, and how many texts stand beside them."""
    with psycopg.connect(environ["DATABASE_URL"]) as connection:
        rows = connection.execute("SELECT body FROM events WHERE stream = %s ORDER BY seq", (study.id,)).fetchall()
        texts = connection.execute("SELECT count(*) FROM texts WHERE stream = %s", (study.id,)).fetchone()
    assert texts is not None
    return [bytes(body) for (body,) in rows], texts[0]


def test_a_deleted_study_loses_its_texts_and_keeps_its_chain(client: FlaskClient, environ: Environ) -> None:
    game, first, second = a_finished_game(client)
    study = with_writers(begin(first, game, title="Gone soon", visibility="public"), second)
    study.by(second).say("6", "soon gone")
    copy = study.by(somebody(client)).person.post(f"{study.path}/clones", {"visibility": "public"})["study"]
    keep_up(environ)
    assert problem(answer(second.ask("DELETE", study.path), 403)) == "not_allowed"
    answer(first.ask("DELETE", study.path), 200)
    bodies, texts = bodies_and_texts(environ, study)
    assert ([event.kind for event in check(bodies, stream=UUID(study.id))][-1], texts) == ("study_deleted", 0)
    for what in (
        "",
        "/chapters/1",
        "/chapters/1/board?at=6",
        "/export",
        "/report",
        "/changes",
        "/chapters/1/picture?at=6",
    ):
        assert problem(study.by(second).read(what, 410)) == "study_deleted"
    assert problem(study.edit("settle", 410, title="Again")) == "study_deleted"
    assert problem(first.post(f"{study.path}/clones", {}, 410)) == "study_deleted"
    assert client.get(f"/studies/{study.id}", headers={"Accept": "text/html"}).status_code == 410
    keep_up(environ)
    assert [one["id"] for one in answer(client.get(f"/v1/games/{game}/studies"), 200)["studies"]] == [copy]
    assert answer(first.ask("GET", f"/v1/studies?member={first.id}&title=gone"), 200)["studies"] == []
    with connect(environ["DATABASE_URL"]) as connection:
        assert rebuild(connection, READ_MODELS["studies"], lambda _done, _of: None).compared
    assert Study(first, copy).said("6") == ["soon gone"]


def test_a_study_is_deleted_once_and_at_the_expected_version(client: FlaskClient) -> None:
    game, first, second = a_finished_game(client)
    study = with_writers(begin(first, game, visibility="private"), second)
    saw = study.read()["version"]
    study.by(second).say("6", "wait!")
    assert problem(answer(first.ask("DELETE", f"{study.path}?saw={saw}"), 409)) == "edit_conflict"
    path = f"{study.path}?saw={saw + 1}"
    gone = [answer(first.ask("DELETE", path, Idempotency_Key="away"), 200)["version"] for _ in range(2)]
    assert gone == [saw + 2, saw + 2]
    assert problem(answer(first.ask("DELETE", path), 410)) == "study_deleted"
    assert problem(study.by(second).read("", 410)) == "study_deleted"
    assert problem(study.by(somebody(client)).read("", 404)) == "not_there"  # a player without access learns nothing


def test_who_reads_along_is_told_no_more_of_a_study_that_is_deleted(client: FlaskClient) -> None:
    game, first, second = a_finished_game(client)
    study = with_writers(begin(first, game), second)
    saw = study.read()["version"]
    stream = second.ask("GET", f"{study.path}/changes?after={saw}", Accept="application/x-ndjson")
    answer(first.ask("DELETE", study.path), 200)
    told = [json.loads(line) for line in stream.iter_encoded() if line.strip()]
    assert told == [{"closed": "access_ended", "next": saw}]


def test_changes_are_told_without_what_they_say(client: FlaskClient) -> None:
    game, first, second = a_finished_game(client)
    study = with_writers(begin(first, game, visibility="private"), second)
    start = study.read()["version"]
    study.say("6", "for members alone")
    page = answer(second.ask("GET", f"{study.path}/changes?after={start}&wait=5"), 200)
    assert [(one["version"], one["kind"], one["chapter"]) for one in page["changes"]] == [
        (start + 1, "comment_written", 1)
    ]
    assert somebody(client).ask("GET", f"{study.path}/changes").status_code == 404
    stream = second.ask("GET", f"{study.path}/changes?after={start}", Accept="application/x-ndjson")
    lines = (json.loads(line) for line in stream.iter_encoded() if line.strip())
    assert next(lines)["version"] == start + 1
    study.edit("member", player=second.id, role=None)
    assert next(lines) == {"closed": "access_ended", "next": start + 1}


def test_studies_are_found_begun_and_brought_in_by_forms(client: FlaskClient, environ: Environ) -> None:
    game, first, studies = many_studies(client, environ)
    visitor = Visitor(client.application.test_client(), f"visitor {uuid4().hex[:12]}")
    begun = visitor.sent("/studies", title="Begun by a form", game=f"https://cabildo.example/games/{game}#4")
    keep_up(environ)
    mine = visitor.open("/studies?mine=true")
    assert begun in mine
    assert studies[0].id not in mine
    found = visitor.open(f"/studies?title=caravans+1&game={game}")
    assert [study.id in found for study in studies] == [False, True, False]
    assert "None fits." in visitor.open("/studies?title=caravans&lesson=true&mine=true")
    studies[0].say("6", "taken along")
    text = first.ask("GET", f"{studies[0].path}/export", Accept="text/plain").get_data(as_text=True)
    script = first.ask("GET", f"{studies[0].path}/export").get_data(as_text=True)
    for taken in (text.replace("\n", "\r\n"), script):
        copy = visitor.sent("/studies/import", script=taken).rsplit("/", 1)[1]
        read = answer(visitor.client.get(f"/v1/studies/{copy}/chapters/1"), 200)
        assert [one["text"] for one in read["notes"]["6"]["comments"]] == ["taken along"]
    refused = visitor.send("/studies/import", script="neither <b>text</b> nor JSON")
    assert refused.status_code == 400
    assert "neither &lt;b&gt;text&lt;/b&gt; nor JSON</textarea>" in refused.text
    assert 'role="alert"' in refused.text
    assert visitor.send("/studies", title="", game="").status_code == 422


def test_a_long_list_of_studies_goes_on_behind_a_link(
    client: FlaskClient, environ: Environ, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study_pages, "MOST", 2)
    first = somebody(client)
    studies = [begin(first, title=f"Pepper {number}", visibility="public").id for number in range(3)]
    keep_up(environ)
    page = client.get("/studies?title=pepper").text
    following = re.search(r'rel="next" href="([^"]+)"', page)
    assert following is not None
    last = client.get(f"/studies{unescape(following[1])}").text
    assert [study in page for study in studies] == [False, True, True]
    assert [study in last for study in studies] == [True, False, False]
    assert 'rel="next"' not in last

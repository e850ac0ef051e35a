"""Small things of the API: words of a parser in the client's language, If-None-Match: *, records as plain text."""

import pytest
from flask.testing import FlaskClient

from projections.rules.registry import GAMES
from tests.support.projections.random_games import random_game, written
from tests.support.service.players import Person, answer, problem, somebody
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]  # shared by the tests of this module
FAULTS = {  # body -> what a client hears of it in Swedish
    '{"name": }': "ett värde väntas, på rad 1 vid kolumn 10",
    "{name: 1}": "ett namn inom citattecken väntas, på rad 1 vid kolumn 2",
    '{"name" 1}': "ett kolon väntas, på rad 1 vid kolumn 9",
    '{"name": 1 2}': "ett komma eller slutet väntas, på rad 1 vid kolumn 12",
    '{"name": "a': "en text saknar slut, på rad 1 vid kolumn 10",
    '{"name": "a\nb"}': "en text har ett styrtecken, på rad 1 vid kolumn 12",
    '{"name": "\\q"}': "en kodsekvens är okänd, på rad 1 vid kolumn 11",
    '{"name": 1} x': "det kommer mer efter värdet, på rad 1 vid kolumn 13",
    '{"name": NaN}': "NaN är inget JSON-tal",
    '{"name": 1, "name": 2}': "samma namn förekommer två gånger i ett objekt",
    '{"name": "\\ud800"}': "det har tecken som inte finns i dess kodning",
}


@pytest.mark.parametrize("body", FAULTS, ids=str)
def test_a_fault_in_json_is_told_in_the_language_of_the_client(client: FlaskClient, body: str) -> None:
    asked = {"Content-Type": "application/json", "Accept-Language": "sv"}
    refused = answer(client.post("/v1/players", data=body, headers=asked), 400)
    assert (problem(refused), refused["detail"]) == ("unreadable_body", f"innehållet är inte JSON: {FAULTS[body]}")


def test_a_text_in_no_encoding_is_told_too(client: FlaskClient) -> None:
    asked = {"Content-Type": "application/json", "Accept-Language": "sv"}
    refused = answer(client.post("/v1/players", data=b'{"name": "\xff\xff"}', headers=asked), 400)
    assert refused["detail"].endswith("det har tecken som inte finns i dess kodning")


def test_any_state_is_known_only_where_there_is_one(client: FlaskClient) -> None:
    host = somebody(client)
    waiting = host.create("me", "open")["id"]
    game = host.create("me", "bot:random", start_player=0)["id"]
    for what in ("", "/position", "/legal", "/events"):
        assert host.ask("GET", f"/v1/games/{game}{what}", if_none_match="*").status_code == 304
    assert host.ask("GET", f"/v1/games/{waiting}/position", if_none_match="*").status_code == 404
    assert host.ask("GET", f"/v1/games/{game}/position?at=999", if_none_match="*").status_code == 404


def a_record() -> str:
    """Returns the record of a short game."""
    return written(random_game(GAMES["spice_road"], 2, seed=1, longest=12))


def imported(person: Person, text: str | bytes, path: str = "/v1/games/import", **more: str) -> dict[str, object]:
    """Returns the answer to a record that is sent as plain text."""
    headers = {"Authorization": f"Bearer {person.token}", "Content-Type": "text/plain; charset=utf-8"}
    document: dict[str, object] = person.client.post(path, data=text, headers={**headers, **more}).get_json()
    return document


def test_a_record_is_imported_as_plain_text(client: FlaskClient) -> None:
    scribe = somebody(client)
    document = imported(scribe, a_record())
    again = scribe.ask("GET", f"/v1/games/{document['id']}/record").text
    assert document["imported"]
    assert imported(scribe, again)["version"] == document["version"]


def test_a_plain_text_has_one_answer_for_a_key(client: FlaskClient) -> None:
    scribe = somebody(client)
    first = imported(scribe, a_record(), **{"Idempotency-Key": "one"})
    assert imported(scribe, a_record(), **{"Idempotency-Key": "one"})["id"] == first["id"]


def test_a_plain_text_is_checked_as_the_field_is(client: FlaskClient) -> None:
    scribe = somebody(client)
    assert problem(imported(scribe, "")) == "invalid_request"
    assert problem(imported(scribe, b"\xff\xfe")) == "unreadable_body"
    assert problem(imported(scribe, "x" * 6_000_000)) == "content_too_large"
    assert problem(imported(scribe, "rest", path="/v1/games")) == "unsupported_media_type"


def test_a_record_is_continued_as_plain_text(client: FlaskClient) -> None:
    scribe, lines = somebody(client), a_record().splitlines(keepends=True)
    begun = imported(scribe, "".join(lines[:-1]))
    going = imported(scribe, lines[-1], path=f"/v1/games/{begun['id']}/record")
    assert int(str(going["version"])) > int(str(begun["version"]))


def test_the_account_of_a_person_takes_no_field_of_bots(client: FlaskClient) -> None:
    person = somebody(client)
    refused = answer(person.ask("PATCH", "/v1/me", {"engine": "mine 1"}, accept_language="hu"), 422)
    assert refused["errors"] == {"json": {"engine": ["ez a mező csak egy bot fiókjában van"]}}

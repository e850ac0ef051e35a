"""Refusals are translated: every pattern of the code and of its libraries has a row, and clients get their language."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from marshmallow import Schema, fields, validate
from werkzeug.exceptions import TooManyRequests, default_exceptions

from events.messages import Message
from projections.games import record
from projections.ratings.model import POOLS
from projections.tournaments import record as tournament
from projections.verify.checks.chance import LEVELS
from service.i18n import catalogue
from service.i18n import messages as words
from service.i18n.catalogue import MESSAGES
from service.web.error_handlers import handle_http_error
from service.web.problem_types import PROBLEMS
from tests.support.service.players import somebody
from tests.support.service.translation_scan import said

STATUSES: Final = {
    record.OPEN, record.RUNNING, record.FINISHED, record.ABORTED,
    tournament.DRAFT, tournament.OPEN, tournament.RUNNING, tournament.FINISHED, tournament.CANCELLED,
    tournament.PAIRED, tournament.PUBLISHED, tournament.DECLARED, tournament.STARTED, tournament.CLOSED,
}  # fmt: skip
ANSWERED: Final = (400, 404, 405, 406, 408, 411, 413, 414, 415, 416, 429, 431, 503)  # by HTTP itself
PHRASES: Final = {  # of statuses, before Python 3.13 and since
    "Request Entity Too Large", "Request-URI Too Long", "Requested Range Not Satisfiable",
    "Content Too Large", "URI Too Long", "Range Not Satisfiable",
}  # fmt: skip
ONE_SEAT: Final = {"game": "spice_road", "seats": ["me"]}
OF_WRITING: Final = frozenset(("format", "invalid_awareness"))  # no request brings these messages about


def rows() -> set[str]:
    """The English patterns of the catalogue."""
    return {english for subject in catalogue.subjects(MESSAGES) for english in catalogue.rows(MESSAGES, subject)}


def messages(field: fields.Field[Any]) -> Iterator[str]:
    """Yields the messages of a field and of the fields in it."""
    yield from (str(message) for name, message in field.error_messages.items() if name not in OF_WRITING)
    for rule in field.validators:
        yield from (
            text for name, text in vars(rule).items() if name.startswith("message_") or (name == "error" and text)
        )
        if isinstance(rule, validate.Length):
            yield from (rule.message_min, rule.message_max, rule.message_all, rule.message_equal)
    if isinstance(field, fields.List):
        yield from messages(field.inner)


def standard() -> set[str]:
    """Returns the messages of libraries, and those that refusals and reports choose by a status or a level."""
    kinds = [kind for kind in Schema.__subclasses__() if kind.__module__.startswith("service.")]
    of_fields = {text for kind in kinds for field in kind().fields.values() for text in messages(field)}
    of_schemas = {*Schema().error_messages.values()}
    of_http = {text for code in ANSWERED for text in (HTTPStatus(code).phrase, default_exceptions[code].description)}
    titles = (problem.title for problem in PROBLEMS.values())
    return {
        *of_fields,
        *of_schemas,
        *titles,
        *STATUSES,
        *POOLS,
        *LEVELS.values(),
        *map(str, of_http),
        HTTPStatus(500).phrase,
    }


def test_every_pattern_of_the_code_is_in_the_catalogue() -> None:
    assert sorted(f"{one.place} {one.pattern}" for one in said() if one.pattern not in rows()) == []


def test_messages_of_libraries_are_in_the_catalogue() -> None:
    assert sorted(standard() - rows()) == []


def test_the_catalogue_has_no_unused_message() -> None:
    assert sorted(rows() - {one.pattern for one in said()} - standard() - PHRASES) == []


@pytest.mark.parametrize(
    ("language", "path", "body", "detail"),
    [
        (
            "is",
            "/v1/games",
            {"game": "spice_road", "seats": ["me"]},
            "valkostur 'seats': sæti: 1; spilið er fyrir 2 til 5",
        ),
        ("sv", "/v1/tokens", {"label": "x", "scopes": ["admin"]}, "det här kräver en nyckel med behörigheten admin"),
        ("cs", f"/v1/games/{UUID(int=7)}/moves", {"move": "rest"}, f"neexistuje: hra {UUID(int=7)}"),
        ("hu", "/v1/games", {"game": "spice_road"}, "néhány mező nem az, amit a művelet elfogad"),
        ("en", f"/v1/games/{UUID(int=7)}/moves", {"move": "rest"}, f"there is no game {UUID(int=7)}"),
        ("is", "/v1/games/import", {"record": "[?]"}, "lína 1: þetta er ekki lína með leik: [?]"),
        ("en", "/v1/games/import", {"record": "[?]"}, "line 1: not a move line: [?]"),
    ],
)
def test_a_refusal_has_the_language_of_the_request(
    client: FlaskClient, language: str, path: str, body: dict[str, Any], detail: str
) -> None:
    response = somebody(client).ask("POST", path, body, Accept_Language=language)
    assert response.get_json()["detail"] == detail
    assert response.headers["Content-Language"] == language
    assert {"Accept-Language", "Cookie"} <= {*response.vary}


def test_a_fault_of_a_field_is_translated_under_its_name(client: FlaskClient) -> None:
    wrong = {"game": "chess", "seats": [], "chance": 7, "seed": "x", "more": 1}
    told = somebody(client).ask("POST", "/v1/games", wrong, Accept_Language="is").get_json()["errors"]["json"]
    assert told == {
        "game": ["Á að vera eitt af: puerto_rico, spice_road."],
        "seats": ["Lengdin á að vera frá 1 til 5."],
        "chance": ["Verður að vera frá 0 til 3."],
        "seed": ["Textinn er ekki á réttu formi."],
        "more": ["Óþekktur reitur."],
    }


def test_an_http_error_has_the_language_of_the_request(client: FlaskClient) -> None:
    told = client.get("/nowhere", headers={"Accept-Language": "cs"}).get_json()
    assert (told["type"], told["title"]) == ("/problems#not_found", "Nenalezeno")
    assert told["detail"].startswith("Adresa na serveru není.")


def test_a_rate_limit_has_the_language_of_the_request(app: Flask) -> None:
    with app.test_request_context(headers={"Accept-Language": "hu"}):
        told = handle_http_error(TooManyRequests(Message("{most} units per minute", most=60))).get_json()
    assert (told["title"], told["detail"]) == ("Túl sok kérés", "egységek percenként: 60")


def test_an_impossible_line_has_the_sentence_of_the_rules(client: FlaskClient) -> None:
    asked = {"game": "spice_road", "seats": 2, "moves": ["rest"]}
    told = client.post("/v1/analysis", json=asked, headers={"Accept-Language": "sv"}).get_json()
    assert told["detail"] == "rad 1, 'rest': Det finns inga spelade kort att ta tillbaka."


def test_a_verification_report_is_translated(client: FlaskClient) -> None:
    game = somebody(client).create("me", "open")["id"]
    bundle = client.get(f"/v1/games/{game}/bundle").data
    report = client.post("/v1/verify", data=bundle, headers={"Accept-Language": "cs"}).get_json()
    assert report["checks"][0]["asks"] == "Je soubor přesně jeden balíček?"
    assert "hra v tomto balíčku neskončila" in report["not_proved"]


def test_nested_messages_are_translated_unknown_ones_stay_english() -> None:
    inner = Message("expected {game!r}", game="spice_road")
    assert (
        words.translate(Message("{where}: {reason}", where="game", reason=inner), "hu") == "game: ide 'spice_road' kell"
    )
    assert words.translate(Message("{n} of something else", n=3), "hu") == "3 of something else"
    assert words.translate("an object such as {this}", "hu") == "an object such as {this}"


def test_labels_carry_content_language(client: FlaskClient) -> None:
    game = somebody(client).create("me", "bot:random", chance=0)["id"]
    shown = client.get(f"/v1/games/{game}/position", headers={"Accept": "text/plain", "Accept-Language": "sv"})
    plain = client.get(f"/v1/games/{game}/events?after=0", headers={"Accept-Language": "sv"})
    assert (shown.headers.get("Content-Language"), plain.headers.get("Content-Language")) == ("sv", None)

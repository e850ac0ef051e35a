"""Answers to requests that use something deprecated say so; times are taken in ISO 8601."""

from datetime import date
from email.utils import parsedate_to_datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from events.messages import Message
from service.operations.schemas import Alive
from service.pages.docs import views as docs
from service.pages.site import changelog
from service.players.identity import Identity
from service.web.blueprints import ROUTES
from service.web.openapi import specification
from service.web.openapi.deprecation import DEPRECATED, NUMBERS_AS_TIMES, Deprecated
from service.web.routing import Routes
from tests.support.service.players import answer, somebody
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]  # shared by the tests of this module
NUMBER, TEXT = 1_800_041_400_000_000, "2027-01-15T20:30:00+01:00"


def declared(client: FlaskClient, **times: Any) -> Any:
    regulations = {"game": "spice_road", "stages": [{"format": "heats", "rounds": 1}], **times}
    return somebody(client).ask("POST", "/v1/tournaments", {"title": "The open", "regulations": regulations})


def test_a_number_for_a_time_is_taken_and_called_deprecated(client: FlaskClient) -> None:
    made = declared(client, starts=NUMBER)
    assert answer(made, 201)["starts"] == "2027-01-15T19:30:00.000000Z"
    row = DEPRECATED[NUMBERS_AS_TIMES]
    assert made.headers["Deprecation"].startswith("@")
    assert parsedate_to_datetime(made.headers["Sunset"]).date() == row.sunset
    assert made.headers["Link"] == f'</changelog#{NUMBERS_AS_TIMES}>; rel="deprecation"; type="text/html"'
    assert f'id="{NUMBERS_AS_TIMES}"' in client.get("/changelog").text


def test_iso_times_are_not_deprecated(client: FlaskClient) -> None:
    made = declared(client, starts=TEXT)
    assert answer(made, 201)["regulations"]["starts"] == NUMBER
    assert "Deprecation" not in made.headers
    assert "Sunset" not in made.headers


@pytest.mark.parametrize("time", ["2027-01-15T19:30:00", "tomorrow", "", -1, 2**60, True, 1.5, "0001-01-01T00:00:00Z"])
def test_a_time_without_zone_or_form_is_refused(client: FlaskClient, time: object) -> None:
    refused = answer(declared(client, starts=time), 422)
    assert "2026-11-18T19:30:00Z" in str(refused["errors"])


def test_every_deprecation_lasts_a_year() -> None:
    assert all((row.sunset - row.since).days >= 365 for row in changelog.in_force(ROUTES).values())


def test_a_deprecated_operation_says_so_everywhere(app: Flask) -> None:
    ending = Routes("ending", "Things that end")
    row = Deprecated(date(2026, 11, 19), date(2028, 1, 1), Message("times in requests as numbers"))

    @ending.on("GET", "/v1/old/<string:name>", answers=Alive, scope="read", deprecated=row)
    def old(name: str, asker: Identity) -> dict[str, str]:
        """Read an old thing."""
        return {"status": name}

    app.register_blueprint(ending.blueprint)
    app.register_blueprint(docs.pages((ending,)), url_prefix="/test", name="docs_of_test")
    app.register_blueprint(changelog.pages((ending,)), url_prefix="/test", name="changelog_of_test")
    client = app.test_client()
    for told in (somebody(client).ask("GET", "/v1/old/x"), client.get("/v1/old/x")):  # refused ones, too
        assert told.headers["Deprecation"] == "@1795046400"
        assert told.headers["Sunset"] == "Sat, 01 Jan 2028 00:00:00 GMT"
        assert told.headers["Link"] == '</changelog#get_v1_old_string_name>; rel="deprecation"; type="text/html"'
    described = specification.document((ending,))["paths"]["/v1/old/{name}"]["get"]
    assert described["deprecated"] is True
    assert described["description"].endswith("may be refused from 2028-01-01: times in requests as numbers.")
    for page in ("/changelog", "/compatibility"):
        assert '<tr id="get_v1_old_string_name">' in client.get(f"/test{page}").text
    assert "deprecated:get_v1_old_string_name" in client.get("/test/changelog.atom").text
    shown = client.get("/test/docs/reference/ending").text
    assert "<time>2028-01-01</time>: times in requests as numbers." in shown
    assert 'href="/changelog#get_v1_old_string_name"' in shown

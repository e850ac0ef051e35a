"""Answers to requests that use something deprecated say so; times are taken in ISO 8601."""

from email.utils import parsedate_to_datetime
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.web.openapi.deprecation import DEPRECATED, NUMBERS_AS_TIMES
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
    assert all((row.sunset - row.since).days >= 365 for row in DEPRECATED.values())

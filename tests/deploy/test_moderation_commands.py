"""The operator appoints administrators, and settles reports and hides texts without a token."""

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.deploy.test_admin_command import run
from tests.service.conftest import Environ, opened_app, variables
from tests.support.service.annotators import begin
from tests.support.service.players import Person, answer

REASON = ("--reason", "rude")


@pytest.fixture
def environ(database: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Environ:
    return variables(database, redis_url, tmp_path_factory.mktemp("data"))


@pytest.fixture
def app(environ: Environ) -> Iterator[Flask]:
    with opened_app(environ) as app:
        yield app


@pytest.fixture
def anna(app: Flask) -> Person:
    return Person(app.test_client(), "Anna")


def test_an_administrator_is_appointed_listed_and_dismissed(environ: Environ, anna: Person) -> None:
    assert run(environ, "appoint", "anna").stdout == "appointed\n"
    run(environ, "appoint", "anna")  # changes nothing
    assert run(environ, "administrators").stdout.startswith(f"Anna ({anna.id}) since 20")
    assert run(environ, "dismiss", "anna").stdout == "dismissed\n"
    assert run(environ, "administrators").stdout == ""
    assert "there is no administrator" in run(environ, "dismiss", "anna", code=1).output
    acts = [line.split()[5] for line in run(environ, "record").stdout.splitlines()]
    assert acts == ["administrator_dismissed", "administrator_appointed"]


def test_a_bot_cannot_be_an_administrator(environ: Environ, anna: Person) -> None:
    anna.post("/v1/bots", {"name": "Annas bot", "engine": "own 1"})
    assert "cannot be an administrator" in run(environ, "appoint", "Annas bot", code=1).output


def test_an_appointed_player_has_no_further_right_in_the_api(environ: Environ, anna: Person) -> None:
    run(environ, "appoint", "anna")
    assert anna.ask("GET", "/v1/admin/record").status_code == 403


def test_reports_are_listed_and_settled(environ: Environ, anna: Person, app: Flask) -> None:
    birgir = Person(app.test_client(), "Birgir")
    body = {"about": "player", "id": anna.id, "kind": "abuse", "text": "Rude.\nplayer forged: 1 open"}
    report = birgir.post("/v1/reports", body)["report"]
    thing, line = run(environ, "reports").stdout.splitlines()
    assert thing == f"player {anna.id} 0: 1 open"
    assert line.split()[0] == report
    assert line.endswith("Birgir  abuse: Rude. player forged: 1 open")
    assert run(environ, "settle", report, "--outcome", "dismissed").stdout == "1 settled\n"
    assert run(environ, "reports").stdout == ""
    assert answer(birgir.ask("GET", "/v1/reports"), 200)["reports"][0]["settled"] is True


def test_a_text_is_hidden_and_shown(environ: Environ, anna: Person) -> None:
    study = begin(anna, title="Rude")
    run(environ, "hide", "study", study.id, *REASON)
    assert study.read()["title"] == "hidden by an administrator"
    run(environ, "show", "study", study.id, "--reason", "two\nlines", code=2)
    run(environ, "show", "study", study.id)
    assert study.read()["title"] == "Rude"

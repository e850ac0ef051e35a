"""Reports by players: about anything they see, once, within bounds, and known to administrators alone."""

from typing import Any, Final
from uuid import uuid4

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time

from service import settings
from service.moderation.reports import commands
from tests.service.conftest import Environ, opened_app
from tests.service.players.test_export import Files, unpacked
from tests.support.service.administrators import administrator
from tests.support.service.annotators import a_finished_game, begin
from tests.support.service.players import Person, answer, problem
from tests.support.service.tournament_fixture import Hall
from workers.keeper.duty_context import KeeperContext
from workers.keeper.reports import DeleteOldReports

ROWS: Final = "SELECT count(*) FROM reports"
WORDS: Final = {"kind": "abuse", "text": "This is rude."}
STAGE: Final = {"format": "swiss", "rounds": 1, "sizes": [2]}


@pytest.fixture
def anna(client: FlaskClient) -> Person:
    return Person(client, "Anna", password="correct horse")


@pytest.fixture
def birgir(client: FlaskClient) -> Person:
    return Person(client, "Birgir", password="correct horse")


@pytest.fixture
def admin(app: Flask) -> Person:
    """An administrator."""
    return administrator(app)


def file(person: Person, about: str, id: str, number: int = 0, status: int = 201, **more: Any) -> dict[str, Any]:
    """A report by a player."""
    return person.post("/v1/reports", {"about": about, "id": id, "number": number, **WORDS, **more}, status)


def waiting(admin: Person, **query: Any) -> list[dict[str, Any]]:
    """The things with open reports."""
    path = "/v1/admin/reports" + "".join(f"?{name}={value}" for name, value in query.items())
    return list(answer(admin.ask("GET", path), 200)["things"])


def test_each_kind_of_thing_can_be_reported(app: Flask, anna: Person, birgir: Person, admin: Person) -> None:
    game, *_ = a_finished_game(anna.client)
    study = begin(anna, game)
    comment = study.say("5", "You play badly.")
    hall = Hall(app, [STAGE], anna)
    hall.direct("publication")
    hall.direct("cancellation", {"reason": "I am bored"})
    cancelled = answer(birgir.ask("GET", f"/v1/tournaments/{hall.id}"), 200)["version"]
    things = [
        ("player", anna.id, 0),
        ("game", game, 0),
        ("study", study.id, 0),
        ("chapter", study.id, 1),
        ("comment", study.id, comment),
        ("tournament", hall.id, 0),
        ("reason", hall.id, cancelled),
    ]
    for about, id, number in things:
        told = file(birgir, about, id, number)
        assert (told["about"], told["id"], told["number"], told["settled"]) == (about, id, number, False)
    assert [(one["about"], one["id"], one["number"]) for one in waiting(admin)] == things


def test_a_thing_that_the_player_may_not_see_cannot_be_reported(anna: Person, birgir: Person) -> None:
    private = anna.post("/v1/studies", {"title": "Mine", "visibility": "private"})["study"]
    game = anna.create("me", "open", visibility="private")["id"]
    for about, id, number in (
        ("study", private, 0),
        ("game", game, 0),
        ("comment", private, 3),
        ("reason", game, 2),
        ("record", game, 0),
        ("player", str(uuid4()), 0),
        ("tournament", private, 0),
    ):
        assert problem(file(birgir, about, id, number, 404)) == "not_there"


def test_a_thing_reported_twice_by_a_player_is_one_report(anna: Person, birgir: Person, admin: Person) -> None:
    first, again = file(birgir, "player", anna.id), file(birgir, "player", anna.id, text="And again!")
    assert first == again
    cecilia = Person(birgir.client, "Cecilia")
    file(cecilia, "player", anna.id, kind="spam")
    (thing,) = waiting(admin)
    assert (thing["count"], [report["kind"] for report in thing["reports"]]) == (2, ["abuse", "spam"])
    assert [report["reporter"]["name"] for report in thing["reports"]] == ["Birgir", "Cecilia"]


def test_a_settled_report_is_told_to_its_reporter_without_details(anna: Person, birgir: Person, admin: Person) -> None:
    report = file(birgir, "player", anna.id)["report"]
    settled = {"reports": [report], "outcome": "acted", "note": "Anna was warned"}
    assert admin.post("/v1/admin/reports/settlements", settled) == {"settled": 1}
    assert admin.post("/v1/admin/reports/settlements", settled) == {"settled": 0}
    assert waiting(admin) == []
    (act,) = answer(admin.ask("GET", "/v1/admin/record"), 200)["acts"]
    assert (act["by"]["id"], act["act"], act["subject"]["id"]) == (admin.id, "reports_settled", anna.id)
    details = {"about": "player", "number": 0, "outcome": "acted", "reports": [report]}
    assert (act["details"], act["reason"]) == (details, None)
    response = birgir.ask("GET", "/v1/reports")
    assert [one["settled"] for one in answer(response, 200)["reports"]] == [True]
    assert "warned" not in response.text
    assert "acted" not in response.text
    assert file(birgir, "player", anna.id)["report"] != report  # a settled thing may be reported again


def test_an_unknown_report_settles_nothing(anna: Person, birgir: Person, admin: Person) -> None:
    report = file(birgir, "player", anna.id)["report"]
    settled = {"reports": [report, str(uuid4())], "outcome": "dismissed"}
    assert problem(admin.post("/v1/admin/reports/settlements", settled, 404)) == "not_there"
    assert len(waiting(admin)) == 1


def test_the_reported_player_never_reads_of_a_report(anna: Person, birgir: Person) -> None:
    file(birgir, "player", anna.id)
    assert answer(anna.ask("GET", "/v1/reports"), 200) == {"reports": [], "next": None}
    for path in ("/v1/me", f"/v1/players/{anna.id}"):
        assert "This is rude" not in anna.ask("GET", path).text
    for path in ("/v1/admin/reports", "/v1/admin/reports/settlements"):
        method = "GET" if path.endswith("reports") else "POST"
        refused = anna.ask(method, path, None if method == "GET" else {"reports": [], "outcome": "acted"})
        assert problem(answer(refused, 403)) == "scope_missing"


def test_an_export_tells_nothing_of_reports_about_the_player(anna: Person, birgir: Person, admin: Person) -> None:
    report = file(birgir, "player", anna.id)["report"]
    settled = {"reports": [report], "outcome": "acted", "note": "Anna was warned"}
    admin.post("/v1/admin/reports/settlements", settled)
    assert exported(anna)["administrative_acts.json"] == []
    (own,) = exported(birgir)["reports.json"]
    assert {"outcome", "note"}.isdisjoint(own)


def exported(person: Person) -> Files:
    """The files of a player's export, by name."""
    browser = person.client.application.test_client()
    answer(browser.post("/v1/session", json={"name": person.name, "password": "correct horse"}), 201)
    return unpacked(browser.get("/v1/me/export"))


def test_reports_are_listed_in_pages(anna: Person, birgir: Person, admin: Person) -> None:
    study = begin(anna, a_finished_game(anna.client)[0])
    for about, id, number in (("player", anna.id, 0), ("study", study.id, 0), ("chapter", study.id, 1)):
        file(birgir, about, id, number)
    for path, name, expected in (
        ("/v1/reports", "reports", ["chapter", "study", "player"]),
        ("/v1/admin/reports", "things", ["player", "study", "chapter"]),
    ):
        person, found, after = (birgir if name == "reports" else admin), list[str](), ""
        for _ in expected:
            page = answer(person.ask("GET", f"{path}?limit=1{after}"), 200)
            found += [one["about"] for one in page[name]]
            after = f"&after={page['next']}"
        assert found == expected
        assert page["next"] is None


def test_an_account_reports_so_many_things_a_day(environ: Environ) -> None:
    with opened_app(environ, CABILDO_REPORTS_PER_DAY="2") as app:
        client = app.test_client()
        check_daily_limit(Person(client, "Anna"), Person(client, "Birgir"))


def check_daily_limit(anna: Person, birgir: Person) -> None:
    bot = birgir.post("/v1/bots", {"name": "Birgirs bot", "engine": "own 1"})
    with freeze_time("2026-05-01 12:00:00", tick=True):
        file(birgir, "player", anna.id)
        headers = {"Authorization": f"Bearer {bot['token']}"}
        body = {"about": "player", "id": anna.id, **WORDS}
        answer(birgir.client.post("/v1/reports", json=body, headers=headers), 201)
        refused = birgir.ask("POST", "/v1/reports", {"about": "player", "id": birgir.id, **WORDS})
        assert (refused.status_code, problem(refused.get_json())) == (429, "too_many_reports")
        assert 86_000 < int(refused.headers["Retry-After"]) <= 86_400
        assert file(birgir, "player", anna.id)["settled"] is False  # a repetition counts no second time
    with freeze_time("2026-05-02 12:01:00", tick=True):
        file(birgir, "player", birgir.id)


def test_the_service_keeps_so_many_open_reports(anna: Person, birgir: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "MOST_OPEN", 1)
    file(birgir, "player", anna.id)
    assert problem(file(anna, "player", birgir.id, status=503)) == "reports_full"


def test_settled_reports_are_deleted_after_a_time(
    anna: Person, birgir: Person, admin: Person, environ: Environ
) -> None:
    report = file(birgir, "player", anna.id)["report"]
    file(anna, "player", birgir.id)
    admin.post("/v1/admin/reports/settlements", {"reports": [report], "outcome": "dismissed"})
    context = KeeperContext(settings.load(environ), environ)
    try:
        duty = DeleteOldReports(context)
        with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as database:
            duty(database)
            assert database.execute(ROWS).fetchone() == (2,)
            database.execute("UPDATE reports SET settled = settled - %s", (commands.KEPT + 1,))
            duty(database)
            assert database.execute(ROWS).fetchone() == (1,)  # the open one
    finally:
        context.close()


def test_erasure_deletes_reports_by_and_about_an_account(anna: Person, birgir: Person, environ: Environ) -> None:
    file(birgir, "player", anna.id)
    file(anna, "player", birgir.id)
    answer_to = Person(birgir.client, "Cecilia")
    file(answer_to, "player", birgir.id)
    login = {"name": "Birgir", "password": "correct horse"}
    browser = birgir.client.application.test_client()
    csrf = answer(browser.post("/v1/session", json=login), 201)["csrf"]
    assert browser.delete("/v1/me", headers={"X-CSRF-Token": csrf}).status_code == 204
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        assert database.execute(ROWS).fetchone() == (0,)

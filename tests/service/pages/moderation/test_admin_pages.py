"""The administrators' pages: seen by appointed players alone, without scripts, with the password before an act."""

import re
from uuid import UUID, uuid4

import psycopg
import pytest
from flask import Flask
from freezegun import freeze_time

from projections.rules.catalogue import LANGUAGES
from service.container import Container
from service.i18n.phrases import phrase
from service.moderation.administrators import (
    AppointAdministrator,
    DismissAdministrator,
    appoint_administrator,
    dismiss_administrator,
)
from service.players.commands.confirmation import CONFIRMED_FOR
from tests.service.conftest import Environ
from tests.support.service.administrators import acts_of, administrator, block
from tests.support.service.annotators import Study, a_finished_game, begin
from tests.support.service.players import Person, answer, somebody
from tests.support.service.scriptless_browser import PASSWORD, Visitor
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]  # shared by the tests of this module
PAGES = ("/admin", "/admin/players", "/admin/texts", "/admin/games", "/admin/record")
WHY = "spam and more"


@pytest.fixture
def here(app: Flask) -> Container:
    container: Container = app.extensions["cabildo"]
    return container


@pytest.fixture
def guardian(app: Flask, here: Container) -> Visitor:
    """A visitor with a session who was appointed."""
    visitor = Visitor(app.test_client(), f"Guardian {uuid4().hex[:12]}x")
    appoint_administrator(here, AppointAdministrator(id_of(visitor)))
    return visitor


@pytest.fixture
def birgir(app: Flask) -> Person:
    return somebody(app.test_client())


def id_of(visitor: Visitor) -> UUID:
    return UUID(visitor.client.get("/v1/me").get_json()["id"])


def newest_act(app: Flask, subject: str) -> tuple[str, str, str | None]:
    """The newest act on something: what was done, by whom, why."""
    act = acts_of(administrator(app), subject=subject)[0]
    return act["act"], act["by"]["id"], act["reason"]


def report(birgir: Person, about: str, id: str, number: int = 0) -> str:
    body = {"about": about, "id": id, "number": number, "kind": "abuse", "text": f"Look at this {about}"}
    return str(birgir.post("/v1/reports", body)["report"])


def rude_study(birgir: Person) -> tuple[Study, int]:
    study = begin(birgir, a_finished_game(birgir.client)[0], title="Study", visibility="public")
    return study, study.say("5", "A rude comment")


@pytest.mark.parametrize("page", PAGES)
def test_only_appointed_players_see_the_pages(app: Flask, here: Container, guardian: Visitor, page: str) -> None:
    other = Visitor(app.test_client(), f"Ada {uuid4().hex[:12]}x")
    assert app.test_client().get(page).headers["Location"].startswith("/login?")
    other.open(page, 404)
    assert 'href="/admin"' not in other.open("/")
    assert 'href="/admin"' in guardian.open("/")
    for language in LANGUAGES:
        assert phrase(language, "admin.record") in guardian.open(f"{page}?language={language}")
    dismiss_administrator(here, DismissAdministrator(id_of(guardian)))
    guardian.open(page, 404)  # at once


def test_a_blocked_administrator_loses_the_pages(app: Flask, guardian: Visitor) -> None:
    block(administrator(app), str(id_of(guardian)))
    for page in PAGES:
        guardian.open(page, 403)
    assert guardian.send("/admin/games/end", game=str(uuid4()), reason=WHY).status_code == 403


def test_forms_of_other_players_are_refused(app: Flask, birgir: Person) -> None:
    other = Visitor(app.test_client(), f"Ada {uuid4().hex[:12]}x")
    for path in ("/admin/reports", f"/admin/players/{birgir.id}/block", "/admin/texts/hidden", "/admin/games/stale"):
        assert other.send(path, reason=WHY, days="7").status_code == 404


def test_an_act_asks_for_the_password_again(app: Flask, guardian: Visitor, birgir: Person, environ: Environ) -> None:
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("UPDATE sessions SET confirmed = confirmed - %s", (CONFIRMED_FOR,))
    path, fields = f"/admin/players/{birgir.id}/block", {"days": "7", "reason": WHY}
    assert guardian.send(path, **fields).status_code == 403
    assert 'name="present"' in guardian.open(f"/admin/players?name={birgir.id}")
    assert guardian.send(path, **fields, present="wrong").status_code == 401
    assert answer(birgir.ask("GET", "/v1/me"), 200)["blocked"] is None
    guardian.sent(path, **fields, present=PASSWORD)
    assert 'name="present"' not in guardian.open(f"/admin/players?name={birgir.id}")


def test_a_report_is_read_and_settled(app: Flask, guardian: Visitor, birgir: Person) -> None:
    author = somebody(app.test_client())
    study, comment = rude_study(author)
    id = report(birgir, "comment", study.id, comment)
    page = guardian.open("/admin")
    for text in ("Look at this comment", "A rude comment", birgir.name, author.name, f"/admin/texts?id={study.id}"):
        assert text in page
    fields = {"report": id, "outcome": "acted", "note": "Hidden"}
    assert guardian.sent("/admin/reports", **fields) == "/admin?done=1"
    assert "Look at this comment" not in guardian.open("/admin")
    assert newest_act(app, study.id) == ("reports_settled", str(id_of(guardian)), None)
    assert guardian.send("/admin/reports", report=id, outcome="none").status_code == 422


def test_a_text_is_hidden_and_shown_again(app: Flask, guardian: Visitor, birgir: Person) -> None:
    study, comment = rude_study(birgir)
    fields = {"id": study.id, "thing": f"comment:{comment}", "reason": WHY}
    page = guardian.open(f"/admin/texts?id=http://localhost/studies/{study.id}%231/5")
    assert "A rude comment" in page
    assert guardian.sent("/admin/texts/hidden", **fields) == f"/admin/texts?id={study.id}&done=1"
    assert study.said("5") == ["hidden by an administrator"]
    assert newest_act(app, study.id) == ("text_hidden", str(id_of(guardian)), WHY)
    assert guardian.open("/admin/texts").count("A rude comment") == 1  # among the hidden texts
    guardian.sent("/admin/texts/shown", **fields)
    assert study.said("5") == ["A rude comment"]
    assert guardian.send("/admin/texts/hidden", **{**fields, "reason": ""}).status_code == 422
    guardian.open(f"/admin/texts?id={uuid4()}", 404)


def test_a_player_is_found_blocked_unblocked_and_renamed(app: Flask, guardian: Visitor, birgir: Person) -> None:
    guardian.open("/admin/players?name=nobody+at+all", 404)
    assert f"/players/{birgir.id}" in guardian.open(f"/admin/players?name={birgir.name}")
    path = f"/admin/players/{birgir.id}"
    assert guardian.sent(f"{path}/block", days="3", reason=WHY) == f"/admin/players?name={birgir.id}&done=1"
    assert WHY in guardian.open(f"/admin/players?name={birgir.id}")
    assert newest_act(app, birgir.id) == ("player_blocked", str(id_of(guardian)), WHY)
    guardian.sent(f"{path}/unblocking", reason=WHY)
    assert answer(birgir.ask("GET", "/v1/me"), 200)["blocked"] is None
    name = f"Gentle {uuid4().hex[:8]}x"
    guardian.sent(f"{path}/name", name=name, reason=WHY)
    assert answer(birgir.ask("GET", "/v1/me"), 200)["name"] == name
    for fields in ({"days": "0"}, {"days": "x"}, {"days": "7", "reason": ""}):
        assert guardian.send(f"{path}/block", **{"reason": WHY, **fields}).status_code == 422


def test_a_game_is_ended_by_its_address(app: Flask, guardian: Visitor, birgir: Person) -> None:
    game = birgir.create("me", "open")["id"]
    for address in (f"http://localhost/games/{game}/play", f"{game}#3"):
        sent = guardian.send("/admin/games/end", game=address, reason=WHY)
        assert sent.status_code == (303 if address.endswith("play") else 409)
    assert newest_act(app, game) == ("game_ended", str(id_of(guardian)), WHY)
    assert guardian.send("/admin/games/end", game="no game", reason=WHY).status_code == 422


def test_ticked_stale_games_are_ended(app: Flask, guardian: Visitor, birgir: Person) -> None:
    with freeze_time("2024-05-01 12:00:00", tick=True):
        games = [birgir.create("me", "open")["id"] for _ in range(2)]
    fresh = birgir.create("me", "open")["id"]
    listed = re.findall(r'name="game" value="([^"]+)" checked', guardian.open("/admin/games?open_days=30"))
    assert [game in listed for game in (*games, fresh)] == [True, True, False]
    ages = {"open_days": "30", "idle_days": "90"}
    done = guardian.sent("/admin/games/stale", game=[games[0], fresh], reason=WHY, **ages)
    assert done.endswith("ended=1&left=1&done=1")
    assert "1 game was ended. 1 stays." in guardian.open(done)
    states = [answer(birgir.ask("GET", f"/v1/games/{game}"), 200)["status"] for game in (*games, fresh)]
    assert states == ["aborted", "open", "open"]


def test_the_record_is_paged(app: Flask, guardian: Visitor, birgir: Person) -> None:
    admin = administrator(app)
    for _ in range(51):
        block(admin, birgir.id)
    page = guardian.open("/admin/record")
    (older,) = re.findall(r'rel="next" href="(/admin/record\?before=\d+)"', page)
    numbers = [int(number) for number in re.findall(r'<th scope="row">(\d+)</th>', page + guardian.open(older))]
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) > 51

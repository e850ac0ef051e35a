"""Notices of turns and ends: by push and mail, once while unanswered, after quiet hours; links that end the mails."""

import base64
import logging
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

import pytest
from flask import Flask

from events.store.connections import connect
from service.notices import collect
from service.notices.push_queue import claim_pushes, queue_push
from service.notices.quiet import end_of_quiet
from service.players.preferences.values import telling_of
from tests.service.conftest import Environ, opened_app
from tests.support.service.authenticators import LoggedInBrowser
from tests.support.service.mail_duty import run_duty, send_mails
from tests.support.service.mail_fixtures import environ, mails, server
from tests.support.service.mail_server import TakenMails
from tests.support.service.noticed_players import PASSWORD, PUSH, Phone, Player, begun, in_an_hour, pass_time
from tests.support.service.players import answer, problem
from tests.support.service.push_fixtures import app, phones
from tests.support.service.webhook_receiver import Receiver
from workers.keeper.notices import CollectNotices, SendPushes

__all__ = ["app", "environ", "mails", "phones", "server"]  # shared by the tests of this module
BOTH: Final = {"turn": ["push", "mail"], "over": ["push"]}


def test_a_turn_is_told_once_by_push_and_mail_until_it_is_answered(
    environ: Environ, app: Flask, mails: TakenMails, phones: Receiver
) -> None:
    anna = Player(app, "Anna")
    anna.stores(environ, mails)
    anna.wants(notify=BOTH)
    phone = Phone(f"{phones.url}send/secret-of-the-phone")
    assert answer(anna.browser.ask("GET", PUSH), 200)["browsers"] == 0
    for _ in range(2):  # a browser is there once
        assert anna.browser.ask("POST", PUSH, phone.body).status_code == 204
    assert answer(anna.browser.ask("GET", PUSH), 200)["browsers"] == 1
    pass_time(environ)
    game, birgir = begun(app, anna)
    pass_time(environ)
    assert phones.heard == []  # it is the turn of the other player
    birgir.move(game, "play create_2")
    pass_time(environ)
    ((path, headers, body),) = phones.heard
    told = phone.read(body)
    assert (told["title"], told["path"]) == ("Century: Spice Road: it is your turn.", f"/games/{game}/play")
    assert path == "/send/secret-of-the-phone"
    named = {name.lower(): value for name, value in headers.items()}
    assert named["authorization"].startswith("vapid t=")
    assert (named["content-encoding"], named["ttl"]) == ("aes128gcm", "86400")
    before = len(mails.mails)
    send_mails(environ)
    mail = mails.wait(before + 1)[-1]
    text = mail.get_content()
    assert f"/games/{game}/play" in text
    assert text.count("it is your turn") == 1
    assert mail["Subject"] == "What is new in your games"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    pass_time(environ)
    send_mails(environ)
    assert (len(phones.heard), len(mails.mails)) == (1, before + 1)  # not again while it waits
    link = str(mail["List-Unsubscribe"]).strip("<>").partition("://")[2].partition("/")[2]
    stranger = app.test_client()
    assert stranger.post(f"/{link[:-1]}x").status_code == 404
    assert stranger.get(f"/{link}").status_code == 200  # programs that open all links end nothing
    assert answer(anna.browser.ask("GET", "/v1/me/settings"), 200)["notify"]["turn"] == ["push", "mail"]
    assert stranger.post(f"/{link}", data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert answer(anna.browser.ask("GET", "/v1/me/settings"), 200)["notify"]["turn"] == ["push"]
    anna.person.post(f"/v1/games/{game}/resign", status=201)
    phones.statuses.append(410)  # the browser takes no more
    pass_time(environ)
    assert phone.read(phones.heard[1][2])["title"] == "Century: Spice Road: the game is over."
    assert answer(anna.browser.ask("GET", PUSH), 200)["browsers"] == 0


def test_what_falls_into_quiet_hours_is_told_afterwards_in_one_message(
    environ: Environ, app: Flask, mails: TakenMails, phones: Receiver
) -> None:
    anna = Player(app, "Anna")
    now = datetime.now(UTC)
    night = {"from": f"{now - timedelta(hours=2):%H:%M}", "until": f"{now + timedelta(hours=2):%H:%M}"}
    anna.wants(notify={"over": ["push"]}, quiet_hours=night)
    phone = Phone(f"{phones.url}quiet")
    assert anna.browser.ask("POST", PUSH, phone.body).status_code == 204
    pass_time(environ)
    for _ in range(2):
        game, _ = begun(app, anna)
        anna.person.post(f"/v1/games/{game}/resign", status=201)
    pass_time(environ)
    assert phones.heard == []
    anna.wants(quiet_hours=None)
    with connect(environ["DATABASE_URL"]) as connection:
        connection.execute("UPDATE notices SET due = 0 WHERE told IS NULL")
    phones.statuses.append(503)  # the push service is away for a while
    pass_time(environ)
    with connect(environ["DATABASE_URL"]) as connection:
        connection.execute("UPDATE push_messages SET due = 0")
    pass_time(environ)
    told = phone.read(phones.heard[-1][2])
    assert (len(phones.heard), told["title"], told["path"]) == (2, "2 things are new in your games.", "/mine")


def test_only_public_addresses_and_keys_are_taken_and_few_of_them(environ: Environ) -> None:
    with opened_app({**environ, "CABILDO_WEBHOOKS": "public"}) as careful:
        anna = Player(careful, "Anna")
        for bad in ("http://93.184.215.14/x", "https://127.0.0.1/x", "https://[::1]/x", "ftp://93.184.215.14/"):
            assert problem(answer(anna.browser.ask("POST", PUSH, Phone(bad).body), 422)) == "webhook_refused"
        for name, value in (("auth", "short"), ("p256dh", "x" * 300), ("endpoint", "https://" + "x" * 1_000)):
            body = {**Phone("https://93.184.215.14/x").body, name: value}
            assert anna.browser.ask("POST", PUSH, body).status_code == 422
        for number in range(10):
            phone = Phone(f"https://93.184.215.14/{number}")
            assert anna.browser.ask("POST", PUSH, phone.body).status_code == 204
        assert answer(anna.browser.ask("GET", PUSH), 200)["browsers"] == 8
        assert anna.browser.ask("DELETE", PUSH).status_code == 204
        assert answer(anna.browser.ask("GET", PUSH), 200)["browsers"] == 0


@pytest.mark.parametrize(
    ("hours", "zone", "at", "end"),
    [
        (("22:30", "07:00"), "Europe/Prague", "2026-11-19T23:00Z", "2026-11-20T06:00Z"),
        (("22:30", "07:00"), "Europe/Prague", "2026-11-19T21:29Z", None),
        (("22:30", "07:00"), "Europe/Prague", "2026-11-19T21:30Z", "2026-11-20T06:00Z"),
        (("22:30", "07:00"), "Europe/Prague", "2026-11-20T06:00Z", None),
        (("12:00", "13:00"), "Atlantic/Reykjavik", "2026-11-19T12:30Z", "2026-11-19T13:00Z"),
        (("22:00", "07:00"), "Europe/Prague", "2026-03-28T22:00Z", "2026-03-29T05:00Z"),  # clocks go forward meanwhile
        (("22:00", "02:30"), "Europe/Prague", "2026-10-25T00:10Z", "2026-10-25T00:30Z"),  # clocks go back at three
        (("22:00", "02:30"), "Europe/Prague", "2026-10-25T01:10Z", "2026-10-25T01:30Z"),  # the same hour once more
        (("08:00", "08:00"), "UTC", "2026-11-19T08:00Z", None),
    ],
)
def test_quiet_hours_end_by_the_clock_of_the_player(
    hours: tuple[str, str], zone: str, at: str, end: str | None
) -> None:
    telling = telling_of({"quiet_hours": dict(zip(("from", "until"), hours, strict=True)), "time_zone": zone})
    found = end_of_quiet(telling, microseconds(at))
    assert found == (None if end is None else microseconds(end))


def microseconds(at: str) -> int:
    return int(datetime.fromisoformat(at).timestamp() * 1_000_000)


def test_the_key_of_pushes_is_made_by_the_keeper_and_not_by_readers(environ: Environ, database: str) -> None:
    fresh = {**environ, "DATABASE_URL": database}
    with opened_app(fresh) as starting:
        browser = Player(starting, "Anna").browser
        assert answer(browser.ask("GET", PUSH), 200)["key"] is None
        run_duty(fresh, SendPushes)
        made = answer(browser.ask("GET", PUSH), 200)["key"]
        run_duty(fresh, SendPushes)
        assert made == answer(browser.ask("GET", PUSH), 200)["key"]
    assert len(base64.urlsafe_b64decode(made + "=")) == 65


def test_one_message_of_each_player_at_once_first_attempts_first(environ: Environ, app: Flask) -> None:
    anna, birgir = Player(app, "Anna"), Player(app, "Birgir")
    for one, number in ((anna, 1), (anna, 2), (anna, 3), (birgir, 4)):
        assert one.browser.ask("POST", PUSH, Phone(f"https://93.184.215.14/{number}").body).status_code == 204
    with connect(environ["DATABASE_URL"]) as connection:
        for one in (anna, birgir):
            queue_push(connection, 1, 10**15, UUID(one.person.id), lambda language: {"title": language})
        claimed = [claim_pushes(connection, 10) for _ in range(4)]
    assert [len(messages) for messages in claimed] == [2, 1, 1, 0]
    assert len({message.id for messages in claimed for message in messages}) == 4


def test_every_player_is_told_that_time_runs_out_however_many_wait(
    environ: Environ, app: Flask, phones: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collect, "PAGE", 1)
    people = [Player(app, name) for name in ("Anna", "Carla", "Dora")]
    for number, one in enumerate(people):
        one.wants(notify={"time": ["push"]})
        assert one.browser.ask("POST", PUSH, Phone(f"{phones.url}{number}").body).status_code == 204
    for one in people:
        game, birgir = begun(app, one)
        birgir.move(game, "play create_2")
        with connect(environ["DATABASE_URL"]) as connection:
            now = in_an_hour() - 3_600_000_000
            soon = {"deadline": now + 1_800_000_000, "changed": now - 7_200_000_000, "id": game}
            sql = "UPDATE games SET deadline = %(deadline)s, changed = %(changed)s WHERE id = %(id)s"
            connection.execute(sql, soon)
    for _ in range(2):
        run_duty(environ, CollectNotices)
        run_duty(environ, SendPushes)
    assert sorted(path for path, _, _ in phones.heard) == ["/0", "/1", "/2"]


def test_another_player_on_the_same_browser_takes_it_over(app: Flask, phones: Receiver) -> None:
    anna, birgir = Player(app, "Anna"), Player(app, "Birgir")
    phone = Phone(f"{phones.url}shared")
    for one in (anna, birgir):
        assert one.browser.ask("POST", PUSH, phone.body).status_code == 204
    assert [answer(one.browser.ask("GET", PUSH), 200)["browsers"] for one in (anna, birgir)] == [0, 1]


@pytest.mark.parametrize("path", ["/v1/session", "/v1/sessions"])
def test_a_browser_that_is_logged_out_takes_notices_no_more(
    environ: Environ, app: Flask, phones: Receiver, path: str
) -> None:
    anna = Player(app, "Anna")
    assert anna.browser.ask("POST", PUSH, Phone(f"{phones.url}lent").body).status_code == 204
    assert answer(anna.browser.ask("GET", PUSH), 200)["here"]
    with connect(environ["DATABASE_URL"]) as connection:
        queue_push(connection, 0, 10**17, UUID(anna.person.id), lambda _language: {"title": "waits"})
    assert anna.browser.ask("DELETE", path).status_code == 204
    run_duty(environ, SendPushes)
    assert phones.heard == []
    again = answer(LoggedInBrowser(app, anna.person.name, PASSWORD).ask("GET", PUSH), 200)
    assert (again["browsers"], again["here"]) == (0, False)


def test_links_that_end_mails_are_not_logged(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        assert app.test_client().get(f"/unsubscribe/{uuid4()}/{'ab' * 16}").status_code == 404
    told = "".join(record.getMessage() for record in caplog.records)
    assert "/unsubscribe/<uuid:player>/<mark>" in told
    assert "ab" * 16 not in told

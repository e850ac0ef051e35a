"""The e-mail address of an account: it counts after its code, reaches nobody else, and leaves with the account."""

import threading
from contextlib import ExitStack
from uuid import uuid4

import psycopg
import pytest
from flask import Flask

from service import settings
from service.mail.outbox import MOST_WAITING
from service.operations.checks.check import HealthSources
from service.operations.checks.mail import check_mail
from service.players.commands.confirmation import CONFIRMED_FOR
from service.players.commands.email import CODE_VALID, MAILS_OF_ACCOUNT, MAILS_TO_ADDRESS
from tests.service.conftest import Environ, opened_app
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.authenticators import LoggedInBrowser
from tests.support.service.mail_duty import code_in, delete_expired_mail, due_now, send_mails, smtp_environ
from tests.support.service.mail_fixtures import app, environ, mails, server
from tests.support.service.mail_server import TAKEN, DrippingServer, TakenMails, free_port
from tests.support.service.players import Person, answer, problem
from workers.keeper.duties import DUTIES
from workers.keeper.keeper import Keeper

__all__ = ["app", "environ", "mails", "server"]  # shared by the tests of this module
PASSWORD = "over the hills"
EMAIL, CONFIRM = "/v1/me/email", "/v1/me/email/confirmation"
BAD_ADDRESSES = ("anna", "anna@", "@example.org", "a b@example.org", "a@b", "a@ex..org", "á@ex.org")
NOTHING = {"address": None, "since": None, "waiting": None, "mail": True}


@pytest.fixture
def anna(app: Flask) -> LoggedInBrowser:
    """The browser of a player with a password."""
    return browser(app)


def browser(app: Flask) -> LoggedInBrowser:
    """The browser of a new player."""
    person = Person(app.test_client(), f"Anna {uuid4().hex[:12]}", password=PASSWORD)
    return LoggedInBrowser(app, person.name, PASSWORD)


def new_address() -> str:
    return f"anna.{uuid4().hex[:12]}@example.org"


def store(of: LoggedInBrowser, address: str) -> None:
    assert answer(of.ask("PUT", EMAIL, {"address": address}), 202)["waiting"] == address


def confirmed(environ: Environ, mails: TakenMails, of: LoggedInBrowser, address: str) -> None:
    """Stores an address and enters its code."""
    before = len(mails.mails)
    store(of, address)
    send_mails(environ)
    code = code_in(mails.wait(before + 1)[-1])
    assert answer(of.ask("POST", CONFIRM, {"code": code}), 200)["address"] == address


def test_address_counts_after_its_code(environ: Environ, mails: TakenMails, anna: LoggedInBrowser) -> None:
    address = new_address()
    assert answer(anna.ask("GET", EMAIL), 200) == NOTHING
    store(anna, address)
    assert answer(anna.ask("GET", EMAIL), 200) == {**NOTHING, "waiting": address}
    send_mails(environ)
    (mail,) = mails.wait(1)
    assert (mail["To"], mail["From"]) == (address, "Cabildo <cabildo@example.org>")
    assert mail["Subject"] == "Confirm your e-mail address"
    wrong = answer(anna.ask("POST", CONFIRM, {"code": "00000-00000-00000-00000"}), 422)
    assert problem(wrong) == "email_code_refused"
    told = answer(anna.ask("POST", CONFIRM, {"code": code_in(mail).upper().replace("-", " ")}), 200)
    assert (told["address"], told["waiting"], told["since"] is None) == (address, None, False)
    assert problem(answer(anna.ask("POST", CONFIRM, {"code": code_in(mail)}), 422)) == "email_code_refused"


def test_code_confirms_the_address_it_was_sent_to(environ: Environ, mails: TakenMails, anna: LoggedInBrowser) -> None:
    store(anna, new_address())
    send_mails(environ)
    code = code_in(mails.wait(1)[0])
    store(anna, new_address())
    assert problem(answer(anna.ask("POST", CONFIRM, {"code": code}), 422)) == "email_code_refused"


def test_code_of_another_account_or_too_late_confirms_nothing(
    app: Flask, environ: Environ, mails: TakenMails, anna: LoggedInBrowser
) -> None:
    store(anna, new_address())
    send_mails(environ)
    code, eve = code_in(mails.wait(1)[0]), browser(app)
    store(eve, new_address())
    assert problem(answer(eve.ask("POST", CONFIRM, {"code": code}), 422)) == "email_code_refused"
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("UPDATE email_addresses SET expires = expires - %s", (CODE_VALID,))
    assert problem(answer(anna.ask("POST", CONFIRM, {"code": code}), 422)) == "email_code_refused"


def test_address_that_nobody_confirmed_is_deleted(environ: Environ, mails: TakenMails, anna: LoggedInBrowser) -> None:
    confirmed(environ, mails, anna, new_address())
    store(anna, new_address())
    id = answer(anna.ask("GET", "/v1/me"), 200)["id"]
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("UPDATE email_addresses SET expires = expires - %s", (CODE_VALID,))
    assert answer(anna.ask("GET", EMAIL), 200)["waiting"] is None
    delete_expired_mail({name: value for name, value in environ.items() if name != "CABILDO_SMTP"})
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        left = database.execute("SELECT confirmed IS NULL FROM email_addresses WHERE player = %s", (id,)).fetchall()
    assert left == [(False,)]


def test_two_accounts_with_one_address_are_answered_alike(
    app: Flask, environ: Environ, mails: TakenMails, anna: LoggedInBrowser
) -> None:
    address = new_address()
    confirmed(environ, mails, anna, address)
    other = browser(app)
    first = answer(other.ask("PUT", EMAIL, {"address": address.upper()}), 202)
    assert first["waiting"].lower() == address
    confirmed(environ, mails, other, address)


def test_mails_are_in_the_language_of_the_player(environ: Environ, mails: TakenMails, anna: LoggedInBrowser) -> None:
    anna.ask("PUT", f"{EMAIL}?language=is", {"address": new_address()})
    send_mails(environ)
    assert mails.wait(1)[0]["Subject"] == "Staðfestu netfangið þitt"


@pytest.mark.parametrize(
    "address", ["anna", "anna@", "@example.org", "a b@example.org", "a@b", "a@ex..org", "á@ex.org"]
)
def test_what_is_no_address_is_refused(anna: LoggedInBrowser, address: str) -> None:
    assert "address" in answer(anna.ask("PUT", EMAIL, {"address": address}), 422)["errors"]


def test_header_cannot_be_smuggled_into_a_mail(anna: LoggedInBrowser) -> None:
    refused = anna.ask("PUT", EMAIL, {"address": "anna@example.org\r\nBcc: eve@example.org"})
    assert refused.status_code == 422


def test_token_and_old_confirmation_store_nothing(environ: Environ, app: Flask) -> None:
    person = Person(app.test_client(), f"Anna {uuid4().hex[:12]}", password=PASSWORD)
    for method, path in (("GET", EMAIL), ("PUT", EMAIL), ("DELETE", EMAIL), ("POST", CONFIRM)):
        body = {"PUT": {"address": new_address()}, "POST": {"code": "x"}}.get(method)
        assert answer(person.ask(method, path, body), 403)["reason"] == "session_only"
    own = LoggedInBrowser(app, person.name, PASSWORD)
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("UPDATE sessions SET confirmed = confirmed - %s WHERE player = %s", (CONFIRMED_FOR, person.id))
    for method, body in (("PUT", {"address": new_address()}), ("DELETE", None)):
        assert problem(answer(own.ask(method, EMAIL, body), 403)) == "confirmation_required"


def test_replaced_and_removed_addresses_are_told(environ: Environ, mails: TakenMails, anna: LoggedInBrowser) -> None:
    first, second = new_address(), new_address()
    confirmed(environ, mails, anna, first)
    confirmed(environ, mails, anna, second)
    send_mails(environ)
    assert anna.ask("DELETE", EMAIL).status_code == 204
    assert answer(anna.ask("GET", EMAIL), 200) == NOTHING
    send_mails(environ)
    notices = [mail for mail in mails.wait(4) if "was changed" in mail["Subject"]]
    assert [mail["To"] for mail in notices] == [first, second]


def test_mails_of_an_account_and_to_an_address_are_limited(
    app: Flask, environ: Environ, mails: TakenMails, anna: LoggedInBrowser
) -> None:
    address = new_address()
    for _ in range(MAILS_OF_ACCOUNT):
        store(anna, address)
    refused = anna.ask("PUT", EMAIL, {"address": address})
    assert (problem(answer(refused, 429)), refused.headers["Retry-After"]) == ("too_many_attempts", "3600")
    store(browser(app), address)  # another account: answered alike, but not mailed
    send_mails(environ)
    assert len(mails.asked) == MAILS_TO_ADDRESS == MAILS_OF_ACCOUNT


def test_without_a_mail_server_the_service_says_so(app: Flask, environ: Environ) -> None:
    person = Person(app.test_client(), f"Anna {uuid4().hex[:12]}", password=PASSWORD)
    with opened_app({name: value for name, value in environ.items() if name != "CABILDO_SMTP"}) as bare:
        own = LoggedInBrowser(bare, person.name, PASSWORD)
        assert answer(own.ask("GET", EMAIL), 200)["mail"] is False
        assert problem(answer(own.ask("PUT", EMAIL, {"address": new_address()}), 409)) == "no_mail"
        asked = bare.test_client().post("/v1/recovery/mail", json={"account": person.name})
        assert problem(answer(asked, 409)) == "no_mail"


def test_address_is_stored_sealed_and_not_logged(
    environ: Environ, mails: TakenMails, anna: LoggedInBrowser, caplog: pytest.LogCaptureFixture
) -> None:
    address = new_address()
    store(anna, address)
    kept = "SELECT string_agg(stored::text, ' ') FROM {} AS stored"
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        for table in ("email_addresses", "outgoing_mails"):
            row = database.execute(kept.format(table)).fetchone()
            assert row is not None
            assert address not in row[0]
            assert address.encode().hex() not in row[0]
    mails.reply = "451 later"
    send_mails(environ)
    mails.reply = TAKEN
    due_now(environ)
    send_mails(environ)
    id = answer(anna.ask("GET", "/v1/me"), 200)["id"]
    for path in ("/v1/me", f"/v1/players/{id}", f"/players/{id}"):
        assert address not in anna.ask("GET", path).text
    code = code_in(mails.wait(1)[0])
    told = caplog.text
    assert "mail sent" in told
    assert (address in told, code in told) == (False, False)


def test_erasure_deletes_address_and_waiting_mails(environ: Environ, mails: TakenMails, anna: LoggedInBrowser) -> None:
    confirmed(environ, mails, anna, new_address())
    store(anna, new_address())
    id = answer(anna.ask("GET", "/v1/me"), 200)["id"]
    assert anna.ask("DELETE", "/v1/me").status_code == 204
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        for table in ("email_addresses", "outgoing_mails"):
            left = database.execute(f"SELECT count(*) FROM {table} WHERE player = %s", (id,)).fetchone()
            assert left == (0,)


def test_full_queue_refuses_and_stores_nothing(environ: Environ, anna: LoggedInBrowser) -> None:
    id = answer(anna.ask("GET", "/v1/me"), 200)["id"]
    fill = "INSERT INTO outgoing_mails SELECT gen_random_uuid(), %s, 'confirm', '', 0, 0 FROM generate_series(1, %s)"
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute(fill, (id, MOST_WAITING))
    refused = anna.ask("PUT", EMAIL, {"address": new_address()})
    assert (problem(answer(refused, 503)), refused.headers["Retry-After"]) == ("service_busy", "60")
    assert answer(anna.ask("GET", EMAIL), 200)["waiting"] is None
    send_mails(environ)  # drops them: they are too old
    store(anna, new_address())


def test_mail_waits_for_a_server_that_is_down(environ: Environ, mails: TakenMails, anna: LoggedInBrowser) -> None:
    store(anna, new_address())
    send_mails({**environ, "CABILDO_SMTP": f"smtp://127.0.0.1:{free_port()}"})
    send_mails(environ)
    assert mails.asked == []  # not due before its pause is over
    due_now(environ)
    send_mails(environ)
    assert len(mails.wait(1)) == 1


def test_health_check_tells_of_a_server_that_takes_no_mail(
    app: Flask, environ: Environ, mails: TakenMails, anna: LoggedInBrowser
) -> None:
    store(anna, new_address())
    down = {**environ, "CABILDO_SMTP": f"smtp://127.0.0.1:{free_port()}"}
    for variables in (down, down, environ):
        mails.reply = "451 later"
        assert mail_check(app)["state"] == "ok"
        send_mails(variables)
        due_now(environ)
    assert mail_check(app)["state"] == "ok"  # the server answers, and refuses one mail
    send_mails(down)
    found = mail_check(app)
    assert (found["state"], "ConnectionRefusedError" in found["found"]) == ("failing", True)
    mails.reply = TAKEN
    due_now(environ)
    send_mails(environ)
    assert mail_check(app)["state"] == "ok"


def mail_check(app: Flask) -> dict[str, str]:
    """The check of mail, when it is asked anew."""
    here = app.extensions["cabildo"]
    with here.stores.pool.connection() as connection:
        sources = HealthSources(connection, here.stores.redis, here.settings, here.now())
        (found,) = check_mail(sources)
    return {"state": found.state, "found": found.found}


def test_mail_that_is_refused_for_good_is_given_up(environ: Environ, mails: TakenMails, anna: LoggedInBrowser) -> None:
    mails.reply = "550 no such mailbox"
    store(anna, new_address())
    send_mails(environ)
    due_now(environ)
    send_mails(environ)
    assert len(mails.asked) == 1


def test_dripping_mail_server_holds_up_no_other_duty(environ: Environ, anna: LoggedInBrowser) -> None:
    store(anna, new_address())
    with ExitStack() as ends:
        dripping = ends.enter_context(DrippingServer())
        slow = smtp_environ(environ, dripping.port)
        duties = [duty for duty in DUTIES if duty.name in ("mails", "time", "open tables")]
        keeper = Keeper(settings.load(slow), slow, duties)
        thread = threading.Thread(target=keeper.run, args=("keeper",))
        thread.start()
        try:
            assert eventually(lambda: dripping.connections == 1)
            steps = keeper.watches["time"].steps
            assert eventually(lambda: keeper.watches["time"].steps > steps)
            assert keeper.watches["mails"].steps == 0  # its first step still waits for the server
        finally:
            keeper.stopping.set()
            ends.close()  # the server hangs up
            thread.join(PATIENCE)
    assert not thread.is_alive()

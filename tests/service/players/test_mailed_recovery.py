"""A lost password is replaced with a code by mail; nobody learns from the answers which accounts or addresses exist."""

import secrets
from uuid import uuid4

import psycopg
import pytest
from flask import Flask
from psycopg import sql
from werkzeug.test import TestResponse

from service.core.sealing.sealed_columns import RECOVERY_REQUESTS
from service.players.commands.email import MAILS_OF_ACCOUNT
from service.players.commands.mailed_recovery import CODE_VALID, MOST_ACCOUNTS
from service.players.login_delays import FREE_OF_ACCOUNT
from tests.service.conftest import Environ
from tests.support.running_program import eventually
from tests.support.service.authenticators import LoggedInBrowser, send_code, send_login, ticket_of
from tests.support.service.mail_duty import code_in, delete_expired_mail, due_now, send_and_die, send_mails
from tests.support.service.mail_fixtures import app, environ, mails, server
from tests.support.service.mail_server import TakenMails
from tests.support.service.operator_help import reset_code
from tests.support.service.players import Person, answer, problem

__all__ = ["app", "environ", "mails", "server"]  # shared by the tests of this module
OLD, NEW = "over the hills", "and far away"


class MailedPlayer:
    """A player with a confirmed e-mail address."""

    def __init__(self, app: Flask, environ: Environ, mails: TakenMails, address: str | None = None) -> None:
        self.person = Person(app.test_client(), f"Anna {uuid4().hex[:12]}", password=OLD)
        self.name = self.person.name
        self.address = address or f"anna.{uuid4().hex[:12]}@example.org"
        self.browser = LoggedInBrowser(app, self.name, OLD)
        answer(self.browser.ask("PUT", "/v1/me/email", {"address": self.address}), 202)
        send_mails(environ)
        code = code_in(mails.mails[-1])
        answer(self.browser.ask("POST", "/v1/me/email/confirmation", {"code": code}), 200)
        mails.mails.clear()


@pytest.fixture
def anna(app: Flask, environ: Environ, mails: TakenMails) -> MailedPlayer:
    """A player with a confirmed e-mail address."""
    return MailedPlayer(app, environ, mails)


def ask(app: Flask, account: str, address: str | None = None) -> TestResponse:
    """Asks for a code, from an address or from one that no other test has."""
    own = address or ".".join(map(str, ("10", *secrets.token_bytes(3))))
    body = {"account": account}
    return app.test_client().post("/v1/recovery/mail", json=body, environ_base={"REMOTE_ADDR": own})


def mailed_code(app: Flask, environ: Environ, mails: TakenMails, account: str) -> str:
    """Asks for a code and reads it in the mail."""
    assert ask(app, account).status_code == 202
    send_mails(environ)
    return code_in(mails.mails[-1])


def recover(app: Flask, name: str, code: str, **more: object) -> TestResponse:
    return app.test_client().post("/v1/recovery", json={"name": name, "code": code, "password": NEW, **more})


@pytest.mark.parametrize("by", ["name", "address"])
def test_mailed_code_sets_a_new_password(
    app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer, by: str
) -> None:
    code = mailed_code(app, environ, mails, getattr(anna, by).upper())
    (mail,) = mails.mails
    assert (mail["To"], mail["Subject"], anna.name in mail.get_content()) == (
        anna.address,
        "Code for a new password",
        True,
    )
    assert answer(recover(app, anna.name, code), 200)["sessions"] == 1
    assert anna.browser.ask("GET", "/v1/sessions").status_code == 401
    assert send_login(app, anna.name, NEW).status_code == 201
    assert recover(app, anna.name, code).status_code == 401


def test_answers_tell_nothing_of_accounts_and_addresses(
    app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer
) -> None:
    without = Person(app.test_client(), f"Eve {uuid4().hex[:12]}", password=OLD)
    waiting = f"eve.{uuid4().hex[:12]}@example.org"
    answer(LoggedInBrowser(app, without.name, OLD).ask("PUT", "/v1/me/email", {"address": waiting}), 202)
    send_mails(environ)
    mails.mails.clear()
    asked = (anna.name, anna.address, without.name, waiting, f"nobody {uuid4().hex[:12]}", "nobody@example.org", "@")
    told = {(one.status_code, one.text) for one in (ask(app, account) for account in asked)}
    assert len(told) == 1
    send_mails(environ)
    assert [mail["To"] for mail in mails.mails] == [anna.address, anna.address]


def test_requests_are_delayed_alike_for_all_names(app: Flask, anna: MailedPlayer) -> None:
    for account in (anna.name, anna.address, f"nobody {uuid4().hex[:12]}"):
        own = ".".join(map(str, ("10", *secrets.token_bytes(3))))
        told = [ask(app, account, own) for _ in range(FREE_OF_ACCOUNT + 1)]
        assert [one.status_code for one in told] == [202] * FREE_OF_ACCOUNT + [429]
        assert told[-1].headers["Retry-After"] == "2"


def test_mails_of_an_account_are_limited(app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer) -> None:
    for account in (anna.name, anna.address) * 3:
        ask(app, account)
        send_mails(environ)
    assert len(mails.mails) == MAILS_OF_ACCOUNT


def test_refused_requests_do_not_keep_the_limit_up(app: Flask, anna: MailedPlayer) -> None:
    here = app.extensions["cabildo"]
    receiver = f"recover {anna.person.id}"
    assert [here.delays.may_mail(receiver, 2) for _ in range(3)] == [True, True, False]
    for counter in here.stores.redis.scan_iter(match="*:mailed"):
        here.stores.redis.expire(counter, 2)  # the hour is nearly over
    assert not here.delays.may_mail(receiver, 2)
    assert eventually(lambda: here.delays.may_mail(receiver, 2))


def test_strangers_use_up_no_mails_of_the_owner(
    app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer
) -> None:
    stranger = LoggedInBrowser(app, Person(app.test_client(), f"Eve {uuid4().hex[:12]}", password=OLD).name, OLD)
    for _ in range(MAILS_OF_ACCOUNT):
        answer(stranger.ask("PUT", "/v1/me/email", {"address": anna.address}), 202)
    send_mails(environ)
    mailed_code(app, environ, mails, anna.name)
    assert mails.mails[-1]["Subject"] == "Code for a new password"
    for _ in range(MAILS_OF_ACCOUNT):
        ask(app, anna.name)
    send_mails(environ)
    answer(anna.browser.ask("PUT", "/v1/me/email", {"address": anna.address}), 202)


def test_address_of_several_accounts_gets_a_code_for_each(
    app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer
) -> None:
    other = MailedPlayer(app, environ, mails, anna.address)
    assert MOST_ACCOUNTS > 1
    ask(app, anna.address)
    send_mails(environ)
    bodies = [str(mail.get_content()) for mail in mails.mails]
    assert sorted(name for name in (anna.name, other.name) for body in bodies if name in body) == sorted(
        (anna.name, other.name)
    )


def test_mailed_code_is_valid_for_a_short_time(
    app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer
) -> None:
    code = mailed_code(app, environ, mails, anna.name)
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        moved = "UPDATE recovery_codes SET expires = expires - %s WHERE player = %s"
        database.execute(moved, (CODE_VALID, anna.person.id))
    assert recover(app, anna.name, code).status_code == 401


def test_request_that_waited_too_long_mails_nothing(
    app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer
) -> None:
    ask(app, anna.name)
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("UPDATE recovery_requests SET created = created - %s", (CODE_VALID,))
    send_mails(environ)
    assert mails.mails == []


def test_new_password_voids_what_others_may_have_begun(
    app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer
) -> None:
    code, own = (
        mailed_code(app, environ, mails, anna.name),
        answer(anna.browser.ask("POST", "/v1/me/recovery-codes"), 201)["codes"],
    )
    late = mailed_code(app, environ, mails, anna.address)
    answer(anna.browser.ask("PUT", "/v1/me/email", {"address": f"eve.{uuid4().hex}@example.org"}), 202)
    answer(anna.browser.ask("PATCH", "/v1/me", {"password": "another horse"}), 200)
    assert [recover(app, anna.name, void).status_code for void in (code, late)] == [401, 401]
    left = answer(anna.browser.ask("GET", "/v1/me/email"), 200)
    assert (left["address"], left["waiting"]) == (anna.address, None)
    assert recover(app, anna.name, own[0]).status_code == 200


def test_revoking_tokens_voids_the_own_codes_too(app: Flask, anna: MailedPlayer) -> None:
    own = answer(anna.browser.ask("POST", "/v1/me/recovery-codes"), 201)["codes"]
    answer(anna.browser.ask("PATCH", "/v1/me", {"password": "another horse", "revoke_tokens": True}), 200)
    assert recover(app, anna.name, own[0]).status_code == 401
    assert answer(anna.browser.ask("GET", "/v1/me"), 200)["recovery_codes"] == 0


def test_recovery_voids_other_mailed_codes(app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer) -> None:
    codes = [mailed_code(app, environ, mails, anna.name) for _ in range(2)]
    assert [recover(app, anna.name, code).status_code for code in reversed(codes)] == [200, 401]


def test_reset_by_the_operator_takes_the_address(
    app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer
) -> None:
    code = mailed_code(app, environ, mails, anna.name)
    reset = reset_code(environ, anna.name)
    assert recover(app, anna.name, code).status_code == 401
    mails.mails.clear()
    for account in (anna.name, anna.address):
        ask(app, account)
    send_mails(environ)
    assert mails.mails == []  # the address may have been that of a thief
    assert recover(app, anna.name, reset).status_code == 200


def test_keeper_that_is_killed_loses_no_mail(
    app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer
) -> None:
    ask(app, anna.name)
    send_and_die(environ, "recovery_mail.before_commit")
    assert mails.mails == []
    send_and_die(environ, "mail.after_send")
    due_now(environ)
    send_mails(environ)
    first, again = mails.mails
    assert code_in(first) == code_in(again)  # the mail was sent once too often rather than lost
    due_now(environ)
    send_mails(environ)
    assert len(mails.mails) == 2
    assert recover(app, anna.name, code_in(first)).status_code == 200


def test_damaged_address_holds_up_no_other_mail(
    app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer
) -> None:
    other = MailedPlayer(app, environ, mails)
    damage(environ, "email_addresses", anna.person.id)
    ask(app, anna.name)
    ask(app, other.name)
    send_mails(environ)
    assert [mail["To"] for mail in mails.mails] == [other.address]
    assert answer(anna.browser.ask("GET", "/v1/me/email"), 200)["address"] is None
    fresh = f"anna.{uuid4().hex[:12]}@example.org"
    answer(anna.browser.ask("PUT", "/v1/me/email", {"address": fresh}), 202)
    send_mails(environ)
    code = {"code": code_in(mails.mails[-1])}
    assert answer(anna.browser.ask("POST", "/v1/me/email/confirmation", code), 200)["address"] == fresh


@pytest.mark.parametrize("account", ["a\x00b", "", "x" * 255])
def test_request_that_names_nobody_is_refused(app: Flask, account: str) -> None:
    assert problem(answer(ask(app, account), 422)) == "invalid_request"


def test_request_that_cannot_be_read_holds_up_no_other(
    app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer
) -> None:
    ask(app, f"nobody {uuid4().hex}")
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("UPDATE recovery_requests SET sealed = sealed || '\\x00'")
    here, id = app.extensions["cabildo"], uuid4()
    poison = (id, here.vault.seal(RECOVERY_REQUESTS, id, b"a\x00b@\x00"), here.now())
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("INSERT INTO recovery_requests VALUES (%s, %s, %s)", poison)
    ask(app, anna.name)
    send_mails(environ)
    assert len(mails.mails) == 1


def test_damaged_mail_holds_up_no_other_mail(
    app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer
) -> None:
    other = MailedPlayer(app, environ, mails)
    for browser in (anna.browser, other.browser):
        answer(browser.ask("PUT", "/v1/me/email", {"address": f"new.{uuid4().hex[:12]}@example.org"}), 202)
    damage(environ, "outgoing_mails", anna.person.id)
    send_mails(environ)
    assert len(mails.mails) == 1
    due_now(environ)
    send_mails(environ)
    assert len(mails.mails) == 1


def damage(environ: Environ, table: str, player: str) -> None:
    """Changes the sealed bytes of a player."""
    query = sql.SQL("UPDATE {} SET sealed = sealed || '\\x00' WHERE player = %s").format(sql.Identifier(table))
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        assert database.execute(query, (player,)).rowcount == 1


def test_removed_address_gets_no_further_way_in(
    app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer
) -> None:
    code = mailed_code(app, environ, mails, anna.name)
    assert anna.browser.ask("DELETE", "/v1/me/email").status_code == 204
    assert recover(app, anna.name, code).status_code == 401


def test_mailed_code_leaves_the_second_factor(
    app: Flask, environ: Environ, mails: TakenMails, anna: MailedPlayer
) -> None:
    authenticator = anna.browser.enrol()
    codes = [mailed_code(app, environ, mails, anna.name) for _ in range(2)]
    refused = send_code(app, ticket_of(app, anna.name, OLD), codes[1])
    assert problem(answer(refused, 401)) == "second_factor_refused"
    answer(recover(app, anna.name, codes[0]), 200)
    assert send_code(app, ticket_of(app, anna.name, NEW), authenticator.code()).status_code == 201


def test_requests_are_stored_sealed_and_not_for_long(app: Flask, environ: Environ, anna: MailedPlayer) -> None:
    ask(app, anna.address)
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        rows = database.execute("SELECT sealed FROM recovery_requests").fetchall()
    assert rows
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("UPDATE recovery_requests SET created = created - %s", (CODE_VALID,))
    delete_expired_mail(environ)
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        assert database.execute("SELECT count(*) FROM recovery_requests").fetchone() == (0,)
    assert not [row for (row,) in rows if anna.address.encode() in bytes(row)]

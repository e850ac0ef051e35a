"""Device codes: a login without a browser, from the begin to the token, and what it refuses."""

from urllib.parse import urlsplit

import pytest
from flask import Flask
from freezegun import freeze_time

from service.oauth.device_logins import MOST_OF_NETWORK
from service.oauth.programs import COMMAND_LINE
from tests.support.service.oauth_programs import REDIRECT, AskingProgram, Consenter, error_of
from tests.support.service.players import answer, problem
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]
ENDPOINT = "/oauth/device_authorization"


@pytest.fixture(scope="module")
def anna(app: Flask) -> Consenter:
    """A player whose password was given a moment ago."""
    return Consenter(app)


@pytest.fixture
def program(app: Flask) -> AskingProgram:
    """The command line of the client package."""
    return AskingProgram(app, COMMAND_LINE)


def begun(program: AskingProgram, scope: str = "read play") -> dict[str, str]:
    """Returns the codes of a new login."""
    return answer(program.post(ENDPOINT, scope=scope), 200)


def test_login_without_a_browser(anna: Consenter, program: AskingProgram) -> None:
    login = begun(program)
    assert error_of(program.poll(login["device_code"])) == "authorization_pending"
    assert error_of(program.poll(login["device_code"])) == "slow_down"
    complete = urlsplit(login["verification_uri_complete"])
    form = anna.browser.client.get(f"{complete.path}?{complete.query}").get_data(as_text=True)
    assert f'value="{login["user_code"]}"' in form
    assert COMMAND_LINE not in form  # the address alone tells nothing about the code
    typed = login["user_code"].lower().replace("-", " ")
    question = anna.post("/oauth/device", user_code=typed)
    assert question.status_code == 200
    assert COMMAND_LINE in question.get_data(as_text=True)
    done = anna.post("/oauth/device/answer", user_code=typed, answer="allow")
    assert done.status_code == 200
    again = anna.post("/oauth/device/answer", user_code=typed, answer="allow")
    assert again.status_code == 422
    token = answer(program.poll(login["device_code"]), 200)
    assert "refresh_token" not in token
    assert (token["scope"], token["expires_in"]) == ("read play", 90 * 86_400)
    assert answer(program.reads(token["access_token"]), 200)["id"] == anna.person.id
    assert error_of(program.poll(login["device_code"])) == "invalid_grant"


def test_denied_login_gets_nothing(anna: Consenter, program: AskingProgram) -> None:
    login = begun(program)
    anna.post("/oauth/device/answer", user_code=login["user_code"], answer="deny")
    assert error_of(program.poll(login["device_code"])) == "access_denied"


def test_login_ends_after_ten_minutes(anna: Consenter, program: AskingProgram) -> None:
    login = begun(program)
    with freeze_time(tick=True) as frozen:
        frozen.tick(601)
        assert anna.post("/oauth/device", user_code=login["user_code"]).status_code == 422
        assert error_of(program.poll(login["device_code"])) == "expired_token"
        begun(program)
        assert error_of(program.poll(login["device_code"])) == "invalid_grant"


def test_login_belongs_to_its_program_and_to_the_session_that_allowed_it(
    app: Flask, anna: Consenter, program: AskingProgram
) -> None:
    login = begun(program)
    other = AskingProgram(app, anna.register())
    assert error_of(other.poll(login["device_code"])) == "unauthorized_client"
    visitor = Consenter(app)
    visitor.post("/oauth/device/answer", user_code=login["user_code"], answer="allow")
    visitor.post("/logout")
    assert error_of(program.poll(login["device_code"])) == "invalid_grant"


@pytest.mark.parametrize("form", [{}, {"csrf": "x"}], ids=["without", "wrong"])
def test_other_site_allows_nothing(anna: Consenter, program: AskingProgram, form: dict[str, str]) -> None:
    login = begun(program)
    sent = {"user_code": login["user_code"], "answer": "allow", **form}
    assert anna.browser.client.post("/oauth/device/answer", data=sent).status_code == 403
    assert error_of(program.poll(login["device_code"])) == "authorization_pending"


def test_password_is_asked_again_after_a_while(anna: Consenter, program: AskingProgram) -> None:
    with freeze_time(tick=True) as frozen:
        frozen.tick(11 * 60)
        login = begun(program)
        refused = anna.post("/oauth/device/answer", user_code=login["user_code"], answer="allow")
        assert refused.status_code == 403
        assert 'name="present"' in refused.get_data(as_text=True)


def test_wrong_beginnings(program: AskingProgram) -> None:
    assert error_of(program.post(ENDPOINT, scope="admin")) == "invalid_scope"
    assert error_of(program.post(ENDPOINT, client_id="nobody")) == "invalid_client"
    assert error_of(program.poll("unknown")) == "invalid_grant"


def test_one_network_begins_so_many_logins_and_no_more(program: AskingProgram) -> None:
    with freeze_time(tick=True) as frozen:
        frozen.tick(3_600)  # what other tests began is over
        for _ in range(MOST_OF_NETWORK):
            begun(program)
        refused = answer(program.post(ENDPOINT), 429)
        assert (problem(refused), refused["error"]) == ("too_many_logins", "slow_down")
        frozen.tick(601)
        begun(program)


def test_the_program_of_the_command_line_asks_by_device_codes_alone(app: Flask) -> None:
    anna = Consenter(app)
    for address in ("http://127.0.0.1/callback", "http://127.0.0.1:1024/callback", "http://[::1]/callback", REDIRECT):
        program = AskingProgram(app, COMMAND_LINE, address)
        assert anna.consent(program.asks()).status_code == 400

"""Registering and logging in by forms: guarded against other sites, open to mistakes, closed to guesses."""

import pytest
from flask.testing import FlaskClient

from service.web.auth import SESSION_COOKIE
from tests.support.service.players import Person
from tests.support.service.scriptless_browser import BROWSER, PASSWORD, token


def fill_in(client: FlaskClient, path: str, **fields: str) -> tuple[int, str, str]:
    """Submits the form of a page. Returns the status, the address it leads to and the text."""
    form = {"csrf": token(client.get(path).text), "name": "Ada", "password": PASSWORD, **fields}
    answer = client.post(path, data=form, headers=BROWSER)
    return answer.status_code, answer.headers.get("Location", ""), answer.text


def test_who_registers_is_logged_in_and_sent_on(client: FlaskClient) -> None:
    assert fill_in(client, "/register?next=/lobby", next="/lobby")[:2] == (303, "/lobby")
    page = client.get("/").text
    assert "Ada" in page
    assert "/logout" in page
    cookie = client.get_cookie(SESSION_COOKIE)
    assert cookie is not None
    assert (cookie.http_only, cookie.same_site) == (True, "Lax")


def test_who_logs_out_is_nobody_and_can_log_in_again(client: FlaskClient) -> None:
    fill_in(client, "/register")
    client.post("/logout", data={"csrf": token(client.get("/").text)})
    assert "Ada" not in client.get("/").text
    assert fill_in(client, "/login", next="/lobby")[:2] == (303, "/lobby")
    assert client.get("/login").status_code == 302


def test_logging_out_takes_a_form_of_ours(client: FlaskClient) -> None:
    fill_in(client, "/register")
    assert client.post("/logout", data={"csrf": "made up"}).status_code == 403
    assert "Ada" in client.get("/").text


@pytest.mark.parametrize("path", ["/login", "/register"])
def test_another_site_can_send_no_form(client: FlaskClient, path: str) -> None:
    client.get(path)
    refused = client.post(path, data={"name": "Eve", "password": PASSWORD, "csrf": "guessed"}, headers=BROWSER)
    assert refused.status_code == 403
    assert "<h1>" in refused.text
    assert SESSION_COOKIE not in refused.headers.get("Set-Cookie", "")


@pytest.mark.parametrize(
    ("path", "fields", "status", "says"),
    [
        ("/login", {"password": "wrong"}, 401, "Name or password is wrong"),
        ("/login", {"name": "Nobody"}, 401, "Name or password is wrong"),
        ("/login", {"name": " "}, 401, "Name or password is wrong"),
        ("/login", {"password": "x" * 1_000}, 401, "Name or password is wrong"),
        ("/register", {"password": "short"}, 422, "At least 8 characters"),
        ("/register", {"name": "ADA"}, 422, "Another player has this name"),
        ("/register", {"name": "\u200b"}, 422, "The name is not allowed"),
    ],
)
def test_a_mistake_is_told_beside_what_was_entered(
    client: FlaskClient, path: str, fields: dict[str, str], status: int, says: str
) -> None:
    Person(client, "Ada", password=PASSWORD)
    told = fill_in(client, path, **fields)
    assert told[0] == status
    assert says in told[2]
    assert PASSWORD not in told[2]


@pytest.mark.parametrize(
    "next_", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
def test_nobody_is_sent_to_another_site(client: FlaskClient, next_: str) -> None:
    assert fill_in(client, "/register", next=next_)[:2] == (303, "/")


def test_a_session_that_is_over_makes_nobody_of_its_browser(client: FlaskClient) -> None:
    client.set_cookie(SESSION_COOKIE, "long over")
    page = client.get("/", headers=BROWSER)
    assert page.status_code == 200
    assert "/login" in page.text


def test_people_read_problems_as_pages_and_programs_as_documents(client: FlaskClient) -> None:
    page, document = client.get("/nowhere", headers=BROWSER), client.get("/nowhere")
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert (document.status_code, document.mimetype) == (404, "application/problem+json")
    assert client.get("/v1/nowhere", headers=BROWSER).mimetype == "application/problem+json"

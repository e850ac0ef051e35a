"""Every answer forbids guessing its type; behind TLS every answer asks for HTTPS alone. Over a real web server."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest
from flask.testing import FlaskClient

from tests.service.conftest import Environ, opened_app
from tests.service.live.test_streams import two_at_a_table
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.shared_fixtures import client, environ

__all__ = ["client", "environ"]  # shared by the tests of this module
NO_SNIFFING: Final = ("x-content-type-options", "nosniff")
HTTPS_ONLY: Final = ("strict-transport-security", "max-age=31536000")
REFUSED_BY_GUNICORN: Final = (
    b"what is this\r\n\r\n",
    b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nBad Name: x\r\n\r\n",
    b"POST /v1/players HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n",
)


@pytest.fixture(scope="module")
def tls(environ: Environ, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a web server that the world reaches by https."""
    log = tmp_path_factory.mktemp("web") / "log"
    with serving({**environ, "CABILDO_PUBLIC_URL": "https://example.org"}, "service.app:create_app()", log) as (_, url):
        assert eventually(lambda: answers(url))
        yield url


def headers_of(answer: httpx.Response) -> set[tuple[str, str]]:
    return {(name.lower(), value) for name, value in answer.headers.items()}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/healthz", 200),
        ("/openapi.json", 200),
        ("/static/mark.svg", 200),
        ("/static/nothing.js", 404),
        ("/no/such/page", 404),
        ("/v1/me", 401),
        ("/v1/games?made_up=1", 422),
    ],
)
def test_every_answer_forbids_guessing_and_asks_for_https(tls: str, path: str, status: int) -> None:
    answer = httpx.get(f"{tls}{path}", follow_redirects=True, timeout=PATIENCE)
    assert answer.status_code == status
    assert {NO_SNIFFING, HTTPS_ONLY} <= headers_of(answer)


def test_other_methods_and_unchanged_documents_carry_the_headers(tls: str) -> None:
    page = httpx.get(f"{tls}/static/mark.svg", timeout=PATIENCE)
    same = httpx.get(f"{tls}/static/mark.svg", headers={"If-None-Match": page.headers["ETag"]}, timeout=PATIENCE)
    odd = httpx.request("BREW", f"{tls}/", timeout=PATIENCE)
    options = httpx.request("OPTIONS", f"{tls}/v1/games", timeout=PATIENCE)
    assert (same.status_code, odd.status_code, options.status_code) == (304, 405, 200)
    for answer in (same, odd, options):
        assert {NO_SNIFFING, HTTPS_ONLY} <= headers_of(answer)


def test_streams_carry_the_headers(client: FlaskClient, tls: str) -> None:
    game = two_at_a_table(client)[0]
    for form in ("text/event-stream", "application/x-ndjson"):
        with httpx.stream("GET", f"{tls}/v1/games/{game}/events", headers={"Accept": form}, timeout=PATIENCE) as stream:
            assert stream.status_code == 200
            assert {NO_SNIFFING, HTTPS_ONLY} <= headers_of(stream)


@pytest.mark.parametrize("request_bytes", REFUSED_BY_GUNICORN)
def test_what_the_web_server_refuses_carries_the_headers(tls: str, request_bytes: bytes) -> None:
    host, port = tls.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(request_bytes)
        head, _, body = b"".join(iter(lambda: connection.recv(65536), b"")).partition(b"\r\n\r\n")
    assert json.loads(body)["status"] >= 400
    lines = {tuple(line.lower().split(": ", 1)) for line in head.decode().split("\r\n")[1:]}
    assert {NO_SNIFFING, HTTPS_ONLY} <= lines


def asks_for_https(environ: Environ, headers: dict[str, str], **settings: str) -> bool:
    """Whether an answer of a service with these settings carries the header."""
    with opened_app(environ, **settings) as app:
        return HTTPS_ONLY[0] in app.test_client().get("/healthz", headers=headers).headers


def test_https_is_asked_for_when_a_trusted_proxy_came_by_tls(environ: Environ) -> None:
    https = {"X-Forwarded-Proto": "https"}
    assert asks_for_https(environ, https, CABILDO_TRUSTED_PROXIES="1")
    assert not asks_for_https(environ, {"X-Forwarded-Proto": "http"}, CABILDO_TRUSTED_PROXIES="1")
    assert not asks_for_https(environ, https)
    assert not asks_for_https(environ, {})


def test_a_client_cannot_claim_tls_without_a_trusted_proxy(environ: Environ, tmp_path: Path) -> None:
    with serving(environ, "service.app:create_app()", tmp_path / "log") as (_, url):
        assert eventually(lambda: answers(url))
        answer = httpx.get(f"{url}/healthz", headers={"X-Forwarded-Proto": "https"}, timeout=PATIENCE)
    assert NO_SNIFFING in headers_of(answer)
    assert HTTPS_ONLY not in headers_of(answer)

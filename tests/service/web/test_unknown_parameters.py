"""Every route refuses an unknown query parameter: operations, streams, pages, files. Over a real server."""

import re
from collections.abc import Iterator
from uuid import UUID

import httpx
import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.players.commands.tokens import store_token
from service.web.routing import EXTENSION
from tests.service.conftest import Environ
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.players import problem, somebody
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]  # shared by the tests of this module
STAND_INS = {"uuid": str(UUID(int=7)), "int": "1", "string": "x", "path": "mark.svg"}
STREAMS = ("text/event-stream", "application/x-ndjson")
AUTOMATIC = {"HEAD", "OPTIONS"}  # answered by the framework as GET is


@pytest.fixture(scope="module")
def served(client: FlaskClient, environ: Environ, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A web server, asked by an administrator."""
    person, here = somebody(client), client.application.extensions[EXTENSION]
    with here.stores.pool.connection() as connection:
        _, token = store_token(connection, here.now(), UUID(person.id), "operator", ["admin"])
    log, headers = tmp_path_factory.mktemp("web") / "log", {"Authorization": f"Bearer {token}"}
    with serving(environ, "service.app:create_app()", log) as (_, url):
        assert eventually(lambda: answers(url))
        with httpx.Client(base_url=url, headers=headers, timeout=PATIENCE) as asking:
            yield asking


def path_of(rule: str) -> str:
    chosen = re.sub(r"<any\('([^']*)'[^>]*>", r"\1", rule)
    return re.sub(r"<(?:(\w+)(?:\([^)]*\))?:)?\w+>", lambda found: STAND_INS[found[1] or "string"], chosen)


def test_every_route_refuses_an_unknown_parameter(app: Flask, served: httpx.Client) -> None:
    asked = [(method, rule.rule) for rule in app.url_map.iter_rules() for method in (rule.methods or set()) - AUTOMATIC]
    assert len(asked) > 150
    taken = set[str]()
    for method, rule in sorted(asked):
        for form in ("*/*", *(STREAMS if method == "GET" else ())):
            with served.stream(
                method, path_of(rule), params={"made_up": "1"}, headers={"Accept": form}
            ) as answer:  # a stream that began would not end
                refused = answer.status_code == 422 and problem(_document(answer)) == "invalid_request"
            if not refused:
                taken.add(f"{method} {rule} {form}: {answer.status_code}")
    assert sorted(taken) == []


def _document(answer: httpx.Response) -> dict[str, object]:
    answer.read()
    document: dict[str, object] = answer.json()
    return document

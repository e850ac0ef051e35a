"""Everything refused is an RFC 9457 problem; every error class has its own type."""

import importlib
import json
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient
from marshmallow import Schema, fields

import events
import projections
import service
from events.errors import CabildoError
from projections.rules.errors import IllegalMove
from service.core.errors import BadSettings, Refusal
from service.web import routing
from service.web.problem_types import PROBLEMS


class Ask(Schema):
    """A body with one field."""

    number = fields.Integer(required=True, strict=True)


@pytest.fixture
def asking(app: Flask) -> FlaskClient:
    """The application with a few operations that go wrong."""
    routes = routing.Routes("asking", "for tests")

    @routes.on("POST", "/ask", body=Ask, status=201)
    def ask(body: dict[str, int]) -> dict[str, int]:
        """Answer the number."""
        return body

    @routes.on("GET", "/illegal")
    def illegal() -> None:
        """Refuse a move."""
        raise IllegalMove("ship corn 6", reason="ship_carries_other_kind", rule="3.9")

    @routes.on("GET", "/broken")
    def broken() -> None:
        """Raises an unexpected error."""
        raise RuntimeError("the inside")

    app.register_blueprint(routes.blueprint)
    return app.test_client()


def problem(client: FlaskClient, path: str, **request: Any) -> dict[str, Any]:
    response = client.open(path, **request)
    assert response.content_type == "application/problem+json", response.text
    told: dict[str, Any] = json.loads(response.data)
    assert told["status"] == response.status_code
    assert told["request_id"] == response.headers["X-Request-Id"]
    return told


def test_a_path_nobody_serves_is_404(client: FlaskClient) -> None:
    told = problem(client, "/nowhere")
    assert (told["status"], told["type"]) == (404, "/problems#not_found")


def test_a_method_nobody_serves_is_405_and_says_which_are(client: FlaskClient) -> None:
    assert problem(client, "/healthz", method="DELETE")["status"] == 405
    assert "GET" in client.delete("/healthz").headers["Allow"]


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b'{"number": NaN}',
        b'{"number": 1, "number": 2}',
        b"\xff\xfe\x00",
        b'{"number": "\\ud800"}',
        b'{"\\udfff": 1}',
        b"[" * 30,
        b'{"number": ' + b"9" * 5000 + b"}",
    ],
)
def test_a_body_that_two_readers_could_not_read_the_same_is_400(asking: FlaskClient, body: bytes) -> None:
    told = problem(asking, "/ask", method="POST", data=body, content_type="application/json")
    assert (told["status"], told["type"]) == (400, "/problems#unreadable_body")


def test_another_media_type_is_415(asking: FlaskClient) -> None:
    assert problem(asking, "/ask", method="POST", data="number=1", content_type="text/plain")["status"] == 415


def test_a_body_beyond_the_limit_is_413(asking: FlaskClient, app: Flask) -> None:
    app.config["MAX_CONTENT_LENGTH"] = 1024
    told = problem(asking, "/ask", method="POST", data=b" " * 2000, content_type="application/json")
    assert (told["status"], told["type"]) == (413, "/problems#content_too_large")


@pytest.mark.parametrize("body", [{}, {"number": "1"}, {"number": 1, "more": 2}, [], "text", None, 7])
def test_fields_that_do_not_fit_are_422_and_named(asking: FlaskClient, body: object) -> None:
    told = problem(asking, "/ask", method="POST", json=body)
    assert (told["status"], told["type"]) == (422, "/problems#invalid_request")
    assert told["errors"]["json"]


def test_a_refusal_carries_its_data(asking: FlaskClient) -> None:
    told = problem(asking, "/illegal")
    assert told["type"] == "/problems#illegal_move"
    assert (told["move"], told["reason"], told["rule"]) == ("ship corn 6", "ship_carries_other_kind", "3.9")


def test_an_unexpected_failure_is_logged_and_hidden_from_clients(asking: FlaskClient) -> None:
    with structlog.testing.capture_logs() as lines:
        told = problem(asking, "/broken")
    assert told["status"] == 500
    assert "inside" not in json.dumps(told)
    assert [str(line["exc_info"]) for line in lines if line["event"] == "unexpected failure"] == ["the inside"]


def error_classes() -> Iterator[type[CabildoError]]:
    """Every error class of the packages a request can reach."""
    for package in (events, projections, service):
        for module in modules(package):
            for thing in vars(module).values():
                if isinstance(thing, type) and issubclass(thing, CabildoError) and thing.__module__ == module.__name__:
                    yield thing


def modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith("gunicorn_conf"):  # reads the environment of a running service
            yield importlib.import_module(found.name)


def test_every_error_class_has_a_problem_type_of_its_own() -> None:
    classes = {*error_classes()} - {CabildoError, Refusal}  # roots of other services; no request is refused with them
    assert BadSettings in classes
    assert sorted(kind.__qualname__ for kind in classes - PROBLEMS.keys()) == []
    names = [row.name for row in PROBLEMS.values()]
    assert len(names) == len(set(names))


def test_every_problem_type_is_explained_on_its_page(client: FlaskClient) -> None:
    page = client.get("/problems", follow_redirects=True).text
    assert [row.name for row in PROBLEMS.values() if f'id="{row.name}"' not in page] == []

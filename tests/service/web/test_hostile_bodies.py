"""Bodies that are large where little is taken: refused before they are validated, in a few kilobytes."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.web.blueprints import ROUTES
from service.web.routing import Operation
from tests.service.web.test_deep_documents import addressed
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.players import Person, problem, somebody
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]

FEW_KILOBYTES = 8_192
MEGABYTE = 2**20
MANY = 400_000
HOSTILE: dict[str, str] = {
    "numbers": json.dumps({"scopes": [0] * MANY, "label": ""}, separators=(",", ":")),
    "objects": '{"scopes":[' + "{}," * 300_000 + "{}]}",
    "unknown_fields": json.dumps({f"field_{number}": 1 for number in range(60_000)}),
    "long_field": json.dumps({"x" * MEGABYTE: 1}),
    "long_text": json.dumps({"label": "x" * MEGABYTE, "scopes": ["read"]}),
    "brackets": "[" * MEGABYTE,
    "unclosed_text": '"' + '\\"' * (MEGABYTE // 2),
    "commas_in_texts": json.dumps({"scopes": ["," * 1_000] * 1_000, "label": ""}),
}


@pytest.fixture(scope="module")
def anna(app: Flask) -> Person:
    """A player with a token."""
    return somebody(app.test_client())


def used(process: psutil.Process) -> int:
    """The bytes of memory that a server and its web processes use."""
    return sum(int(one.memory_info().rss) for one in (process, *process.children(recursive=True)))


def test_twenty_bodies_of_numbers_each_grow_no_memory(environ: dict[str, str], tmp_path: Path) -> None:
    with serving(environ, "service.app:create_app()", tmp_path / "log") as (process, url):
        assert eventually(lambda: answers(url))
        token = httpx.post(f"{url}/v1/players", json={"name": "Anna"}, timeout=PATIENCE).json()["token"]
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

        def asked(body: str, path: str) -> httpx.Response:
            return httpx.post(f"{url}/v1/{path}", content=body, headers=headers, timeout=PATIENCE)

        moves = json.dumps({"game": "spice_road", "moves": [0] * MANY}, separators=(",", ":"))
        with ThreadPoolExecutor(20) as threads:
            [*threads.map(asked, ['{"scopes":[]}'] * 40, ["tokens"] * 40)]
            before = used(psutil.Process(process.pid))
            refused = [*threads.map(asked, [HOSTILE["numbers"], moves] * 20, ["tokens", "analysis"] * 20)]
        assert [answer.status_code for answer in refused] == [413, 422] * 20
        assert max(len(answer.content) for answer in refused) < FEW_KILOBYTES
        assert used(psutil.Process(process.pid)) - before < 100 * MEGABYTE


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_body_is_answered_in_a_few_kilobytes(anna: Person, kind: str) -> None:
    answer = anna.client.post(
        "/v1/tokens",
        data=HOSTILE[kind],
        headers={"Authorization": f"Bearer {anna.token}", "Content-Type": "application/json"},
    )
    assert answer.status_code in (400, 413, 422)
    assert answer.content_type == "application/problem+json"
    assert len(answer.data) < FEW_KILOBYTES


def operations() -> Iterator[Operation]:
    """The operations that take a JSON body."""
    for routes in ROUTES:
        yield from (one for one in routes.operations if one.reading.body is not None)


@pytest.mark.parametrize("operation", [*operations()], ids=lambda one: f"{one.method} {one.rule}")
def test_no_operation_answers_a_hostile_body_at_length(anna: Person, operation: Operation) -> None:
    assert operation.reading.body is not None
    path = addressed(operation.rule.replace("<", "{").replace(">", "}").replace("uuid:", "").replace("int:", ""))
    headers = {"Authorization": f"Bearer {anna.token}"}
    values: list[object] = [["x" * 100] * 2_000, "x" * 100_000, {f"key {number}": [] for number in range(2_000)}]
    for field in operation.reading.body.load_fields.values():
        name = field.data_key or str(field.name)
        for value in values:
            answer = anna.client.open(path, method=operation.method, json={name: value}, headers=headers)
            assert 400 <= answer.status_code < 500, (name, answer.text[:500])
            assert len(answer.data) < FEW_KILOBYTES, (name, answer.text[:500])


def test_faults_beyond_the_first_are_counted(anna: Person) -> None:
    answer = anna.ask("POST", "/v1/games", {f"field_{number}": 1 for number in range(60)})
    told = answer.get_json()
    assert problem(told) == "invalid_request"
    named = told["errors"]["json"]
    assert 10 <= len(named) < 60
    assert told["more_errors"] == 60 + 2 - len(named)  # game and seats are missing


def test_a_query_with_many_names_is_refused_in_a_few_kilobytes(client: FlaskClient) -> None:
    for query in ("&".join(f"n{number}" for number in range(1_000)), "limit=" + "9" * 3_000, "x" * 3_900):
        answer = client.get(f"/v1/games?{query}")
        assert answer.status_code == 422
        assert len(answer.data) < FEW_KILOBYTES


@pytest.mark.parametrize(
    "path", ["/login", "/register", "/games/new", "/tournaments/new", "/account/tokens", "/studies"]
)
def test_a_form_of_many_fields_is_refused(client: FlaskClient, path: str) -> None:
    many = "&".join(f"n{number}=1" for number in range(100_000))
    answer = client.post(path, data=many, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 413
    assert len(answer.data) < 2 * FEW_KILOBYTES

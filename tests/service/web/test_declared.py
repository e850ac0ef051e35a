"""What operations refuse, require and answer is what their document says, for each of them."""

import re
from collections.abc import Iterator, Mapping
from inspect import iscoroutinefunction
from typing import Any
from uuid import UUID

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from projections.rules.catalogue import LANGUAGES
from service.players.commands.tokens import store_token
from service.web.blueprints import ROUTES
from service.web.routing import EXTENSION, Operation
from tests.support.service.players import Person, problem, somebody
from tests.support.service.shared_fixtures import client, environ

__all__ = ["client", "environ"]  # fixtures, shared by the tests that change nothing for others
OPERATIONS = [one for subject in ROUTES for one in subject.operations]
STAND_INS = {"uuid": str(UUID(int=7)), "int": "1", "string": "puerto_rico", "path": "x"}


def name_of(operation: Operation) -> str:
    return f"{operation.method} {operation.rule}"


def path_of(operation: Operation) -> str:
    """Returns an address of the operation with ids that do not exist."""
    return re.sub(r"<(?:(\w+)(?:\([^)]*\))?:)?\w+>", lambda found: STAND_INS[found[1] or "string"], operation.rule)


@pytest.fixture(scope="module")
def document(client: FlaskClient) -> Any:
    return client.get("/openapi.json").get_json()


def described_in(document: Any, operation: Operation) -> Mapping[str, Any]:
    path = re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"{\1}", operation.rule)
    described: Mapping[str, Any] = document["paths"][path][operation.method.lower()]
    parameters = [
        document["components"]["parameters"][one["$ref"].rsplit("/", 1)[1]] if "$ref" in one else one
        for one in described.get("parameters", [])
    ]
    return {**described, "parameters": parameters}


def asked(client: FlaskClient, player: Person, operation: Operation, query: str = "", **sent: Any) -> TestResponse:
    """The answer to an operation that the player may use."""
    headers = {"Authorization": f"Bearer {player.token}", **sent.pop("headers", {})}
    return client.open(f"{path_of(operation)}?{query}", method=operation.method, headers=headers, **sent)


@pytest.fixture(scope="module")
def player(client: FlaskClient) -> Person:
    """An administrator, with access to every operation."""
    person, here = somebody(client), client.application.extensions[EXTENSION]
    with here.stores.pool.connection() as connection:
        _, person.token = store_token(connection, here.now(), UUID(person.id), "operator", ["admin"])
    return person


def reason(answer: TestResponse) -> str:
    return problem(answer.get_json())


every_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=name_of)


@every_operation
def test_an_unknown_query_parameter_is_refused(
    client: FlaskClient, document: Any, player: Person, operation: Operation
) -> None:
    answer = asked(client, player, operation, "made_up=1")
    assert (answer.status_code, reason(answer)) == (422, "invalid_request")
    assert answer.get_json()["errors"] == {"query": {"made_up": ["Unknown field."]}}


@every_operation
def test_a_repeated_query_parameter_is_refused(
    client: FlaskClient, document: Any, player: Person, operation: Operation
) -> None:
    for parameter in described_in(document, operation)["parameters"]:
        if parameter["in"] != "query":
            continue
        name, several = parameter["name"], parameter["schema"].get("type") == "array"
        answer = asked(client, player, operation, f"{name}=1&{name}=2")
        if not several:
            assert reason(answer) == "invalid_request", name
            assert "is given more than once" in answer.get_json()["errors"]["query"][name], name
        elif answer.status_code == 422:
            assert "is given more than once" not in answer.text, name


@every_operation
def test_the_document_names_all_query_parameters_and_the_refusal(document: Any, operation: Operation) -> None:
    described = described_in(document, operation)
    schema = operation.reading.query
    taken = {field.data_key or name for name, field in schema.load_fields.items()} if schema else set()
    named = [parameter["name"] for parameter in described["parameters"] if parameter["in"] == "query"]
    assert sorted(named) == sorted(taken | {"language"})
    assert "422" in described["responses"]


@every_operation
def test_a_body_is_required_in_the_form_that_the_document_says(
    client: FlaskClient, document: Any, player: Person, operation: Operation
) -> None:
    described, body = described_in(document, operation), operation.reading.body
    if body is None:
        assert operation.takes or "requestBody" not in described
        return
    needed = any(field.required for field in body.fields.values())
    assert described["requestBody"].get("required", False) == needed
    assert reason(asked(client, player, operation, data=b"{", content_type="application/json")) == ("unreadable_body")
    assert asked(client, player, operation, data=b"x", content_type="text/csv").status_code == 415
    strange = asked(client, player, operation, json={"made_up_field": 1})
    assert (strange.status_code, reason(strange)) == (422, "invalid_request")
    if needed:
        assert reason(asked(client, player, operation)) == "invalid_request"


@every_operation
def test_an_operation_without_a_body_refuses_one(client: FlaskClient, player: Person, operation: Operation) -> None:
    if operation.reading.body is not None or operation.takes:
        return
    for strange in (b'{"made_up_field":1}', b"x", b"null"):
        answer = asked(client, player, operation, data=strange, content_type="application/json")
        assert (answer.status_code, reason(answer)) == (422, "invalid_request"), answer.text
        assert answer.get_json()["errors"] == {"json": ["this operation takes no body"]}


@every_operation
def test_answers_have_a_status_that_the_document_names(
    client: FlaskClient, document: Any, player: Person, operation: Operation
) -> None:
    if name_of(operation) == "DELETE /v1/me":
        player = somebody(client)  # the other tests need theirs
    named = described_in(document, operation)["responses"].keys()
    for answer in answers(client, player, operation):
        assert str(answer.status_code) in named
        answer.close()  # a stream does not end by itself


def answers(client: FlaskClient, player: Person, operation: Operation) -> Iterator[TestResponse]:
    """Returns the answers to an anonymous client, to a false token, and to a player for absent things."""
    address = path_of(operation)
    yield client.open(address, method=operation.method, headers={"Authorization": "Bearer cab_made_up"})
    if operation.reading.scope is not None:
        refused = client.open(address, method=operation.method)
        assert refused.status_code == 401
        yield refused
    yield asked(client, player, operation)


def test_a_language_is_one_of_those_spoken(client: FlaskClient) -> None:
    assert [client.get(f"/v1/games?language={one}").status_code for one in LANGUAGES] == [200] * len(LANGUAGES)
    answer = client.get("/v1/games?language=xx")
    assert (answer.status_code, reason(answer)) == (422, "invalid_request")


def test_a_list_is_given_item_by_item(client: FlaskClient, player: Person) -> None:
    game = player.create("me", "bot:random", start_player=0)["id"]
    answer = client.get(f"/v1/games/{game}/legal?why_not=rest&why_not=play%20create_2")
    assert answer.status_code == 200


def test_no_view_and_no_hook_is_a_coroutine(client: FlaskClient) -> None:
    app = client.application  # it calls them as they are
    hooks = (app.before_request_funcs, app.after_request_funcs, app.teardown_request_funcs)
    called = [function for kind in hooks for functions in kind.values() for function in functions]
    assert len(called) > 10
    assert not [one for one in (*called, *app.view_functions.values()) if iscoroutinefunction(one)]

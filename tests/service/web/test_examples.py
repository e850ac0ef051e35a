"""The examples of the API's document are answers that the service really gives."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.web.openapi.specification import EXAMPLES
from tests.support.service.recorded_examples import answers

BODILESS = ("202", "204", "304")


def shape(document: Any) -> Any:
    """Returns the names and types of a document's fields."""
    if isinstance(document, dict):
        return {name: shape(value) for name, value in document.items()}
    if isinstance(document, list):
        return [shape(value) for value in document]
    return type(document).__name__


def test_every_example_is_an_answer_the_service_gives(client: FlaskClient) -> None:
    told = answers(client)
    assert told.keys() == EXAMPLES.keys()
    assert {name: shape(document) for name, document in told.items()} == {n: shape(d) for n, d in EXAMPLES.items()}


def test_the_document_shows_the_examples(client: FlaskClient) -> None:
    paths = client.get("/openapi.json").get_json()["paths"]
    shown = paths["/v1/games/{game}/legal"]["get"]["responses"]["200"]["content"]["application/json"]["example"]
    assert shown == EXAMPLES["GET /v1/games/<uuid:game>/legal"]
    assert shown["moves"][0]["label"]


def test_every_status_has_a_schema_and_every_problem_an_example(client: FlaskClient) -> None:
    document, bare = client.get("/openapi.json").get_json(), []
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            for status, answer in operation["responses"].items():
                response = resolved(document, answer)
                for media_type, content in response.get("content", {}).items():
                    if "schema" not in content or (media_type.endswith("problem+json") and "example" not in content):
                        bare.append(f"{method} {path} {status} {media_type}")
                if "content" not in response and status not in BODILESS:
                    bare.append(f"{method} {path} {status}")
    assert bare == []


def resolved(document: Any, answer: Any) -> Any:
    """Returns the response that a reference names."""
    return document["components"]["responses"][answer["$ref"].split("/")[-1]] if "$ref" in answer else answer


@pytest.mark.parametrize(("status", "kind"), [("UNAUTHORIZED", "unauthenticated"), ("NOT_FOUND", "not_there")])
def test_the_examples_of_problems_are_of_their_status(client: FlaskClient, status: str, kind: str) -> None:
    response = client.get("/openapi.json").get_json()["components"]["responses"][status]
    example = response["content"]["application/problem+json"]["example"]
    assert example["type"] == f"/problems#{kind}"
    assert {"title", "status", "detail", "request_id"} < example.keys()

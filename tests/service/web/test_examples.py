"""The examples of the API's document are answers that the service really gives."""

from typing import Any

from flask.testing import FlaskClient

from service.web.openapi.specification import EXAMPLES
from tests.support.service.recorded_examples import answers


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

"""The examples of the API are what the service really answers, to requests as the pages of the reference send them."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from flask import Flask

from service.web.openapi.recorded import EXAMPLES, answers_by_status
from service.web.openapi.trials import RECIPES, TRIALS, recipes_of
from tests.service.conftest import Environ, opened_app
from tests.support.service.recorded_examples import OUTSIDE, Recorder
from tests.support.service.sent_trials import TrialSender
from tests.support.service.shared_fixtures import environ

__all__ = ["environ"]  # shared by the tests of this module
BODILESS = ("202", "204", "304")
NOT_FOR_STRANGERS = {  # open to them, but they have no such thing
    "GET /v1/analyses/{analysis}": "only its owner has its id",
    "GET /v1/games/{game}/talk": "the practice message is their own",
    "GET /v1/tournaments/{tournament}/talk": "the practice message is their own",
    "POST /v1/session": "they have no name yet",
    "POST /v1/studies/{study}/chapters/{chapter}/answers": "the practice lesson is their own",
}


NOBODYS = {  # hosts: of this machine, names and addresses that are kept for documentation, and the name of a format
    "127.0.0.1",
    "192.0.2.1",
    "example.org",
    "www.w3.org",
}
PRIVATE_OTHERWISE = {"POST /v1/studies/import", "POST /v1/studies/{study}/clones"}  # unless the request says otherwise
REACHES_OTHERS = ("POST /v1/webhooks", "POST /v1/webhooks/{hook}/test", "POST /v1/reports")


@pytest.fixture(scope="module")
def app(environ: Environ) -> Iterator[Flask]:
    """An application that sends mail."""
    with opened_app({**environ, **OUTSIDE, "CABILDO_LOG_KEY": environ["CABILDO_MASTER_KEY"]}) as app:
        yield app


@pytest.fixture(scope="module")
def recorder(app: Flask, environ: Environ) -> Recorder:
    """What records the examples, over the stores of this module."""
    return Recorder(app, {**environ, **OUTSIDE, "CABILDO_LOG_KEY": environ["CABILDO_MASTER_KEY"]})


@pytest.fixture(scope="module")
def document(app: Flask) -> Any:
    """The OpenAPI document."""
    return app.test_client().get("/openapi.json").get_json()


def operations(document: Any) -> Mapping[str, Any]:
    """Returns the operations by method and path."""
    return {
        f"{method.upper()} {path}": operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    }


def fits(sent: Any, recorded: Any) -> bool:
    """Whether two documents have the same names and types; null and an empty list fit everything."""
    if sent is None or recorded is None or [] in (sent, recorded):
        return True
    if isinstance(sent, dict) and isinstance(recorded, dict):
        return sent.keys() == recorded.keys() and all(fits(sent[name], recorded[name]) for name in sent)
    if isinstance(sent, list) and isinstance(recorded, list):
        return all(any(fits(one, other) for other in recorded) for one in sent)
    return type(sent) is type(recorded)


def test_every_operation_has_an_example_and_a_form(recorder: Recorder, document: Any) -> None:
    names = sorted(operations(document))
    assert sorted(TRIALS) == names
    assert sorted(EXAMPLES) == names, "python -m tests.support.service.recorded_examples"
    assert sorted(recorder.trials) == names
    assert recipes_of([*TRIALS.values()]).keys() == RECIPES.keys()


def test_no_form_makes_anything_public(document: Any) -> None:
    kept = {name for name, operation in operations(document).items() if "visibility" in members(document, operation)}
    sent: list[tuple[str, Any]] = [(name, trial.get("body")) for name, trial in TRIALS.items()]
    sent += [(step["send"], step.get("body")) for recipe in RECIPES.values() for step in recipe["steps"]]
    shown = [name for name, body in sent if name in kept and body.get("visibility", "public") == "public"]
    assert kept >= {"POST /v1/games", "POST /v1/games/import", "POST /v1/tournaments"}
    assert [name for name in shown if name not in PRIVATE_OTHERWISE] == []


def test_no_form_and_no_example_names_an_address_of_others() -> None:
    for written in (TRIALS, RECIPES, EXAMPLES):
        assert {*re.findall(r"https?://([^/\"'\s:]+)", json.dumps(written))} <= NOBODYS


def test_what_reaches_others_is_asked_for_or_entered(document: Any) -> None:
    assert "url" in members(document, operations(document)["POST /v1/webhooks"])
    for name in REACHES_OTHERS:
        assert TRIALS[name].get("asks"), name
    hook: Any = TRIALS["POST /v1/webhooks"].get("body")
    assert (hook["url"], hook["game"]) == ("", "$game")
    made = {step["send"] for recipe in RECIPES.values() for step in recipe["steps"]}
    assert not made & {"POST /v1/webhooks", "POST /v1/me/push"}


def test_what_only_a_session_may_send_stands_in_no_other_recipe() -> None:
    of_sessions = [
        re.compile(re.sub(r"\{\w+\}", r"[^/]+", name)) for name, trial in TRIALS.items() if trial.get("session")
    ]
    for name, trial in TRIALS.items():
        for recipe in {} if trial.get("session") else recipes_of([trial]).values():
            for step in (*recipe.get("find", ()), *recipe["steps"]):
                own = "as" not in step and any(one.fullmatch(step["send"]) for one in of_sessions)
                assert not own, f"{name}: {step['send']}"


def test_sending_every_form_as_it_is_succeeds_with_the_recorded_answer(recorder: Recorder) -> None:
    for operation in recorder.trials:  # in the order of the recording
        sent = recorder.example(operation)  # fails unless the answer is a success
        assert fits(sent, EXAMPLES[operation]), f"{operation}: python -m tests.support.service.recorded_examples"
    assert recorder.anna.failed == []


def test_a_stranger_sends_what_is_for_everybody(app: Flask, recorder: Recorder, document: Any) -> None:
    refused = []
    for operation, described in operations(document).items():
        trial = recorder.trials[operation]
        if {} not in described.get("security", [{}]) or "first" in trial or operation in NOT_FOR_STRANGERS:
            continue
        accept = "application/json" if operation.endswith("stream") is False else "application/x-ndjson"
        with TrialSender(app, {}).send(operation, trial, accept).response as response:
            if response.status_code not in (200, 201, 202, 204, 406):
                refused.append(f"{operation}: {response.status_code} {response.get_data(as_text=True)}")
    assert refused == []


def test_what_needs_a_hand_first_says_so(app: Flask, recorder: Recorder) -> None:
    shown = app.test_client().get("/docs/reference/players").text
    assert "First enter your password in the body." in shown
    assert {trial["first"] for trial in recorder.trials.values() if "first" in trial} >= {"password", "mail"}


def test_the_document_shows_request_and_answer_of_each_operation(document: Any) -> None:
    for name, operation in operations(document).items():
        for status, answers in answers_by_status(EXAMPLES[name]).items():
            for media_type, answer in answers.items():
                content = operation["responses"][status]["content"]
                assert content[media_type]["examples"]["recorded"] == answer, name
        assert operation["x-codeSamples"][0]["source"].startswith("curl"), name
    moves = document["paths"]["/v1/games/{game}/moves"]["post"]["requestBody"]["content"]["application/json"]
    assert moves["examples"]["recorded"]["value"] == {"move": "play create_2"}


def test_no_example_holds_a_secret_or_the_time_of_its_recording() -> None:
    written = str(EXAMPLES)
    assert "cab_..." in written
    assert "cabildo_session" not in written
    assert "2026-11-19T12:00:00.000000Z" in written


def test_every_status_has_a_schema_and_an_example(document: Any) -> None:
    bare = []
    for name, operation in operations(document).items():
        for status, answer in operation["responses"].items():
            response = resolved(document, answer)
            for media_type, content in response.get("content", {}).items():
                if "schema" not in content or not content.keys() & {"example", "examples"}:
                    bare.append(f"{name} {status} {media_type}")
            if "content" not in response and status not in BODILESS:
                bare.append(f"{name} {status}")
    assert bare == []


def members(document: Any, operation: Any) -> Mapping[str, Any]:
    """Returns the members of the JSON body that an operation takes."""
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].split("/")[-1]]
    found: Mapping[str, Any] = schema.get("properties", {})
    return found


def resolved(document: Any, answer: Any) -> Any:
    """Returns the response that a reference names."""
    return document["components"]["responses"][answer["$ref"].split("/")[-1]] if "$ref" in answer else answer


@pytest.mark.parametrize(("status", "kind"), [("UNAUTHORIZED", "unauthenticated"), ("NOT_FOUND", "not_there")])
def test_the_examples_of_problems_are_of_their_status(document: Any, status: str, kind: str) -> None:
    response = document["components"]["responses"][status]
    example = response["content"]["application/problem+json"]["example"]
    assert example["type"] == f"/problems#{kind}"
    assert {"title", "status", "detail", "request_id"} < example.keys()

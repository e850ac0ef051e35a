"""Sends the trials of the reference as its page sends them: recipes first, then the request with their values."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode
from uuid import UUID, uuid4

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from projections.games.chance import entropy_commitment
from service.oauth.routes import FORM
from service.web.auth import CSRF_HEADER
from service.web.openapi.trials import RECIPES, SAMPLES, FormTrial, RecipeStep
from tests.support.service.players import answer

VALUE: Final = re.compile(r"\$(\w+)")
MOST_WAITS: Final = 20
ENTROPY: Final = bytes(32)
ENDS: Final = (200, 400)  # statuses of success and of redirections


class SentTrial(NamedTuple):
    """A request and its answer."""

    path: str
    query: Mapping[str, str]
    body: Any
    response: TestResponse


class TrialSender:
    """A reader of the reference: somebody without an account, with a session, or with a token."""

    def __init__(
        self,
        app: Flask,
        headers: Mapping[str, str],
        client: FlaskClient | None = None,
        work: Callable[[], object] = lambda: None,
    ) -> None:
        self._app = app
        self._client = client or app.test_client()
        self._headers = headers
        self._work = work
        self.failed: list[str] = []  # requests of recipes that were refused

    def send(self, operation: str, trial: FormTrial, accept: str | None = None, **given: Any) -> SentTrial:
        """Sends the request of an operation; `given` are values that the reader enters."""
        values = self.prepared(trial.get("needs", ()))
        method, path = operation.split(" ")
        places = {**values, **filled(trial.get("path", {}), values), **given}
        path = re.sub(r"\{(\w+)\}", lambda place: quote(str(places.get(place[1], "")), safe=""), path)
        query, body = filled(trial.get("query", {}), values), filled(trial.get("body"), values)
        if isinstance(body, dict):
            body |= {name: value for name, value in given.items() if name in body}
        response = self._sent(method, path, query, body, {"Accept": accept} if accept else {}, trial.get("anonymous"))
        return SentTrial(path, query, body, response)

    def asked(self, method: str, path: str, body: Any = None) -> TestResponse:
        """Sends one request."""
        return self._sent(method, path, {}, body, {}, None)

    def prepared(self, needs: Sequence[str]) -> dict[str, Any]:
        """Returns the values of recipes."""
        tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat()
        values: dict[str, Any] = {**SAMPLES, "random": uuid4().hex[:8], "tomorrow": tomorrow}
        values["entropy"] = ENTROPY.hex()
        for name in needs:
            self._follow(name, values)
        return values

    def _follow(self, name: str, values: dict[str, Any]) -> None:
        recipe = RECIPES[name]
        if any(self._step(step, values, must=False) for step in recipe.get("find", ())):
            return
        for used in recipe.get("uses", ()):
            self._follow(used, values)
        for step in recipe["steps"]:
            if "commits" in step:
                commitment = entropy_commitment(UUID(values["game"]), step["commits"], ENTROPY)
                values["commitment"] = commitment.hex()
            self._step(step, values, must=True)

    def _step(self, step: RecipeStep, values: dict[str, Any], *, must: bool) -> bool:
        """Sends a request of a recipe; returns whether the answer had all its values."""
        for _ in range(MOST_WAITS):
            response = self._answered(step, values)
            if response.status_code not in range(*ENDS):
                if must:
                    self.failed.append(f"{step['send']}: {response.status_code} {response.get_data(as_text=True)}")
                return False
            if "until" not in step or value_at(response, step["until"][0]) == step["until"][1]:
                break
            self._work()
        found = {name: value_at(response, place) for name, place in step.get("keep", {}).items()}
        values.update({name: value for name, value in found.items() if value is not None})
        return None not in found.values()

    def _answered(self, step: RecipeStep, values: dict[str, Any]) -> TestResponse:
        method, path = filled(step["send"], values).split(" ")
        headers = {"Accept": step["accept"]} if "accept" in step else {}
        who = step.get("as")
        if who == "bot":
            headers["Authorization"] = f"Bearer {values['bot_token']}"
        return self._sent(method, path, {}, filled(step.get("body"), values), headers, who is not None)

    def _sent(
        self,
        method: str,
        path: str,
        query: Mapping[str, str],
        body: Any,
        headers: Mapping[str, str],
        other: bool | None,
    ) -> TestResponse:
        client = self._app.test_client() if other else self._client
        how: dict[str, Any] = {"data": urlencode(body), "content_type": FORM} if path.startswith("/oauth/") else {}
        if not how and body is not None:
            how = {"json": body}
        own = {} if other else self._headers
        address = f"{path}?{urlencode(query)}" if query else path
        return client.open(address, method=method, headers={**own, **headers}, buffered=False, **how)


def session_of(app: Flask, name: str, password: str) -> tuple[FlaskClient, dict[str, str]]:
    """Returns a browser that is logged in with its password just given, and the headers of its requests."""
    client = app.test_client()
    headers = {CSRF_HEADER: answer(client.post("/v1/session", json={"name": name, "password": password}), 201)["csrf"]}
    return client, headers


def filled(value: Any, values: Mapping[str, Any]) -> Any:
    """Returns a part of a request with its values."""
    if isinstance(value, dict):
        return {name: filled(inner, values) for name, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, values) for inner in value]
    if not isinstance(value, str):
        return value
    whole = VALUE.fullmatch(value)
    if whole and whole[1] in values:
        return values[whole[1]]
    return VALUE.sub(lambda place: str(values.get(place[1], place[0])), value)


def value_at(response: TestResponse, place: str) -> Any:
    """Returns what an answer has at a place; None for nothing there."""
    found: Any = response.get_json() if response.is_json else response.get_data(as_text=True)
    for step in filter(None, place.split("/")):
        try:
            found = found[int(step)] if isinstance(found, list) else found[step]
        except (KeyError, IndexError, TypeError):
            return None
    return found

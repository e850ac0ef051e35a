"""The matrix of rights: every route asked by every kind of client, and answered or refused as its row says."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.web.blueprints import ROUTES
from service.web.routing import Operation
from tests.service.web.test_hidden_things import BODIES, NEW_DRAFT
from tests.support.service.askers import ASKERS, VISITORS, Things
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]
OPERATIONS: Final = {f"{one.method} {one.rule}": one for subject in ROUTES for one in subject.operations}
REFUSED: Final = (401, 403, 404)
RIGHTS: Final = Path(__file__).parent / "rights_of_routes.txt"
PAGE_RIGHTS: Final = Path(__file__).parent / "rights_of_pages.txt"
KINDS: Final = {
    "hook",
    "token",
    "bot",
    "tournament",
    "study",
    "analysis",
    "game",
    "session",
}  # by the name of their parameter
OTHER_KINDS: Final = {  # the end of a route about a game -> the kind of game that it is for
    "/analyses": "finished",
    "/rematch": "finished",
    "POST /v1/games/<uuid:game>/record": "imported",
}
COMMENT: Final = {"do": "comment", "chapter": 1, "at": "2", "text": "x"}
MORE_BODIES: Final[Mapping[str, Any]] = {
    "POST /v1/games": {"game": "spice_road", "seats": ["me", "open"]},
    "POST /v1/challenges": {"game": "spice_road", "opponents": ["bot:random"]},
    "POST /v1/pairings": {"game": "spice_road", "pairings": [["me", "bot:random"]]},
    "POST /v1/studies": {"title": "Notes"},
    "POST /v1/tournaments": NEW_DRAFT,
    "POST /v1/tokens": {"scopes": ["read"]},
    "POST /v1/programs": {"name": "A board"},
    "POST /v1/webhooks": {"url": "https://93.184.215.14/hook"},
    "POST /v1/games/<uuid:game>/rules": {"to": "3"},
    "POST /v1/games/<uuid:game>/end": {"reason": "x"},
    "POST /v1/studies/<uuid:study>/edits": {
        "saw": 9,
        "edits": [{"do": "comment", "chapter": 1, "at": "2", "text": "x"}],
    },
}
WORDS: Final = {"name": "spice_road", "path": "policy", "filename": "site.css", "what": "publication"}
CHOICE: Final = re.compile(r"<any\('([\w-]+)'[^)]*\):\w+>")  # the first of the words of a route
PLACES: Final = {"/board": "?at=2", "/picture": "?at=2"}  # of a chapter


def rows(file: Path) -> dict[str, str]:
    """Returns the row of each route: + for each kind of client that may use it, - for the others."""
    lines = (line.split() for line in file.read_text().splitlines() if line and not line.startswith("#"))
    return {" ".join(words[:-1]): words[-1] for words in lines}


@pytest.fixture(scope="module")
def things(app: Flask) -> Things:
    return Things(app)


def test_every_route_has_a_row() -> None:
    assert sorted(rows(RIGHTS)) == sorted(OPERATIONS)


@pytest.mark.parametrize("route", sorted(OPERATIONS))
def test_a_route_is_open_to_the_kinds_of_clients_in_its_row(things: Things, route: str) -> None:
    answers = {asker: ask(things, OPERATIONS[route], asker) for asker in ASKERS}
    row = "".join("-" if answers[asker] in REFUSED else "+" for asker in ASKERS)
    assert row == rows(RIGHTS).get(route), answers


def test_every_page_has_a_row(app: Flask) -> None:
    assert sorted(rows(PAGE_RIGHTS)) == sorted(pages(app))


@pytest.mark.parametrize("route", sorted(rows(PAGE_RIGHTS)))
def test_a_page_is_open_to_the_kinds_of_visitors_in_its_row(things: Things, route: str) -> None:
    answers = {visitor: visit(things, route, visitor) for visitor in VISITORS}
    row = "".join("-" if answers[visitor] in REFUSED else "+" for visitor in VISITORS)
    assert row == rows(PAGE_RIGHTS)[route], answers


def pages(app: Flask) -> list[str]:
    """Returns the routes of the pages, by method and rule."""
    return [
        f"{method} {rule.rule}"
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) & {"GET", "POST"})
        if f"{method} {rule.rule}" not in OPERATIONS
    ]


def visit(things: Things, route: str, visitor: str) -> int:
    """Returns the status of a page or form; 401 when the visitor is sent to log in."""
    (browser, csrf), method = things.browser(visitor), route.partition(" ")[0]
    data = {"csrf": csrf} if method == "POST" else None
    answer = browser.open(path_of(things, route, visitor), method=method, data=data)
    if answer.location is not None and answer.location.startswith("/login?"):
        return 401
    return renewed(things, method, answer)


def ask(things: Things, operation: Operation, asker: str) -> int:
    """Returns the status of the answer to a client of a kind."""
    route, (client, headers) = f"{operation.method} {operation.rule}", things.client(asker)
    body = MORE_BODIES.get(route) or next((body for end, body in BODIES.items() if operation.rule.endswith(end)), {})
    if route.endswith("/invitations"):
        body = {"player": things.people["stranger"].id}
    answer = client.open(
        path_of(things, route, asker),
        method=operation.method,
        json=None if operation.reading.body is None else body,
        headers=headers,
    )
    return renewed(things, operation.method, answer)


def path_of(things: Things, route: str, asker: str) -> str:
    """Returns the address of a route about things of the host."""
    path = route.partition(" ")[2]
    kind = next((kind for kind in KINDS if f":{kind}>" in path), None)
    kind = next((other for end, other in OTHER_KINDS.items() if kind == "game" and route.endswith(end)), kind)
    values = {
        "player": things.host.id,
        "name": "spice_road",
        "example": "E-3",
        "path": "policy",
        "filename": "site.css",
        "step": "1",
        "what": "publication",
        "guide": "bots",
        "subject": "tables",
        "picture": "load.svg",
        "number": "1",
        "schema": "bundle",
        "version": "v1",
    }
    if kind is not None:
        values |= things.ids(kind, asker)
    path = CHOICE.sub(r"\1", path)
    for name, value in values.items():
        path = re.sub(rf"<(?:\w+:)?{name}>", value, path)
    query = f"?name={things.host.name}" if path == "/players" else ""
    return path + next((query for end, query in PLACES.items() if path.endswith(end)), query)


def renewed(things: Things, method: str, answer: TestResponse) -> int:
    """Returns the status of an answer; makes the things anew when the request may have changed one."""
    answer.close()  # a stream does not end by itself
    if method != "GET" and answer.status_code not in REFUSED:
        things.renew()
    return answer.status_code

"""Each problem type tells its members: those that its error class sets, and no others."""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from events.errors import CabildoError
from service.web.error_handlers import RESERVED
from service.web.openapi.problem_members import MEMBERS, members_of
from service.web.problem_types import PROBLEMS
from tests.support.service.shared_fixtures import client, environ

__all__ = ["client", "environ"]  # shared by the tests of this module
OF_RULES = ("illegal_move", "not_your_turn", "game_is_over", "unreadable_move", "bad_options")
BY_HANDLERS = {**{name: {"rule_page"} for name in OF_RULES}, "invalid_request": {"more_errors"}}  # set for the answer


def attributes(error: type[CabildoError]) -> Iterator[str]:
    """Yields the public attributes that an error class and its bases set."""
    for kind in error.__mro__:
        if issubclass(kind, CabildoError) and "__init__" in vars(kind):
            for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(vars(kind)["__init__"])))):
                if (
                    isinstance(node, ast.Attribute)
                    and isinstance(node.ctx, ast.Store)
                    and not node.attr.startswith("_")
                ):
                    yield node.attr


def test_every_type_tells_the_members_that_its_class_sets() -> None:
    set_by_code = {
        problem.name: {*attributes(error)} - RESERVED | BY_HANDLERS.get(problem.name, set())
        for error, problem in PROBLEMS.items()
    }
    assert {name: {*members_of(name)} for name in set_by_code} == set_by_code
    assert MEMBERS.keys() <= set_by_code.keys()


def test_members_are_in_the_document_the_list_and_on_the_page(client: FlaskClient) -> None:
    schemas = client.get("/openapi.json").get_json()["components"]["schemas"]
    listed = {one["name"]: one for one in client.get("/v1/problems").get_json()["problems"]}
    page = client.get("/docs/errors").text
    for name, members in MEMBERS.items():
        described = schemas[f"Problem_{name}"]["allOf"][1]["properties"]
        assert [*members] == [*described][2:] == [one["name"] for one in listed[name]["members"]]
        assert described["type"] == {"const": f"/problems#{name}"}
        section = page.partition(f'id="{name}"')[2].partition("</section>")[0]
        assert [f"<code>{member}</code>" for member in members if f"<code>{member}</code>" not in section] == []


JSON = {
    str: "string",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
    bool: "boolean",
    type(None): "null",
}


@pytest.mark.parametrize(
    ("method", "path", "body", "name"),
    [
        ("POST", "/v1/analysis", {"game": "spice_road", "seats": 2, "moves": ["claim 1"]}, "impossible_line"),
        ("POST", "/v1/analysis", {"game": "spice_road", "seats": 2, "options": {"x": 1}}, "bad_options"),
        ("POST", "/v1/analysis", {}, "invalid_request"),
        ("GET", "/v1/rules/chess", None, "not_there"),
    ],
)
def test_an_answer_has_the_members_that_are_told(
    client: FlaskClient, method: str, path: str, body: Any, name: str
) -> None:
    assert_told(client.open(path, method=method, json=body).get_json(force=True), name)


def assert_told(document: Any, name: str) -> None:
    """Asserts that a problem has no members but those of its type, each of its JSON type."""
    extra = {member: value for member, value in document.items() if member not in RESERVED}
    known = members_of(name)
    assert extra.keys() <= known.keys()
    for member, value in extra.items():
        types = known[member]["type"]
        allowed = {types} if isinstance(types, str) else {*types}
        assert {JSON[type(value)], "number" if type(value) is int else ""} & allowed, (name, member, value)

"""A page refuses query parameters that it does not have, one that is given twice, and a body."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import NotFound
from werkzeug.routing import Rule

from service.pages.site.query_parameters import TAKEN
from service.web.blueprints import ROUTES
from tests.support.running_program import PROJECT
from tests.support.service.players import problem
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]  # fixtures, shared by the tests that change nothing for others
UUID_7 = "00000000-0000-0000-0000-000000000007"
STAND_INS = {"uuid": UUID_7, "int": "1", "string": "x", "path": "x"}
FILES = "static"
WRITTEN = PROJECT / "service" / "pages"
FILLED = re.compile(r"\$\{[^{}]*\}|\{\{.*?\}\}")  # by scripts and templates
ADDRESS = re.compile(r"""["'`](/[^"'`?\s]*)\?([^"'`\s]*)""")
OF_OPERATIONS = {subject.name for subject in ROUTES}


def pages(app: Flask) -> list[Rule]:
    return [
        rule
        for rule in app.url_map.iter_rules()
        if rule.endpoint != FILES and rule.endpoint.partition(".")[0] not in OF_OPERATIONS
    ]


def path_of(rule: Rule) -> str:
    chosen = re.sub(r"<any\('([^']*)'[^>]*>", r"\1", rule.rule)
    return re.sub(r"<(?:(\w+):)?\w+>", lambda found: STAND_INS[found[1] or "string"], chosen)


def refusal(client: FlaskClient, rule: Rule, query: str, data: bytes = b"") -> Any:
    method = "GET" if "GET" in (rule.methods or ()) else "POST"
    answer = client.open(f"{path_of(rule)}?{query}", method=method, data=data)
    assert (answer.status_code, problem(answer.get_json())) == (422, "invalid_request"), rule
    return next(iter(answer.get_json()["errors"].values()))


def test_every_page_refuses_an_unknown_parameter(app: Flask, client: FlaskClient) -> None:
    assert len(pages(app)) > 50
    for rule in pages(app):
        assert refusal(client, rule, "made_up=1") == {"made_up": ["Unknown field."]}, rule


def test_every_page_refuses_a_parameter_given_twice(app: Flask, client: FlaskClient) -> None:
    for rule in pages(app):
        for name in (*TAKEN.get(rule.rule, ()), "language"):
            assert refusal(client, rule, f"{name}=en&{name}=en") == {name: ["is given more than once"]}, rule


def test_every_page_that_is_shown_refuses_a_body(app: Flask, client: FlaskClient) -> None:
    for rule in pages(app):
        if "GET" in (rule.methods or ()):
            assert refusal(client, rule, "", data=b"x") == ["this operation takes no body"], rule


def test_the_parameters_of_pages_are_of_pages_there_are(app: Flask) -> None:
    assert sorted(TAKEN.keys() - {rule.rule for rule in pages(app)}) == []


def test_a_person_reads_the_refusal_as_a_page(client: FlaskClient) -> None:
    answer = client.get("/lobby?made_up=1", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.mimetype) == (422, "text/html")


@pytest.mark.parametrize("path", ["/static/mark.svg?language=is", "/lobby?language=is", "/login?next=%2Fmine"])
def test_what_a_page_takes_is_not_refused(client: FlaskClient, path: str) -> None:
    with client.get(path) as answer:
        assert answer.status_code == 200


def led_to() -> Iterator[tuple[str, str, str]]:
    """Yields the file, the path and the query of each address of a page that scripts and templates write."""
    for path in (*WRITTEN.glob("templates/**/*.html"), *WRITTEN.glob("static/**/*.js")):
        text = re.sub(r"\{%.*?%\}", "", FILLED.sub("FILLED", path.read_text()))
        for address, query in ADDRESS.findall(text):
            if not address.startswith("/v1/"):
                yield path.name, address, query.replace("&amp;", "&")


def rule_of(app: Flask, address: str) -> str:
    """The rule of a page, whatever its filled parts are."""
    first, *parts = address.split("FILLED")
    for filled in product((*STAND_INS.values(), "/standings"), repeat=len(parts)):
        path = first + "".join(value + part for value, part in zip(filled, parts, strict=True))
        try:
            rule, _ = app.url_map.bind("").match(path, return_rule=True)
        except NotFound:
            continue
        return str(rule.rule)
    raise AssertionError(f"no page has the address {address}")


def test_scripts_and_templates_lead_to_pages_with_their_parameters(app: Flask) -> None:
    found = list(led_to())
    assert len(found) > 25
    for file, address, query in found:
        names = set(re.findall(r"(?:^|&)(\w+)=", query)) - {"language"}
        assert names <= set(TAKEN.get(rule_of(app, address), ())), (file, address, query)

"""Reads the forms of the reference: the trial that each of them begins with."""

import json
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Any, Final

from flask.testing import FlaskClient

from service.web.openapi.trials import FormTrial

MARKS: Final = ("asks", "session", "anonymous")


class _Forms(HTMLParser):
    """Collects the forms of a page, by method and path."""

    def __init__(self) -> None:
        super().__init__()
        self.trials: dict[str, FormTrial] = {}
        self._trial: Any = None
        self._body: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form" and "data-path" in given:
            self._trial = self.trials[f"{given['data-method']} {given['data-path']}"] = FormTrial()
            self._trial |= {"needs": json.loads(given["data-needs"] or "[]"), "path": {}, "query": {}}
            self._trial |= {mark: True for mark in MARKS if f"data-{mark}" in given}
            self._trial |= {"first": given["data-first"]} if "data-first" in given else {}
        elif tag == "input" and given.get("data-in") in ("path", "query") and given.get("value"):
            self._trial[given["data-in"]][given["name"]] = given["value"]
        elif tag == "textarea" and given.get("data-in") == "body":
            self._body = []

    def handle_data(self, data: str) -> None:
        if self._body is not None:
            self._body.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea" and self._body is not None:
            self._trial["body"] = json.loads("".join(self._body))
            self._body = None


def pages(client: FlaskClient) -> Iterator[str]:
    """Yields the addresses of the pages of the reference."""
    for tag in client.get("/openapi.json").get_json()["tags"]:
        yield f"/docs/reference/{tag['name'].replace(' ', '-').replace('_', '-')}"


def trials_of_pages(client: FlaskClient) -> Mapping[str, FormTrial]:
    """Returns the trial of every form of the reference."""
    forms = _Forms()
    for page in pages(client):
        forms.feed(client.get(page).text)
    return forms.trials

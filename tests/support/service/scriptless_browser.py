"""Somebody with a browser that runs no scripts: pages are opened, links followed, forms filled in."""

import re
from collections import defaultdict
from html.parser import HTMLParser

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

PASSWORD = "correct horse"
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def token(page: str) -> str:
    """Returns the hidden values of a form."""
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found is not None
    return found.group(1)


class Filled(HTMLParser):
    """Returns the fields of the form that posts to its own page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, list[str]] = defaultdict(list)
        self._inside = False
        self._name, self._options, self._chosen = "", list[str](), list[str]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A field, or an option of one."""
        of = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._inside = "action" not in of
        elif tag == "input" and self._inside and (of.get("type") != "checkbox" or "checked" in of):
            self.fields[of["name"]].append(of.get("value", "on"))
        elif tag in ("select", "textarea") and self._inside:
            self._name, self._options, self._chosen = of["name"], [], []
        elif tag == "option" and self._name:
            (self._chosen if "selected" in of else self._options).append(of["value"])

    def handle_data(self, data: str) -> None:
        """Returns the text of a textarea."""
        if self._name and self.lasttag == "textarea":
            self._chosen.append(data)

    def handle_endtag(self, tag: str) -> None:
        """A field is read."""
        if tag in ("select", "textarea") and self._name:
            self.fields[self._name].append((*self._chosen, *self._options, "")[0])
            self._name = ""


class Visitor:
    """A player who registered by the form."""

    def __init__(self, client: FlaskClient, name: str) -> None:
        self.client = client
        self.name = name
        form = {"csrf": token(client.get("/register").text), "name": name, "password": PASSWORD}
        assert client.post("/register", data=form, headers=BROWSER).status_code == 303

    def open(self, path: str, status: int = 200) -> str:
        """The page at a path."""
        shown = self.client.get(path, headers=BROWSER)
        assert shown.status_code == status, shown.text
        return shown.text

    def send(self, path: str, **fields: str | list[str]) -> TestResponse:
        """Send a form of our pages."""
        return self.client.post(path, data={"csrf": token(self.open("/")), **fields}, headers=BROWSER)

    def sent(self, path: str, **fields: str | list[str]) -> str:
        """Send a form that is taken; where it leads."""
        answer = self.send(path, **fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"]

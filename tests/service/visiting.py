"""Somebody with a browser that runs no scripts: pages are opened, links followed, forms filled in."""

import re

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

PASSWORD = "correct horse"
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def token(page: str) -> str:
    """What a form of the page repeats."""
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found is not None
    return found.group(1)


class Visitor:
    """Somebody who has registered by the form."""

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

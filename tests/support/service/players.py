"""People who use the service over HTTP, as tests speak of them."""

from typing import Any
from uuid import uuid4

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

GAME = "spice_road"


class Person:
    """A player with an account and a token."""

    def __init__(self, client: FlaskClient, name: str, **more: Any) -> None:
        self.client = client
        registered = answer(client.post("/v1/players", json={"name": name, **more}), 201)
        self.id: str = registered["player"]["id"]
        self.name = name
        self.token: str = registered["token"]

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        """Send a request with the token."""
        headers = {"Authorization": f"Bearer {self.token}", **{k.replace("_", "-"): v for k, v in headers.items()}}
        return self.client.open(path, method=method, json=body, headers=headers)

    def post(self, path: str, body: Any = None, status: int = 201, **headers: str) -> dict[str, Any]:
        """Send something and read the answer."""
        return answer(self.ask("POST", path, {} if body is None else body, **headers), status)

    def create(self, *seats: str, status: int = 201, **more: Any) -> dict[str, Any]:
        """Create a game of Spice Road."""
        return self.post("/v1/games", {"game": GAME, "seats": list(seats), **more}, status)

    def join(self, game: str, status: int = 201, **more: Any) -> dict[str, Any]:
        """Take a seat."""
        return self.post(f"/v1/games/{game}/seats", more, status)

    def move(self, game: str, text: str, status: int = 201, **more: Any) -> dict[str, Any]:
        """Make a move."""
        return self.post(f"/v1/games/{game}/moves", {"move": text, **more}, status)


def answer(response: TestResponse, status: int) -> dict[str, Any]:
    """The document of an answer that has the status it should have."""
    assert response.status_code == status, response.get_data(as_text=True)
    document = response.get_json()
    assert isinstance(document, dict)
    return document


def problem(document: dict[str, Any]) -> str:
    """Returns the problem type of an answer."""
    return str(document["type"]).removeprefix("/problems#")


def somebody(client: FlaskClient) -> Person:
    """A client without an account."""
    return Person(client, f"somebody {uuid4().hex[:12]}")


def in_turn(game: dict[str, Any], *people: Person) -> list[Person]:
    """The people of a started game in turn order."""
    by_id = {person.id: person for person in people}
    return [by_id[seat["player"]["id"]] for seat in game["seats"] if seat["player"]]


def new_names(*names: str) -> list[str]:
    """Returns names that nobody has, for a service that many tests share."""
    return [f"{name} {uuid4().hex[:8]}" for name in names]


def running(client: FlaskClient, *names: str, **more: Any) -> tuple[str, list[Person]]:
    """A game that has started, and its people in turn order."""
    host, *others = [Person(client, name) for name in names or ("Anna", "Birgir")]
    document = host.create("me", *("open" for _ in others), **more)
    for one in others:
        document = one.join(document["id"])
    return document["id"], in_turn(document, host, *others)


def two_at_a_table(client: FlaskClient, **more: Any) -> tuple[str, Person, Person]:
    """A running game of two, and its people in turn order."""
    game, (first, second) = running(client, **more)
    return game, first, second

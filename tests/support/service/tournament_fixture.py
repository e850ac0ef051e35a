"""A hall with a host, entrants, and a keeper that comes by when it is told to."""

from typing import Any
from uuid import UUID, uuid4

from flask import Flask

from events.store.connections import connect
from service.container import Container
from service.games.game_state import GameState
from service.tournaments.scheduler import attend, waiting
from tests.support.service.players import Person, answer
from workers.jobs import play_on

SPICE: dict[str, Any] = {"game": "spice_road", "chance": 0}


class Hall:
    """A tournament over HTTP, and the processes around it."""

    def __init__(self, app: Flask, stages: list[dict[str, Any]], host: Any = None, **regulations: Any) -> None:
        title = regulations.pop("title", "The open of Ponce")
        self.app, self.container = app, app.extensions["cabildo"]
        self.client = app.test_client()
        self.host = host or Person(self.client, f"host {uuid4().hex[:12]}")
        chance = {"chance": 1} if regulations.get("rated") else {}
        body = {"title": title, "regulations": {**SPICE, **chance, "stages": stages, **regulations}}
        self.id: str = self.host.post("/v1/tournaments", body)["id"]
        self.path = f"/v1/tournaments/{self.id}"
        self.people: list[Person] = []

    def direct(self, what: str, body: Any = None, status: int = 201) -> dict[str, Any]:
        """Let the host do something."""
        return self.host.post(f"{self.path}/{what}", body, status)

    def open(self, people: int = 0, bots: int = 0) -> "Hall":
        """Publish, and let so many enter."""
        self.direct("publication")
        for number in range(people):
            self.people.append(Person(self.client, f"guest {number} {uuid4().hex[:8]}"))
            self.people[-1].post(f"{self.path}/entrants")
        for _ in range(bots):
            self.direct("entrants", {"bot": True})
        return self

    def read(self, what: str = "", **query: Any) -> dict[str, Any]:
        """Returns the public tournament."""
        return answer(self.client.get(f"{self.path}/{what}".rstrip("/"), query_string=query), 200)

    def keep(self) -> None:
        """A keeper comes by."""
        keep(self.container)

    def games(self) -> list[UUID]:
        """The games of the newest round."""
        return [UUID(table["game"]) for table in self.read("rounds")["rounds"][-1]["tables"]]

    def play(self) -> None:
        """Let the bots of the newest round play their games to the end."""
        for game in self.games():
            play(self.container, game)

    def start(self) -> None:
        """Pair, publish and start a round."""
        self.direct("rounds")
        self.direct("rounds/current/publication")
        self.direct("rounds/current/start")
        self.keep()

    def round(self) -> dict[str, Any]:
        """Pair, publish, start, play and close a round."""
        self.start()
        self.play()
        self.keep()
        return self.direct("rounds/current/closing")


def keep(container: Container) -> None:
    """Let a keeper come by in a world."""
    with connect(container.settings.database_url) as connection:
        for tournament in waiting(connection, container.now(), UUID(int=0), 50):
            attend(container, connection, tournament, container.now())


def play(container: Container, game: UUID) -> None:
    """Let bots play a game to the end."""
    table: GameState | None = container.game_commands.settle_time(game)
    while table is not None and table.known.status == "running":
        table = play_on(container, game, table.head.seq)

"""People who annotate games over HTTP, as tests speak of them."""

from typing import Any

from flask.testing import FlaskClient

from tests.support.service.players import Person, answer, in_turn, somebody

MOVES = ("play create_2", "play upgrade_2", "rest")


class Study:
    """A study as one member edits it."""

    def __init__(self, person: Person, id: str) -> None:
        self.person = person
        self.id = id
        self.path = f"/v1/studies/{id}"

    def by(self, person: Person) -> "Study":
        """Returns the same study as another member edits it."""
        return Study(person, self.id)

    def edit(self, do: str, status: int = 201, saw: int = 2**40, **edit: Any) -> dict[str, Any]:
        """Sends one edit; by default with the newest version."""
        return self.person.post(f"{self.path}/edits", {"edits": [{"do": do, **edit}], "saw": saw}, status)

    def made(self, do: str, **edit: Any) -> dict[str, Any]:
        """Returns the item that an edit created."""
        made: dict[str, Any] = self.edit(do, **edit)["made"][0]
        return made

    def say(self, at: str, text: str, chapter: int = 1, **more: Any) -> int:
        """Comment on a place; the number of the comment."""
        return int(self.made("comment", chapter=chapter, at=at, text=text, **more)["comment"])

    def play(self, at: str, *moves: str, chapter: int = 1, **more: Any) -> list[str]:
        """Add a variation; its nodes."""
        nodes: list[str] = self.made("play", chapter=chapter, at=at, moves=list(moves), **more)["nodes"]
        return nodes

    def read(self, what: str = "", status: int = 200) -> dict[str, Any]:
        """Returns the study as the member reads it."""
        return answer(self.person.ask("GET", self.path + what), status)

    def chapter(self, number: int = 1) -> dict[str, Any]:
        """A chapter."""
        return self.read(f"/chapters/{number}")

    def note(self, at: str, number: int = 1) -> dict[str, Any]:
        """Returns the comments at a place."""
        note: dict[str, Any] = self.chapter(number)["notes"].get(at, {"comments": [], "marks": [], "question": None})
        return note

    def said(self, at: str, number: int = 1) -> list[str | None]:
        """The comments at a place."""
        return [comment["text"] for comment in self.note(at, number)["comments"]]


def begin(person: Person, *games: str, title: str = "A study", **more: Any) -> Study:
    """A new study with a chapter for each game."""
    made = person.post("/v1/studies", {"title": title, "games": list(games), **more})
    return Study(person, made["study"])


def a_running_game(client: FlaskClient, moves: int = 6, **more: Any) -> tuple[str, Person, Person]:
    """A game of two after some moves; its board changed in the events 4 to 10."""
    one, other = somebody(client), somebody(client)
    game = one.create("me", other.id, **more)["id"]
    first, second = in_turn(other.join(game), one, other)
    for number in range(moves):
        (first, second)[number % 2].move(game, MOVES[number // 2])
    return game, first, second


def a_finished_game(client: FlaskClient, moves: int = 6, **more: Any) -> tuple[str, Person, Person]:
    """The same, after one of them gave up."""
    game, first, second = a_running_game(client, moves, leaver="forfeit", **more)
    second.post(f"/v1/games/{game}/resign")
    return game, first, second


def with_writers(study: Study, *people: Person) -> Study:
    """Returns the study with more writers."""
    for person in people:
        study.edit("member", player=person.id, role="writer")
    return study

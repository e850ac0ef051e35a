"""A study tells nobody what its games keep from them, and gives nobody help while a game runs."""

from html.parser import HTMLParser
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.studies.markdown import ELEMENTS, to_html
from tests.support.service.annotators import Study, a_finished_game, a_running_game, begin, with_writers
from tests.support.service.players import answer, problem, somebody
from tests.support.service.shared_fixtures import client, environ

__all__ = ["client", "environ"]  # shared by the tests of this module
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "![x](https://example.org/a.png)",
    "<svg/onload=alert(1)>",
    "[x](https://example.org 'a\" onmouseover=\"alert(1)')",
    "<a href='vbscript:x'>x</a>",
    "> " * 500 + "deep",
    "*" * 3_000,
    "[" * 3_000,
)


def test_notes_of_players_are_for_themselves_until_the_game_is_over(client: FlaskClient) -> None:
    game, first, second = a_running_game(client, leaver="forfeit")
    onlooker, other = somebody(client), somebody(client)
    study = with_writers(begin(onlooker, game, visibility="public"), first, second, other)
    for person, text in ((first, "I keep green"), (second, "I keep brown"), (onlooker, "They all keep")):
        study.by(person).say("6", text)
        study.by(person).edit("mark", chapter=1, at="6", glyphs=[1], markers=[])
    assert study.chapter()["runs"]
    assert {person.name: study.by(person).said("6") for person in (first, second, onlooker, other)} == {
        first.name: ["I keep green"],
        second.name: ["I keep brown"],
        onlooker.name: ["They all keep"],
        other.name: ["They all keep"],
    }
    assert [one["author"]["id"] for one in study.by(first).note("6")["marks"]] == [first.id]
    second.post(f"/v1/games/{game}/resign")
    assert study.by(first).said("6") == ["I keep green", "I keep brown", "They all keep"]


def test_owners_learn_nothing_of_hidden_notes_by_taking_them_away(client: FlaskClient) -> None:
    game, first, second = a_running_game(client)
    study = with_writers(begin(first, game, visibility="public"), second)
    hidden = study.by(second).say("6", "my plan")
    study.by(second).edit("mark", chapter=1, at="6", glyphs=[1], markers=[])
    assert problem(study.edit("delete_comment", 404, chapter=1, at="6", comment=hidden)) == "not_there"
    away = {"chapter": 1, "at": "6", "glyphs": [], "markers": [], "by": second.id}
    assert problem(first.post(f"{study.path}/edits", {"edits": [{"do": "mark", **away}], "saw": 0}, 404)) == "not_there"


def test_a_lesson_is_copied_whole_only_with_full_access(client: FlaskClient) -> None:
    study, line = a_lesson(client)
    study.edit("add_chapter", title="No lesson", of=study.chapter()["of"])
    reader = somebody(client)

    def give_up(at: str, *tickets: str) -> str:
        body = {"at": at, "move": None, "tickets": tickets}
        return str(reader.post(f"{study.path}/chapters/1/answers", body, 200)["ticket"])

    def copied(**wish: Any) -> list[dict[str, Any]]:
        made = study.by(reader).person.post(f"{study.path}/clones", wish)
        copy = type(study)(reader, made["study"])
        return [copy.chapter(one["chapter"]) for one in made["made"]]

    refused = reader.post(f"{study.path}/clones", {}, 409)
    assert (problem(refused), refused["chapter"], refused["at"]) == ("questions_open", 1, "4")
    assert [one["title"] for one in copied(chapters=[2])] == ["No lesson"]
    assert problem(reader.post(f"{study.path}/clones", {"chapters": [3]}, 404)) == "not_there"
    first = give_up("4")
    refused = reader.post(f"{study.path}/clones", {"tickets": [first]}, 409)
    assert (problem(refused), refused["at"]) == ("questions_open", line[0])
    lesson, _ = copied(tickets=[first, give_up(line[0], first)])
    assert lesson["lesson"]
    answers = [note["question"]["answers"] for note in lesson["notes"].values() if note["question"]]
    assert answers == [[{"move": "play create_2", "reply": "SPOILER"}]] * 2
    assert len(lesson["nodes"]) == len(line)


def test_a_lesson_tells_nothing_behind_an_open_question_by_any_door(client: FlaskClient) -> None:
    study, line = a_lesson(client)
    stranger = somebody(client)
    reader = study.by(stranger)
    told = reader.chapter()
    assert list(told["notes"]) == ["4"]
    assert (told["notes"]["4"]["comments"], told["notes"]["4"]["marks"]) == ([], [])
    assert told["notes"]["4"]["question"]["open"]
    assert (told["nodes"], list(told["hashes"])) == ([], ["4"])
    assert problem(reader.read(f"/chapters/1/board?at={line[0]}", 404)) == "not_there"
    picture = stranger.ask("GET", f"{study.path}/chapters/1/picture?at={line[0]}")
    assert problem(picture.get_json()) == "not_there"
    doors: list[object] = [told, reader.read("/export"), reader.read("/changes?after=0"), reader.read()]
    for what, form in (("/export", "text/plain"), ("/report", "text/markdown"), ("/report", "text/html")):
        doors.append(stranger.ask("GET", study.path + what, Accept=form).get_data(as_text=True))
    doors.append(client.get(f"/studies/{study.id}/text").get_data(as_text=True))
    doors.append(client.get(f"/studies/{study.id}/embed").get_data(as_text=True))
    assert not [door for door in doors if "SPOILER" in str(door)]
    assert "play create_2" not in str(reader.read("/export"))
    early = {"at": line[0], "move": None}
    assert problem(stranger.post(f"{study.path}/chapters/1/answers", early, 404)) == "not_there"
    assert "SPOILER" in str(study.chapter())


def test_who_answers_reads_on_to_the_next_question_also_inside_a_variation(client: FlaskClient) -> None:
    study, line = a_lesson(client)
    stranger = somebody(client)

    def find(at: str, move: str | None, *tickets: str) -> str | None:
        body = {"at": at, "move": move, "tickets": tickets}
        ticket: str | None = stranger.post(f"{study.path}/chapters/1/answers", body, 200)["ticket"]
        return ticket

    def told(*tickets: str) -> tuple[set[str], set[str]]:
        chapter = study.by(stranger).read(f"/chapters/1?tickets={','.join(tickets)}")
        return set(chapter["notes"]), {node["node"] for node in chapter["nodes"]}

    assert find("4", "play upgrade_2") is None
    first = find("4", "play create_2")
    assert first is not None
    assert told(first) == ({"4", "6", line[0]}, {line[0]})
    assert problem(study.by(stranger).read(f"/chapters/1?tickets={first[:-1]}", 422)) == "invalid_request"
    second = find(line[0], None, first)
    assert second is not None
    assert told(first, second) == ({"4", "6", *line}, set(line))
    assert told(second)[1] == set()
    study.by(stranger).read(f"/chapters/1/board?at={line[1]}&tickets={first},{second}")
    shown = f"?tickets={first},{second}"
    for what, form in (("/export", "text/plain"), ("/report", "text/markdown"), ("/report", "text/html")):
        assert "SPOILER" in stranger.ask("GET", study.path + what + shown, Accept=form).get_data(as_text=True)
    question = {"text": "Once more?", "answers": [{"move": "play create_2"}]}
    study.edit("ask", chapter=1, at="4", question=question)
    assert told(first, second) == ({"4"}, set())


def a_lesson(client: FlaskClient) -> tuple[Study, list[str]]:
    """A lesson that asks at a step of the game and once more in a variation behind it, and is full of spoilers."""
    game, first, _ = a_finished_game(client)
    study = begin(first, game, visibility="public")
    line = study.play("4", "play upgrade_2", "play upgrade_2")
    for place in ("4", "6", *line):
        study.say(place, "SPOILER")
        study.edit("mark", chapter=1, at=place, glyphs=[1], markers=[])
    for place in ("4", line[0]):
        answers = [{"move": "play create_2", "reply": "SPOILER"}]
        study.edit("ask", chapter=1, at=place, question={"text": "And now?", "answers": answers})
    study.edit("change_chapter", chapter=1, lesson=True)
    return study, line


def test_a_running_game_has_no_variations_lessons_or_engine(client: FlaskClient) -> None:
    game, first, _ = a_running_game(client)
    study = begin(first, game)
    question = {"text": "?", "answers": [{"move": "rest"}]}
    for edit in (
        {"do": "play", "chapter": 1, "at": "6", "moves": ["rest"]},
        {"do": "play", "chapter": 1, "at": "6", "moves": ["rest"], "chance": "same"},
        {"do": "ask", "chapter": 1, "at": "6", "question": question},
    ):
        refused = first.post(f"{study.path}/edits", {"edits": [edit], "saw": 0}, 409)
        assert (problem(refused), refused["game"]) == ("game_runs", game)
    assert study.read("/chapters/1/board?at=6&legal=true")["legal"] is None


def test_hidden_hands_stay_hidden_in_a_study(client: FlaskClient) -> None:
    game, first, second = a_running_game(client, options={"hand_visibility": "owner_only"})
    onlooker = somebody(client)
    study = begin(onlooker, game, visibility="public")
    board = "/chapters/1/board?at=6"
    assert [player["hand"] for player in study.read(board)["position"]["players"]] == [None, None]
    assert study.by(first).read(board)["position"]["players"][0]["hand"]
    for eyes in ("1", "all"):
        assert study.by(first).read(f"{board}&as={eyes}", 403)["reason"] == "not_your_seat"
    assert study.by(second).read(f"{board}&as=1")["position"]["viewer"] == 1


def test_who_may_not_know_of_a_game_learns_nothing_of_its_chapter(client: FlaskClient) -> None:
    game, first, second = a_finished_game(client, visibility="private")
    stranger = somebody(client)
    study = begin(first, game, title="Between us", visibility="public")
    study.say("6", "a secret")
    (heading,) = study.by(stranger).read()["chapters"]
    assert (heading["withheld"], heading["title"], heading["of"], heading["game"]) == (True, None, None, None)
    withheld = study.by(stranger).chapter()
    assert (withheld["notes"], withheld["nodes"], withheld["position"]) == ({}, [], None)
    assert problem(study.by(stranger).read("/chapters/1/board?at=6", 404)) == "not_there"
    assert problem(answer(client.get(f"/v1/games/{game}/studies"), 404)) == "not_there"
    copied = stranger.post(f"{study.path}/clones", {})
    assert copied["made"] == []
    assert study.by(second).said("6") == ["a secret"]
    assert problem(stranger.post("/v1/studies", {"title": "x", "games": [game]}, 404)) == "not_there"


def test_spectators_who_are_kept_behind_read_no_further(client: FlaskClient) -> None:
    game, first, _ = a_running_game(client, spectator_delay=3)
    ahead, behind = somebody(client), somebody(client)
    study = with_writers(begin(behind, game, visibility="public"), ahead, first)
    study.say("6", "seen by all")
    assert problem(study.edit("comment", 404, chapter=1, at="9", text="not yet")) == "not_there"
    study.by(first).say("10", "only mine")
    assert study.by(ahead).chapter()["notes"].keys() == {"6"}
    added = study.by(first).made("add_chapter", title="by a player", of=game)["chapter"]
    assert study.by(first).chapter(added)["anchor"]["seq"] == 10
    assert study.by(ahead).chapter(added)["anchor"] is None


class Elements(HTMLParser):
    """The elements of some HTML with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_markdown_becomes_harmless_html(text: str) -> None:
    for tag, attributes in Elements(to_html(text)).found:
        assert tag in ELEMENTS
        assert attributes.keys() <= {"href", "title", "rel"}
        assert not attributes.get("href") or str(attributes["href"]).startswith(("https://", "#"))

"""The drawn examples say what their paragraphs say: each board at the end, points, places and refused moves."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from projections.rules.dealer import DeclaredDealer
from projections.rules.errors import IllegalMove
from projections.rules.protocol import AnyGame, Board
from projections.rules.registry import GAMES
from service.rulebook.examples import example_document, example_names, example_row, starting_board
from tests.support.source_tree import PROJECT

DRAWN: Final = [(game, name) for game in GAMES for name in example_names(game)]
NUMBERS: Final = {"puerto_rico": {"E": 44}, "spice_road": {"E": 9, "D": 29}}
CARAVAN: Final = re.compile(r"\((\d+),(\d+),(\d+),(\d+)\)")
PARAGRAPH: Final = re.compile(r"^\*\*(?P<name>[ED]-\d+) .*?(?=^\*\*|^##|\Z)", re.M | re.S)
OTHERS: Final = {  # caravans of the second half of an example: another choice, a refusal
    "E-6": {(4, 0, 1, 0), (2, 0, 2, 0)},
    "D-11": {(5, 3, 1, 1)},
    "D-15": {(1, 0, 0, 0)},
    "D-17": {(3, 0, 1, 2)},
}


def after(game: AnyGame, row: Mapping[str, Any], moves: int) -> Board:
    board = starting_board(game, row)
    for text, drew in row["moves"][:moves]:
        move = game.canonical(board, game.parse(text))
        game.play(board, move, DeclaredDealer(drew), game.recorder(recording=False))
    return board


def differences(told: Any, expected: Any, path: str = "") -> Iterator[str]:
    """Yields where a document differs from what is expected of it; lists may be given by number, null means absent."""
    if isinstance(expected, Mapping) and isinstance(told, list):
        for at, value in expected.items():
            yield from differences(told[int(at)], value, f"{path}[{at}]")
    elif isinstance(expected, list) and isinstance(told, list) and len(expected) == len(told):
        for at, (one, value) in enumerate(zip(told, expected, strict=True)):
            yield from differences(one, value, f"{path}[{at}]")
    elif isinstance(expected, Mapping) and isinstance(told, Mapping) and expected:
        for name, value in expected.items():
            yield from differences(told.get(name), value, f"{path}.{name}")
    elif told != expected:
        yield f"{path}: {told}, not {expected}"


@pytest.mark.parametrize("game", GAMES)
def test_every_worked_example_of_the_rules_is_drawn(game: str) -> None:
    written = [f"{letter}-{at}" for letter, last in NUMBERS[game].items() for at in range(1, last + 1)]
    assert example_names(game) == written
    rules = (PROJECT / f"deploy/docs/rules/{game.replace('_', '-')}.md").read_text("utf-8")
    assert {found["name"] for found in PARAGRAPH.finditer(rules)} == {*written}


@pytest.mark.parametrize(("game", "name"), DRAWN)
def test_a_drawn_example_ends_as_its_text_says(game: str, name: str) -> None:
    rules, row = GAMES[game], example_row(game, name)
    board = after(rules, row, len(row["moves"]))
    assert row["ends"]
    assert list(differences(rules.document(board), row["ends"])) == []
    if "points" in row:
        assert [one["total"] for one in rules.scores(board)] == row["points"]
    if "places" in row:
        outcome = rules.outcome(board)
        assert outcome is not None
        assert list(outcome.places) == row["places"]
    if "scores" in row:
        assert list(differences(rules.points_by_kind(board, 0), row["scores"])) == []


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game, name in DRAWN if "refused" in example_row(game, name)]
)
def test_what_an_example_calls_refused_is_refused(game: str, name: str) -> None:
    rules, row = GAMES[game], example_row(game, name)
    for moves, text in row["refused"]:
        board = after(rules, row, moves)
        with pytest.raises(IllegalMove):
            rules.canonical(board, rules.parse(text))


def test_every_caravan_of_a_paragraph_stands_on_a_drawn_board() -> None:
    rules = (PROJECT / "deploy/docs/rules/spice-road.md").read_text("utf-8")
    checked = 0
    for found in PARAGRAPH.finditer(rules):
        name = found["name"]
        document: Any = example_document("spice_road", name, "en")
        paid = {(0, 0, 2, 2), (2, 0, 1, 0)} if name == "D-4" else set()  # a price, not a caravan
        between = {(2, 1, 0, 0)} if name == "E-5" else set()  # within one move
        drawn = {
            tuple(player["caravan"].values()) for step in document["steps"] for player in step["position"]["players"]
        }
        named = {tuple(int(number) for number in one) for one in CARAVAN.findall(found[0])}
        assert named - drawn - OTHERS.get(name, set()) - paid - between == set(), name
        checked += len(named)
    assert checked > 40


def test_an_example_about_points_tells_them(client: FlaskClient) -> None:
    assert client.get("/v1/rules/spice_road/examples/D-25").get_json()["points"] == [70, 65, 70]
    assert "points" not in client.get("/v1/rules/spice_road/examples/D-26").get_json()

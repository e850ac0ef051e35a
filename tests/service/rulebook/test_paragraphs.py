"""The rules as a page: each refusal, piece and example has its paragraph, and headings are in five languages."""

import ast
import re
from collections.abc import Iterator
from typing import Final

import pytest
from flask.testing import FlaskClient

from projections.rules.catalogue import LANGUAGES
from projections.rules.registry import GAMES
from service.pages.rules.rulebook import GROUPS, tables
from service.rulebook.addresses import KINDS
from service.rulebook.examples import example_document, example_names
from service.rulebook.paragraphs import WORDS, rulebook
from service.rulebook.pieces import pieces_document
from tests.support.service.players import two_at_a_table
from tests.support.source_tree import PROJECT

REFUSING: Final = {
    "Why": 1,
    "refused": 2,
    "_needs": 1,
    "_too_many": 3,
    "IllegalMove": 2,
}  # call -> where its rule stands


def cited(game: str) -> Iterator[str]:
    """The rules that the refusals in the code of a game name."""
    for module in (PROJECT / f"projections/rules/{game}").rglob("*.py"):
        for call in ast.walk(ast.parse(module.read_text("utf-8"))):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name | ast.Attribute):
                continue
            at = REFUSING.get(call.func.id if isinstance(call.func, ast.Name) else call.func.attr)
            if at is not None and len(call.args) > at and isinstance(rule := call.args[at], ast.Constant):
                yield str(rule.value)


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_has_a_paragraph(game: str) -> None:
    anchors = rulebook(game, "en").anchors
    rules = {*cited(game)}
    assert len(rules) > 8
    assert {*rules, *(paragraphs[game] for paragraphs in KINDS.values())} - anchors == set()
    assert {f"opt-{option}" for option in GAMES[game].choices} - anchors == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_has_a_paragraph_and_stands_in_a_table(game: str) -> None:
    pieces = pieces_document(game, "en")["pieces"]
    assert isinstance(pieces, dict)
    assert {piece["rule"] for piece in pieces.values()} - rulebook(game, "en").anchors == set()
    listed = [name for table in tables(game, "en") for name, _ in table.rows]
    assert sorted(listed) == sorted(pieces)
    assert [table.name for table in tables(game, "hu") if not table.rows] == []
    assert {*GROUPS} == {*GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_a_paragraph_has_the_same_anchor_in_every_language(game: str) -> None:
    english = rulebook(game, "en")
    for language in LANGUAGES:
        book = rulebook(game, language)
        assert book.anchors == english.anchors
        assert [heading.anchor for heading in book.headings] == [heading.anchor for heading in english.headings]
        for found in re.findall(r'href="#([^"]+)"', book.html):
            assert found in book.anchors
        assert len(re.findall('href="#', book.html)) == len(re.findall('href="#', english.html))


def test_every_game_is_told_in_short_in_five_languages() -> None:
    assert all([*row] == [*LANGUAGES] for row in WORDS.rows("short").values())
    assert {*WORDS.rows("short")} == {*GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_every_drawn_example_is_in_the_rules_and_played_by_the_engine(game: str) -> None:
    anchors = rulebook(game, "en").anchors
    for name in example_names(game):
        assert name in anchors
        told = example_document(game, name, "sv")
        assert isinstance(told["steps"], list)
        assert all(step["report"] for step in told["steps"][1:])


def test_the_example_of_the_captain_phase_ends_as_the_rules_say() -> None:  # E-3
    told = example_document("puerto_rico", "E-3", "en")
    assert isinstance(told["steps"], list)
    last = told["steps"][-1]["position"]
    assert [player["vp_chips"] for player in last["players"]] == [9, 4, 1, 1]
    assert [player["goods"] for player in last["players"]] == [{}, {"sugar": 1}, {"corn": 1}, {"indigo": 1}]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_in_the_readers_language(client: FlaskClient, language: str) -> None:
    for game in GAMES:
        page = client.get(f"/rules/{game}?language={language}").text
        assert str(WORDS.rows("short")[game][language])[:40] in page
        assert 'id="R-12"' in page
    assert client.get("/rules/chess").status_code == 404
    assert client.get("/rules").location == "/rules/puerto_rico"


def test_pieces_and_examples_are_kept_by_the_client_until_they_change(client: FlaskClient) -> None:
    for path in ("/v1/rules/puerto_rico/pieces", "/v1/rules/spice_road/examples/E-3"):
        first = client.get(path)
        assert first.status_code == 200
        again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert again.status_code == 304
    icelandic = client.get("/v1/rules/puerto_rico/pieces?language=is").get_json()
    assert icelandic["pieces"]["buildings.wharf"]["name"] == "Bryggja"
    assert icelandic["pieces"]["buildings.wharf"]["rule_page"] == "/rules/puerto_rico?language=is#wharf"
    assert client.get("/v1/rules/spice_road/examples/none").status_code == 404


def test_a_refused_move_leads_to_its_paragraph(client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    pages = [
        (first, "claim 1", "R-17"),
        (first, "nonsense", "15"),
        (second, "rest", "4"),
    ]
    for person, move, rule in pages:
        refused = person.ask("POST", f"/v1/games/{game}/moves", {"move": move}).get_json()
        assert (move, refused.get("rule_page")) == (move, f"/rules/spice_road?language=en#{rule}"), refused
    headers = {"Authorization": f"Bearer {first.token}", "Accept-Language": "hu"}
    hungarian = client.post(f"/v1/games/{game}/moves", json={"move": "claim 1"}, headers=headers).get_json()
    assert hungarian["rule_page"] == "/rules/spice_road?language=hu#R-17"
    why = first.ask("GET", f"/v1/games/{game}/legal?why_not=rest").get_json()["refused"]
    assert [one["rule_page"] for one in why] == ["/rules/spice_road?language=en#R-21"]
    document = first.create("me", "open", status=422, options={"cube_scoring": "none"})
    assert document["rule_page"] == "/rules/spice_road?language=en#opt-cube_scoring"

"""Moves and boards in words: what a player is told in the rulebooks' languages, and never what is hidden."""

import random
from typing import Any

import pytest

from projections.rules.catalogue import LANGUAGES
from projections.rules.dealer import RandomDealer
from projections.rules.puerto_rico.text.labels import labels
from tests.support.puerto_rico.scene_builder import scene, set_up
from tests.support.puerto_rico.scenes import EVERYTHING, GAME, NEW_BUILDINGS, NOBLES, A, B, Scene, board


def told(table: Scene, text: str, language: str = "en") -> tuple[str, str]:
    """Returns a move in words and its effect."""
    move = GAME.parse(text)
    return GAME.label(table.position, move, language), GAME.effect(table.position, move, language)


def test_a_purchase_tells_how_its_price_comes_about() -> None:
    table = scene(board(doubloons=8, island="quarry+")).play("role builder")
    assert told(table, "build harbor") == ("Build the harbor", "pays 6 doubloons (8 - 1 privilege - 1 quarry)")
    assert told(table, "build harbor", "is") == ("Byggja: Höfn", "greiðir 6 doblúnur (8 - 1 fríðindi - 1 grjótnáma)")
    assert told(table, "build harbor", "sv") == ("Bygg: Hamn", "betalar 6 dubloner (8 - 1 förmån - 1 stenbrott)")
    assert told(table, "build harbor", "cs") == (
        "Postavit: Přístav",
        "platí 6 dublonů (8 - 1 privilegium - 1 kamenolom)",
    )
    price = "fizet 6 dublon (8 - 1 privilégium - 1 kőbánya)"
    assert told(table, "build harbor", "hu") == ("Építés: Kikötő", price)


REPORTS = {
    "en": "built the harbor, returning 1 sugar on the black market",
    "is": "byggði: Höfn, skilaði á svarta markaðnum: 1 sykur",
    "sv": "byggde: Hamn, lämnade på svarta marknaden: 1 socker",
    "cs": "stavba – Přístav, na černý trh vráceno – 1× cukr",
    "hu": "felépítette: Kikötő, a feketepiacon visszaadott: 1 cukor",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_played_move_is_reported_in_the_past_tense(language: str) -> None:
    buyer = board(doubloons=6, goods="sugar=1", city="black_market+")
    table = scene(buyer, options=NEW_BUILDINGS).play("role builder")
    move = GAME.parse("build harbor black_market=sugar")
    assert GAME.report(table.position, move, language) == REPORTS[language]


def test_a_price_without_discount_stands_alone() -> None:
    table = scene(board(), board(doubloons=8)).play("role builder", "pass")
    assert told(table, "build office")[1] == "pays 5 doubloons"


def test_a_loading_tells_its_points() -> None:
    table = scene(board(goods="corn=3 sugar=1", city="harbor+")).play("role captain")
    assert told(table, "ship corn 6") == ("Load corn on the ship that holds 6", "gains 5 victory points")


def test_a_waiver_is_told() -> None:
    table = scene(board(city="hospice+"), row="corn sugar").play("role settler")
    assert told(table, "take corn") == ("Take the corn plantation", "gains 1 colonist")
    assert told(table, "take corn -hospice") == ("Take the corn plantation, without the hospice", "")


def test_a_role_tells_the_doubloons_on_its_card() -> None:
    table = scene(cards={"mayor": 2})
    assert told(table, "role mayor") == ("Choose the mayor", "gains 2 doubloons")
    assert told(table, "role settler") == ("Choose the settler", "")


def test_a_placement_names_every_place() -> None:
    table = scene(board(island="corn corn sugar", city="indigo_plant")).play("role mayor")
    assert told(table, "place corn=1 indigo_plant=1")[0] == (
        "Place 1 colonist on the corn plantation; 1 colonist on the indigo plant"
    )


def test_a_black_market_purchase_names_what_is_returned() -> None:
    buyer = board(doubloons=5, vp=1, goods="sugar=1", island="corn+", city="black_market+")
    table = scene(buyer, options=NEW_BUILDINGS).play("role builder")
    assert told(table, "build harbor black_market=colonist@corn,sugar") == (
        "Build the harbor, returning 1 colonist from the corn plantation, 1 sugar on the black market",
        "pays 5 doubloons (8 - 1 privilege)",
    )


@pytest.mark.parametrize("options", [{}, EVERYTHING], ids=["base", "everything"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_of_a_game_has_words_in_every_language(language: str, options: dict[str, Any]) -> None:
    source = random.Random(language)
    position, dealer = set_up(3, options, seed=5), RandomDealer(source)
    for _ in range(150):
        moves = list(GAME.legal(position).suggested())
        for move in source.sample(moves, min(6, len(moves))):
            order, report = GAME.label(position, move, language), GAME.report(position, move, language)
            assert "{" not in order + report + GAME.effect(position, move, language)
            assert order
            assert report
            assert order != report
        GAME.play(position, GAME.legal(position).sample(source), dealer, GAME.recorder(recording=False))
        if GAME.actor(position) is None:
            break


def test_words_change_nothing() -> None:
    table = scene(board(doubloons=8, goods="corn=2"))
    before = table.copy()
    for move in GAME.legal(table.position):
        GAME.effect(table.position, move)
    GAME.board(table.position, A)
    assert table.position == before.position


BOARD = """\
Puerto Rico, 2 players, round 1, choice of a role
To act: Seat 1 - choose a role
Roles: settler; mayor (2 doubloons); builder; craftsman; trader; captain; prospector
Cargo ships: 4: 3 corn; 6: empty
Trading house (1 of 4): indigo
Colonist ship: 2 colonists
Plantations: 2 × corn; coffee
Piles: face-down 26; discarded 0; quarries 4
Supply: 36 colonists; 58 victory points; 3 corn; 8 indigo; 9 sugar; 7 tobacco; 7 coffee
"""

SEATS = """\
Seat 1 (governor, you)
  Has: 5 doubloons; 7 victory points
  Goods: 2 corn
  Island (3 of 12): 2 × corn plantation: 1 colonist; quarry: unoccupied
  City (3 of 12): harbor: 1 colonist; fortress: unoccupied
  San Juan: 1 colonist

Seat 2
  Has: 0 doubloons; victory points hidden
  Goods: none
  Island (4 of 12): 4 × indigo plantation: unoccupied
  City (0 of 12): none
  San Juan: none
"""


def a_table() -> Scene:
    """A position with something everywhere."""
    mine = board(doubloons=5, vp=7, goods="corn=2", island="corn+ corn+ quarry", city="harbor+ fortress", san_juan="+")
    return scene(
        mine, board(island="indigo " * 4), seats=2, ships={4: ("corn", 3)}, house=["indigo"], row="corn corn coffee",
        cards={"mayor": 2},
    )  # fmt: skip


def test_a_board_tells_everything_that_is_open() -> None:
    text = GAME.board(a_table().position, A)
    middle, _, seats = text.partition("Buildings: ")
    assert middle == BOARD
    assert seats.partition("\n\n")[2] == SEATS
    assert "harbor" not in seats.partition("\n\n")[0]  # the only copy is built
    assert "; wharf 9 (1);" in seats


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_speaks_every_language(language: str) -> None:
    text = GAME.board(a_table().position, None, language)
    assert len(text.splitlines()) == len(GAME.board(a_table().position, None).splitlines())
    assert "{" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_does_not_tell_the_points_of_others(language: str) -> None:
    def seen(mine: int, viewer: int | None) -> str:
        return GAME.board(scene(board(vp=mine), board(vp=9 - mine)).position, viewer, language)

    assert seen(2, None) == seen(7, None)
    assert seen(2, 2) == seen(7, 2)
    assert seen(2, B) != seen(7, B)
    table = scene(board(vp=2), board(vp=7))
    hidden, whole = GAME.board(table.position, None, language), GAME.board(table.position, None, language, whole=True)
    assert labels(language).say("board", "hidden_points") in hidden
    assert labels(language).say("board", "hidden_points") not in whole


def test_a_board_does_not_tell_a_hidden_forest() -> None:
    def seen(drawn: str, viewer: int) -> str:
        owner = board(city="hacienda+ forest_house+")
        options = {**NEW_BUILDINGS, "forest_face": "owner_only"}
        table = scene(owner, row="corn sugar", options=options).play("role settler").play("draw", drew=[drawn])
        return GAME.board(table.position, viewer) + GAME.board(table.play("forest").position, viewer)

    assert seen("coffee", B) == seen("tobacco", B)
    assert "forest (coffee plantation)" in seen("coffee", A)
    assert "forest (hidden)" in seen("coffee", B)


def test_nobles_stand_on_the_board() -> None:
    text = GAME.board(scene(board(city="indigo_plant++*"), options=NOBLES).position, A)
    assert "indigo plant: 2 colonists, 1 noble" in text
    assert "Colonist ship: 3 colonists; 1 noble" in text


def test_a_finished_game_says_so() -> None:
    table = scene(ends=["city"])
    for role in ("craftsman", "trader", "prospector", "settler"):
        table.play(f"role {role}").rest()
    assert "The game is over" in GAME.board(table.position, None)

"""What people read: labels, effects and boards in five languages, and what a view hides."""

from typing import Any

import pytest

from projections.rules.catalogue import LANGUAGES
from tests.projections.rules.spice_road.test_invariants import recorded_game
from tests.support.spice_road.tables import GAME, merchant, points, table

RICH = table(
    caravan=(4, 2, 2, 2),
    hand=["get_yyr", "trade_yy_g"],
    played=["upgrade_3"],
    row=[merchant(number) for number in (6, 12, 13, 14, 15, 16)],
    cubes_on_row=["g"],
    point_row=[points(number) for number in (24, 6, 17)],
    coin_taking="optional",
)
LABELS = """
play create_2
Play “create 2”: take 2 turmeric
Setja út „gefur 2“-spil: fá 2 túrmerik

play get_yyr
Play the spice card: take 2 turmeric and 1 saffron
Setja út kryddspil: fá 2 túrmerik og 1 saffran

play upgrade_2
Play “upgrade 2” without raising a cube
Setja út „uppfæra um 2“-spil án þess að uppfæra

play upgrade_2 r>g g>b
Play “upgrade 2”: saffron to cardamom, cardamom to cinnamon
Setja út „uppfæra um 2“-spil: saffran í kardimommu, kardimommu í kanil

play trade_yy_g x1
Play trade card (2 turmeric for 1 cardamom) once
Setja út verslunarspil (2 túrmerik fyrir 1 kardimommu) einu sinni

play trade_yy_g x2
Play trade card (2 turmeric for 1 cardamom) 2 times: give 4 turmeric, receive 2 cardamom
Setja út verslunarspil (2 túrmerik fyrir 1 kardimommu) 2 sinnum: láta 4 túrmerik, fá 2 kardimommur

buy 1
Acquire spice card (1 turmeric and 1 cardamom) at position 1, free of charge
Kaupa kryddspil (1 túrmerik og 1 kardimommu) nr. 1 í röðinni, ókeypis

buy 3 y,b
Acquire trade card (3 turmeric for 1 cinnamon) at position 3, laying turmeric, cinnamon to its left
Kaupa verslunarspil (3 túrmerik fyrir 1 kanil) nr. 3 í röðinni: setja túrmerik, kanil vinstra megin við það

rest
Rest: take all played cards (1) back into the hand
Hvíla: taka öll spil sem voru sett út (1) aftur upp á hendi

claim 1
Claim the point card for 14 points at position 1, paying 2 cardamom and 2 cinnamon, and take a gold coin
Taka stigaspil fyrir 14 stig nr. 1 í röðinni: borga 2 kardimommur og 2 kanil, og taka gullpening

claim 1 -coin
Claim the point card for 14 points at position 1, paying 2 cardamom and 2 cinnamon, without its coin
Taka stigaspil fyrir 14 stig nr. 1 í röðinni: borga 2 kardimommur og 2 kanil, án peningsins

claim 2
Claim the point card for 9 points at position 2, paying 3 turmeric and 2 cardamom, and take a silver coin
Taka stigaspil fyrir 9 stig nr. 2 í röðinni: borga 3 túrmerik og 2 kardimommur, og taka silfurpening

claim 3
Claim the point card for 12 points at position 3, paying 2 saffron and 2 cinnamon
Taka stigaspil fyrir 12 stig nr. 3 í röðinni: borga 2 saffran og 2 kanil
"""
EFFECTS = {
    "play get_yyr": "caravan then: 6 turmeric, 3 saffron, 2 cardamom and 2 cinnamon (13 of 10); 3 to return",
    "play trade_yy_g x2": "caravan then: 2 saffron, 4 cardamom and 2 cinnamon (8 of 10)",
    "buy 1": "1 cardamom from the card; caravan then: 4 turmeric, 2 saffron, 3 cardamom and 2 cinnamon "
    "(11 of 10); 1 to return",
    "rest": "hand then: 5",
    "claim 1": "+17 points; caravan then: 4 turmeric and 2 saffron (6 of 10)",
    "claim 1 -coin": "+14 points; caravan then: 4 turmeric and 2 saffron (6 of 10)",
}


@pytest.mark.parametrize("lines", LABELS.strip().split("\n\n"))
def test_a_move_in_words(lines: str) -> None:
    text, english, icelandic = lines.splitlines()
    move = GAME.canonical(RICH, GAME.parse(text))
    assert GAME.label(RICH, move) == english
    assert GAME.label(RICH, move, "is") == icelandic


@pytest.mark.parametrize("text", EFFECTS)
def test_what_a_move_brings(text: str) -> None:
    before = GAME.copy(RICH)
    assert GAME.effect(RICH, GAME.parse(text)) == EFFECTS[text]
    assert before == RICH


def test_returning_cubes_in_words() -> None:
    position = table(caravan=(9, 2, 1, 0))
    move = GAME.parse("drop y=1 g=1")
    assert GAME.label(position, move) == "Return 1 turmeric and 1 cardamom to the supply"
    assert GAME.label(position, move, "is") == "Setja 1 túrmerik og 1 kardimommu aftur í skálarnar"
    assert GAME.effect(position, move, "is") == "vagnlest þá: 8 túrmerik og 2 saffran (10 af 10)"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("sv", "Spela ”uppgradera 2”: saffran till kardemumma, kardemumma till kanel"),
        ("cs", "Vyložit: karta „vylepši 2“, změnit šafrán na kardamom, kardamom na skořici"),
        ("hu", "Kijátszás: „2 fejlesztés” kártya, csere: sáfrány kardamomra, kardamom fahéjra"),
    ],
)
def test_a_move_in_the_other_languages(language: str, said: str) -> None:
    assert GAME.label(RICH, GAME.parse("play upgrade_2 r>g g>b"), language) == said


def test_a_language_without_a_table_falls_back_to_english() -> None:
    move = GAME.parse("rest")
    assert GAME.label(RICH, move, "fi") == GAME.label(RICH, move, "en")
    assert GAME.board(RICH, 0, "fi") == GAME.board(RICH, 0, "en")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "played “upgrade 2”: saffron to cardamom, cardamom to cinnamon"),
        ("is", "setti út „uppfæra um 2“-spil: saffran í kardimommu, kardimommu í kanil"),
        ("sv", "spelade ”uppgradera 2”: saffran till kardemumma, kardemumma till kanel"),
        ("cs", "vyložena karta „vylepši 2“ – šafrán na kardamom, kardamom na skořici"),
        ("hu", "kijátszotta: „2 fejlesztés” kártya, cserélt sáfrányt kardamomra, kardamomot fahéjra"),
    ],
)
def test_a_played_move_is_reported_in_the_past_tense(language: str, said: str) -> None:
    assert GAME.report(RICH, GAME.parse("play upgrade_2 r>g g>b"), language) == said


def test_a_czech_report_names_cubes_in_the_nominative() -> None:
    spice, card = GAME.parse("play get_yyr"), GAME.parse("claim 1")
    assert GAME.report(RICH, spice, "cs") == "vyložena karta koření – 2× kurkuma a 1× šafrán"
    paid = "získána 1. bodová karta za 14 bodů, zaplaceno 2× kardamom a 2× skořice, navíc zlatá mince"
    assert GAME.report(RICH, card, "cs") == paid


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_in_a_game_can_be_said(language: str) -> None:
    for number, step in enumerate(recorded_game(3, 5)):
        if number % 20 == 0:
            assert GAME.board(step.position, number % 3, language)
            for move in GAME.legal(step.position).suggested():
                assert GAME.label(step.position, move, language) != GAME.report(step.position, move, language)
                assert GAME.effect(step.position, move, language)


def test_the_board_of_a_table() -> None:
    assert GAME.board(RICH, 0) == BOARD


def test_the_board_tells_the_end() -> None:
    *_, last = recorded_game(2, 1)
    headline, *lines = GAME.board(last.position, None).splitlines()
    assert headline.endswith("the game is over")
    assert any(line.startswith("Seat 1, place") for line in lines)


def test_the_board_tells_the_final_round_and_what_to_return() -> None:
    position = table(turn=1, caravan=(12, 0, 0, 0), claims={0: 6})
    assert GAME.board(position, None).startswith(
        "Century: Spice Road, round 1; final round; seat 2 to return 2 cubes\n"
    )


def test_hidden_hands_are_hidden_everywhere() -> None:
    position = table(3, hand=["get_b"], claims={1: 2}, hand_visibility="owner_only")
    view: Any = GAME.view(position, 1)
    assert [player["hand"] for player in view["players"]] == [None, ["create_2", "upgrade_2"], None]
    assert [player["hand_count"] for player in view["players"]] == [3, 2, 2]
    assert view["point_deck"] is view["merchant_deck"] is None  # the remainder would reveal hidden cards
    assert (view["point_deck_count"], view["merchant_deck_count"]) == (29, 36)
    assert set(view["hides"]) == {
        "players[0].hand",
        "players[0].point_cards",
        "players[2].hand",
        "players[2].point_cards",
        "point_deck",
        "merchant_deck",
    }
    board = GAME.board(position, 1)
    assert "hand: 3 (hidden)" in board
    assert "spice card (1 cinnamon)" not in board
    assert board.count("points now") == 1
    whole = GAME.board(position, None, whole=True)  # the public view of a finished game
    assert "hand: spice card (1 cinnamon); “create 2”; “upgrade 2”" in whole
    assert whole.count("points now") == 3


def test_an_open_view_hides_nothing() -> None:
    view: Any = GAME.view(RICH, None)
    assert view["hides"] == []
    assert {name: view[name] for name in GAME.document(RICH) if name != "players"} == {
        name: value for name, value in GAME.document(RICH).items() if name != "players"
    }


def test_everything_is_shown_at_the_end() -> None:
    position = table(hand_visibility="owner_only")
    position.over = True
    assert GAME.view(position, None)["hides"] == []


BOARD = """\
Century: Spice Road, round 1; seat 1 to act

Point cards (6 begin the final round; 31 in the deck)
  1  14 points | 2 cardamom and 2 cinnamon | 4 gold
  2  9 points | 3 turmeric and 2 cardamom | 4 silver
  3  12 points | 2 saffron and 2 cinnamon
  4  6 points | 2 turmeric and 2 saffron
  5  7 points | 3 turmeric and 2 saffron

Merchant cards (34 in the deck)
  1  get_yg | spice card (1 turmeric and 1 cardamom) | on it: 1 cardamom
  2  trade_r_yyy | trade card (1 saffron for 3 turmeric)
  3  trade_yyy_b | trade card (3 turmeric for 1 cinnamon)
  4  trade_yyy_rg | trade card (3 turmeric for 1 saffron and 1 cardamom)
  5  trade_yyy_rrr | trade card (3 turmeric for 3 saffron)
  6  trade_yr_b | trade card (1 turmeric and 1 saffron for 1 cinnamon)

Seat 1 (you)
  caravan: 4 turmeric, 2 saffron, 2 cardamom and 2 cinnamon (10/10)
  hand: spice card (2 turmeric and 1 saffron); trade card (2 turmeric for 1 cardamom); “create 2”; “upgrade 2”
  played: “upgrade 3”
  point cards: nothing
  coins: 0 gold, 0 silver
  points now: 6

Seat 2
  caravan: nothing (0/10)
  hand: “create 2”; “upgrade 2”
  played: nothing
  point cards: nothing
  coins: 0 gold, 0 silver
  points now: 0
"""

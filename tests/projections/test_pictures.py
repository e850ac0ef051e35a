"""Small pictures of boards: every moment of every game can be drawn, as well-formed SVG, hidden things too."""

import random
import xml.etree.ElementTree as ET
from collections import Counter
from typing import Any, cast

import pytest

from projections.games.execute_move import set_up
from projections.games.replay import steps
from projections.pictures import PICTURES, picture
from projections.rules.catalogue import LANGUAGES
from projections.rules.dealer import RandomDealer
from projections.rules.puerto_rico.text.labels import labels
from projections.rules.registry import GAMES
from projections.rules.spice_road.text import labels as spice_road
from tests.support.projections.random_games import random_game

NAMES = ["Anna & <b>Birgir</b>", '"Carla"', "Davíð", "E", "F"]


def test_every_game_has_pictures() -> None:
    assert PICTURES.keys() == GAMES.keys()


@pytest.mark.parametrize(("game", "seats"), [("puerto_rico", 2), ("puerto_rico", 5), ("spice_road", 4)])
def test_every_moment_of_a_game_can_be_drawn(game: str, seats: int) -> None:
    played = random_game(GAMES[game], seats, seed=7)
    for step in list(steps(played.setting, played.events))[::12]:
        for position in (GAMES[game].document(step.position), GAMES[game].view(step.position, None)):
            drawn = ET.fromstring(picture(position, NAMES))
            told = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
            assert any(NAMES[0] in str(text) for text in told)


@pytest.mark.parametrize(
    ("game", "on", "to", "rings", "arrows"),
    [
        ("puerto_rico", "roles.mayor", "players[1].island[0]", 1, 1),
        ("puerto_rico", "ships[0].loaded", None, 1, 0),
        ("puerto_rico", "plantations.face_up", "players[2]", 1, 1),
        ("puerto_rico", "supply.buildings.office", None, 0, 0),
        ("spice_road", "merchant_row[2]", "players[0].hand[1]", 1, 1),
        ("spice_road", "players[1].caravan.turmeric", None, 1, 0),
        ("spice_road", "merchant_row[5].cubes", "point_row[4]", 1, 1),
    ],
)
def test_markers_are_drawn_on_what_they_mark(game: str, on: str, to: str | None, rings: int, arrows: int) -> None:
    rules = GAMES[game]
    position, _ = set_up(rules, rules.read_options({}, 3), 3, RandomDealer(random.Random(1)))
    bare = ET.fromstring(picture(rules.document(position), NAMES))
    drawn = ET.fromstring(picture(rules.document(position), NAMES, [{"on": on, "kind": "good", "to": to}]))
    for tag, more in (("circle", rings), ("rect", rings), ("line", arrows), ("polygon", arrows)):
        count = [sum(1 for _ in one.iter(f"{{http://www.w3.org/2000/svg}}{tag}")) for one in (bare, drawn)]
        assert count[1] - count[0] == more


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_speak_the_language_of_their_reader(language: str) -> None:
    rules = GAMES["puerto_rico"]
    position, _ = set_up(rules, rules.read_options({}, 3), 3, RandomDealer(random.Random(1)))
    drawn = picture(rules.document(position), NAMES, language=language)
    words = labels(language)
    told = [words.say("roles", "captain"), words.say("board", "trading_house"), words.count("victory_point", 75)]
    assert all(f">{said}" in drawn for said in told), drawn
    caravans = GAMES["spice_road"]
    position, _ = set_up(caravans, caravans.read_options({}, 2), 2, RandomDealer(random.Random(1)))
    assert f">{spice_road.labels(language).say('board', 'hand')}<" in picture(
        caravans.document(position), NAMES, language=language
    )


def test_what_expansions_add_is_drawn() -> None:
    game = GAMES["puerto_rico"]
    options = game.read_options({"expansions": ["new_buildings", "nobles"]}, 3)
    position, _ = set_up(game, options, 3, RandomDealer(random.Random(12)))
    source, recorder = random.Random(3), game.recorder(recording=False)
    for _ in range(200):
        game.play(position, game.legal(position).sample(source), RandomDealer(source), recorder)
    players = cast(Any, game.document(position))["players"]
    drawn = ET.fromstring(picture(game.document(position), NAMES))
    told = Counter(text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text"))
    built = Counter(space["building"].replace("_", " ") for player in players for space in player["city"])
    assert {"land office", "black market", "forest house", "university"} <= built.keys()
    assert {name: told[name] for name in built} == built
    forests = [place for player in players for place in player["island"] if place["tile"] == "forest"]
    assert told["fo"] == len(forests) > 0

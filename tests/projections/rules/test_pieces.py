"""What pieces do, in words: every piece of every game, in each language, with the numbers of the rules."""

import re
from collections import Counter
from typing import Any, Final

import pytest

from projections.rules.catalogue import LANGUAGES
from projections.rules.puerto_rico.buildings import builder as church
from projections.rules.puerto_rico.buildings import craftsman, scoring, settler
from projections.rules.puerto_rico.buildings.printed import KINDS, NAMES, Building
from projections.rules.puerto_rico.buildings.table import EFFECTS
from projections.rules.puerto_rico.engine.effects import Adds
from projections.rules.puerto_rico.kinds import GOODS, NONE, ROLES, TILES
from projections.rules.puerto_rico.tables import HOUSE_PLACES, PRICES
from projections.rules.puerto_rico.text import pieces as puerto_rico
from projections.rules.spice_road.cards import MERCHANT, POINT
from projections.rules.spice_road.cubes import SPICES
from projections.rules.spice_road.rulings import NEWEST, VERSIONS
from projections.rules.spice_road.text import pieces as spice_road

PIECES: Final = {"puerto_rico": puerto_rico.pieces, "spice_road": spice_road.pieces}


def numbers(text: str) -> Counter[int]:
    return Counter(int(number) for number in re.findall(r"\d+", text))


def effect(game: str, piece: str, language: str = "en") -> str:
    return str(PIECES[game](language)[piece]["effect"])


def test_every_piece_is_explained() -> None:
    told = puerto_rico.pieces("en")
    assert {f"buildings.{name}" for name in NAMES} == {name for name in told if name.startswith("buildings.")}
    assert {f"roles.{name}" for name in ROLES} < {*told}
    assert {f"goods.{name}" for name in GOODS} | {f"tiles.{name}" for name in TILES} < {*told}
    travelling = spice_road.pieces("en")
    assert {f"cards.{card}" for card in MERCHANT} | {f"point_cards.{card}" for card in POINT} < {*travelling}
    assert {f"spices.{spice}" for spice in SPICES} | {"coins.gold", "coins.silver"} < {*travelling}


@pytest.mark.parametrize("game", PIECES)
def test_every_language_tells_the_same_numbers(game: str) -> None:
    english = PIECES[game]("en")
    for language in LANGUAGES:
        told = PIECES[game](language)
        assert [*told] == [*english]
        wrong = [name for name in told if numbers(str(told[name]["effect"])) != numbers(str(english[name]["effect"]))]
        assert (language, wrong) == (language, [])


def test_spices_stand_in_the_case_that_their_sentence_takes() -> None:
    assert effect("spice_road", "spices.cardamom", "cs").startswith("Lze vylepšit na skořici.")
    assert effect("spice_road", "spices.cardamom", "hu").startswith("Fejleszthető fahéjra.")
    card = "point_cards.points_14_ggbb"
    assert effect("spice_road", card, "cs").startswith("Stojí přesně: 2× kardamom a 2× skořici.")
    assert effect("spice_road", card, "hu").startswith("Pontosan ennyit kell fizetni érte: 2 kardamomot és 2 fahéjat.")


def added(building: int) -> list[int]:
    """The amounts that a building adds to something, by the table of effects."""
    return [one.amount for one in EFFECTS[building] if isinstance(one, Adds)]


NUMBERS: Final[
    dict[int, list[int]]
] = {  # building -> the numbers that its text has to tell, from the tables of the rules
    Building.SMALL_MARKET: added(Building.SMALL_MARKET),
    Building.LARGE_MARKET: added(Building.LARGE_MARKET),
    Building.SMALL_WAREHOUSE: added(Building.SMALL_WAREHOUSE),
    Building.LARGE_WAREHOUSE: added(Building.LARGE_WAREHOUSE),
    Building.STOREHOUSE: added(Building.STOREHOUSE),
    Building.FACTORY: [*range(2, 6), *craftsman.FACTORY_PAY[2:]],
    Building.GUILD_HALL: [*scoring.GUILD_PAY.values()],
    Building.RESIDENCE: [9, scoring.RESIDENCE_LEAST, *(n for row in scoring.RESIDENCE_PAY.items() for n in row)],
    Building.CLOISTER: [*scoring.CLOISTER_PAY[1:], *range(1, len(scoring.CLOISTER_PAY)), 3],
    Building.CHURCH: [2, 3, church.CHURCH_POINTS[2], 4, church.CHURCH_POINTS[4]],
    Building.STATUE: [KINDS[Building.STATUE].vp],
    Building.GUESTHOUSE: [KINDS[Building.GUESTHOUSE].circles],
    Building.HUNTING_LODGE: [settler.LODGE_POINTS],
    Building.ZONING_OFFICE: [1, 3, 4, *added(Building.ZONING_OFFICE)],
}


def test_numbers_in_texts_are_those_of_the_rules() -> None:
    for building, expected in NUMBERS.items():
        assert (NAMES[building], numbers(effect("puerto_rico", f"buildings.{NAMES[building]}"))) == (
            NAMES[building],
            Counter(expected),
        )
    for kind in KINDS:
        if kind.produces != NONE:
            assert kind.circles in numbers(effect("puerto_rico", f"buildings.{kind.name}"))
    assert HOUSE_PLACES in numbers(effect("puerto_rico", "places.trading_house"))
    assert all(PRICES[at] in numbers(effect("puerto_rico", f"goods.{good}")) for at, good in enumerate(GOODS))


def test_a_card_tells_what_it_gives_and_takes() -> None:
    for card in MERCHANT.values():
        told = Counter(amount for cubes in (card.give, card.receive) for amount in cubes if amount)
        told += Counter([card.steps] if card.kind == "upgrade" else [])
        assert numbers(effect("spice_road", f"cards.{card.id}")) == told
    for point in POINT.values():
        told = Counter([point.points, *(amount for amount in point.cost if amount)])
        assert numbers(effect("spice_road", f"point_cards.{point.id}")) == told
    rules: Any = VERSIONS[NEWEST]
    assert numbers(effect("spice_road", "coins.gold")) == Counter([rules.points_of_gold])
    assert numbers(effect("spice_road", "places.claimed")) == Counter({*rules.thresholds.values()})

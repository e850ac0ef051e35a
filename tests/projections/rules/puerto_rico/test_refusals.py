"""Every refusal tells its reason, the rule it rests on, and a sentence in the player's language."""

import random
from collections.abc import Callable
from typing import Any, Final

import pytest

from projections.rules.catalogue import LANGUAGES
from projections.rules.dealer import RandomDealer
from projections.rules.errors import GameIsOver, IllegalMove
from projections.rules.puerto_rico.text.labels import labels
from projections.rules.puerto_rico.text.refusals import refusal
from tests.support.puerto_rico.scene_builder import scene, set_up
from tests.support.puerto_rico.scenes import EVERYTHING, GAME, NEW_BUILDINGS, NOBLES, A, B, Scene, board

NO_FORESTS: Final = {**EVERYTHING, "forest_mode": "tile_stack"}
OTHERS: Final = {5: ("corn", 1), 6: ("indigo", 1), 7: ("sugar", 1)}  # no ship for coffee


def drafting(*drafted: str, **options: bool) -> Scene:
    """A draft after these choices."""
    table = Scene(set_up(4, {"expansions": ["new_buildings"], **options}))
    return table.play(*(f"draft {building}" for building in drafted))


def settling(city: str = "", island: str = "", **left: Any) -> Scene:
    """B takes a tile from a row of corn."""
    table = scene(board(), board(city=city, island=island), row="corn corn", options=NO_FORESTS, **left)
    return table.play("role settler").until(B, "D-SET-TAKE")


def buying(city: str = "", doubloons: int = 4, goods: str = "") -> Scene:
    """A builds, with a privilege."""
    return scene(board(doubloons=doubloons, city=city, goods=goods), options=NEW_BUILDINGS).play("role builder")


def trading(city: str = "", goods: str = "corn=1", house: str = "", doubloons: int = 1, **options: str | bool) -> Scene:
    """A trades."""
    trader = board(city=city, goods=goods, doubloons=doubloons, island="corn forest:corn")
    return scene(trader, house=house.split(), row="corn", options={**EVERYTHING, **options}).play("role trader")


def loading(city: str = "", goods: str = "corn=2 tobacco=1") -> Scene:
    """A loads: the ship of 5 carries 3 corn, the others are empty."""
    return scene(board(goods=goods, city=city), ships={5: ("corn", 3)}, options=EVERYTHING).play("role captain")


def placing() -> Scene:
    """A places two colonists."""
    return scene(board(island="corn corn", city="indigo_plant")).play("role mayor")


def crafting() -> Scene:
    """A chooses the good of the privilege."""
    return scene(board(island="corn+ indigo+", city="small_indigo_plant+"), goods="corn=2").play("role craftsman")


def storing() -> Scene:
    """A keeps one of two coffee."""
    return scene(board(goods="coffee=2"), ships={5: ("corn", 1), 6: ("indigo", 1), 7: ("sugar", 1)}).play(
        "role captain"
    )


def hosting() -> Scene:
    """A has one guest."""
    return scene(board(city="guesthouse+ harbor"), options=NEW_BUILDINGS).play("role prospector")


def lodging() -> Scene:
    """A may remove a tile."""
    table = scene(board(island="corn quarry", city="hunting_lodge+"), row="sugar", options=NOBLES).play("role settler")
    return table.until(A, "D-SET-LODGE")


def last_pile() -> Scene:
    """A would buy a tile, and all fifty lie on islands or in the row."""
    return scene(
        board(island="coffee " * 8 + "corn", doubloons=1, city="land_office+", goods="corn=1"),
        board(island="indigo " * 12),
        board(island="sugar " * 11 + "tobacco"),
        board(island="tobacco " * 8 + "corn corn corn corn"),
        row="corn corn corn corn corn",
        options=NOBLES,
    ).play("role trader")


Case = tuple[Callable[[], Scene], str, str, str]

CASES: Final[dict[str, Case]] = {  # reason -> position, move, rule, sentence
    "not_now": (scene, "sell corn", "3", "This is not to be decided now; to decide: choose a role"),
    "already_in_the_game": (
        lambda: drafting("church"), "draft church", "6.1", "In the game already: church",
    ),
    "not_to_be_drafted": (drafting, "draft villa", "6.1", "Not among the buildings to choose from: villa"),
    "no_place_of_this_cost": (
        lambda: drafting("small_market"), "draft aqueduct", "6.1",
        "The places for buildings of cost 1 are taken; no place for: aqueduct",
    ),
    "not_beside_its_rival": (
        lambda: drafting("office", exclude_office_and_trading_post=True), "draft trading_post", "R-53",
        "Office and trading post do not come into one game; not to be chosen: trading post",
    ),
    "role_taken": (
        lambda: scene().play("role prospector"), "role prospector", "3.1", "Taken already in this round: prospector",
    ),
    "no_such_role": (scene, "role prospector_a", "3.1", "There is no such card in this game: prospector A"),
    "needs_it_occupied": (loading, "wharf corn", "4.2", "This has to be occupied for it: wharf"),
    "no_forest_tile_left": (
        lambda: scene(
            board(), board(city="forest_house+"), board(island="forest " * 12), row="corn", options=NO_FORESTS
        ).play("role settler", "pass"),
        "forest corn", "R-20", "No forest tile is left",
    ),
    "no_quarry_left": (lambda: settling(quarries=0), "take quarry", "3.4", "No quarry is left"),
    "quarry_is_the_settler_s": (
        settling, "take quarry", "3.4",
        "Only the settler, or a player with an occupied construction hut, may take a quarry",
    ),
    "no_second_quarry": (
        lambda: scene(board(city="library+"), row="corn", options=NEW_BUILDINGS)
        .play("role settler")
        .until(A, "D-SET-LIB"),
        "take quarry", "R-25", "A second quarry needs an occupied construction hut",
    ),
    "not_in_the_row": (settling, "take coffee", "3.4", "Not among the open tiles: coffee plantation"),
    "nothing_to_waive": (settling, "take corn -hospice", "3.3", "There is no effect to decline here"),
    "quarries_stay": (lodging, "unplant quarry", "4.4", "Quarries cannot be removed"),
    "no_such_tile": (
        lodging, "unplant corn colonist", "4.4",
        "Not on this island, with this person on it or without: corn plantation",
    ),
    "forests_stay": (
        lambda: trading("land_office*", land_office_sell_forest=False), "unplant forest corn", "R-73",
        "Forests cannot be sold in this game",
    ),
    "land_office_used": (
        lambda: trading("land_office+").play("plant"), "plant", "R-74",
        "The land office was used already in this phase",
    ),
    "land_office_needs_a_noble": (
        lambda: trading("land_office+"), "unplant corn", "4.4", "Selling a tile needs a noble on the land office",
    ),
    "land_office_needs_a_colonist": (
        lambda: trading("land_office*"), "plant", "4.4", "Buying a tile needs a colonist on the land office",
    ),
    "too_few_doubloons": (buying, "build harbor", "3.6", "It costs 7, and there are 4 doubloons"),
    "island_is_full": (
        lambda: scene(
            board(doubloons=1, goods="corn=1", island="indigo " * 12, city="land_office+"), options=NOBLES
        ).play("role trader"),
        "plant", "3.4", "No island space is empty",
    ),
    "tile_comes_from_the_row": (
        lambda: trading("land_office+", land_office_source="face_up"), "plant", "R-72",
        "The tile has to be chosen from the row",
    ),
    "tile_is_drawn": (lambda: trading("land_office+"), "plant corn", "R-72", "The tile is drawn face-down"),
    "nothing_to_draw": (last_pile, "plant", "R-12", "No tile is left to draw"),
    "too_few_circles": (placing, "place corn=3", "3.2", "More people than circles (2): corn plantation"),
    "too_few_people": (
        placing, "place corn=2 indigo_plant=1", "3.5", "There are only 2 colonists and 0 nobles to place",
    ),
    "circles_left_empty": (
        placing, "place corn=1", "R-27", "All circles have to be filled as far as the people suffice",
    ),
    "not_in_the_game": (buying, "build villa", "2.1", "Not in this game: villa"),
    "already_owned": (lambda: buying("small_market"), "build small_market", "3.6", "Owned already: small market"),
    "sold_out": (
        lambda: scene(board(doubloons=9), board(city="wharf"), board(city="wharf")).play("role builder"),
        "build wharf", "3.6", "No copy is left: wharf",
    ),
    "no_room_in_the_city": (
        lambda: buying(
            "small_indigo_plant small_sugar_mill indigo_plant sugar_mill tobacco_storage coffee_roaster small_market "
            "hacienda hospice office factory", doubloons=20,
        ),
        "build fortress", "3.6", "The city has no room for it: fortress",
    ),
    "too_few_items": (
        lambda: buying("black_market+", goods="corn=1"), "build harbor black_market=corn", "R-34",
        "One thing has to be returned for each missing doubloon; these are too few",
    ),
    "too_many_items": (
        lambda: buying("black_market+", goods="corn=1"), "build hospice black_market=corn", "R-34",
        "One thing has to be returned for each missing doubloon; these are too many",
    ),
    "no_chip_to_return": (
        lambda: buying("black_market+"), "build large_warehouse black_market=vp", "R-36",
        "There is no victory point chip to return",
    ),
    "black_market_keeps_its_person": (
        lambda: buying("black_market+"), "build large_warehouse black_market=colonist@black_market", "R-35",
        "The person on the black market itself cannot be returned",
    ),
    "nobody_there": (
        lambda: buying("black_market+"), "build large_warehouse black_market=colonist@san_juan", "R-35",
        "No person of this sort stands there",
    ),
    "privilege_is_smaller": (crafting, "bonus corn indigo", "3.7", "The privilege is 1 good"),
    "not_produced": (crafting, "bonus coffee", "R-45", "Not produced in this phase: coffee"),
    "supply_exhausted": (
        lambda: scene(
            board(island="corn+ indigo+ sugar+", city="small_indigo_plant+ small_sugar_mill+"), goods="corn=1"
        ).play("role craftsman"),
        "bonus corn", "3.7", "The supply does not have enough: corn",
    ),
    "already_sold": (
        lambda: trading("land_office+", goods="corn=1 sugar=1").play("sell corn"), "sell sugar", "3.8",
        "A good was sold already in this phase",
    ),
    "no_such_good": (trading, "sell coffee", "3.8", "None is owned: coffee"),
    "house_is_full": (
        lambda: scene(
            board(goods="coffee=1"), board(goods="corn=1", city="trading_post+"), house=["corn", "indigo", "sugar"],
            options=NEW_BUILDINGS,
        ).play("role trader", "sell coffee"),
        "sell corn", "R-51", "The trading house is full",
    ),
    "house_holds_it": (
        lambda: trading(goods="corn=1 sugar=1", house="corn"), "sell corn", "3.8",
        "The trading house holds it already; only an occupied office sells it again: corn",
    ),
    "no_such_ship": (loading, "ship corn 4", "1.5", "No cargo ship holds 4"),
    "ship_is_full": (
        lambda: scene(
            board(goods="corn=2 sugar=1"), board(goods="corn=1 coffee=1"), ships={5: ("corn", 3)}
        ).play("role captain", "ship corn 5"),
        "ship corn 5", "3.9", "The 5-hold ship is full",
    ),
    "ship_carries_other_kind": (loading, "ship tobacco 5", "3.9", "The 5-hold ship already carries corn"),
    "kind_is_on_another_ship": (
        loading, "ship corn 7", "3.9", "The 5-hold ship already carries corn; it goes there or nowhere",
    ),
    "another_ship_takes_more": (
        lambda: loading(goods="tobacco=7 corn=1"), "ship tobacco 6", "R-54", "The 7-hold ship takes more of them",
    ),
    "wharf_used": (
        lambda: loading("wharf+", goods="corn=2 tobacco=2 sugar=1").play("wharf sugar"), "wharf corn", "4.2",
        "It was used already in this phase",
    ),
    "at_least_one_good": (
        lambda: loading("small_wharf+"), "small_wharf", "R-58", "At least one good has to be shipped",
    ),
    "too_few_goods": (storing, "store coffee=3", "R-61", "Only 2 are owned: coffee"),
    "more_goods_than_nobles": (
        lambda: loading("royal_supplier*"), "supply corn tobacco", "R-77",
        "At most one good for each noble, 1 in all",
    ),
    "stores_hold_less": (storing, "store coffee=2", "R-61", "The stores do not hold so much"),
    "no_such_guest": (hosting, "guest noble@harbor", "3.11", "There is no such guest"),
    "no_empty_circle": (hosting, "guest corn", "3.11", "No circle is empty there"),
    "must_load": (loading, "pass", "R-55", "A player that can load must load"),
}  # fmt: skip


@pytest.mark.parametrize("reason", CASES)
def test_a_refusal_tells_its_reason(reason: str) -> None:
    table, move, rule, sentence = CASES[reason]
    refused = table().refusal(move)
    assert (refused.reason, refused.rule) == (reason, rule)
    assert refused.sentence.startswith(sentence)


@pytest.mark.parametrize(
    ("table", "move", "building"),
    [
        (settling, "forest corn", "forest house"),
        (trading, "sell corn trading_post", "trading post"),
        (loading, "small_wharf corn=1", "small wharf"),
        (lambda: buying("black_market", goods="corn=1"), "build office black_market=corn", "black market"),
    ],
)
def test_a_refusal_names_the_building_that_is_missing(table: Callable[[], Scene], move: str, building: str) -> None:
    assert table().refusal(move).sentence == f"This has to be occupied for it: {building}"


@pytest.mark.parametrize("place", ["forest", "san_juan", "statue"])
def test_nobody_is_placed_where_there_is_no_circle(place: str) -> None:
    refused = placing().refusal(f"place {place}=1")
    assert (refused.reason, refused.rule) == ("too_few_circles", "3.2")


def test_every_reason_has_an_example() -> None:
    assert set(labels("en").section("problems")) == {*CASES, "game_is_over"}


def test_a_finished_game_refuses_everything() -> None:
    table = scene(ends=["city"])
    for role in ("craftsman", "trader", "prospector", "settler"):
        table.play(f"role {role}").rest()
    with pytest.raises(GameIsOver, match="The game is over"):
        table.play("role mayor")


def test_a_refusal_speaks_the_languages() -> None:
    table = loading()
    move = GAME.parse("ship tobacco 5")
    assert refusal(table.position, move).sentence_in("is") == "Skipið sem tekur 5 flytur þegar: maís"
    assert refusal(table.position, move).sentence_in("cs") == "Loď s kapacitou 5 již veze: kukuřice"


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_is_refused_has_a_reason(language: str) -> None:
    source = random.Random(language)
    position, dealer = set_up(3, EVERYTHING, seed=2), RandomDealer(source)
    seen, refusals = {}, 0
    for _ in range(400):
        if GAME.actor(position) is None:
            break
        legal = GAME.legal(position)
        seen.update(dict.fromkeys(legal.suggested()))
        for move in source.sample(sorted(seen, key=repr), min(10, len(seen))):
            if move not in legal:
                refused = refusal(position, move)
                assert isinstance(refused, IllegalMove)
                assert refused.sentence_in(language)
                refusals += 1
        GAME.play(position, legal.sample(source), dealer, GAME.recorder(recording=False))
    assert refusals > 1_000

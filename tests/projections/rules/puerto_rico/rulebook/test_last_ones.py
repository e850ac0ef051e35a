"""The last of a supply can be had, and after it none: tiles, people, goods, points, copies, spaces (rules 3 and 4)."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import pytest

from tests.support.puerto_rico.scene_builder import scene
from tests.support.puerto_rico.scenes import EVERYTHING, NEW_BUILDINGS, NOBLES, A, B, Scene, board

STACK: Final = {**NEW_BUILDINGS, "forest_mode": "tile_stack"}
FOREST_OWNER: Final = board(city="forest_house+")
CORN: Final = "corn indigo"


class Supply(NamedTuple):
    """Returns a table with one or none left of a supply."""

    table: Callable[[int], Scene]
    move: str
    seat: int = A


def named(left: int, what: str) -> str:
    return what if left else ""


SUPPLIES: Final[Mapping[str, Supply]] = {
    "the last quarry": Supply(lambda left: scene(board(), row=CORN, quarries=left).play("role settler"), "take quarry"),
    "the last forest tile": Supply(
        lambda left: scene(FOREST_OWNER, board(island="forest " * (12 - left)), row=CORN, options=STACK).play(
            "role settler"
        ),
        "forest corn",
    ),
    "the last tile of a kind": Supply(
        lambda left: scene(board(), row=named(left, "corn") or "indigo").play("role settler"), "take corn"
    ),
    "the last space of an island": Supply(
        lambda left: scene(board(island="quarry " * 6 + "sugar " * (6 - left)), row=CORN).play("role settler"),
        "take corn",
    ),
    "the last copy of a building": Supply(
        lambda left: scene(
            board(doubloons=9), *[board(city="hacienda")] * (2 - left), seats=4
        ).play("role builder"),
        "build hacienda",
    ),
    "the last two spaces of a city": Supply(
        lambda left: scene(
            board(doubloons=20, city="small_market hacienda construction_hut small_warehouse hospice office "
            "large_market large_warehouse factory harbor" + named(1 - left, " wharf")),
        ).play("role builder"),
        "build residence",
    ),
    "the last doubloon": Supply(
        lambda left: scene(board(doubloons=1 + left)).play("role builder"), "build indigo_plant"
    ),
    "the last place in the house": Supply(
        lambda left: scene(
            board(goods="corn=1"), board(goods="coffee=1 tobacco=1"),
            house=["indigo", "sugar", *["tobacco"][: 1 - left]],
        ).play("role trader", "sell corn"),
        "sell coffee",
        B,
    ),
    "the last doubloon of a land office": Supply(
        lambda left: scene(board(), board(doubloons=left, goods="coffee=1", city="land_office+"), options=NOBLES).play(
            "role trader"
        ),
        "plant",
        B,
    ),
    "the last chip of a black market": Supply(
        lambda left: scene(
            board(vp=left, goods="corn=1", city="black_market+"), options=NEW_BUILDINGS
        ).play("role builder"),
        "build small_sugar_mill black_market=vp",
    ),
    "the last good for the craftsman": Supply(
        lambda left: scene(
            board(island="corn+ indigo+", city="small_indigo_plant+"), goods=f"corn={1 + left} indigo=2"
        ).play("role craftsman"),
        "bonus corn",
    ),
    "the last noble for the royal supplier": Supply(
        lambda left: scene(
            board(goods="corn=1 coffee=1", san_juan="*" * left, city="royal_supplier+"), options=EVERYTHING
        ).play("role captain"),
        "supply coffee",
    ),
}  # fmt: skip


@pytest.mark.parametrize("supply", SUPPLIES.values(), ids=SUPPLIES)
def test_the_last_one_can_be_had_and_after_it_none(supply: Supply) -> None:
    one, none = supply.table(1), supply.table(0)
    assert (one.seat, supply.move in one.moves) == (supply.seat, True)
    assert (none.seat, supply.move in none.moves) != (supply.seat, True)


@pytest.mark.parametrize(("supply", "ship", "comes"), [(1, 0, 1), (0, 1, 1), (0, 0, 0)])
def test_the_last_colonist_comes_by_hospice_and_university(supply: int, ship: int, comes: int) -> None:
    left: Any = {"colonists": supply, "colonist_ship": ship}
    settled = scene(board(city="hospice+"), row=CORN, **left).play("role settler", "take corn")
    assert settled.island(A) == "corn" + "+" * comes
    built = scene(board(doubloons=9, city="university+"), **left).play("role builder", "build hacienda")
    assert built.city(A) == f"hacienda{'+' * comes} university+"


@pytest.mark.parametrize(("supply", "comes"), [(1, "+"), (0, "")])
def test_the_last_colonist_comes_by_the_mayor_s_privilege(supply: int, comes: str) -> None:
    table = scene(board(city="hospice guesthouse"), options=NEW_BUILDINGS, colonists=supply, colonist_ship=0)
    assert table.play("role mayor").rest().city(A).count("+") == len(comes)


@pytest.mark.parametrize(("left", "noted"), [(2, 0), (1, 1), (0, 2)])
def test_the_last_point_is_a_chip_and_others_are_noted(left: int, noted: int) -> None:  # rules 5.2
    table = scene(board(), board(goods="corn=2"), vp=left, ends=[] if left else ["vp"]).play("role captain")
    table.until(B, "D-CAP-LOAD").play("ship corn 5")
    assert (table.player(B)["vp_chips"], table.player(B)["vp_noted"]) == (2 - noted, noted)
    assert table.document["ends"] == ["vp"]

"""Every example, ruling, combination and building of the rules has a test; this one names those without."""

from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from tests.support.puerto_rico.cited_rules import CITED

EXAMPLES: Final = [f"E-{number}" for number in range(1, 45)]
RULINGS: Final = [f"R-{number}" for number in range(1, 94)]
WITHOUT_EFFECT: Final = {  # rulings that say themselves that nothing in play follows from them
    "R-3": "cosmetic differences between the editions",
    "R-92": "misprints",
}
COMBINATIONS: Final = [  # rules 4.6, line by line
    "hacienda + hospice", "hacienda + construction hut", "settler's privilege + construction hut",
    "library + construction hut (as settler)", "library + hospice (as settler)", "library + forest house (as settler)",
    "library + lighthouse (as captain)", "library + guesthouse", "forest house + hospice",
    "forest house + hacienda / land office", "quarries + forests + builder + zoning office",
    "university + production building", "university + statue", "university / guesthouse + church",
    "black market + own colonist on it", "small market + large market", "markets + trading post",
    "office + full house", "trading post + full house", "office + trading post",
    "small + large warehouse (+ storehouse)", "harbor / lighthouse + wharf / small wharf", "wharf + small wharf",
    "union hall + royal supplier", "royal supplier + harbor / lighthouse / captain", "jeweler + guild hall",
    "jeweler + city hall", "aqueduct + library + specialty factory", "land office (C) + forest house",
    "hunting lodge / land office (N) + occupied tile",
]  # fmt: skip
BUILDINGS: Final = [
    "small_indigo_plant", "small_sugar_mill", "indigo_plant", "sugar_mill", "tobacco_storage", "coffee_roaster",
    "small_market", "hacienda", "construction_hut", "small_warehouse", "hospice", "office", "large_market",
    "large_warehouse", "factory", "university", "harbor", "wharf", "guild_hall", "residence", "fortress",
    "customs_house", "city_hall", "aqueduct", "forest_house", "black_market", "storehouse", "guesthouse",
    "trading_post", "church", "small_wharf", "lighthouse", "library", "specialty_factory", "union_hall", "statue",
    "cloister", "land_office", "chapel", "hunting_lodge", "zoning_office", "royal_supplier", "villa", "jeweler",
    "royal_garden",
]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _all_tests_are_read() -> None:
    for path in Path(__file__).parent.glob("test_*.py"):
        import_module(f"tests.projections.rules.puerto_rico.rulebook.{path.stem}")


@pytest.mark.parametrize(
    "ids", [EXAMPLES, RULINGS, COMBINATIONS, BUILDINGS], ids=["examples", "rulings", "combinations", "buildings"]
)
def test_nothing_of_the_rules_is_without_a_test(ids: list[str]) -> None:
    assert [cited for cited in ids if cited not in CITED and cited not in WITHOUT_EFFECT] == []


def test_no_test_cites_what_the_rules_do_not_hold() -> None:
    assert set(CITED) - {*EXAMPLES, *RULINGS, *COMBINATIONS, *BUILDINGS} == set()


def test_a_test_named_for_an_example_or_ruling_cites_it() -> None:
    names = {name for tests in CITED.values() for name in tests if name.startswith(("test_e_", "test_r_"))}
    assert [name for name in names if name not in CITED[own_id(name)]] == []


def own_id(name: str) -> str:
    """The id a test is named for: `test_r_17_...` is of R-17."""
    _, letter, number, *_ = name.split("_")
    return f"{letter.upper()}-{number}"

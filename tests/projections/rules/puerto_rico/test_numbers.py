"""The numbers of buildings, goods, roles and phases are the indexes of their names in the tables."""

from collections.abc import Mapping, Sequence
from typing import Final

import pytest

from projections.rules.puerto_rico import kinds
from projections.rules.puerto_rico.buildings.printed import KINDS, NAMES, Building

INDEXED: Final[Mapping[str, Sequence[str]]] = {  # table -> the constants that name its rows, in order
    "TILES": ("CORN", "INDIGO", "SUGAR", "TOBACCO", "COFFEE", "QUARRY", "FOREST"),
    "PHASES": (
        "SETTLER", "MAYOR", "BUILDER", "CRAFTSMAN", "TRADER", "CAPTAIN", "PROSPECTOR", "DRAFT", "ROLE_CHOICE",
        "FINAL_GUESTS", "OVER",
    ),
    "PERSONS": ("NOBODY", "COLONIST", "NOBLE"),
    "SOURCES": ("FROM_SUPPLY", "FROM_SHIP"),
}  # fmt: skip
BITS: Final[Mapping[str, Sequence[str]]] = {  # the same, one bit for each row
    "ENDS": ("COLONISTS_SHORT", "CITY_FULL", "VP_GONE"),
    "DEEDS_DONE": (
        "HAD_TURN", "LOADED", "LOADED_AGAIN", "WHARF_USED", "SMALL_WHARF_USED", "SOLD", "OFFICE_USED", "FINISHED",
        "DREW", "GREETED",
    ),
}  # fmt: skip


def test_every_building_has_the_number_of_its_row() -> None:
    assert [building.name.lower() for building in Building] == [kind.name for kind in KINDS]
    assert [NAMES[building] for building in Building] == [kind.name for kind in KINDS]


@pytest.mark.parametrize("table", INDEXED)
def test_a_constant_is_the_index_of_its_name(table: str) -> None:
    assert [getattr(kinds, constant) for constant in INDEXED[table]] == list(range(len(getattr(kinds, table))))


def test_goods_roles_and_their_phases_share_their_numbers() -> None:
    goods, phases = len(kinds.GOODS), len(kinds.ROLES) - 2  # the last two roles are cards of the prospector
    assert kinds.TILES[:goods] == kinds.GOODS
    assert kinds.PHASES[:phases] == kinds.ROLES[:phases]
    for table, constants in INDEXED.items():
        if table in ("TILES", "PHASES"):
            assert [constant.lower() for constant in constants] == list(getattr(kinds, table))


@pytest.mark.parametrize("table", BITS)
def test_a_constant_is_the_bit_of_its_name(table: str) -> None:
    assert [getattr(kinds, one) for one in BITS[table]] == [1 << row for row in range(len(getattr(kinds, table)))]

"""Faults are single, compile, and come out the same from a seed."""

import ast

from tests.mutants.__main__ import PROJECT, sample
from tests.mutants.areas import AREAS
from tests.mutants.faults import faults
from tests.mutants.harmless import HARMLESS

SOURCE = b'''"""A module."""

LABEL = "cabildo/v1"


def within(goods: int, owned: int = 3) -> bool:
    """Whether goods are owned."""
    if goods < 0:
        return False
    note(goods, owned)
    return goods <= owned and not (goods == 2)
'''


def test_every_kind_of_fault_is_put_in_once() -> None:
    found = [fault.what for fault in faults(SOURCE)]
    assert sorted(found) == sorted(
        [
            "'cabildo/v1~' for 'cabildo/v1'",
            "4 for 3",
            "'<=' in 'goods < 0'",
            "1 for 0",
            "without the guard 'goods < 0'",
            "True for False",
            "without 'note(goods, owned)'",
            "arguments of 'note' swapped",
            "without 'goods <= owned'",
            "without 'not (goods == 2)'",
            "'<' in 'goods <= owned'",
            "without the 'not' of 'not (goods == 2)'",
            "'!=' in 'goods == 2'",
            "3 for 2",
        ]
    )


def test_a_fault_changes_the_code_and_nothing_of_the_words() -> None:
    for fault in faults(SOURCE):
        faulty = fault.put_into(SOURCE)
        assert ast.dump(ast.parse(faulty)) != ast.dump(ast.parse(SOURCE))
        assert b'"""Whether goods are owned."""' in faulty


def test_every_harmless_fault_can_still_be_put_in() -> None:
    for module, what in HARMLESS:
        assert what in {fault.what for fault in faults((PROJECT / module).read_bytes())}


def test_the_same_seed_puts_the_same_faults_into_every_area() -> None:
    for area in AREAS.values():
        chosen = sample(area, 5, seed=1)
        assert len(chosen) == 5
        assert chosen == sample(area, 5, seed=1)
        assert all((PROJECT / test).exists() for test in area.tests)

"""The choices of bots, recorded in Python: compiled rules and bots choose the same, in every kind of position.

`cabildo compile --test` runs this on the compiled rules. After a change that may change choices, which takes another
version of the bot, the file is written anew: `python -m tests.workers.bots.test_choices`.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.bots.test_levels import TABLES, table
from workers.bots.levels import BOTS, decide, decision_record, ranked_moves

CHOICES = Path(__file__).with_name("choices.json")
DEPTHS = (2, 6, 20, 45, 70, 110, 150)
STEPS = 10
RANKED = 5


def choices(number: int) -> Iterator[list[object]]:
    """The choices of every level at one of the tables, and what the expert ranks first."""
    for depth in DEPTHS:
        rules, position = table(*TABLES[number], depth, depth)
        seat = rules.actor(position)
        if seat is None:
            continue
        for level in BOTS:
            how = decision_record(level, bytes([depth]) * 32, STEPS)
            yield [level, depth, rules.notation(decide(rules, position, seat, how).move)]
        how = decision_record("greedy", bytes(32))
        ranked = ranked_moves(rules, position, seat, how)[:RANKED]
        yield ["expert", depth, [[rules.notation(one.move), repr(one.worth)] for one in ranked]]


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_bots_choose_as_recorded(number: int) -> None:
    assert [*choices(number)] == json.loads(CHOICES.read_text())[number]


if __name__ == "__main__":
    CHOICES.write_text(json.dumps([[*choices(number)] for number in range(len(TABLES))], indent=1) + "\n")

"""The threat table and what is forged for each of its rows are one list."""

import re
from pathlib import Path

import deploy
from tests.projections.forged_games import ALL, THREATS

DEPLOY = Path(deploy.__file__).parent
PROJECT = DEPLOY.parent
ROW = re.compile(r"^\| ([^|]+?) \|", re.MULTILINE)
HEADING = ("somebody", "---")


def told() -> list[str]:
    """The rows of the documentation's table, by their first cell."""
    rows = ROW.findall((DEPLOY / "docs" / "threats.md").read_text())
    return [row for row in rows if row not in HEADING]


def test_every_row_of_the_threat_table_is_attacked() -> None:
    assert sorted(told()) == sorted(THREATS)
    assert all(THREATS.values())


def test_every_forgery_stands_for_one_row() -> None:
    attacks = [attack for row in THREATS.values() for attack in row]
    elsewhere = [attack for attack in attacks if attack.startswith("tests/")]
    assert [path for path in elsewhere if not (PROJECT / path).exists()] == []
    assert sorted(attack for attack in attacks if attack not in elsewhere) == sorted(forgery.does for forgery in ALL)

"""The threat table and what is forged for each of its rows are one list."""

import re
from pathlib import Path

import pytest

import deploy
from projections.verify.bundle import CHECKS
from tests.support.projections.forged.doubted import NOTED, REMARKED, UNDECIDED
from tests.support.projections.forged.refused import REFUSED
from tests.support.projections.forged.tournaments import CLAIMS as TOURNAMENTS
from tests.support.projections.forged_games import ALL, THREATS

DEPLOY = Path(deploy.__file__).parent
PROJECT = DEPLOY.parent
ROW = re.compile(r"^\| ([^|]+?) \|", re.MULTILINE)
HEADING = ("somebody", "---")
KEYS = re.compile(r"^\| (V\d+) \| [^|]+ \| ((?:no|yes)\b[^|]*) \| `([^`]+)` \|$", re.MULTILINE)
TEST = re.compile(r"(tests/[\w/]+\.py)::(test_\w+)(?:\[(.+)\])?")


def told() -> list[str]:
    """The rows of the documentation's table, by their first cell."""
    return [row for row in ROW.findall(page().partition("\n## ")[0]) if row not in HEADING]


def page() -> str:
    return (DEPLOY / "docs" / "threats.md").read_text()


def test_every_row_of_the_threat_table_is_attacked() -> None:
    assert sorted(told()) == sorted(THREATS)
    assert all(THREATS.values())


def test_every_forgery_stands_for_one_row() -> None:
    attacks = [attack for row in THREATS.values() for attack in row]
    elsewhere = [attack for attack in attacks if attack.startswith("tests/")]
    assert [path for path in elsewhere if not (PROJECT / path).exists()] == []
    assert sorted(attack for attack in attacks if attack not in elsewhere) == sorted(forgery.does for forgery in ALL)


def test_every_check_says_what_a_host_with_every_key_can_forge() -> None:
    rows = KEYS.findall(page())
    assert len(rows) == page().count("\n| V")
    assert [*dict.fromkeys(code for code, _, _ in rows)] == [row.code for row in CHECKS]
    assert {code for code, can, _ in rows if can.startswith("no")} == {row.code for row in CHECKS}


@pytest.mark.parametrize("row", KEYS.findall(page()), ids=lambda row: row[2].rpartition("::")[2][-60:])
def test_a_row_names_a_test_that_is_there(row: tuple[str, str, str]) -> None:
    found = TEST.fullmatch(row[2])
    assert found is not None
    path, function, case = found.groups()
    assert f"def {function}(" in (PROJECT / path).read_text()
    if case is not None:
        (code, *_) = {claim.code for claim in CLAIMS if claim.does == case} | {
            forgery.found_by for forgery in ALL if forgery.does == case
        } or {row[0] if case in {claim.does for claim in TOURNAMENTS} else "none"}
        assert code == row[0] or {code, row[0]} == {"V3", "V4"}


CLAIMS = (*REFUSED, *REMARKED, *UNDECIDED, *NOTED)

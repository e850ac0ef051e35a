"""`cabildo bench bots`: a long measurement goes on where it was broken off."""

import json
from pathlib import Path

from click.testing import CliRunner

from deploy.cli import main

DUEL = ("bench", "bots", "--game", "spice_road", "--seats", "3", "--better", "greedy", "--processes", "1")


def rows(*options: str) -> list[str]:
    """The table that it prints, without its head."""
    told = CliRunner().invoke(main, [*DUEL, *options])
    assert told.exit_code == 0, told.output
    return told.output.splitlines()[2:]


def test_games_that_a_file_keeps_are_not_played_again(tmp_path: Path) -> None:
    kept = tmp_path / "games.log"
    rows("--games", "2", "--keep", str(kept))
    first = kept.read_text()
    (row,) = rows("--games", "4", "--keep", str(kept))
    assert kept.read_text().startswith(first)
    assert len(kept.read_text().splitlines()) == 4
    assert row.startswith("| greedy : random | spice_road | 3 | 4 | 100.0% | 51.0% to 100.0% | 33% |")
    assert rows("--games", "4", "--keep", str(kept)) == [row]
    assert len(kept.read_text().splitlines()) == 4


def test_games_of_another_version_or_budget_count_for_themselves(tmp_path: Path) -> None:
    kept = tmp_path / "games.log"
    rows("--games", "2", "--keep", str(kept))
    other = {**json.loads(kept.read_text().splitlines()[0]), "better": ["greedy", 0, 0, "0"]}
    kept.write_text(json.dumps(other) + "\n{cut sho\n")
    rows("--games", "2", "--keep", str(kept))
    rows("--games", "2", "--steps", "5", "--keep", str(kept))
    assert len(kept.read_text().splitlines()) == 6

"""The benchmark of random games runs for every game there is, beside its yardstick."""

import pytest
from click.testing import CliRunner

from deploy.bench.yardstick import per_second, workload
from deploy.cli import main
from projections.rules.registry import GAMES


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("how", [[], ["--listed"]])
def test_random_games_are_counted_beside_the_yardstick(game: str, how: list[str]) -> None:
    seats = GAMES[game].seats[0]
    ran = CliRunner().invoke(
        main, ["bench", "playouts", "--game", game, "--players", str(seats), "--seconds", "0.05", *how]
    )
    assert ran.exit_code == 0, ran.output
    name, players, *figures = ran.output.splitlines()[1].split()
    assert (name, players) == (game, str(seats))
    assert all(float(figure) > 0 for figure in figures)


def test_random_games_are_played_with_options() -> None:
    options = '{"expansions": ["new_buildings", "nobles"]}'
    asked = ["bench", "playouts", "--game", "puerto_rico", "--players", "2", "--seconds", "0.05", "--options"]
    assert CliRunner().invoke(main, [*asked, options]).exit_code == 0
    refused = CliRunner().invoke(main, [*asked, "nobles"])
    assert refused.exit_code == 2
    assert "JSON object" in refused.output


def test_the_yardstick_is_the_same_work_every_time() -> None:
    assert workload() == workload()
    assert per_second(workload, 0.01) > 0

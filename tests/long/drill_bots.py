"""`cabildo bench bots --service`: turns of bots through the whole service are measured."""

import re

from click.testing import CliRunner

from deploy.cli import main


def test_turns_through_the_service_are_told_with_where_their_time_goes() -> None:
    told = CliRunner().invoke(main, ["bench", "bots", "--service", "--game", "spice_road", "--games", "2"])
    assert told.exit_code == 0, told.output
    assert re.search(
        r"spice_road of 4 greedy bots, 10 moves a turn: a game alone \d+\.\d s; 2 at once by 2", told.output
    )
    assert re.search(r"\d+ turns/s.* think, .* load, .* play and commit: \d+% of the workers' time", told.output)

"""The measurement of the pages runs, and finds the longest game to open."""

import re

from click.testing import CliRunner

from deploy.cli import main
from tests.support.service.running_service import House


def test_what_a_viewer_waits_for_is_measured(house: House) -> None:
    for more in ([], ["--game", house.games["spice_road"]]):
        ran = CliRunner().invoke(main, ["bench", "pages", "--url", house.url, "--times", "1", *more])
        assert ran.exit_code == 0, ran.output
        rows = re.findall(r"^  ([a-z ]+?) +([0-9.]+) ms +([0-9.]+) KiB$", ran.output, re.MULTILINE)
        assert [name for name, _, _ in rows] == ["page", "summary", "steps", "board", "one more board", "all boards"]
        assert all(float(spent) > 0 and float(size) > 0 for _, spent, size in rows)

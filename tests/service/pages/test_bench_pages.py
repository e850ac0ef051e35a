"""The measurement of the pages runs, and finds the longest game to open."""

import re

from click.testing import CliRunner
from playwright.sync_api import Browser

from deploy.bench.opened_pages.weights import AIM_WEIGHT, addresses, measured, table
from deploy.cli import main
from tests.support.service.running_service import House


def test_what_a_viewer_waits_for_is_measured(house: House) -> None:
    for more in ([], ["--game", house.games["spice_road"]]):
        ran = CliRunner().invoke(main, ["bench", "pages", "--no-browser", "--url", house.url, "--times", "1", *more])
        assert ran.exit_code == 0, ran.output
        rows = re.findall(r"^  ([a-z ]+?) +([0-9.]+) ms +([0-9.]+) KiB$", ran.output, re.MULTILINE)
        assert [name for name, _, _ in rows] == ["page", "summary", "steps", "board", "one more board", "all boards"]
        assert all(float(spent) > 0 and float(size) > 0 for _, spent, size in rows)


def test_the_weight_and_the_first_board_of_a_page_are_the_browsers_own(house: House, opened: Browser) -> None:
    times = measured(opened, house.url + addresses(house.games["spice_road"])["embed"], 1)
    assert times.files > 10
    assert 20_000 < times.weight < AIM_WEIGHT
    assert times.painted is not None
    assert times.board is not None
    assert [*table({"embed": times})][1].split()[:2] == ["embed", str(times.files)]

"""The measurement of the pages runs, and finds the longest game to open."""

import re

from click.testing import CliRunner
from playwright.sync_api import Browser

from deploy.bench.opened_pages.weights import (
    AIM_SHIFT,
    AIM_WEIGHT,
    addresses,
    measured,
    own_table,
    table,
    too_heavy,
    unsteady,
)
from deploy.cli import main
from tests.support.service.running_service import House

MOVES = """<div id=top></div><p style=height:400px>Text</p><script>
setTimeout(() => {
  for (const until = performance.now() + 200; performance.now() < until;);
  document.getElementById("top").style.height = "300px";
}, 300);
</script>"""  # a page that works for 200 ms and then moves its text


def test_what_a_viewer_waits_for_is_measured(house: House) -> None:
    for more in ([], ["--game", house.games["spice_road"]]):
        ran = CliRunner().invoke(main, ["bench", "pages", "--no-browser", "--url", house.url, "--times", "1", *more])
        assert ran.exit_code == 0, ran.output
        rows = re.findall(r"^  ([a-z ]+?) +([0-9.]+) ms +([0-9.]+) KiB$", ran.output, re.MULTILINE)
        assert [name for name, _, _ in rows] == [
            "page",
            "summary",
            "steps",
            "board",
            "one more board",
            "boards near it",
        ]
        assert all(float(spent) > 0 and float(size) > 0 for _, spent, size in rows)


def test_the_weight_and_the_first_board_of_a_page_are_the_browsers_own(house: House, opened: Browser) -> None:
    times = measured(opened, house.url + addresses(house.games["spice_road"])["embed"], 1)
    assert times.files > 10
    assert 20_000 < times.weight < AIM_WEIGHT
    assert times.painted is not None
    assert times.board is not None
    assert 0 <= times.shift < AIM_SHIFT
    assert times.blocked >= 0
    assert [*table({"embed": times})][1].split()[:2] == ["embed", str(times.files)]
    heavy = times._replace(weight=AIM_WEIGHT + 1, shift=0.2)
    assert [*table({"embed": heavy})][-3::2] == ["over 250 kB: embed", "layout shift over 0.1: embed"]
    assert too_heavy({"embed": times, "other": heavy}) == unsteady({"embed": times, "other": heavy}) == ["other"]


def test_what_comes_late_moves_nothing_that_is_read(house: House, opened: Browser) -> None:
    play, session = own_table(opened, house.url)
    pages = addresses(house.games["spice_road"])
    rows = {name: measured(opened, house.url + pages[name], 1) for name in ("learn", "rules")}
    assert unsteady({**rows, "play": measured(opened, play, 1, session)}) == []


def test_a_long_line_above_the_board_moves_nothing_that_is_read(house: House, opened: Browser) -> None:
    game = house.games["puerto_rico"]
    steps = house.app.test_client().get(f"/v1/games/{game}/replay?positions=false").get_json()["steps"]
    longest = max(steps, key=lambda step: len(f"{step['label']}{step['then']}"))
    page = f"{house.url}/games/{game}#{longest['version']}"
    assert unsteady({"replay": measured(opened, page, 1)}) == []


def test_what_moves_and_blocks_a_page_is_counted(opened: Browser) -> None:
    times = measured(opened, f"data:text/html,{MOVES}", 1)
    assert times.shift > AIM_SHIFT
    assert times.blocked > 100

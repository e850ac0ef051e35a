"""The simulated day: its sum, its peak, what waits and when it is gone."""

import pytest
from click.testing import CliRunner

from deploy.bench.growth.day import DAY, NETWORK, PEAK_BEGINS, PEAK_SECONDS, STAGES, day, network_stage, simulate
from deploy.cli import main

MANY = {"web servers": 1_000, "database": 1_000, "Redis": 1_000}


def test_a_day_has_its_events_and_its_peak() -> None:
    load = day(250_000_000, 10_000)
    assert len(load) == DAY
    assert sum(load) == pytest.approx(250_000_000)
    assert max(load) == load[PEAK_BEGINS] == load[PEAK_BEGINS + PEAK_SECONDS - 1] == 10_000


def test_nothing_waits_below_the_limit_of_a_stage() -> None:
    found = simulate(day(250_000_000, 10_000), MANY)
    assert all(stage.delay == stage.after == 0 for stage in found.values())
    assert all(0 < stage.busy < 1 for stage in found.values())


def test_what_waits_at_the_peak_is_worked_off_later() -> None:
    load = [500.0] * DAY
    load[PEAK_BEGINS : PEAK_BEGINS + PEAK_SECONDS] = [2_000.0] * PEAK_SECONDS
    web = simulate(load, {**MANY, "web servers": 1})["web servers"]  # 1,053 a second
    waiting = PEAK_SECONDS * (2_000 - web.most)
    assert web.delay == pytest.approx(waiting / web.most)
    assert web.after == pytest.approx(waiting / (web.most - 500), abs=2)


def test_the_command_names_the_first_stage_to_saturate() -> None:
    ran = CliRunner().invoke(main, ["bench", "scale", "--web", "2", "--database", "100"])
    assert ran.exit_code == 0, ran.output
    assert "first to saturate: web servers, at 2,105 events/s" in ran.output
    assert "disk 199 GB a day, and 825 GB of WAL" in ran.output


def test_redis_and_the_network_are_stages() -> None:
    load = [1_000.0] * DAY
    one = simulate(load, {**MANY, "Redis": 1}, (*STAGES, network_stage(gigabits=1, standbys=2)))
    assert one["Redis"].most == pytest.approx(33_333, abs=1)
    assert one[NETWORK].most == pytest.approx(1e9 / 8 / (1_500 + 2 * 3_300))
    ran = CliRunner().invoke(main, ["bench", "scale", "--web", "100", "--database", "100", "--gigabits", "0.1"])
    assert f"first to saturate: {NETWORK}" in ran.output

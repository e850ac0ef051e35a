"""Hundreds of random schedules: keepers are killed and stopped, databases lose suffixes, files go stale; no fork.

`CABILDO_DRILL_SEED` repeats a run, whose seed is printed; `CABILDO_DRILL_SECONDS` says how long each link is tried.
"""

import os
import random
import secrets
from collections import Counter
from collections.abc import Iterator
from time import monotonic

import click
import pytest

from tests.support.databases import Databases
from tests.support.events.keeper_schedules import LINKS, carry_out, random_schedule
from tests.support.events.keeper_turns import Turns

SECONDS = float(os.environ.get("CABILDO_DRILL_SECONDS", "120"))
SEED = int(os.environ.get("CABILDO_DRILL_SEED", "0")) or secrets.randbits(32)
MOST, STEPS = 400, 14


@pytest.fixture
def turns() -> Iterator[Turns]:
    """The program in which keepers run."""
    program = Turns()
    yield program
    program.close()


@pytest.mark.parametrize("link", LINKS)
def test_no_random_schedule_publishes_two_histories(databases: Databases, turns: Turns, link: str) -> None:
    until, outcomes, tried = monotonic() + SECONDS, Counter[str](), 0
    while tried < MOST and monotonic() < until:
        schedule = random_schedule(random.Random(f"{SEED} {link} {tried}"), STEPS)
        click.echo(f"CABILDO_DRILL_SEED={SEED}, {link}, schedule {tried}: {schedule}")
        outcomes.update(carry_out(databases, turns, link, schedule))
        tried += 1
    click.echo(f"CABILDO_DRILL_SEED={SEED}, {link}: {tried} schedules, {dict(outcomes)}")
    assert tried

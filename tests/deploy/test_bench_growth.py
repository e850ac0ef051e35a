"""The measurement of growth: games made at once verify; figures are divided by the yardstick and drawn apart."""

import random
from pathlib import Path
from uuid import UUID
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from flask.testing import FlaskClient

from deploy.bench.growth.made_games import make_game
from deploy.bench.growth.measured import BYTES, GrowthCost, ratios
from deploy.bench.growth.operations import UNITS
from deploy.bench.growth.plot import draw_growth
from events.event import Event
from projections.rules.registry import GAMES
from projections.verify.bundle import verify
from service.container import Container
from tests.service.conftest import app, client, environ
from tests.support.service.players import Person, somebody

__all__ = ["app", "client", "environ"]
POLYLINE = "{http://www.w3.org/2000/svg}polyline"


@pytest.mark.parametrize("game", GAMES)
def test_a_made_game_is_whole_and_verifies(app: Flask, client: FlaskClient, game: str) -> None:
    host, here = somebody(client), app.extensions["cabildo"]
    written = make_game(here, game, host.id, random.Random(7))
    events = newest_game(here, host)
    assert len(events) == written
    assert [events[0].kind, events[-2].kind, events[-1].kind] == ["game_created", "game_ended", "seed_revealed"]
    assert {event.actor for event in events if event.kind == "moved"} == {host.id, "bot:random"}
    assert not any("bot" in event.data for event in events if event.kind == "moved")
    bundle = client.get(f"/v1/games/{events[0].stream}/bundle").data
    assert verify(bundle, None).failure is None


def newest_game(here: Container, host: Person) -> tuple[Event, ...]:
    """Returns the events of the newest game of a host."""
    with here.stores.pool.connection() as connection:
        row = connection.execute("SELECT id FROM games WHERE host = %s ORDER BY id DESC", (host.id,)).fetchone()
    assert row is not None
    return here.games.history(UUID(str(row[0])))


def test_ratios_are_divided_by_the_yardstick() -> None:
    busier = (GrowthCost(10.0, 2.0), GrowthCost(30.0, 3.0))
    assert ratios(busier, "ms") == [1.0, 2.0]
    assert ratios(busier, BYTES) == [1.0, 3.0]


def test_each_line_of_the_picture_looks_different(tmp_path: Path) -> None:
    drawn = tmp_path / "growth.svg"
    draw_growth(drawn, (10, 100, 1_000), {name: [1.0, 1.1] for name in UNITS})
    lines = ET.parse(drawn).getroot().findall(POLYLINE)
    assert len(lines) == len(UNITS) - 1  # all but the yardstick, by which the others are divided
    assert len({(line.get("stroke"), line.get("stroke-dasharray")) for line in lines}) == len(lines)

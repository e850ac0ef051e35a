"""On the first start there is something to look at; on later ones, or when it is not wanted, nothing is added."""

from pathlib import Path

import httpx
import psycopg
import pytest

from deploy.local import sample_games
from deploy.local.stores import is_unused
from service import settings
from service.app import create_app
from tests.service.conftest import variables


def test_the_first_start_lays_out_games_that_the_service_takes(database: str, redis_url: str, tmp_path: Path) -> None:
    app = create_app(settings.load(variables(database, redis_url, tmp_path)))
    with (
        psycopg.connect(database, autocommit=True) as connection,
        httpx.Client(transport=httpx.WSGITransport(app), base_url="http://house") as client,
    ):
        assert is_unused(connection)
        ids = sample_games.create_sample_games(client, connection, tmp_path / "exhibition")
        assert not is_unused(connection)
        games = [client.get(f"/v1/games/{id}").json() for id in ids]
    assert {game["game"] for game in games} == {"puerto_rico", "spice_road"}
    assert sorted({game["status"] for game in games}) == ["open", "running"]
    assert (tmp_path / "exhibition" / sample_games.CREDENTIAL_FILE).stat().st_mode & 0o777 == 0o600
    assert {game["visibility"] for game in games} == {"public"}
    app.extensions["cabildo"].close()


@pytest.mark.parametrize("wish", ["on", "off"])
def test_whether_samples_are_wanted_is_a_setting(tmp_path: Path, wish: str) -> None:
    environ = variables("postgresql://nowhere/x", "redis://nowhere", tmp_path) | {"CABILDO_SAMPLES": wish}
    assert settings.load(environ).samples == wish

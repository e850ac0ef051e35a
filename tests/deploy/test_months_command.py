"""`cabildo months` as an operator meets it: finished games leave the database, and nobody who reads notices."""

import base64
import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient
from freezegun import freeze_time

from deploy.cli import main
from events.cold import reader
from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.read_models.registry import advance_all
from projections.verify.bundle import verify
from service import settings as config
from service.app import create_app
from service.container import open_container
from service.players.export.acts import own_acts
from tests.support.service.annotators import a_finished_game, a_running_game, begin
from tests.support.service.players import Person
from workers.keeper.log import PublishLog, SealLog

BEGAN = "2026-07-14 12:00:00"
MONTH = "2026-07"
BUNDLE = "/v1/games/{game}/bundle"
READ = (
    "/v1/games/{game}",
    "/v1/games/{game}/events",
    "/v1/games/{game}/replay",
    "/v1/games/{game}/position?at=7",
    BUNDLE,
    "/v1/games?status=finished",
    "/v1/games?fact=merchant_card_taken",
    "/v1/studies/{study}",
    "/v1/players/{player}",
)


class Installation(NamedTuple):
    """A service with games of an earlier month: finished ones, one with a study, and one that still runs."""

    environ: dict[str, str]
    directory: Path
    game: str
    running: str
    study: str
    player: Person

    def run(self, *arguments: str) -> Result:
        given = ["--data-dir", str(self.directory), *arguments]
        return CliRunner(env=self.environ).invoke(main, given)

    def done(self, *arguments: str) -> str:
        """Runs a command that succeeds; returns what it prints."""
        found = self.run(*arguments)
        assert found.exit_code == 0, found.output
        return found.output

    def answers(self) -> list[Any]:
        """What a web server that has just started answers to readers."""
        reader._REMEMBERED.forget()
        app = create_app(config.load(self.environ))
        found = [answer(app.test_client(), path, self) for path in READ]
        app.extensions["cabildo"].close()
        return found


def answer(client: FlaskClient, path: str, here: Installation) -> Any:
    given = path.format(game=here.game, study=here.study, player=here.player.id)
    told = client.get(given, headers={"Authorization": f"Bearer {here.player.token}"})
    assert told.status_code == 200, (given, told.text)
    return told.get_data()


@pytest.fixture
def here(database: str, redis_url: str, tmp_path: Path) -> Iterator[Installation]:
    key = base64.b64encode(bytes(range(32))).decode()
    environ = {
        "DATABASE_URL": database,
        "REDIS_URL": redis_url,
        "CABILDO_DATA_DIR": str(tmp_path),
        "CABILDO_MASTER_KEY": key,
        "CABILDO_LOG_KEY": key,
        "COLUMNS": "300",
    }
    app = create_app(config.load(environ))
    client = app.test_client()
    with freeze_time(BEGAN, tick=True):
        game, first, _ = a_finished_game(client)
        a_finished_game(client)
        running, *_ = a_running_game(client)
        study = begin(first, game).id
    publish(environ)
    yield Installation(environ, tmp_path, game, running, study, first)
    app.extensions["cabildo"].close()


def publish(environ: dict[str, str]) -> None:
    settings = config.load(environ)
    with connect(environ["DATABASE_URL"]) as connection:
        sequence_once(connection)
        SealLog(settings, environ)(connection)
        PublishLog(settings, environ)(connection)
        while advance_all(connection):
            continue


def test_finished_games_leave_and_nobody_who_reads_notices(here: Installation) -> None:
    before = here.answers()
    assert "2 games" in here.done("months", "archive", MONTH)
    assert here.answers() == before
    assert verify(before[READ.index(BUNDLE)], None)
    with psycopg.connect(here.environ["DATABASE_URL"]) as admin:
        held = admin.execute("SELECT DISTINCT kind FROM events WHERE seq = 1").fetchall()
        assert sorted(held) == [("game_created",), ("study_created",)]
    assert "no fault found" in here.done("audit")
    assert "3 games, 0 differ" in here.done("replay-all")
    assert "differ" not in here.done("rebuild")
    assert "events are those of the log" in here.done("months", "verify")
    assert MONTH in here.done("months", "list")
    assert here.done("events", here.game)
    here.done("months", "restore", "1")
    assert here.answers() == before
    assert "no fault found" in here.done("audit")


def test_a_node_without_the_files_says_so(here: Installation) -> None:
    here.done("months", "archive", MONTH)
    assert archive_check(here) == ["ok"]
    (here.directory / "months").rename(here.directory / "elsewhere")
    reader._REMEMBERED.forget()
    assert archive_check(here) == ["failing"]
    app = create_app(config.load(here.environ))
    told = app.test_client().get(f"/v1/games/{here.game}/replay")
    assert (told.status_code, told.get_json()["type"]) == (500, "/problems#cold_file_damaged")
    app.extensions["cabildo"].close()
    here.done("months", "moved", "1", str(here.directory / "elsewhere"))
    assert archive_check(here) == ["ok"]


def archive_check(here: Installation) -> list[str]:
    """The states of the check of archived months."""
    checks = json.loads(here.run("status", "--json").stdout)["checks"]
    return [check["state"] for check in checks if check["name"] == "archived months"]


def test_a_damaged_file_is_a_fault_of_the_audit(here: Installation) -> None:
    here.done("months", "archive", MONTH)
    (file,) = here.directory.glob(f"months/{MONTH}/*/*.streams")
    file.write_bytes(file.read_bytes()[:-1])
    reader._REMEMBERED.forget()
    found = here.run("audit")
    assert (found.exit_code, f"event 1 of {here.game}: is gone" in found.output) == (11, True), found.output
    told = here.run("months", "verify")
    assert (told.exit_code, file.name in told.output) == (1, True)


def test_months_that_go_on_and_games_that_changed_lately_stay(here: Installation) -> None:
    told = here.run("months", "archive", f"{datetime.now(UTC):%Y-%m}")
    assert (told.exit_code, "is not over" in told.output) == (1, True)
    told = here.run("months", "archive", MONTH, "--days", "3000")
    assert (told.exit_code, "4 streams stay" in told.output) == (1, True), told.output
    here.done("months", "archive", MONTH)
    told = here.run("months", "archive", MONTH)
    assert (told.exit_code, "2 streams stay" in told.output) == (1, True), told.output
    assert here.run("months", "restore", "2").exit_code == 1


def test_an_export_and_a_study_hold_what_was_archived(here: Installation) -> None:
    exported = own_acts_of(here)
    here.done("months", "archive", MONTH)
    assert own_acts_of(here) == exported
    app = create_app(config.load(here.environ))
    assert begin(Person(app.test_client(), "Chandra"), here.game).id
    app.extensions["cabildo"].close()


def own_acts_of(here: Installation) -> list[Any]:
    """The events that the player wrote, as the export of the account tells them."""
    with closing(open_container(config.load(here.environ), "test")) as container:
        return [row.row for row in own_acts(container, UUID(here.player.id), "")]

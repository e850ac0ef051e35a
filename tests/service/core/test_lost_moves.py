"""An asynchronous failover that loses acknowledged moves: no process plays on from them."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from click.testing import CliRunner
from flask import Flask
from werkzeug.test import TestResponse

from deploy.cli import main
from events.chain import check
from events.log.signing_gate import reason_shut
from events.store.connections import connect
from projections.games.replay import position_at
from service import settings as config
from service.container import Container
from service.games.game_state import setting
from service.proof.public_log import files_of, first_origin, shown_in
from tests.service.conftest import Environ, opened_app, variables
from tests.service.core.test_failover import keeping
from tests.support.replication import Replicated, frozen, replicated
from tests.support.running_program import eventually
from tests.support.service.players import Person, problem, two_at_a_table
from tests.support.service.running_service import LOG_KEY

KEPT, LOST = 3, 4  # moves


@pytest.fixture
def pair(server_directory: Path, tmp_path: Path) -> Iterator[Replicated]:
    """A primary with a standby."""
    with replicated(server_directory / tmp_path.name) as pair:
        yield pair


@pytest.fixture
def environ(pair: Replicated, redis_url: str, tmp_path: Path) -> Environ:
    """The variables of processes that find the primary by themselves."""
    return variables(pair.url, redis_url, tmp_path) | LOG_KEY


class Table(NamedTuple):
    """A game in two web processes, and its players in turn order, who talk to the first."""

    apps: tuple[Flask, Flask]
    game: str
    players: tuple[Person, Person]

    def containers(self) -> list[Container]:
        """The containers of the processes."""
        return [app.extensions["cabildo"] for app in self.apps]

    def play(self, moves: int, choice: int = 0) -> None:
        """Plays so many moves; both processes show the game after each, so that both remember it."""
        for _ in range(moves):
            assert eventually(lambda: self.played(choice))
            assert eventually(lambda: self.version() > 0)

    def played(self, choice: int) -> bool:
        """Whether a move is made."""
        legal = self.players[0].ask("GET", f"/v1/games/{self.game}/legal?mine=false").get_json()
        if not legal["moves"]:
            return False
        told = self.move(legal["seat"], legal["moves"][choice % len(legal["moves"])]["move"])
        return told.status_code == 201

    def move(self, seat: int, text: str) -> TestResponse:
        """The answer to a move."""
        return self.players[seat].ask("POST", f"/v1/games/{self.game}/moves", {"move": text})

    def view(self, app: Flask) -> dict[str, Any]:
        """The game as a process shows it."""
        found: dict[str, Any] = app.test_client().get(f"/v1/games/{self.game}").get_json()
        return found

    def version(self) -> int:
        """The version that both processes show."""
        first, second = (self.view(app).get("version", 0) for app in self.apps)
        return int(first) if first == second else 0

    def check(self) -> None:
        """Both processes have the state that the stored events make."""
        for container in self.containers():
            events = list(container.games.history(UUID(self.game)))
            check(event.body for event in events)
            state = container.games.load(UUID(self.game))
            assert state.head == events[-1].head
            assert position_at(setting(state.known), events) == state.board


@contextmanager
def opened_table(environ: Environ) -> Iterator[Table]:
    """A game in two processes."""
    with ExitStack() as stack:
        apps = stack.enter_context(opened_app(environ)), stack.enter_context(opened_app(environ))
        with keeping(environ), connect(environ["DATABASE_URL"]) as connection:
            assert eventually(lambda: reason_shut(connection) is None)
        game, *players = two_at_a_table(apps[0].test_client())
        yield Table(apps, game, (players[0], players[1]))


def lose(pair: Replicated, table: Table) -> tuple[int, int]:
    """Plays moves that the standby never hears of, and ends the primary. Returns the kept and the lost version."""
    kept = table.version()
    pair.part()
    table.play(LOST)
    return kept, table.version()


def test_processes_play_on_from_what_the_standby_has(environ: Environ, pair: Replicated) -> None:
    with opened_table(environ) as table:
        table.play(KEPT)
        pair.wait_until_level()
        kept, lost = lose(pair, table)
        assert lost > kept
        with frozen(pair.primary):
            pair.promote()
            with keeping(environ):
                assert eventually(lambda: table.version() == kept)
                table.play(LOST + 1, choice=1)  # past the version that is remembered, by another way
                table.check()


def test_published_moves_are_brought_back_before_play_goes_on(environ: Environ, pair: Replicated) -> None:
    with opened_table(environ) as table:
        with keeping(environ):
            table.play(KEPT)
            pair.wait_until_level()
            kept, lost = lose(pair, table)
            stored = number_stored(environ)
            assert eventually(lambda: published(environ) == stored)
        with frozen(pair.primary):
            pair.promote()
            with keeping(environ):
                assert eventually(lambda: table.version() == kept)
                assert eventually(lambda: f"shows {stored} events" in refused(environ))
                told = table.players[0].ask("POST", "/v1/games", {"game": "spice_road", "seats": ["me", "open"]})
                assert (told.status_code, problem(told.get_json())) == (503, "log_not_reconciled")
                command = ["--data-dir", environ["CABILDO_DATA_DIR"], "log", "recover"]
                recovered = CliRunner(env=environ).invoke(main, command)
                assert recovered.exit_code == 0, recovered.output
                assert eventually(lambda: table.version() == lost)
                table.play(1)
                table.check()


def number_stored(environ: Environ) -> int:
    """The number of stored events."""
    with connect(environ["DATABASE_URL"]) as connection:
        row = connection.execute("SELECT count(*) FROM events").fetchone()
    assert row is not None
    return int(row[0])


def refused(environ: Environ) -> str:
    """Why nothing is written; nothing while the gate is open."""
    with connect(environ["DATABASE_URL"]) as connection:
        return reason_shut(connection) or ""


def published(environ: Environ) -> int:
    """The number of published events."""
    settings = config.load({name: value for name, value in environ.items() if name not in LOG_KEY})
    return shown_in(files_of(settings, first_origin(settings)))

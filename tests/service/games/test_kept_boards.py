"""Boards at earlier versions: kept every so many events, so that a long game costs no more than a short one."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient

from events.cold.archive_files import verify_archive, write_archive
from events.cold.move_out import move_out
from events.event import Event
from events.log.sequencer import sequence_once
from projections.games.replay import apply, position_at
from projections.rules.registry import GAMES
from service.container import Container
from service.games.game_state import GameState, setting
from service.games.history import PAGE, GameHistory
from service.games.kept_boards import KEEP_EVERY, kept_board
from service.operations.integrity import Games
from tests.service.conftest import Environ, opened_app
from tests.support.projections.bundles import GAME
from tests.support.projections.long_games import long_game
from tests.support.projections.random_games import random_game, written
from tests.support.service.players import Person, problem, running, somebody

LINES = 4_900  # in one request


def order(number: int) -> str:
    """The move of a game of two that nobody ends."""
    return "play upgrade_2" if number // 2 % 2 == 0 else "rest"


def long_record(scribe: Person, moves: int) -> str:
    """Enters a game of so many moves. Returns its id."""
    begun = written(random_game(GAMES["spice_road"], 2, seed=11, longest=2))
    orders = [order(number) for number in range(moves)]
    first = scribe.post("/v1/games/import", {"record": begun + "\n".join(orders[:LINES])})
    for start in range(LINES, moves, LINES):
        scribe.post(f"/v1/games/{first['id']}/record", {"lines": "\n".join(orders[start : start + LINES])})
    return str(first["id"])


def read_events(container: Container, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Returns a list to which each read of a game's events adds how many it returned."""
    counts, read = list[int](), container.games.store.read

    def counting(stream: UUID, after: int = 0, limit: int | None = None) -> Iterator[Event]:
        events = list(read(stream, after, limit))
        counts.append(len(events))
        return iter(events)

    monkeypatch.setattr(container.games.store, "read", counting)
    return counts


def assert_parts_agree(client: FlaskClient, game: str, versions: Sequence[int]) -> None:
    """Asserts that a replay after a version tells the same as the end of the replay of the whole game."""
    for undone in ("false", "true"):
        path = f"/v1/games/{game}/replay?undone={undone}"
        steps = client.get(path).get_json()["steps"]
        for version in versions:
            later = [step for step in steps if step["version"] > version]
            assert client.get(f"{path}&after={version}").get_json()["steps"] == later, (undone, version)


class Applied:
    """Counts the events that are applied to boards."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.events = 0

        def counting(game: Any, position: Any, event: Event) -> None:
            self.events += 1
            apply(game, position, event)

        monkeypatch.setattr("service.games.history.apply", counting)


def differing(container: Container, game: str, versions: Sequence[int]) -> list[int]:
    """The versions whose board is served otherwise than all events make it."""
    state = container.games.load(UUID(game))
    events, played = container.games.history(state.id), setting(state.known)
    return [
        version
        for version in versions
        if state.game.document(container.games.board_at(state.id, state.known, version))
        != state.game.document(position_at(played, events, version))
    ]


def test_a_position_in_a_game_of_15_000_moves_applies_few_events(
    environ: Environ, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened_app(environ, CABILDO_QUESTION_SECONDS="600") as app:
        scribe = somebody(app.test_client())
        game = long_record(scribe, 15_000)
        applied = Applied(monkeypatch)
        for at in (100, 4_000, 9_999, 14_900):
            applied.events = 0
            assert scribe.ask("GET", f"/v1/games/{game}/position?at={at}").get_json()["version"] == at
            assert applied.events <= KEEP_EVERY
        assert differing(app.extensions["cabildo"], game, (2, 255, 256, 257, 5_003, 14_999)) == []
        read = read_events(app.extensions["cabildo"], monkeypatch)
        for at in (300, 9_999, 14_900):
            applied.events = 0
            read.clear()
            told = scribe.ask("GET", f"/v1/games/{game}/replay?after={at}&until={at + 2}").get_json()
            assert [step["version"] for step in told["steps"]] == [at + 1, at + 2]
            assert applied.events <= KEEP_EVERY
            assert sum(read) <= 3 * PAGE


def archive(database: str, container: Container, game: str, place: Path) -> None:
    """Numbers the events of a game and moves them into a file."""
    with container.stores.pool.connection() as connection:
        while sequence_once(connection):
            continue
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("SET ROLE cabildo_owner")
        written = write_archive(owner, str(place), "games/1", "all", [UUID(game)])
        verify_archive(owner, written)
        move_out(owner, written)


def test_a_position_in_an_archived_long_game_applies_few_events(
    app: Flask, client: FlaskClient, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scribe, container = somebody(client), app.extensions["cabildo"]
    game = long_record(scribe, 5 * KEEP_EVERY)
    versions = (2, KEEP_EVERY - 1, KEEP_EVERY, 3 * KEEP_EVERY + 7, 5 * KEEP_EVERY - 3)
    archive(database, container, game, tmp_path)
    assert differing(container, game, versions) == []
    applied = Applied(monkeypatch)
    for at in versions:
        applied.events = 0
        assert scribe.ask("GET", f"/v1/games/{game}/position?at={at}").get_json()["version"] == at
        assert applied.events <= KEEP_EVERY
        applied.events = 0
        told = scribe.ask("GET", f"/v1/games/{game}/replay?after={at}&until={at + 2}").get_json()
        assert [step["version"] for step in told["steps"]] == [at + 1, at + 2]
        assert applied.events <= KEEP_EVERY


def test_a_kept_board_of_another_history_is_not_taken_for_an_archived_game(
    app: Flask, client: FlaskClient, database: str, tmp_path: Path
) -> None:
    game, container = long_record(somebody(client), 2 * KEEP_EVERY), app.extensions["cabildo"]
    archive(database, container, game, tmp_path)
    with psycopg.connect(database) as connection:
        changed = "UPDATE kept_boards SET head = sha256(head), position = (SELECT position FROM kept_boards LIMIT 1)"
        connection.execute(changed)
        assert kept_board(connection, UUID(game), 2 * KEEP_EVERY) is None
    assert differing(container, game, (KEEP_EVERY + 1, 2 * KEEP_EVERY)) == []


def test_boards_after_many_undos_are_those_that_all_events_make(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, people = running(client, start_player=0)
    applied = Applied(monkeypatch)
    for number in range(KEEP_EVERY):
        mover = people[number % 2]
        mover.move(game, order(number))
        applied.events = 0
        mover.post(f"/v1/games/{game}/undo")
        assert applied.events <= KEEP_EVERY
        mover.move(game, order(number))
    container = app.extensions["cabildo"]
    newest = container.games.load(UUID(game)).head.seq
    assert newest == 4 + 3 * KEEP_EVERY
    assert_parts_agree(client, game, (2, 4, 5, 6, KEEP_EVERY + 1, newest - 4, newest - 3, newest - 2, newest - 1))
    versions = (4, 5, KEEP_EVERY - 1, KEEP_EVERY, KEEP_EVERY + 1, 2 * KEEP_EVERY + 3, newest - 1, newest)
    assert differing(container, game, versions) == []
    container.games.forget(container.games.load(UUID(game)))
    assert differing(container, game, versions) == []


def test_an_undo_reads_a_bounded_part_of_a_long_game() -> None:
    read = []
    for moves in (2_000, 8_000):
        evening, pages = long_game(moves), list[int]()
        read.append(_read_for_an_undo(evening.table, evening.events, pages))
    assert read[0] == read[1] <= 2 * PAGE


def _read_for_an_undo(state: GameState, events: Sequence[Event], pages: list[int]) -> int:
    """The number of events that are read for the two newest moves and a board."""

    def page(after: int, limit: int) -> Sequence[Event]:
        pages.append(limit)
        return events[after : after + limit]

    past = GameHistory(GAME, page, lambda version: state if version >= state.head.seq else None)
    line = past.line(len(events))
    assert [next(line).seq, next(line).seq] == [len(events), len(events) - 1]
    assert past.board(setting(state.known), len(events)) == state.board
    return sum(pages)


@pytest.mark.parametrize(
    "damage", ["'{}'", "'{\"players\": []}'", "'[]'", "(SELECT position FROM kept_boards LIMIT 1)"]
)
def test_a_damaged_kept_board_is_made_anew_from_the_events(
    app: Flask, client: FlaskClient, database: str, damage: str
) -> None:
    game = long_record(somebody(client), 3 * KEEP_EVERY)
    with psycopg.connect(database) as connection:
        connection.execute(f"UPDATE kept_boards SET position = {damage} WHERE version > {KEEP_EVERY}")
    versions = (2 * KEEP_EVERY, 2 * KEEP_EVERY + 7, 3 * KEEP_EVERY, 3 * KEEP_EVERY + 2)
    assert differing(app.extensions["cabildo"], game, versions) == []
    refused = client.get(f"/v1/games/{game}/position?at=1")
    assert (refused.status_code, problem(refused.get_json())) == (404, "not_there")


def test_the_audit_finds_a_changed_kept_board(app: Flask, client: FlaskClient, database: str) -> None:
    game, container = long_record(somebody(client), 2 * KEEP_EVERY), app.extensions["cabildo"]
    with psycopg.connect(database) as connection:
        assert _faults(connection, container) == []
        connection.execute("UPDATE kept_boards SET position = '{}' WHERE version = %s", (KEEP_EVERY,))
        (fault,) = _faults(connection, container)
    assert fault == f"the board of game {game} at event {KEEP_EVERY} is not what its events make"


def _faults(connection: psycopg.Connection, container: Container) -> list[str]:
    """What the audit finds wrong with stored games."""
    return [fault.sentence for stretch in Games(connection, container.vault).part("") for fault in stretch.faults]


def test_a_replay_of_a_part_tells_of_a_game_as_it_stood_then(client: FlaskClient) -> None:
    game, people = running(client, start_player=0)
    for number in range(4):
        people[number % 2].move(game, order(number))
    before = client.get(f"/v1/games/{game}/replay?undone=true").get_json()
    newest = before["steps"][-1]["version"]
    people[1].post(f"/v1/games/{game}/undo")
    people[1].move(game, "rest")
    assert_parts_agree(client, game, range(1, newest + 2))
    assert client.get(f"/v1/games/{game}/replay?until={newest}").get_json() == before
    assert client.get(f"/v1/games/{game}/replay?after={newest}&until=1").get_json()["steps"] == []

"""A process is ended, or an answer lost, at every named point: no acknowledged move is lost, none is made twice."""

import os
import signal
import subprocess
import sys

import pytest
from psycopg import Connection

from events.chain import check
from events.log import sequencer
from events.log.follow import read_log
from events.store import postgres
from events.store.failpoints import NAMES, VARIABLE, switched_on
from events.store.postgres import PostgresStore
from tests.support.events.examples import start_game
from tests.support.events.failpoint_client import move_and_sequence

WALKED = sorted(name for name in NAMES if name.startswith(("append.", "sequence.")))


def test_the_points_of_append_and_sequence_are_all_walked() -> None:
    assert {postgres.__name__, sequencer.__name__} == {"events.store.postgres", "events.log.sequencer"}
    assert WALKED == [
        "append.after_commit",
        "append.before",
        "append.before_commit",
        "sequence.after_commit",
        "sequence.before_commit",
    ]


def walk(database: str, arguments: list[str], setting: str) -> "subprocess.CompletedProcess[str]":
    """Make a move in a process of its own, with fail points switched on."""
    return subprocess.run(
        [sys.executable, "-m", "tests.support.events.failpoint_client", database, *arguments],
        env={**os.environ, VARIABLE: setting},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("action", ["kill", "lost"])
@pytest.mark.parametrize("point", WALKED)
def test_every_point(point: str, action: str, event_store: PostgresStore, service: Connection, database: str) -> None:
    stream, _ = start_game(event_store)
    ended = walk(database, [str(stream), "key-1"], f"{point}={action}")
    assert ended.returncode == (-signal.SIGKILL if action == "kill" else 0), ended.stderr
    said = ended.stdout.split()
    assert said == SAID[point, action]
    if "acknowledged" in said:
        assert event_store.head(stream).seq == 2
    move_and_sequence(database, stream, "key-1")  # the client asks again, whatever it heard
    chain = check(event.body for event in event_store.read(stream))
    assert [event.kind for event in chain] == ["game_created", "moved"]
    while len(entries := read_log(service, 0)) < 2:  # a killed sequencer may still be let go of by the server
        sequencer.sequence_once(service)
    assert [(entry.idx, entry.event) for entry in entries] == list(enumerate(chain))
    assert service.execute("SELECT count(*) FROM outbox").fetchone() == (0,)


SAID = {
    ("append.before", "kill"): [],
    ("append.before_commit", "kill"): [],
    ("append.after_commit", "kill"): [],
    ("sequence.before_commit", "kill"): ["acknowledged"],
    ("sequence.after_commit", "kill"): ["acknowledged"],
    ("append.before", "lost"): ["lost", "acknowledged", "sequenced"],
    ("append.before_commit", "lost"): ["lost", "acknowledged", "sequenced"],
    ("append.after_commit", "lost"): ["lost", "acknowledged", "sequenced"],
    ("sequence.before_commit", "lost"): ["acknowledged", "lost", "sequenced"],
    ("sequence.after_commit", "lost"): ["acknowledged", "lost", "sequenced"],
}


def test_settings_name_points_and_actions() -> None:
    assert switched_on("append.before=kill, sequence.after_commit=lost") == {
        "append.before": "kill",
        "sequence.after_commit": "lost",
    }
    assert switched_on("") == {}


def test_points_do_nothing_unless_they_are_switched_on() -> None:
    for point in (postgres.before_append, postgres.before_commit, postgres.after_commit, sequencer.before_commit):
        point()

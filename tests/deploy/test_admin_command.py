"""`cabildo admin` as an operator meets it: acts without a token, a record that tells them, refusals in a sentence."""

import json
from collections.abc import Iterator

import psycopg
import pytest
from click.testing import CliRunner, Result
from flask import Flask
from freezegun import freeze_time

from deploy.cli import main
from tests.service.conftest import Environ, opened_app, variables
from tests.support.service.administrators import administrator, block
from tests.support.service.players import Person, answer, problem

REASON = ("--reason", "spam")
REWRITTEN = """
SET cabildo.altering_acts = 'on';
ALTER TABLE administrative_acts DISABLE TRIGGER USER;
UPDATE administrative_acts SET body = body || ' ' WHERE number = 1
"""


@pytest.fixture
def environ(database: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Environ:
    return variables(database, redis_url, tmp_path_factory.mktemp("data"))


@pytest.fixture
def app(environ: Environ) -> Iterator[Flask]:
    with opened_app(environ) as app:
        yield app


@pytest.fixture
def anna(app: Flask) -> Person:
    return Person(app.test_client(), "Anna")


def run(environ: Environ, *arguments: str, code: int = 0) -> Result:
    done = CliRunner(env=environ).invoke(main, ["--data-dir", environ["CABILDO_DATA_DIR"], "admin", *arguments])
    assert done.exit_code == code, done.output
    return done


def test_a_blocked_player_is_listed_refused_and_unblocked(environ: Environ, anna: Person) -> None:
    assert run(environ, "block", "anna", "--days", "7", *REASON).stdout.startswith("blocked until 20")
    assert problem(anna.create("me", "open", status=403)) == "blocked"
    listed = run(environ, "blocks").stdout
    assert f"Anna ({anna.id}) until " in listed
    assert listed.endswith(": spam\n")
    assert run(environ, "unblock", "Anna", *REASON).stdout == "unblocked\n"
    anna.create("me", "open")
    assert run(environ, "blocks").stdout == ""


def test_a_renamed_player_has_the_given_or_a_generated_name(environ: Environ, anna: Person) -> None:
    assert run(environ, "rename", "Anna", "--to", "Gentle", *REASON).stdout == f"{anna.id} is now Gentle\n"
    assert run(environ, "rename", "Gentle", *REASON).stdout.startswith(f"{anna.id} is now Player ")


def test_stale_games_are_listed_before_they_end(environ: Environ, anna: Person) -> None:
    with freeze_time("2024-05-01 12:00:00", tick=True):
        game = anna.create("me", "open")["id"]
    listed = run(environ, "stale").stdout
    assert game in listed
    assert listed.endswith("1 stale games\n")
    assert "--reason" in run(environ, "stale", "--end", code=2).stderr
    assert answer(anna.ask("GET", f"/v1/games/{game}"), 200)["status"] == "open"
    assert run(environ, "stale", "--end", *REASON).stdout.endswith("1 ended, 0 stay\n")
    assert answer(anna.ask("GET", f"/v1/games/{game}"), 200)["status"] == "aborted"


def test_refusals_are_one_sentence(environ: Environ, anna: Person) -> None:
    game = anna.create("me", "open")["id"]
    run(environ, "end", game, *REASON)
    for arguments, sentence in (
        (("end", game), "the game is aborted, not running"),
        (("unblock", "Anna"), "there is no block"),
        (("block", "Nobody", "--days", "1"), "there is no player 'Nobody'"),
        (("rename", "Anna", "--to", "Administrator"), "is reserved for the service"),
    ):
        assert sentence in run(environ, *arguments, *REASON, code=1).stderr


def test_the_record_is_printed_newest_first_with_names_of_today(environ: Environ, anna: Person) -> None:
    run(environ, "block", "Anna", "--days", "7", "--reason", "first")
    run(environ, "rename", "Anna", "--to", "Gentle", "--reason", "second")
    lines = run(environ, "record", "--subject", anna.id).stdout.splitlines()
    assert [f"player_renamed Gentle ({anna.id}): second" in lines[0], "player_blocked" in lines[1]] == [True, True]
    (told,) = map(json.loads, run(environ, "record", "--act", "player_blocked", "--json").stdout.splitlines())
    assert (told["by"]["id"], told["reason"], len(told["hash"])) == ("operator", "first", 64)


def test_a_changed_record_is_named(environ: Environ, anna: Person) -> None:
    run(environ, "block", "Anna", "--days", "7", *REASON)
    with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as superuser:
        superuser.execute(REWRITTEN)
    assert "act 1 does not follow" in run(environ, "record", code=1).stderr


def test_a_record_that_was_chained_anew_lacks_the_hash_kept_elsewhere(environ: Environ, anna: Person) -> None:
    run(environ, "block", "Anna", "--days", "7", *REASON)
    told = json.loads(run(environ, "record", "--json").stdout)
    kept = f"{told['number']}:{told['hash']}"
    assert run(environ, "record", "--kept", kept).exit_code == 0
    with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as superuser:
        superuser.execute(REWRITTEN)
        superuser.execute("UPDATE administrative_acts SET hash = sha256(int8send(number) || body)")
    run(environ, "record")
    assert "act 1 is not the one that was kept" in run(environ, "record", "--kept", kept, code=1).stderr


def test_a_reason_forges_no_line_of_the_record(environ: Environ, app: Flask, anna: Person) -> None:
    block(administrator(app), anna.id, "spam\n    9  2026-01-01 00:00:00 UTC  operator  game_ended \u202e")
    assert len(run(environ, "record").stdout.splitlines()) == 1
    assert len(run(environ, "blocks").stdout.splitlines()) == 1
    for reason in ("two\nlines", "\x1b[2J", "", "x" * 501):
        arguments = ("block", "Anna", "--days", "1", "--reason", reason)
        assert "takes one line of 1 to 500 characters" in run(environ, *arguments, code=2).stderr

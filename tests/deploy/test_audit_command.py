"""`cabildo audit` as an operator meets it: whatever a superuser changes, in whichever table or file, is named."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from deploy.cli import main
from events.log.publisher import COSIGN
from events.log.sealer import newest_seal
from events.log.sequencer import sequence_once
from events.merkle.notes import COSIGNATURE, SigningKey
from events.store.connections import connect
from service import settings as config
from service.app import create_app
from tests.support.events.filled_store import GUARDED, ignoring_guards
from tests.support.service.annotators import MOVES, begin
from tests.support.service.players import running
from workers.keeper.log import PublishLog, SealLog

ORIGIN = "127.0.0.1:8080/log"
WITNESS = SigningKey.from_seed("witness.example", bytes(32), COSIGNATURE)


class House(NamedTuple):
    """A service with a game, a study of it and a move that waits for its place in the log."""

    environ: dict[str, str]
    directory: Path
    game: str

    def audit(self, *arguments: str) -> Result:
        given = ["--data-dir", str(self.directory), "audit", *arguments]
        return CliRunner(env=self.environ).invoke(main, given)

    def change(self, *changes: str) -> None:
        """Executes a statement as a superuser with the guards disabled."""
        with ignoring_guards(self.environ["DATABASE_URL"]) as administrator:
            for change in changes:
                done = administrator.execute(change.replace("THE_GAME", self.game).encode())
                assert done.rowcount, change

    def spoil(self, path: str) -> None:
        """Flip a bit of a file."""
        (file,) = self.directory.glob(path)
        data = file.read_bytes()
        file.write_bytes(bytes([data[0] ^ 1]) + data[1:])


@pytest.fixture
def house(database: str, redis_url: str, tmp_path: Path) -> Iterator[House]:
    key = base64.b64encode(bytes(range(32))).decode()
    (tmp_path / "policy").write_text(f"witness W {WITNESS.verifier}\nquorum none\n")
    environ = {
        "DATABASE_URL": database,
        "REDIS_URL": redis_url,
        "CABILDO_DATA_DIR": str(tmp_path),
        "CABILDO_MASTER_KEY": key,
        "CABILDO_LOG_KEY": key,
        "CABILDO_LOG_POLICY": str(tmp_path / "policy"),
        "COLUMNS": "300",
    }
    app = create_app(config.load(environ))
    client = app.test_client()
    game, (first, second) = running(client)
    for move in (*3 * MOVES, *5 * MOVES[1:]):  # a board is stored every 32 events
        for player in (first, second):
            player.move(game, move)
    publish(environ)
    begin(first, game)
    publish(environ)
    first.move(game, MOVES[0])
    yield House(environ, tmp_path, game)
    app.extensions["cabildo"].close()


def publish(environ: dict[str, str], origin: str = ORIGIN) -> None:
    settings = config.load(environ)
    with connect(environ["DATABASE_URL"]) as connection:
        sequence_once(connection)
        SealLog(settings, environ)(connection)
        PublishLog(settings, environ)(connection)
        sealed = newest_seal(connection, origin)
        assert sealed is not None
        line = str(WITNESS.sign(sealed.note.text, 1_800_000_000).line)
        connection.execute(COSIGN, (origin, sealed.size, WITNESS.name, line))


def test_nothing_wrong_ends_with_0(house: House) -> None:
    done = house.audit()
    assert (done.exit_code, "no fault found" in done.output) == (0, True), done.output


def test_a_missing_policy_is_named_and_no_log_called_forged(house: House) -> None:
    (house.directory / "public/log/policy").unlink()
    done = house.audit()
    assert (done.exit_code, "its published policy is missing" in done.output) == (2, True), done.output
    assert "--policy FILE" in done.output
    assert "checkpoint" not in done.output
    (house.directory / "policy").unlink()
    done = house.audit()
    assert (done.exit_code, "cannot be read" in done.output) == (2, True), done.output


def test_a_policy_of_another_log_is_named(house: House) -> None:
    other = house.directory / "other"
    other.write_text(f"log {SigningKey.from_seed('other.example/log', bytes(32)).verifier}\nquorum none\n")
    done = house.audit("--policy", str(other))
    assert (done.exit_code, "names none of its keys" in done.output) == (2, True), done.output


IN_THE_GAME = "stream = 'THE_GAME'"
ROWS = (  # damage to each table of the log -> the message about it
    (f"UPDATE events SET at = at + 1 WHERE {IN_THE_GAME} AND seq = 6", "event 6 of THE_GAME: its columns"),
    (f"UPDATE events SET hash = sha256('x') WHERE {IN_THE_GAME} AND seq = 8", "event 8 of THE_GAME: its bytes"),
    (f"UPDATE log SET leaf = sha256('x') WHERE {IN_THE_GAME} AND seq = 10", "the leaf does not stand for its event"),
    ("UPDATE outbox SET hash = sha256('x')", "waits for its place under another hash"),
    ("UPDATE checkpoints SET edge = '' WHERE size = (SELECT max(size) FROM checkpoints)", "another edge"),
    ("UPDATE cosignatures SET line = replace(line, ' ', '  ')", "cosigned by witness.example"),
    ("UPDATE texts SET text = text || '!'", "does not have its hash"),
    ("UPDATE seeds SET sealed = substr(sealed, 2) WHERE id = 'THE_GAME'", "the seed of game THE_GAME"),
)
BESIDE = (  # reported for a game with intact events
    ("UPDATE boards SET position = '{}' WHERE id = 'THE_GAME'", "the board of game THE_GAME"),
    ("UPDATE boards SET record = '[]' WHERE id = 'THE_GAME'", "the board of game THE_GAME"),
    (
        "UPDATE boards SET record = jsonb_set(record::jsonb, '{0}', '99')::json WHERE id = 'THE_GAME'",
        "the board of game THE_GAME",
    ),
    (
        "UPDATE boards SET record = jsonb_set(record::jsonb, '{1}', '\"chess\"')::json WHERE id = 'THE_GAME'",
        "the board of game THE_GAME",
    ),
    ("UPDATE games SET result = '{\"cause\": \"forfeit\"}' WHERE id = 'THE_GAME'", "the row of game THE_GAME"),
    ("UPDATE places SET player = 'somebody' WHERE id = 'THE_GAME' AND chair = 0", "the row of game THE_GAME"),
)
NOT_HELD_AGAINST_ANYTHING = {
    "gates": "where signing was found to be safe; a gate that was changed asks the world again",
    "administrative_acts": "what administrators did; nothing outside the database bears it",
    "branches": "what was lost when the log got another name; events and the published statement bear its hash",
    "origins": "the names of the log; checkpoints and published files bear them",
}


def test_a_row_rewritten_by_a_superuser_is_found_in_every_table(house: House) -> None:
    house.change(*(change for change, _ in ROWS))
    done = house.audit()
    assert done.exit_code == 11
    unsaid = [says for _, says in ROWS if says.replace("THE_GAME", house.game) not in done.output]
    assert unsaid == [], done.output


@pytest.mark.parametrize(("change", "says"), BESIDE)
def test_what_stands_beside_sound_events_is_found_too(house: House, change: str, says: str) -> None:
    house.change(change)
    done = house.audit()
    assert done.exit_code == 17
    assert says.replace("THE_GAME", house.game) in done.output


def test_a_board_that_an_earlier_program_stored_is_no_fault(house: House) -> None:
    house.change("UPDATE boards SET record = (record::jsonb - (-1))::json WHERE id = 'THE_GAME'")
    done = house.audit()
    assert (done.exit_code, "no fault found" in done.output) == (0, True), done.output


def test_no_guarded_table_is_left_out_without_a_reason(house: House) -> None:
    looked_at = {change.split()[1] for change, _ in ROWS}
    with connect(house.environ["DATABASE_URL"]) as connection:
        names = [name for (name,) in connection.execute(GUARDED)]
        guarded = {"events" if name.startswith("events_") else name for name in names}  # without partitions
    assert guarded - looked_at == NOT_HELD_AGAINST_ANYTHING.keys()


def test_a_spoilt_file_of_log_and_archive_is_named(house: House) -> None:
    for path in ("public/log/tile/0/000.p/*", "public/log/tile/entries/000.p/*"):
        for file in sorted(house.directory.glob(path))[:1]:  # a narrow one, which a wider one has overtaken
            house.spoil(str(file.relative_to(house.directory)))
    (house.directory / "public/log/tile/0/stray").write_bytes(b"")
    house.spoil("archive/tile/entries/000.p/*")
    done = house.audit()
    assert done.exit_code == 14
    assert done.output.count("is not what the log holds") == 2
    assert "tile/0/stray is no file of a log" in done.output
    assert "the archived events of tile/entries/000" in done.output


def test_an_audit_that_was_stopped_goes_on_and_keeps_what_it_found(house: House) -> None:
    memory = house.directory / "audit.json"
    earlier = {"origin": ORIGIN, "part": "archive", "after": "256", "faults": [["log", "found before"]]}
    memory.write_text(json.dumps(earlier))
    done = house.audit()
    assert (done.exit_code, "found before" in done.output, "events" in done.output) == (12, True, False)
    assert not memory.exists()
    memory.write_text(json.dumps(earlier))
    assert house.audit("--afresh").exit_code == 0


def test_every_part_can_be_stopped_after_any_stretch(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint after each stretch of the fold leads to the same end."""
    house.change(ROWS[0][0], ROWS[6][0])
    kept = list[str]()
    replace = Path.replace

    def keep(self: Path, target: Path) -> Path:
        kept.append(self.read_text())
        return replace(self, target)

    with monkeypatch.context() as watching:
        watching.setattr(Path, "replace", keep)
        whole = house.audit()
    assert len(kept) > 5
    for memory in kept:
        (house.directory / "audit.json").write_text(memory)
        again = house.audit()
        assert (again.exit_code, again.output.splitlines()[-1]) == (whole.exit_code, whole.output.splitlines()[-1])


def test_a_renamed_log_is_audited_under_both_names(house: House) -> None:
    """The tree signed under the first name must be a prefix of the tree signed under the second."""
    renamed = [*("--data-dir", str(house.directory)), "log", "rename", "second", "--reason", "the key was lost"]
    environ = house.environ | {"CABILDO_LOG_KEY": base64.b64encode(bytes(range(1, 33))).decode()}
    done = CliRunner(env=environ).invoke(main, renamed)
    assert done.exit_code == 0, done.output
    publish(environ, f"{ORIGIN}/second")
    done = house.audit()
    assert (done.exit_code, "files of 127.0.0.1:8080/log/second" in done.output) == (0, True), done.output
    house.change(f"UPDATE checkpoints SET note = replace(note, '/log', '/lag') WHERE origin = '{ORIGIN}'")
    done = house.audit()
    assert (done.exit_code, f"of {ORIGIN}: " in done.output) == (13, True)

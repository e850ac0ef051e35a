"""The master key is replaced while the service runs: `cabildo key`, real processes, a game, invitations, webhooks."""

import base64
import json
import os
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path
from uuid import UUID

import httpx
import psutil
import psycopg
import pytest
from cabildo_client import Client
from click.testing import CliRunner, Result
from psycopg.sql import SQL, Identifier

from deploy.cli import main
from deploy.local.data_folder import DataFolder
from deploy.local.keys import MADE, PREVIOUS, KeyInUse, key_files, replace_master_key
from events.merkle.policy import Policy
from events.sealing.master_keys import MasterKeys, key_id
from events.sealing.vault import Vault
from projections.verify.bundle import verify
from projections.verify.client_receipts import parse_receipts, with_receipts
from service.core.sealing.sealed_columns import SEALED_COLUMNS, WEBHOOK_SECRETS
from service.key_settings import MASTER_KEY
from tests.support.running_program import PATIENCE, Up, eventually, up
from tests.support.service.webhook_receiver import Receiver, receiving

MANY = 20_000  # secrets, so that a rotation takes a moment in which it can be killed
COLUMNS = """
SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables USING (table_name)
WHERE columns.table_schema = 'public' AND tables.table_schema = 'public' AND table_type = 'BASE TABLE'
    AND data_type IN ('bytea', 'text', 'json', 'jsonb') AND table_name NOT IN ('master_keys', 'administrative_acts')
"""
HOOK = """
INSERT INTO webhooks (id, player, url, secret, told, created, off, off_because)
VALUES (%s, %s, 'http://127.0.0.1:9/', %s, 0, 0, 0, 'failing')
"""


class Place:
    """An installation on this machine: its folder, its keys, its database, its commands."""

    def __init__(self, data_dir: Path) -> None:
        self.folder = DataFolder(data_dir)

    def key(self, file: str = "master_key.base64") -> bytes:
        return base64.b64decode((self.folder.secrets / file).read_bytes())

    def run(self, *arguments: str) -> Result:
        environ = {name: "" for name in os.environ if name.startswith("CABILDO_")}
        return CliRunner(env=environ).invoke(main, ["--data-dir", str(self.folder.data_dir), *arguments])

    def status(self) -> Mapping[str, object]:
        found: Mapping[str, object] = json.loads(self.run("key", "status", "--json").stdout)
        return found

    def connect(self) -> psycopg.Connection:
        return psycopg.connect(self.folder.postgresql.url(), autocommit=True)

    def under(self, key: bytes) -> int:
        """Returns the number of webhooks' secrets under a master key."""
        with self.connect() as connection:
            row = connection.execute("SELECT count(*) FROM webhooks WHERE sealed_under(secret) = %s", (key_id(key),))
            return int((row.fetchone() or (0,))[0])

    def columns_that_name(self, key: bytes) -> set[str]:
        """Returns the columns of the database in which the id of a master key stands."""
        with self.connect() as connection:
            return {
                f"{table}.{column}"
                for table, column in connection.execute(COLUMNS).fetchall()
                if _names(connection, table, column, key_id(key))
            }

    def files_that_name(self, key: bytes) -> set[str]:
        """Returns the folders of files, other than the database's own and logs, in which the id stands."""
        root, id = self.folder.data_dir, key_id(key).encode()
        ours = [root / "archive", root / "public", root / "exhibition"]
        files = (path for place in ours for path in place.rglob("*") if path.is_file())
        return {str(path.relative_to(root)).split("/")[0] for path in files if id in path.read_bytes()}


def _names(connection: psycopg.Connection, table: str, column: str, id: str) -> bool:
    statement = SQL("SELECT EXISTS (SELECT FROM {} WHERE position(%s in encode({}::text::bytea, 'escape')) > 0)")
    binary = SQL("SELECT EXISTS (SELECT FROM {} WHERE position(convert_to(%s, 'UTF8') in {}) > 0)")
    kind = connection.execute(
        "SELECT data_type FROM information_schema.columns WHERE table_name = %s AND column_name = %s", (table, column)
    ).fetchone()
    asked = binary if kind == ("bytea",) else statement
    row = connection.execute(asked.format(Identifier(table), Identifier(column)), (id,)).fetchone()
    return row == (True,)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as server:
        yield server


@pytest.fixture(scope="module")
def service(module_directory: Path) -> Iterator[Up]:
    with up(module_directory / "rotation", environ={"CABILDO_WEBHOOKS": "anywhere"}) as running:
        running.ready()
        yield running


def play(players: list[Client], game: UUID, moves: int) -> int:
    """Plays moves of any player whose turn it is, at most so many. Returns how many were played."""
    for played in range(moves):
        turn = next((found for player in players if (found := player.turn(game)) is not None), None)
        if turn is None:
            return played
        next(player for player in players if player.turn(game) is not None).move(game, turn.legal[0])
    return moves


def test_the_master_key_is_replaced_while_games_go_on(service: Up, receiver: Receiver, tmp_path: Path) -> None:
    place, url = Place(service.data_dir), service.ready()
    old = place.key()
    with Client(url, keep=tmp_path / "anna") as anna, Client(url, keep=tmp_path / "birna") as birna:
        anna.register("Anna")
        birna.register("Birna")
        game = anna.create("spice_road", ["me", "open"], leaver="forfeit").id
        birna.join(game)
        assert play([anna, birna], game, 12) == 12
        table = anna.create("spice_road", ["me", "invite"])
        hook = anna.ask("POST", "/v1/webhooks", {"url": receiver.url})
        fill(place, UUID(anna.player()), old)

        made = place.run("key", "new")
        new = place.key()
        assert (made.exit_code, key_id(new) in made.output) == (0, True), made.output
        assert play([anna, birna], game, 4) == 4  # the client repeats what it asked while the processes start
        service.wait_for("web server, workers and keeper run again")
        kill_the_keeper_in_the_middle(service, place, old, new)
        assert play([anna, birna], game, 4) == 4
        assert eventually(lambda: place.status()["left"] == 0)
        nothing_is_under(place, old, new)
        birna.join(table.id, invite=table.invites["1"])

        retire(service, place)
        assert play([anna, birna], game, 8) == 8
        birna.ask("POST", f"/v1/games/{game}/resign")
        assert anna.game(game).status == "finished"
        anna.ask("POST", f"/v1/webhooks/{hook['id']}/test")
        assert eventually(lambda: any(said["type"] == "test" for said in receiver.bodies()))
        assert verdict_of(url, game, tmp_path) == "valid"
    audited = place.run("audit")
    assert audited.exit_code == 0, audited.output


def kill_the_keeper_in_the_middle(service: Up, place: Place, old: bytes, new: bytes) -> None:
    assert eventually(lambda: place.under(new) > 0)
    keeper = psutil.Process(service.process("keeper"))
    keeper.send_signal(signal.SIGSTOP)  # so that it stays in the middle while commands look
    assert 0 < place.under(old) < MANY
    assert place.status()["left"]
    assert "every key that is listed is needed" in place.run("key", "status").output
    assert place.run("key", "retire").exit_code == 1
    keeper.send_signal(signal.SIGKILL)


def nothing_is_under(place: Place, old: bytes, new: bytes) -> None:
    """Searches every column and every file for the ids of the keys, so that nothing is forgotten by a rotation."""
    assert place.columns_that_name(old) == set()
    assert place.columns_that_name(new) <= {str(column) for column in SEALED_COLUMNS}
    assert (place.files_that_name(old), place.files_that_name(new)) == (set(), {"archive"})


def retire(service: Up, place: Place) -> None:
    retired = place.run("key", "retire")
    assert retired.exit_code == 0, retired.output
    assert eventually(lambda: service.said.count("web server, workers and keeper run again") == 2)
    assert not (place.folder.secrets / PREVIOUS).exists()
    assert "CABILDO_MASTER_KEY_PREVIOUS_FILE" not in psutil.Process(service.process("web")).environ()


def fill(place: Place, player: UUID, key: bytes) -> None:
    """Stores many secrets under a key, of webhooks that are switched off."""
    vault = Vault(MasterKeys(key))
    with place.connect() as connection, connection.transaction(), connection.cursor() as cursor:
        ids = [UUID(int=number) for number in range(1, MANY + 1)]
        cursor.executemany(HOOK, [(id, player, vault.seal(WEBHOOK_SECRETS, id, b"x" * 24)) for id in ids])


def verdict_of(url: str, game: UUID, kept: Path) -> str:
    """Returns the verdict on a game's bundle with both players' receipts of the whole game."""
    policy = Policy.parse(httpx.get(f"{url}/log/policy", timeout=PATIENCE).content)
    receipts = "".join((kept / name / "receipts.ndjson").read_text() for name in ("anna", "birna"))

    def report() -> str:
        bundle = httpx.get(f"{url}/v1/games/{game}/bundle", timeout=PATIENCE).content
        return str(verify(with_receipts(bundle, parse_receipts(receipts)), policy).verdict)

    eventually(lambda: report() == "valid", within=20)
    return report()


def test_a_key_that_secrets_need_is_not_taken_away(service: Up) -> None:
    place, url = Place(service.data_dir), service.ready()
    with Client(url) as carla:
        carla.register("Carla")
        carla.create("spice_road", ["me", "open"])
    path = key_files(place.folder.secrets)[MASTER_KEY]
    kept = path.read_bytes()
    path.write_bytes(base64.b64encode(b"n" * 32))
    for command in (("worker", "bots"), ("keeper",)):
        refused = place.run(*command)
        assert refused.exit_code == 1
        assert f"seeds.sealed needs the master key {key_id(base64.b64decode(kept))}" in refused.output
    path.write_bytes(kept)


@pytest.mark.parametrize("interrupted", ["nothing", "made", "linked"])
def test_an_interrupted_new_key_is_completed(tmp_path: Path, interrupted: str) -> None:
    secrets = tmp_path / "secrets"
    current = key_files(secrets)[MASTER_KEY]
    old = current.read_bytes()
    if interrupted != "nothing":
        key_files(tmp_path / "other")[MASTER_KEY].rename(secrets / MADE)
    if interrupted == "linked":
        (secrets / PREVIOUS).hardlink_to(current)
    replace_master_key(secrets)
    assert (secrets / PREVIOUS).read_bytes() == old != current.read_bytes()
    assert {path.stat().st_mode & 0o777 for path in secrets.iterdir()} == {0o600}
    with pytest.raises(KeyInUse):
        replace_master_key(secrets)

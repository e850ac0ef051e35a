"""The duties of sealing and publishing, from a recorded event to what the world reads over HTTP."""

import base64
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from psycopg import Connection

from events.event import Head
from events.log.leaves import log_index
from events.log.receipts import open_receipt, receipt_key, vouched_keys
from events.log.sealer import newest_seal, open_origin
from events.merkle.checkpoint import open_checkpoint
from events.merkle.errors import UnverifiedNote
from events.merkle.notes import COSIGNATURE, Note, SigningKey, VerifierKey
from events.merkle.policy import Policy
from events.merkle.tiles import tiles_between
from events.store.connections import connect
from service import settings as config
from service.app import create_app
from service.proof.public_log import PROMISED_WITHIN, OwnLog, Receipts, files_of, shown_in
from service.proof.witness import Witness, serve
from tests.support.events.filled_store import aborted, ignoring_guards, record, stream_of
from workers.keeper.checkpoints import ThinCheckpoints
from workers.keeper.duties import DUTIES
from workers.keeper.duty_context import KeeperContext
from workers.keeper.log import PublishLog, SealLog

SEED = bytes(range(32))
ORIGIN = "127.0.0.1:8080/log"
KEY = SigningKey.from_seed(ORIGIN, SEED)
WITNESS = SigningKey.from_seed("witness.example", b"\x08" * 32, COSIGNATURE)


@pytest.fixture
def environ(database: str, redis_url: str, tmp_path: Path) -> dict[str, str]:
    policy = tmp_path / "policy"
    policy.write_text(f"witness W {WITNESS.verifier}\nquorum W\n")
    return {
        "DATABASE_URL": database,
        "REDIS_URL": redis_url,
        "CABILDO_DATA_DIR": str(tmp_path),
        "CABILDO_MASTER_KEY": base64.b64encode(os.urandom(32)).decode(),
        "CABILDO_LOG_KEY": base64.b64encode(SEED).decode(),
        "CABILDO_LOG_POLICY": str(policy),
    }


@pytest.fixture
def settings(environ: dict[str, str]) -> config.Settings:
    return config.load(environ)


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    with connect(database) as service:
        yield service


@pytest.fixture
def client(settings: config.Settings) -> Iterator[FlaskClient]:
    app = create_app(settings)
    yield app.test_client()
    app.extensions["cabildo"].close()


def keep(settings: config.Settings, environ: dict[str, str], connection: Connection) -> None:
    """The duties that make the log public once each, freshly started."""
    for duty in DUTIES:
        if duty.name in ("sequence", "seal", "publish"):
            duty.prepare(KeeperContext(settings, environ))(connection)


def test_what_ended_is_public_after_one_turn_of_the_keeper(
    settings: config.Settings, environ: dict[str, str], connection: Connection, client: FlaskClient
) -> None:
    record(connection, stream_of(1), 3, last=aborted())
    keep(settings, environ, connection)
    shown = client.get("/log/checkpoint")
    assert (shown.status_code, shown.content_type) == (200, "text/plain; charset=utf-8")
    assert shown.headers["Checkpoint-Witnessed"] == "no"  # the policy's witness was not asked: it has no address
    policy = Policy.parse(client.get("/log/policy").data)
    judged = policy.judge(Note.parse(shown.data))
    assert (judged.checkpoint.size, judged.quorum) == (3, False)
    for tile in tiles_between(0, 3):
        answer = client.get(f"/log/{tile.path}")
        assert (answer.status_code, answer.content_type) == (200, "application/octet-stream")
        assert "immutable" in answer.headers["Cache-Control"]


def test_removed_narrow_tile_is_served_from_the_full_one(
    settings: config.Settings, environ: dict[str, str], connection: Connection, client: FlaskClient
) -> None:
    record(connection, stream_of(1), 200)
    keep(settings, environ, connection)
    narrow = {path: client.get(f"/log/{path}").data for path in ("tile/0/000.p/200", "tile/entries/000.p/200")}
    record(connection, stream_of(2), 100)
    keep(settings, environ, connection)
    files = files_of(settings, ORIGIN)
    assert [files.read(path) for path in narrow] == [None, None]
    assert {path: client.get(f"/log/{path}").data for path in narrow} == narrow
    assert client.get("/log/tile/0/001.p/45").status_code == 404  # wider than what is published


def test_narrow_tiles_that_an_earlier_version_left_are_removed(
    settings: config.Settings, environ: dict[str, str], connection: Connection
) -> None:
    record(connection, stream_of(1), 300)
    keep(settings, environ, connection)
    files = files_of(settings, ORIGIN)
    full = files.read("tile/0/000") or b""
    files.keep_all((f"tile/0/000.p/{width}", full[: 32 * width]) for width in range(1, 256))
    keep(settings, environ, connection)
    assert list(files.tiles_with_narrower()) == []
    assert files.read("tile/0/000.p/7") is None


@pytest.mark.parametrize(
    "path", ["tile/0/001", "tile/0/000.p/256", "tile/0/x000", "tile/0/../checkpoint", "other", "x/y", "..%2fkeys"]
)
def test_nothing_else_is_served(client: FlaskClient, path: str) -> None:
    assert client.get(f"/log/{path}").status_code == 404


def test_an_unsealed_event_waits_for_others_or_for_its_time(
    settings: config.Settings, environ: dict[str, str], connection: Connection
) -> None:
    sealing = SealLog(settings, environ)
    sealing(connection)
    record(connection, stream_of(1), 3)
    sealing(connection)
    newest = newest_seal(connection, ORIGIN)
    assert newest is not None
    assert newest.size == 0
    SealLog(settings, environ)(connection)  # long after the last seal
    newest = newest_seal(connection, ORIGIN)
    assert newest is not None
    assert newest.size == 3


def test_a_receipt_is_signed_by_a_key_the_log_vouches_for(
    settings: config.Settings, environ: dict[str, str], connection: Connection, client: FlaskClient
) -> None:
    events = record(connection, stream_of(1), 3)
    keep(settings, environ, connection)
    keys = vouched_keys(Note.parse(client.get("/log/receipt-keys").data), [KEY.verifier])
    receipts = Receipts(settings, OwnLog(settings, client.application.extensions["cabildo"].stores.pool))
    text = receipts.sign(stream_of(1), events[1].head, events[2].head, 1_800_000_000_000_000)
    receipt = open_receipt(Note.parse(text.encode()), keys)
    assert (receipt.origin, receipt.within) == (ORIGIN, PROMISED_WITHIN)
    assert (Head(receipt.seq, receipt.hash), Head(receipt.head_seq, receipt.head)) == (events[1].head, events[2].head)


def test_receipts_of_an_earlier_master_key_stay_vouched_for(
    settings: config.Settings, environ: dict[str, str], connection: Connection, client: FlaskClient
) -> None:
    old, new = settings.master_keys.current, os.urandom(32)
    log = OwnLog(settings, client.application.extensions["cabildo"].stores.pool)
    named = {"CABILDO_MASTER_KEY": new, "CABILDO_MASTER_KEY_PREVIOUS": old}
    rotating = environ | {name: base64.b64encode(key).decode() for name, key in named.items()}
    after = {name: value for name, value in rotating.items() if name != "CABILDO_MASTER_KEY_PREVIOUS"}
    events = record(connection, stream_of(1), 3)

    def signed(by: dict[str, str]) -> Note:
        at = 1_800_000_000_000_000
        return Note.parse(
            Receipts(config.load(by), log).sign(stream_of(1), events[1].head, events[2].head, at).encode()
        )

    def vouched() -> Sequence[VerifierKey]:
        return vouched_keys(Note.parse(client.get("/log/receipt-keys").data), [KEY.verifier])

    keep(settings, environ, connection)
    receipts = [signed(environ), signed(rotating)]  # the second process started before the keeper did
    for note in receipts:
        open_receipt(note, vouched())
    for environment in (rotating, after):
        keep(config.load(environment), environment, connection)
        receipts.append(signed(environment))
        for note in receipts:
            open_receipt(note, vouched())
    assert {*vouched()} == {receipt_key(ORIGIN, key).verifier for key in (old, new)}


def test_during_rotation_both_keys_sign(
    settings: config.Settings, environ: dict[str, str], connection: Connection
) -> None:
    new = os.urandom(32)
    rotating = environ | {"CABILDO_LOG_KEY_NEXT": base64.b64encode(new).decode()}
    keep(settings, rotating, connection)
    sealed = newest_seal(connection, ORIGIN)
    assert sealed is not None
    for seed in (SEED, new):
        key = SigningKey.from_seed(ORIGIN, seed)
        assert open_checkpoint(sealed.note, [key.verifier]).size == 0


def test_a_replaced_key_still_verifies_the_trees_it_signed(
    settings: config.Settings, environ: dict[str, str], connection: Connection
) -> None:
    keep(settings, environ, connection)
    old = newest_seal(connection, ORIGIN)
    assert old is not None
    replaced = environ | {"CABILDO_LOG_KEY": base64.b64encode(os.urandom(32)).decode()}
    for number in (1, 2):
        record(connection, stream_of(number), 3)
        keep(settings, replaced, connection)
    policy = Policy.parse(files_of(settings, ORIGIN).read("policy") or b"")
    new = newest_seal(connection, ORIGIN)
    assert new is not None
    assert len(policy.logs) == 2
    assert [policy.judge(sealed.note).checkpoint.size for sealed in (old, new)] == [0, 6]
    with pytest.raises(UnverifiedNote):
        open_checkpoint(new.note, [KEY.verifier])


def test_a_renamed_log_is_published_beside_the_old_one(
    settings: config.Settings, environ: dict[str, str], connection: Connection, client: FlaskClient
) -> None:
    record(connection, stream_of(1), 3)
    keep(settings, environ, connection)
    before = client.get("/log/checkpoint").data
    open_origin(connection, f"{ORIGIN}/2", "the key was stolen")
    record(connection, stream_of(2), 2)
    keep(settings, environ, connection)
    assert client.get("/log/checkpoint").data == before
    renamed = SigningKey.from_seed(f"{ORIGIN}/2", SEED).verifier
    assert open_checkpoint(Note.parse(client.get("/log/2/checkpoint").data), [renamed]).size == 5
    assert files_of(settings, f"{ORIGIN}/2").read("checkpoint") == client.get("/log/2/checkpoint").data
    index = log_index(connection, stream_of(2), 2)
    assert index == 4


def test_publishing_waits_until_something_is_sealed(
    settings: config.Settings, environ: dict[str, str], connection: Connection, client: FlaskClient
) -> None:
    PublishLog(settings, environ)(connection)
    assert client.get("/log/checkpoint").status_code == 404


def test_with_its_witness_at_hand_every_checkpoint_is_witnessed(
    environ: dict[str, str], connection: Connection, tmp_path: Path
) -> None:
    watching = Witness(tmp_path / "witness", WITNESS, {ORIGIN: [KEY.verifier]})
    with serve(watching, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        policy = f"witness W {WITNESS.verifier} http://127.0.0.1:{server.server_address[1]}\nquorum W\n"
        Path(environ["CABILDO_LOG_POLICY"]).write_text(policy)
        settings = config.load(environ)
        for number in range(3):
            record(connection, stream_of(number), 3, last=aborted())
            keep(settings, environ, connection)
            shown = files_of(settings, ORIGIN).read("checkpoint")
            assert shown == files_of(settings, ORIGIN).read("checkpoint.witnessed")
            published = Policy.parse(files_of(settings, ORIGIN).read("policy") or b"")
            judged = published.judge(Note.parse(shown or b""))
            assert (judged.checkpoint.size, judged.quorum) == (3 * number + 3, True)
        server.shutdown()
        thread.join()


def test_keeper_thins_out_checkpoints_that_were_public_a_step_before(
    settings: config.Settings, environ: dict[str, str], connection: Connection, database: str
) -> None:
    for stream in range(1, 7):
        record(connection, stream_of(stream), 2)
        keep(settings, environ, connection)
    with ignoring_guards(database) as administrator:
        administrator.execute("UPDATE checkpoints SET at = '2026-01-01 12:00+00'")
    thinning = ThinCheckpoints(KeeperContext(settings, environ))
    counts = []
    for _ in range(4):
        thinning(connection)
        counts.append([size for (size,) in connection.execute("SELECT size FROM checkpoints ORDER BY size")])
    newest = counts[0][-1]
    assert (len(counts[0]), counts[1], counts[3]) == (6, [counts[0][0], newest], [counts[0][0], newest])
    assert shown_in(files_of(settings, ORIGIN)) == newest

"""The witness over HTTP: it cosigns growth, remembers before it answers, and no abuse poisons what it remembers."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import COSIGNATURE, Note, SigningKey, cosigned_at, read_signature
from events.merkle.policy import Party, Policy
from events.merkle.tree import EMPTY_ROOT, Tree, consistency_proof, leaf_hash
from events.merkle.witness import AddCheckpoint, origin_hash
from service.proof.witness import Witness, serve
from service.proof.witness_client import WitnessClient

LOG = SigningKey.from_seed("log.example.org/2026", b"\x07" * 32)
KEY = SigningKey.from_seed("witness.example.org", b"\x08" * 32, COSIGNATURE)
TREE = Tree(leaf_hash(bytes([number])) for number in range(64))
NOW = 1_800_000_000


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    return Witness(tmp_path, KEY, {LOG.name: [LOG.verifier]}, lambda: NOW)


@pytest.fixture
def url(witness: Witness) -> Iterator[str]:
    with serve(witness, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def note(size: int, root: bytes | None = None) -> Note:
    return Checkpoint(LOG.name, size, TREE.root(size) if root is None else root).signed(LOG)


def call(old: int, signed: Note) -> str:
    size = Checkpoint.parse(signed.text).size
    return str(AddCheckpoint(old, tuple(consistency_proof(old, size, TREE.node)), signed))


def post(url: str, body: str) -> httpx.Response:
    return httpx.post(f"{url}/add-checkpoint", content=body.encode())


def remembered(url: str) -> Note:
    return Note.parse(httpx.get(f"{url}/{origin_hash(LOG.name)}/checkpoint").content)


def test_growth_is_cosigned_and_shown_to_monitors(url: str) -> None:
    assert httpx.get(f"{url}/{origin_hash(LOG.name)}/checkpoint").status_code == 404
    for old, size in ((0, 5), (5, 5), (5, 17), (17, 64)):
        answer = post(url, call(old, note(size)))
        assert answer.status_code == 200
        line = read_signature(answer.text.removesuffix("\n"))
        assert KEY.verifier.verify(note(size).text, line)
        assert cosigned_at(line) == NOW
        assert remembered(url) == Note(note(size).text, (*note(size).signatures, line))


def test_abuse_is_refused_by_its_rule_and_changes_nothing(url: str) -> None:
    post(url, call(0, note(17)))
    before = remembered(url)
    stranger = SigningKey.generate(LOG.name)
    unknown = SigningKey.generate("other.example.org")
    planted = Note(note(20).text, (*note(20).signatures, KEY.sign("something else\n", 1)))
    abuses = [
        (404, str(AddCheckpoint(0, (), Checkpoint(unknown.name, 1, EMPTY_ROOT).signed(unknown)))),
        (403, str(AddCheckpoint(17, (), Checkpoint(LOG.name, 17, TREE.root(17)).signed(stranger)))),
        (400, str(AddCheckpoint(17, (), note(5)))),
        (400, "old 017\n\n" + str(note(20))),
        (409, call(5, note(20))),
        (409, call(0, note(5))),
        (422, str(AddCheckpoint(17, (), note(20)))),
        (422, str(AddCheckpoint(17, (), note(17, EMPTY_ROOT)))),
        (422, str(AddCheckpoint(17, (EMPTY_ROOT,), note(17)))),
    ]
    for status, body in abuses:
        assert post(url, body).status_code == status, body
        assert remembered(url) == before
    assert post(url, call(0, note(5))).text == "17\n"
    assert post(url, call(17, planted)).status_code == 200
    assert [line.name for line in remembered(url).signatures] == [LOG.name, KEY.name]
    assert remembered(url).verified([KEY.verifier])


def test_of_two_calls_at_once_none_rolls_the_other_back(url: str) -> None:
    post(url, call(0, note(5)))
    calls = [call(5, note(size)) for size in range(6, 22)]
    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(answer.status_code for answer in pool.map(lambda body: post(url, body), calls))
    assert statuses == [200] + [409] * 15


def test_what_was_cosigned_is_remembered_after_a_restart(witness: Witness, tmp_path: Path) -> None:
    witness.add_checkpoint(call(0, note(17)).encode())
    again = Witness(tmp_path, KEY, {LOG.name: [LOG.verifier]}, lambda: NOW + 1)
    again.add_checkpoint(call(17, note(20)).encode())
    assert Checkpoint.parse(Note.parse(witness.newest(origin_hash(LOG.name)) or b"").text).size == 20


def test_other_requests_are_not_served(url: str) -> None:
    assert httpx.post(f"{url}/other").status_code == 404
    assert httpx.get(f"{url}/../key").status_code == 404
    assert httpx.get(f"{url}/key").status_code == 404
    assert httpx.post(f"{url}/add-checkpoint", content=iter([b"chunked"])).status_code == 413
    assert post(url, "").status_code == 400


def growth(size: int) -> list[list[bytes]]:
    return [consistency_proof(old, size, TREE.node) for old in range(size + 1)]


def client_of(*urls: str) -> WitnessClient:
    parties = {f"W{number}": Party(KEY.verifier, url) for number, url in enumerate(urls)}
    return WitnessClient(Policy((), parties, {}, None))


def test_a_log_asks_its_witnesses_and_finds_out_how_far_they_are(url: str) -> None:
    post(url, call(0, note(17)))
    client = client_of(url)  # does not know that the witness is at 17
    for size in (20, 33):
        (line,) = client(note(size), growth(size).__getitem__)
        assert KEY.verifier.verify(note(size).text, line)


def test_a_witness_that_is_away_or_ahead_is_done_without(url: str) -> None:
    post(url, call(0, note(33)))
    client = client_of("http://127.0.0.1:9", url)
    assert list(client(note(20), growth(20).__getitem__)) == []


def test_a_cosignature_of_something_else_is_not_believed(url: str) -> None:
    other = SigningKey.from_seed(KEY.name, b"\x09" * 32, COSIGNATURE)
    client = WitnessClient(Policy((), {"W": Party(other.verifier, url)}, {}, None))
    assert list(client(note(17), growth(17).__getitem__)) == []

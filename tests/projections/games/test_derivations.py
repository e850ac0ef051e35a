"""Every derivation by hash and label, written out: labels and the order of arguments never change.

The values were computed beside the product, with hashlib and hmac alone.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final
from uuid import UUID

import pytest
from cabildo_client.commitments import link_chain
from cabildo_client.secrets import ClientSecrets

from events.event import Head, leaf_entry
from events.log.receipts import receipt_key
from events.merkle.tree import leaf_hash
from events.sealing.master_keys import key_id
from events.store.free_texts import text_hash
from events.store.protocol import request_key
from projections.games import chance
from projections.games.chance import Link
from projections.games.signed_moves import key_statement, move_statement
from projections.games.what_if import AnalysisDraws
from projections.ratings.model import chained
from projections.rules.dealer import Dealer, SeededDealer
from projections.tournaments.pairing import seeds
from projections.tournaments.pairing.lottery import Lots
from service.games import invites
from service.players.identity import secret_hash
from service.studies.chapter_game import random_dealer
from service.studies.editing.variations import next_seed
from service.webhooks.messages import signature

GAME: Final = UUID("01a0c450-6c00-773f-9014-c8bd16af6b67")
SEED, ENTROPY = bytes(range(32)), bytes(range(32, 64))
ROOT: Final = Path(__file__).parents[3]
LABEL: Final = re.compile(r'[bf]?"(cabildo/[a-z-]+/v?\d)')


def draws(dealer: Dealer, number: int) -> list[int]:
    """Numbers below a thousand, as they are drawn."""
    return [int(dealer.draw({f"{choice:04}": 1 for choice in range(1_000)})) for _ in range(number)]


VECTORS: Final[dict[str, tuple[Callable[[], object], object]]] = {
    "cabildo/seed/v1": (
        lambda: chance.commitment(GAME, SEED).hex(),
        "02e0c92ac56cdd4d2ae78c904e9e744b4a80d72aa9d501da1419fa49f10bbf26",
    ),
    "cabildo/entropy/v1": (
        lambda: chance.entropy_commitment(GAME, 2, ENTROPY).hex(),
        "fdc5b60200342bd7e1718cd5cbd37465ef1b00180da2451c3cae975eb5d7d737",
    ),
    "cabildo/game-seed/v1": (
        lambda: chance.game_seed(GAME, SEED, (ENTROPY, None, SEED)).hex(),
        "7ea4b03792bfab71d9c96e0154a45f145e6122e0321b2874a29f36b0865c04b7",
    ),
    "cabildo/turn-seed/v1": (
        lambda: chance.turn_seed(GAME, SEED, (Link(7, ENTROPY), None)).hex(),
        "d0b91b6c0d6427c61c99310882b113e34e205219840a3ab2df4a248b24170572",
    ),
    "cabildo/link/v1": (
        lambda: link_chain(GAME, 2, ENTROPY, 1)[0].hex(),
        "accfb3ed5f30fb793368d20c8307abd78f2ad2e0fee0bb2aa05dc6dc694b0cf5",
    ),
    "cabildo/draw/v1": (lambda: draws(SeededDealer(SEED), 5), [622, 581, 927, 840, 177]),
    "cabildo/pairing-seed/v1": (
        lambda: seeds.pairing_seed(GAME, SEED, 3, 2).hex(),
        "0ee94cb2e12e496b545241e7f1ed69ddc22daef61c90dd9526fd7e67e0e71bca",
    ),
    "cabildo/regulations/v1": (
        lambda: seeds.regulations_hash({"b": True, "a": [1, None]}).hex(),
        "b2eb5fa43eec7ee9e953eb3e6e03292a62f6909419ef6b0ec3337777827283c8",
    ),
    "cabildo/table/v1": (lambda: str(seeds.game_of(GAME, 3, 2, 5)), "43f4b742-6308-8c02-9674-664552131f6a"),
    "cabildo/deal/v1": (lambda: str(seeds.deal_of(GAME, 3, 2)), "7cd18e70-a52a-8d79-a8f1-816a83dfc8af"),
    "cabildo/lots/v1": (
        lambda: Lots(SEED, "tables").of("ana").hex(),
        "6191a2f437c50426367c9df66e58da531b7b8b5d96ecb68787fa0cfdb4ceda6d",
    ),
    "cabildo/text/v1": (
        lambda: text_hash(SEED, 'Mála "x"').hex(),
        "9677ad70bdc515e11731db27bbf72ae359c7511e351391d5c05c0e04da6f9bfb",
    ),
    "cabildo/ratings/v1": (
        lambda: chained(SEED, b"{}").hex(),
        "ecaf3c7340e9961aa5c59717779fa2a81ff3a6fdf4a0d00794849d4a4fa923f3",
    ),
    "cabildo/receipt-key/v1": (
        lambda: str(receipt_key("example.org/log", SEED).verifier),
        "example.org/log/receipts+f5ca1804+AWk89XFK10SEDp/zxClRKtYiOhuF2cVJDTQgAhU3hTju",
    ),
    "cabildo/key-id/v1": (lambda: key_id(SEED), "caea5587"),
    "cabildo/invite/v1": (lambda: invites.code(SEED, GAME, 2), "wqqmvcughermkebv"),
    "cabildo/move/v1": (
        lambda: move_statement(GAME, Head(6, SEED), 1, "rest"),
        f"cabildo/move/v1\n{GAME}\n7\n{SEED.hex()}\n1\nrest\n".encode(),
    ),
    "cabildo/player-key/v1": (lambda: key_statement("ana"), b"cabildo/player-key/v1\nana\n"),
    "a leaf of the log": (
        lambda: leaf_hash(leaf_entry(GAME, 7, SEED)).hex(),
        "309b55c19c71dd4d14e8320ccc9f1e7e09b756a2af253654e0681847d6abaf76",
    ),
    "a secret that is kept": (
        lambda: secret_hash("cabildo_secret").hex(),
        "9b167380bd664c18c78c349802e8581c6d8bed4562f1bcb32e00e2889c1db58a",
    ),
    "the key of a request": (
        lambda: request_key("ana", "1", b'{"move":"rest"}').request.hex(),
        "c11bf1e42ecd0e71548dfb5d8ec4e6ed71e53f632d4b04fb1b2db678f7c8727c",
    ),
    "a message of a webhook": (
        lambda: signature(SEED, "msg_1", 1_790_000_000, b"{}"),
        "v1,aKHWJr3g868IGQQTpFjtRX4aBZWRnnXc4R6+/GuWqpM=",
    ),
    "the next seed of a line": (lambda: next_seed(SEED[:16].hex()), "02b03b8fed8c9c8b4b5fe16f224d1d47"),
    "the draws of a line": (lambda: draws(random_dealer(SEED[:16].hex()), 3), [713, 569, 897]),
    "the draws of an analysis": (lambda: draws(AnalysisDraws(None, "seed").dealer, 3), [50, 18, 624]),
}
ELSEWHERE: Final = {  # labels of forms, not of derivations, and those whose vectors stand in other files
    "cabildo/event/v1": "tests/events/samples",
    "cabildo/position/v1": "tests/corpus",
    "cabildo/rules/v1": "tests/projections/rules/test_tables_hash.py",
    "cabildo/bundle/v1": "a form",
    "cabildo/archive/v1": "a form, and the label of a key",
    "cabildo/archive/v2": "a form",
    "cabildo/cold/v1": "a form",
    "cabildo/streams/v1": "a form",
    "cabildo/study/1": "a form",
    "cabildo/branch/v1": "a form",
    "cabildo/receipt/v1": "a form",
    "cabildo/receipt-keys/v1": "a form",
    "cabildo/seed-box/v1": "the label of what is sealed",
    "cabildo/sealed/v2": "tests/events/sealing/test_vault.py",
    "cabildo/event-archive/v2": "a form",
    "cabildo/export/v1": "a form",
    "cabildo/reserved-name/v1": "the label of a hash that stays in the database",
}


@pytest.mark.parametrize("name", VECTORS)
def test_a_derivation_gives_what_it_gave(name: str) -> None:
    derive, written = VECTORS[name]
    assert derive() == written


def test_every_label_of_the_sources_has_a_vector() -> None:
    files = (file for part in ("events", "projections", "service", "workers") for file in (ROOT / part).rglob("*.py"))
    labels = {label for file in files for label in LABEL.findall(file.read_text("utf-8"))}
    assert labels == {name for name in VECTORS if name.startswith("cabildo/")} | ELSEWHERE.keys()


def test_the_secrets_of_a_client_follow_from_its_own(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(SEED)
    vault = ClientSecrets(tmp_path)
    assert vault.entropy(GAME, 2).hex() == "e5633c1c05bc0faf1c775e8243fa637b4ba9d5d85c2814bc50c211788e148d9d"
    assert vault.chain(GAME, 2)[-1].hex() == "22c29a1c4554107cb9e3764aa38361062286165cf639fe3c9f2a57e380791d80"
    assert vault.public_key().hex() == "44fcc133abb356cdfd2685cc9be364100d80f8c2e248f644e06850a93fd9dc59"

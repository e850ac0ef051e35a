"""Honest bundles made by hand, and the tools of a forger who holds every key but the witness's."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count, pairwise
from typing import Any
from uuid import UUID

from events.canonical import canonical
from events.chain import link
from events.event import START, Event, EventDraft, leaf_entry
from events.event_digest import digest
from events.json_types import JsonObject
from events.log.bundle import Barrier, Bundle, Growth, Root
from events.log.receipts import Receipt, receipt_key, vouch
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import COSIGNATURE, Note, SigningKey
from events.merkle.policy import Policy
from events.merkle.proofs import LogProof
from events.merkle.tree import Tree, consistency_proof, inclusion_proof, leaf_hash
from projections.games.chance import commitment, entropy_commitment
from projections.rules.registry import GAMES

GAME = UUID("00000000-0000-4000-8000-000000000001")
ORIGIN = "cabildo.example/log"
LOG = SigningKey.from_seed(ORIGIN, b"\x07" * 32)
WITNESS = SigningKey.from_seed("witness.example", b"\x08" * 32, COSIGNATURE)
RECEIPTS = receipt_key(ORIGIN, b"m" * 32)
POLICY = Policy.parse(f"log {LOG.verifier}\nwitness W {WITNESS.verifier}\nquorum W\n".encode())
SEED = b"\x11" * 32
ENTROPY = (b"\xa0" * 32, b"\xa1" * 32)
START_TIME = 1_800_000_000
RULES = GAMES["spice_road"].rules
OPTIONS = dict(GAMES["spice_road"].read_options({}, 2))


def drafts(level: int = 2) -> list[EventDraft]:
    """A game that is created, sat down to, dealt by all and given up."""
    made = count(START_TIME * 1_000_000, 1_000_000)

    def draft(kind: str, **data: Any) -> EventDraft:
        return EventDraft(kind, data, "service", next(made), RULES)

    return [
        draft("game_created", **created(level)),
        *(draft("seat_taken", **taken(chair, level)) for chair in (0, 1)),
        *([draft("commitments_closed", reveal_by=START_TIME * 1_000_000 + 9)] if level >= 2 else []),
        *(draft("entropy_revealed", chair=c, entropy=ENTROPY[c].hex()) for c in (0, 1) if level >= 2),
        draft("service_was_away", since=START_TIME, until=START_TIME + 1),
        draft("game_aborted", cause="agreed", reason="dd" * 32),
        draft("seed_revealed", seed=SEED.hex(), draws=0),
    ]


def created(level: int) -> JsonObject:
    return {
        "game": "spice_road",
        "options": OPTIONS,
        "seats": 2,
        "chairs": [None, None],
        "clock": {"kind": "none"},
        "rated": False,
        "level": level,
        "commitment": commitment(GAME, SEED).hex(),
        "seed": None,
        "tournament": None,
        "imported": False,
    }


def taken(chair: int, level: int) -> JsonObject:
    promised = entropy_commitment(GAME, chair, ENTROPY[chair]).hex()
    return {
        "chair": chair,
        "player": f"player-{chair}",
        "bot": None,
        "echo": commitment(GAME, SEED).hex(),
        "commitment": promised if level >= 2 else None,
        "entropy": ENTROPY[chair].hex() if level == 1 else None,
        "chain": None,
    }


def chained(written: Sequence[EventDraft], stream: UUID = GAME) -> tuple[Event, ...]:
    """The events of drafts, with salts that do not change from run to run."""
    salts = count(1)
    return link(stream, START, written, lambda: next(salts).to_bytes(16, "big"))


def rechained(bodies: Sequence[JsonObject]) -> tuple[bytes, ...]:
    """Changed events with all links and hashes made good again, as the operator can."""
    prev, made = START.hash, []
    for body in bodies:
        made.append(canonical({**body, "prev": prev.hex()}))
        prev = digest(made[-1])
    return tuple(made)


def others_before() -> Tree:
    """Returns the log entries before the game; the same in every log of these tests."""
    return Tree([leaf_hash(b"another game" + number.to_bytes(4, "big")) for number in (1, 2, 3)])


EARLIER: JsonObject = {"size": 3, "root": others_before().root().hex()}


class PublicLog:
    """A log of this game between events of others, sealed at the barrier and at the end."""

    def __init__(self, events: Sequence[Event], seals_at: Sequence[int], others: int = 3) -> None:
        self.tree = Tree()
        self.places: dict[int, int] = {}
        self.sizes: list[int] = []
        self._number = count(1)
        for event in events:
            self._others(others)
            self.places[event.seq] = len(self.tree)
            self.tree.append(leaf_hash(leaf_entry(event.stream, event.seq, event.hash)))
            if event.seq in seals_at:
                self._others(others)
                self.sizes.append(len(self.tree))

    def _others(self, times: int) -> None:
        for _ in range(times):
            self.tree.append(leaf_hash(b"another game" + next(self._number).to_bytes(4, "big")))

    def note(self, size: int, time: int = START_TIME + 100, cosigned: bool = True, log: SigningKey = LOG) -> Note:
        """A signed checkpoint, as a rule with its cosignature."""
        note = Checkpoint(log.name, size, self.tree.root(size)).signed(log)
        return Note(note.text, (*note.signatures, WITNESS.sign(note.text, time))) if cosigned else note

    def proof(self, seq: int, size: int, **given: Any) -> LogProof:
        hashes = inclusion_proof(self.places[seq], size, self.tree.node)
        return LogProof(self.places[seq], tuple(hashes), self.note(size, **given))

    def growth(self, sizes: Sequence[int]) -> tuple[Growth, ...]:
        return tuple(
            Growth(old, size, tuple(consistency_proof(old, size, self.tree.node)))
            for old, size in pairwise(sorted(set(sizes)))
        )


def bundle_of(events: Sequence[Event], seals_at: Sequence[int] = (4,), others: int = 3, **given: Any) -> Bundle:
    """The bundle an honest service would make of these events."""
    last = events[-1].seq
    log = PublicLog(events, (*seals_at, last), others)
    final = log.sizes[-1]
    reveal = next((event.seq for event in events if event.kind == "entropy_revealed"), None)
    barriers = [Barrier(seq, log.proof(seq, size, **given)) for seq, size in zip(seals_at, log.sizes[:-1], strict=True)]
    if reveal is not None:
        barriers.append(Barrier(reveal, log.proof(reveal, final, **given)))
    dated = [event for event in events if event.data.get("after") == EARLIER]
    roots = tuple(Root(event.seq, log.note(3, START_TIME - 30)) for event in dated)
    receipts = tuple(receipt_for(event).signed(RECEIPTS) for event in events[1:3])
    return Bundle(
        events[0].stream,
        tuple(event.body for event in events),
        log.proof(last, final, **given),
        tuple(barriers),
        log.growth([*log.sizes, *(3 for _ in roots)]),
        (vouch(ORIGIN, [RECEIPTS.verifier], LOG),),
        receipts,
        roots,
    )


def receipt_for(event: Event) -> Receipt:
    return Receipt(ORIGIN, event.stream, event.seq, event.hash, event.seq, event.hash, event.at, 10)


def honest(level: int = 2) -> Bundle:
    """The bundle of the game above."""
    return bundle_of(chained(drafts(level)), (4,) if level >= 2 else ())


def unsealed(data: bytes) -> bytes:
    """The bundle as it was before a checkpoint included its last event."""
    known = Bundle.read(data)
    return replace(known, proof=None, barriers=(), growth=(), roots=(), receipts=(), receipt_keys=()).encode()


Forgery = Callable[[], Bundle]

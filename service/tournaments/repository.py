"""The director's desk: take a tournament in hand, let something be decided about it, write it down."""

import json
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.errors import StaleVersion
from events.event import START, Event, EventDraft, Head, compose, new_salt
from events.json_types import Json
from events.store.free_texts import keep, salted
from events.store.postgres import PostgresStore, Statement, read
from events.store.protocol import IdempotencyKey
from events.store.stream_lock import StreamLock
from projections.games.seed_vault import SeedVault
from projections.tournaments import directory
from projections.tournaments.fold import OPENS, fold, record_of
from projections.tournaments.record import RULES, TournamentRecord
from service.core.errors import NotThere
from service.core.repository import PUT_SEED, SEED

KEPT_IN_HAND: Final = 200
Answer = dict[str, Any]


class Held(NamedTuple):
    """A tournament in hand at one version."""

    id: UUID
    record: TournamentRecord | None = None
    head: Head = START

    @property
    def known(self) -> TournamentRecord:
        """The record of a tournament that exists."""
        assert self.record is not None
        return self.record


class Act:
    """What is written down about a tournament for one request; kept as a whole or not at all."""

    def __init__(self, before: Held, at: int, actor: str, seed: Callable[[], bytes]) -> None:
        self.before = before
        self.actor = actor
        self.at = max(at, before.record.changed if before.record else 0)
        self.seed = seed  # of all pairings of the tournament
        self.events: list[Event] = []
        self.beside: list[Statement] = []  # written in the same transaction
        self.seeds: list[tuple[UUID, bytes]] = []  # to be put away with it
        self.texts: dict[str, str] = {}  # what was said, by the hash that stands for it
        self._now = before

    @property
    def id(self) -> UUID:
        """The tournament's."""
        return self.before.id

    @property
    def now(self) -> Held:
        """The tournament with what has been written so far."""
        return self._now

    @property
    def record(self) -> TournamentRecord:
        """The record with what has been written so far."""
        return self._now.known

    def write(self, kind: str, /, **data: Json) -> Event:
        """Write an event."""
        rules = RULES if self._now.record is None else self._now.record.rules
        draft = EventDraft(kind, data, self.actor, self.at, rules)
        event = compose(self.id, self._now.head, draft, new_salt())
        self.events.append(event)
        self._now = Held(self.id, fold(self._now.record, event), event.head)
        return event

    def text(self, words: str | None) -> str | None:
        """What stands for a text in an event; the text itself is kept beside."""
        if words is None:
            return None
        kept = salted(words)
        self.beside.append(keep(self.id, kept))
        self.texts[kept.hash.hex()] = words
        return kept.hash.hex()


class Wish(NamedTuple):
    """What somebody wants to happen to a tournament, and how it is told."""

    actor: str
    decide: Callable[[Act], None]
    tell: Callable[[Act], Answer]
    key: IdempotencyKey | None = None
    version: int | None = None  # that the client saw


class Desk:
    """All tournaments of a database; those touched lately are remembered, and only what came after is read."""

    def __init__(
        self,
        pool: ConnectionPool[Connection[Any]],
        box: SeedVault,
        now: Callable[[], int],
        ring: Callable[[UUID, int], None],
        turns: StreamLock,
    ) -> None:
        self._ring = ring
        self._turns = turns
        self._book = PostgresStore(pool)
        self._pool = pool
        self._box = box
        self._now = now
        self._lock = Lock()
        self._in_hand: OrderedDict[UUID, Held] = OrderedDict()

    def take(self, tournament: UUID) -> Held:
        """A tournament at its newest version; refuses with NotThere."""
        with self._lock:
            held = self._in_hand.get(tournament) or Held(tournament)
        with self._pool.connection() as connection:
            for event in read(connection, tournament, held.head.seq):
                if held.record is None and event.kind != OPENS:
                    raise NotThere("tournament", tournament)
                held = Held(tournament, fold(held.record, event), event.head)
        if held.record is None:
            raise NotThere("tournament", tournament)
        self._remember(held)
        return held

    def at(self, tournament: UUID, version: int) -> TournamentRecord:
        """A tournament as it stood at a version; refuses with NotThere."""
        with self._pool.connection() as connection:
            record = record_of(read(connection, tournament, 0, version))
        if record is None:
            raise NotThere("tournament", tournament)
        return record

    def do(self, tournament: UUID, wish: Wish) -> Answer:
        """Let something be decided and answer what is told of it; the same key gets the same answer."""
        if (before := self._answered(wish)) is not None:
            return before
        return self._turns.settle(
            tournament,
            lambda: self._decide(self._seen(tournament, wish.version), wish),
            lambda: self._answered(wish),
            insists=wish.version is None,  # everybody checks in at the same time
        )

    def _seen(self, tournament: UUID, version: int | None) -> Held:
        """A tournament as the client saw it; refuses with StaleVersion who saw another version."""
        held = self.take(tournament)
        if version not in (None, held.head.seq):
            raise StaleVersion(tournament, *held.head)
        return held

    def open(self, tournament: UUID, wish: Wish) -> Answer:
        """Let a tournament begin its existence."""
        before = self._answered(wish)
        return self._decide(Held(tournament), wish) if before is None else before

    def seed(self, stream: UUID) -> bytes:
        """A seed that was put away: of a tournament's pairings, or of a deal."""
        with self._pool.connection() as connection:
            row = connection.execute(SEED, (stream,)).fetchone()
        if row is None:
            raise NotThere("seed of", stream)
        return self._box.open(stream, bytes(row[0]))

    def _decide(self, held: Held, wish: Wish) -> Answer:
        act = Act(held, self._now(), wish.actor, lambda: self.seed(held.id))
        wish.decide(act)
        answer = wish.tell(act)
        if not act.events:
            return answer
        stored = b"" if wish.key is None else json.dumps(answer).encode()
        appended = self._book.append(
            act.id, held.head.seq, act.events, key=wish.key, answer=stored, also=self._beside(act)
        )
        if appended.repeated:
            return _read(appended.answer)
        self._remember(act.now)
        self._ring(act.id, act.now.head.seq)
        return answer

    def _beside(self, act: Act) -> list[Statement]:
        kinds = {event.kind for event in act.events}
        sealed = [Statement(PUT_SEED, (stream, self._box.seal(stream, seed))) for stream, seed in act.seeds]
        return [*directory.rows(act.id, act.now.head, act.before.record, act.record, kinds), *act.beside, *sealed]

    def _answered(self, wish: Wish) -> Answer | None:
        stored = self._book.answered(wish.key) if wish.key is not None else None
        return None if stored is None else _read(stored)

    def _remember(self, held: Held) -> None:
        with self._lock:
            known = self._in_hand.get(held.id)
            if known is None or known.head.seq < held.head.seq:
                self._in_hand[held.id] = held
            self._in_hand.move_to_end(held.id)
            while len(self._in_hand) > KEPT_IN_HAND:
                self._in_hand.popitem(last=False)


def _read(stored: bytes) -> Answer:
    answer: Answer = json.loads(stored)
    return answer

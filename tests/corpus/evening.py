"""A game as the use cases of the service play it, everything drawn from one seed: the same game in every run."""

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from cabildo_client.commitments import link_chain
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.event import Event
from events.json_types import Json
from events.sealing.master_keys import MasterKeys
from projections.games.chance import ChanceLevel, commitment, entropy_commitment
from projections.games.clocks import SECOND, TimeControl
from projections.games.record import OPEN, RUNNING
from projections.games.signed_moves import move_statement
from service.games.decisions import game_start, play, proposals, take_seats
from service.games.decisions.proposals import Proposal
from service.games.decisions.take_seats import Contribution
from service.games.game_state import GameState, GameUnitOfWork, Sources
from service.games.history import history_of

SEED = b"\x2a" * 32
NOON = 1_800_000_000_000_000
KEYS = MasterKeys(b"")
LINKS = 1_000
TREE: Mapping[str, Json] = {"size": 7, "root": "77" * 32}  # the newest public one, as far as the game knows


class Setup(NamedTuple):
    """What is played, and how."""

    game: str
    seats: int
    options: Mapping[str, Json] = {}
    clock: TimeControl = TimeControl()
    level: ChanceLevel = ChanceLevel.OPEN
    leaver: str = "bot:random"
    signs: bool = False


class Evening:
    """One game; a second passes between two acts."""

    def __init__(self, name: str, number: int, setup: Setup) -> None:
        self.setup = setup
        self.table = GameState(UUID(int=(0x7 << 76) | (2 << 62) | number))
        self.events: list[Event] = []
        self.now = NOON
        self.source = random.Random(name)
        self.players = [f"player-{chair}" for chair in range(setup.seats)]
        self.key = Ed25519PrivateKey.from_private_bytes(SEED)
        self._chains = [link_chain(self.table.id, chair, self._secret(chair), LINKS) for chair in range(setup.seats)]

    @property
    def running(self) -> bool:
        return self.table.record is not None and self.table.record.status == RUNNING

    def let(self, actor: str, decide: Callable[[GameUnitOfWork], object], after: int = SECOND) -> None:
        """Let somebody act."""
        self.now += after
        sources = Sources(lambda: SEED, lambda: history_of(self.table.id, self.events), lambda: dict(TREE))
        act = GameUnitOfWork(self.table, self.now, actor, sources)
        decide(act)
        self.events += act.events
        self.table = act.now

    def sit_down(self, reveal: int | None = None) -> None:
        """Everybody takes a seat; where the level asks for it, the first so many reveal (None: all)."""
        setup = self.setup
        seats = ["me", *("open" for _ in self.players[1:])]
        proposal = Proposal(
            setup.game, setup.options, seats, setup.clock, level=setup.level, leaver=setup.leaver, seed=self._declared()
        )
        promise = Contribution(promised=True, key=self._own_key(0))
        first = promise if setup.level >= ChanceLevel.SEALED else self._brought(0)
        self.let(self.players[0], partial(proposals.create, proposal=proposal, contribution=first))
        for chair, player in enumerate(self.players):
            if chair or setup.level >= ChanceLevel.SEALED:
                sits: dict[str, Any] = {
                    "chair": chair,
                    "code": None,
                    "keys": KEYS,
                    "contribution": self._brought(chair),
                }
                self.let(player, partial(take_seats.join, player=player, **sits))
        for chair, player in enumerate(self.players[:reveal]):
            if self.table.known.status == OPEN and setup.level >= ChanceLevel.SEALED:
                self.let(player, partial(game_start.reveal, player=player, entropy=self._secret(chair).hex()))

    def move(self, times: int = 1) -> None:
        """Some legal moves, as long as the game runs."""
        for _ in range(times):
            if not self.running:
                return
            record, game, board = self.table.known, self.table.game, self.table.board
            assert record.turn is not None  # somebody is to act while the game runs
            seat, chair = record.turn.seat, record.order[record.turn.seat]
            text = game.notation(game.legal(board).sample(self.source))
            link = record.chairs[chair].link
            shown = play.MoveStatements(
                saw=self.table.head.hash if seat % 2 else None,
                link=self._chains[chair][link[0] + 1].hex() if link else None,
                signature=self._signature(seat, text) if record.chairs[chair].signs else None,
            )
            self.let(self.players[chair], partial(play.play, seat=seat, text=text, statements=shown))

    def finish(self) -> None:
        """Play to the end."""
        while self.running:
            self.move()

    def seat(self) -> int:
        """The seat to act."""
        turn = self.table.known.turn
        assert turn is not None
        return turn.seat

    def player(self, seat: int) -> str:
        """Who sits there."""
        return self.players[self.table.known.order[seat]]

    def _signature(self, seat: int, text: str) -> str:
        return self.key.sign(move_statement(self.table.id, self.table.head, seat, text)).hex()

    def _secret(self, chair: int) -> bytes:
        return bytes([0xA0 + chair]) * 32

    def _declared(self) -> str | None:
        return SEED.hex() if self.setup.level == ChanceLevel.DECLARED else None

    def _own_key(self, chair: int) -> str | None:
        return self.key.public_key().public_bytes_raw().hex() if self.setup.signs and chair == 0 else None

    def _brought(self, chair: int) -> Contribution:
        """What a chair brings to the deal at this level."""
        level, id, secret = self.setup.level, self.table.id, self._secret(chair)
        if level < ChanceLevel.SEALED:
            return Contribution(entropy=secret.hex() if level == ChanceLevel.OPEN else None, key=self._own_key(chair))
        return Contribution(
            commitment=entropy_commitment(id, chair, secret).hex(),
            chain=self._chains[chair][0].hex() if level == ChanceLevel.CHAINED else None,
            echo=commitment(id, SEED).hex(),
            key=self._own_key(chair),
        )

"""Whole games played by the service's own use cases, without a database: what honest bundles hold."""

import random
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any
from uuid import UUID

from cabildo_client.commitments import link_chain

from events.event import Event
from events.sealing.master_keys import MasterKeys
from projections.games.chance import ChanceLevel, commitment, entropy_commitment
from projections.games.clocks import SECOND, TimeControl
from projections.games.record import BOT, RUNNING
from service.games.decisions import game_start, play, proposals, take_seats
from service.games.decisions.proposals import Proposal
from service.games.decisions.take_seats import Contribution
from service.games.game_state import GameState, GameUnitOfWork, Sources
from service.games.history import history_of
from tests.support.projections.bundles import EARLIER, GAME, SEED, START_TIME

SEATED = ("player-a", "player-b")
ENTROPY = (b"\xc0" * 32, b"\xc1" * 32)
LINKS = 400
NO_CLOCK = TimeControl()


class Evening:
    """One game from the invitation to the end; time passes by a second with each act."""

    def __init__(self, game: UUID = GAME) -> None:
        self.table = GameState(game)
        self.events: list[Event] = []
        self.now = START_TIME * SECOND

    def let(self, actor: str, decide: Callable[[GameUnitOfWork], object], after: int = SECOND) -> None:
        """Appends an event of a player."""
        self.now += after
        act = GameUnitOfWork(
            self.table,
            self.now,
            actor,
            Sources(lambda: SEED, lambda: history_of(self.table.id, self.events), lambda: EARLIER),
        )
        decide(act)
        self.events += act.events
        self.table = act.now

    @property
    def text(self) -> str:
        """Some legal move, the same in every run."""
        game, board = self.table.game, self.table.board
        return game.notation(game.legal(board).sample(random.Random(len(self.events))))

    def move(self, links: list[list[bytes]] | None = None) -> None:
        """Makes a move of the seat to act, which states the history it sees."""
        record = self.table.known
        assert record.turn is not None
        seat, link = record.turn.seat, None
        chair = record.order[seat]
        if links:
            newest = record.chairs[chair].link
            assert newest is not None
            link = links[chair][newest[0] + 1].hex()
        text, saw = self.text, self.table.head.hash
        engine = record.chairs[chair].engine
        self.let(
            BOT + engine if engine else SEATED[chair],
            lambda act: play.play(act, seat, text, play.MoveStatements(saw, link)),
        )


def seated(
    level: ChanceLevel, clock: TimeControl, name: str = "spice_road", reveals: Sequence[str] = SEATED
) -> Evening:
    """A game that two sat down to, dealt by the given level."""
    evening = Evening()
    sealed = level >= ChanceLevel.SEALED
    chains = [link_chain(GAME, chair, bytes([0xD0 + chair]) * 32, LINKS) for chair in range(2)]
    promised = commitment(GAME, SEED).hex()

    def brought(chair: int) -> Contribution:
        return Contribution(
            commitment=entropy_commitment(GAME, chair, ENTROPY[chair]).hex() if sealed else None,
            entropy=ENTROPY[chair].hex() if level == ChanceLevel.OPEN else None,
            chain=chains[chair][0].hex() if level == ChanceLevel.CHAINED else None,
            echo=promised if sealed else None,
        )

    proposal = Proposal(name, {}, ["me", "open"], clock, level=level)
    first = Contribution(promised=True) if sealed else brought(0)
    evening.let(SEATED[0], lambda act: proposals.create(act, proposal, first))
    for chair, player in enumerate(SEATED):
        if sealed or chair:
            sits: dict[str, Any] = {
                "player": player,
                "chair": chair,
                "code": None,
                "keys": MasterKeys(b"k"),
                "contribution": brought(chair),
            }
            evening.let(player, partial(take_seats.join, **sits))
    for chair, player in enumerate(reveals if sealed else ()):
        evening.let(player, partial(game_start.reveal, player=player, entropy=ENTROPY[chair].hex()))
    return evening


@cache
def played(
    level: ChanceLevel = ChanceLevel.SEALED, clock: TimeControl = NO_CLOCK, most: int = 1_000
) -> tuple[Event, ...]:
    """A game played to its end, or so many moves of it."""
    evening = seated(level, clock)
    links = [link_chain(GAME, chair, bytes([0xD0 + chair]) * 32, LINKS) for chair in range(2)]
    while evening.table.known.status == RUNNING and most > 0:
        evening.move(links if level == ChanceLevel.CHAINED else None)
        most -= 1
    return tuple(evening.events)

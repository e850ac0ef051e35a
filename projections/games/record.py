"""The state of a game besides its board: seats, commitments, turn, clocks, result.

A Record is a pure fold of the game's events (`projections/games/fold.py`): it is the same live, after a restart and in
an audit.
"""

from typing import Any, Final, NamedTuple

from events.json_types import JsonObject
from projections.games.chance import ChanceLevel
from projections.games.clocks import Clocks, TimeControl

OPEN, RUNNING, FINISHED, ABORTED = "open", "running", "finished", "aborted"
FORMAT: Final = 2  # of a stored record; another one is folded anew from the events
INVITE: Final = "invite"
PLAYER, BOT = "player:", "bot:"


class Chair(NamedTuple):
    """A place at the table: its invited player, its player, and their contribution to the deal."""

    kept_for: str | None = None  # None: open to all; "invite": needs the code; "player:ID"; "bot:LEVEL"
    player: str | None = None
    bot: str | None = None  # the engine, when a bot plays
    promised: bool = False  # means to send a commitment (levels 2 and 3)
    commitment: str | None = None
    entropy: str | None = None
    link: tuple[int, str] | None = None  # the newest of its hash chain (level 3), with its number
    stand_in: str | None = None  # the bot that replaced a player after a resignation or a flag
    forfeited: int | None = None  # when the seat forfeited; decides the order of places
    key: str | None = None  # the public key for the signatures of the seat's moves
    replaced: bool = False  # a substitute plays here, without the links of the chain
    absent: bool = False  # the player never came
    program: bool = False  # the player is a program, not a bot of the service

    @property
    def awaited(self) -> bool:
        """Whether the deal waits for a commitment of this chair."""
        return self.promised and self.commitment is None

    @property
    def unrevealed(self) -> bool:
        """Whether the deal waits for the entropy of this chair."""
        return self.commitment is not None and self.entropy is None

    @property
    def engine(self) -> str | None:
        """The bot that acts here, or None for a client."""
        return self.stand_in or self.bot

    @property
    def signs(self) -> bool:
        """Whether a move made here has to carry a signature."""
        return self.key is not None and self.engine is None

    @property
    def owes_link(self) -> bool:
        """Whether a move made here has to carry the next link of the chair's hash chain (level 3)."""
        return self.link is not None and self.engine is None and not self.replaced


class Turn(NamedTuple):
    """The next decision and its seat."""

    seat: int
    decision: str


class Offer(NamedTuple):
    """A proposal of a seat, and the seats that have agreed so far."""

    what: str
    seat: int
    to: int | None
    agreed: tuple[int, ...]
    seconds: int | None = None  # the length of a pause


class GameRecord(NamedTuple):
    """The state of a game, folded from its events."""

    game: str
    rules: str
    options: JsonObject
    host: str | None
    rated: bool
    visibility: str
    level: ChanceLevel
    commitment: str | None
    seed: str | None  # chosen and declared (level 0), or revealed
    first_chair: int | None  # the start player's chair; None: drawn
    leaver: str  # for a seat whose player is gone: "forfeit" or "bot:LEVEL"
    spectator_delay: int
    tournament: str | None
    rematch_of: str | None
    imported: bool
    created: int
    chairs: tuple[Chair, ...]
    clocks: Clocks
    status: str = OPEN
    sealed: int | None = None  # the event that closed the commitments
    wait_until: int | None = None  # the deadline of the start for commitments or entropies
    order: tuple[int, ...] = ()  # the chair of each seat
    turn: Turn | None = None
    draws: int = 0
    offer: Offer | None = None
    result: JsonObject | None = None
    changed: int = 0  # the time of the newest event
    deal: str | None = None  # the deal shared with other tables
    aborted_by: str | None = None  # the player that ended it early after the deal, alone or by a proposal
    seed_chosen: bool | None = None  # level 0: the host chose the declared seed; None: not recorded
    expires: int | None = None  # when the open table is removed, as announced; None: not announced
    silent: bool = False  # who takes a seat agrees to write nothing at the table until the game ends
    pauses: bool = True  # whether clocks stop for agreed pauses and days away

    @property
    def full(self) -> bool:
        """Whether every chair has a player."""
        return all(chair.player is not None for chair in self.chairs)

    @property
    def seats(self) -> tuple[Chair, ...]:
        """The chairs in turn order; empty before the start."""
        return tuple(self.chairs[number] for number in self.order)

    def chair_at(self, seat: int) -> Chair:
        """Returns the chair of a seat."""
        return self.chairs[self.order[seat]]

    @property
    def engine(self) -> str | None:
        """The bot to act, or None."""
        return self.chair_at(self.turn.seat).engine if self.turn else None

    @property
    def is_left_to_bots(self) -> bool:
        """Whether house bots alone play on: every player has left or there never was one."""
        return all(chair.player is None or chair.engine is not None for chair in self.chairs)

    @property
    def concerns_maker_alone(self) -> bool:
        """Whether house bots have every seat, in an unrated game perhaps beside the host: the host may abort it."""
        own = None if self.rated else self.host
        return self.tournament is None and all(
            chair.bot is not None or (chair.player is not None and chair.player == own) for chair in self.chairs
        )

    @property
    def players_to_ask(self) -> set[int]:
        """The seats of people who play themselves: a pause needs their consent, not that of bots and programs."""
        return {seat for seat, chair in enumerate(self.seats) if chair.engine is None and not chair.program}

    @property
    def next_end(self) -> int | None:
        """When the next pause or days away of a seat end by themselves, or None."""
        return self.clocks.next_end if self.status == RUNNING else None

    @property
    def deadline(self) -> int | None:
        """The time of the next automatic event: a flag falls, a wait for the deal ends, or the table expires."""
        return self.clocks.deadline if self.status == RUNNING else self.wait_until or self.expires

    def chair_of(self, player: str) -> int | None:
        """Returns the chair that a player sits on."""
        return next((number for number, chair in enumerate(self.chairs) if chair.player == player), None)

    def expects(self, player: str) -> bool:
        """Returns whether a player sits at the table or has a reserved chair."""
        kept_for = PLAYER + player
        return any(player == chair.player or (not chair.player and chair.kept_for == kept_for) for chair in self.chairs)

    def seat_of(self, player: str) -> int | None:
        """Returns the seat that a player has in turn order."""
        chair = self.chair_of(player)
        return self.order.index(chair) if chair is not None and self.order else None


def document(record: GameRecord) -> list[Any]:
    """Returns the record as JSON for a snapshot, values in the order of the fields."""
    return [FORMAT, *record]


def restore(stored: list[Any]) -> GameRecord | None:
    """Returns the record of a snapshot, or None for a snapshot in another format."""
    if stored[0] != FORMAT:
        return None
    record = GameRecord(*stored[1:])
    return record._replace(
        level=ChanceLevel(record.level),
        chairs=tuple(_chair(*chair) for chair in record.chairs),
        clocks=_clocks(*record.clocks),
        order=tuple(record.order),
        turn=Turn(*record.turn) if record.turn else None,
        offer=_offer(*record.offer) if record.offer else None,
    )


def _chair(*stored: Any) -> Chair:
    chair = Chair(*stored)
    return chair._replace(link=(chair.link[0], chair.link[1]) if chair.link else None)


def _clocks(setting: Any, banks: Any, *running: Any) -> Clocks:
    clocks = Clocks(TimeControl(*setting), tuple(banks), *running)
    return clocks._replace(away=tuple(clocks.away))


def _offer(what: Any, seat: Any, to: Any, agreed: Any, *more: Any) -> Offer:
    return Offer(what, seat, to, tuple(agreed), *more)

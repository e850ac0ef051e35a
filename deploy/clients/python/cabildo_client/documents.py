"""The documents of the service as frozen dataclasses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from uuid import UUID

from cabildo_client.json_values import Json

Status = Literal["open", "running", "finished", "aborted"]


@dataclass(frozen=True, slots=True)
class PlayerName:
    """A player by id and name; no name after an erasure."""

    id: str
    name: str | None


@dataclass(frozen=True, slots=True)
class ChainLink:
    """The newest revealed link of a seat's hash chain."""

    number: int
    value: str


@dataclass(frozen=True, slots=True)
class TakenSeat:
    """A seat of a game."""

    seat: int | None  # in turn order; None before the start
    chair: int
    player: PlayerName | None
    kept_for: str
    bot: str | None
    program: bool
    stand_in: str | None
    forfeited: bool
    absent: bool
    promised: bool
    commitment: str | None
    entropy: str | None
    key: str | None
    link: ChainLink | None
    entrant: int | None
    name: str | None


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """The seat to act and its decision."""

    seat: int
    decision: str


@dataclass(frozen=True, slots=True)
class GameClock:
    """The clock of a game and the time that is left."""

    kind: str
    deadline: datetime | None
    seconds: int | None = None
    increment: int | None = None
    banks: tuple[float, ...] = ()
    running: int | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class DealState:
    """The commitments to the deal."""

    level: int
    commitment: str | None
    seed: str | None
    chosen: bool | None
    draws: int
    closed: int | None
    waits_for: str | None


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """A seat's offer, and the seats that have agreed."""

    what: str
    seat: int
    to: int | None
    agreed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FinalResult:
    """The result of a game; an aborted game has a cause alone."""

    cause: str
    points: tuple[int, ...] = ()
    tie_break: tuple[int, ...] = ()
    places: tuple[int, ...] = ()  # of each seat; 1 is best, ties share a place


@dataclass(frozen=True, slots=True)
class GameOverview:
    """A game without its board."""

    id: UUID
    game: str
    rules: str
    options: Mapping[str, Json]
    status: Status
    version: int
    head: str
    host: PlayerName | None
    rated: bool
    visibility: str
    leaver: str
    seats: tuple[TakenSeat, ...]
    turn: OpenTurn | None
    clock: GameClock
    chance: DealState
    offer: OpenOffer | None
    result: FinalResult | None
    tournament: str | None
    rematch_of: str | None
    spectator_delay: int
    imported: bool
    created: datetime
    changed: datetime
    silent: bool = False
    invites: Mapping[str, str] = field(default_factory=dict)  # of the host: codes by chair

    def seat_of(self, player: str) -> TakenSeat | None:
        """Returns the seat of a player, None without one."""
        return next((seat for seat in self.seats if seat.player is not None and seat.player.id == player), None)


@dataclass(frozen=True, slots=True)
class GameListing:
    """A game in a list."""

    id: UUID
    game: str
    status: Status


@dataclass(frozen=True, slots=True)
class PlayerNotice:
    """A notification of the player: `seat_kept`, `table_expires`, `game_started`, `your_turn`, `game_over` and more."""

    number: int
    event: str
    game: UUID | None = None  # none when a webhook was switched off
    version: int | None = None
    webhook: str | None = None
    because: str | None = None


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A legal move, in notation and in words."""

    text: str = field(metadata={"json": "move"})
    label: str = ""
    effect: str = ""


@dataclass(frozen=True, slots=True)
class MoveRefusal:
    """The reason why a move is not legal now."""

    move: str
    reason: str
    rule: str
    sentence: str


@dataclass(frozen=True, slots=True)
class NoMoves:
    """Why there are no moves: `not_your_turn`, `not_started`, `game_is_over`, `not_playing` or `not_seated`."""

    reason: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Continuation:
    """The beginning of legal moves, up to the next choice, or a whole move."""

    text: str
    complete: bool


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """Whose turn it is, and the moves of the player; of the seat to act, where the player has none in the game.

    Where `complete` is false, `moves` has some that make sense, and `slots` the parts of all others.
    """

    version: int
    seat: int | None
    decision: str | None
    viewer: int | None = None
    yours: bool = False
    none: NoMoves | None = None
    moves: tuple[LegalMove, ...] = ()
    complete: bool = True
    count: int = 0
    slots: Mapping[str, Json] | None = None
    continuations: tuple[Continuation, ...] = ()  # of the text that was asked for as the beginning of a move
    refused: tuple[MoveRefusal, ...] = ()


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """An event of a game, as the player may see it."""

    stream: UUID
    seq: int
    kind: str
    actor: str
    at: int  # microseconds since 1970, UTC
    rules: str
    prev: str
    hash: str
    data: Mapping[str, Json]
    shape: int = 1
    salt: str | None = None
    withheld: tuple[str, ...] = ()
    position: Mapping[str, Json] | None = None  # of the newest event of a stream that tells boards
    legal: LegalMoves | None = None


@dataclass(frozen=True, slots=True)
class AppendedMove:
    """The answer to a move or an offer: its event, the state after it, and the receipt."""

    event: StreamEvent
    version: int
    head: str
    status: Status
    turn: OpenTurn | None
    receipt: str | None = None

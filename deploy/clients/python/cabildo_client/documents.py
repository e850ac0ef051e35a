"""The documents of the service as frozen dataclasses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from uuid import UUID

from cabildo_client.json_values import Json, JsonObject
from cabildo_client.legal_moves import LegalMoves, OpenTurn
from cabildo_client.positions import Position, position_of

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
class BotManifest:
    """What the owner of a bot says of it, for all players."""

    author: str = ""
    source: str = ""  # where the source of the engine is
    budget: str = ""  # what a move may cost: steps, seconds, tokens
    hardware: str = ""


@dataclass(frozen=True, slots=True)
class BotDescription:
    """The engine of a bot's account, and its manifest."""

    engine: str | None
    manifest: BotManifest | None


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
    about: BotDescription | None = None  # of a bot's account, unless an administrator hid it
    away_until: datetime | None = None  # the end of the player's days away


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
class StreamEvent:
    """An event of a game, as the player may see it."""

    stream: UUID
    seq: int
    kind: str
    actor: str
    at: int  # microseconds since 1970, UTC, as they are hashed
    time: datetime  # the same time
    rules: str
    prev: str
    hash: str
    data: Mapping[str, Json]
    shape: int = 1
    salt: str | None = None
    withheld: tuple[str, ...] = ()
    document: JsonObject | None = field(default=None, metadata={"json": "position"})  # the position as it was sent
    legal: LegalMoves | None = None

    @property
    def position(self) -> Position | None:
        """The board after the newest event of a stream that tells boards; None after another event."""
        return None if self.document is None else position_of(self.document)


@dataclass(frozen=True, slots=True)
class AppendedMove:
    """The answer to a move or an offer: its event, the state after it, and the receipt."""

    event: StreamEvent
    version: int
    head: str
    status: Status
    turn: OpenTurn | None
    receipt: str | None = None

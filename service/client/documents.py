"""The documents that the client reads, as the OpenAPI document of the service describes them."""

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

from events.json_types import JsonObject


class SeatedPlayer(TypedDict):
    """A player by id and name; no name after an erasure."""

    id: str
    name: str | None


class RevealedLink(TypedDict):
    """The newest revealed link of a seat's hash chain."""

    number: int
    value: str


class ClientSeat(TypedDict):
    """A seat of a game."""

    seat: int | None  # in turn order; None before the start
    chair: int
    player: SeatedPlayer | None
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
    link: RevealedLink | None
    entrant: int | None
    name: str | None


class OpenTurn(TypedDict):
    """The seat to act and its decision."""

    seat: int
    decision: str


class ClientChance(TypedDict):
    """The commitments to the deal."""

    level: int
    commitment: str | None
    seed: str | None
    chosen: bool
    draws: int
    closed: int | None
    waits_for: str | None


class ClientGame(TypedDict):
    """A game without its board."""

    id: str
    game: str
    rules: str
    options: JsonObject
    status: str
    version: int
    head: str
    host: SeatedPlayer | None
    rated: bool
    visibility: str
    leaver: str
    seats: Sequence[ClientSeat]
    turn: OpenTurn | None
    clock: JsonObject
    chance: ClientChance
    offer: JsonObject | None
    result: JsonObject | None
    tournament: str | None
    rematch_of: str | None
    spectator_delay: int
    imported: bool
    created: str
    changed: str
    tournament_table: JsonObject | None
    record: JsonObject | None
    invites: NotRequired[Mapping[str, str]]  # of the host: by chair


class ClientEvent(TypedDict):
    """An event of a game, as the player may see it."""

    stream: str
    seq: int
    kind: str
    actor: str
    at: int
    rules: str
    prev: str
    hash: str
    data: JsonObject


class AppendedEvent(TypedDict):
    """The answer to a move or an offer: its event, the state after it, and the receipt."""

    event: ClientEvent
    version: int
    head: str
    status: str
    turn: OpenTurn | None
    receipt: str


class Notification(TypedDict):
    """A notification of the player."""

    number: int
    event: str
    game: NotRequired[str]  # left out when a webhook was switched off
    version: NotRequired[int]
    webhook: NotRequired[str]
    because: NotRequired[str]

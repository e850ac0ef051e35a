"""Creates a game from a proposal: its seats, options and level of chance."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from events.errors import CabildoError
from events.json_types import Json, JsonObject
from projections.games import chance
from projections.games.chance import ChanceLevel
from projections.games.clocks import TimeControl
from projections.games.record import BOT, INVITE, PLAYER
from projections.rules.errors import BadOptions
from projections.rules.registry import GAMES
from service.games.decisions.game_start import start_when_ready
from service.games.decisions.take_seats import NO_CONTRIBUTION, Contribution, checked_contribution, take_seat
from service.games.game_state import GameUnitOfWork
from service.games.house_bots import LEVELS
from service.players.names import is_id

ME = "me"


class PairedTable(NamedTuple):
    """A game that was opened with its status, or the error that refused it."""

    game: str | None
    status: str | None
    refused: CabildoError | None = None


class Proposal(NamedTuple):
    """A proposal for a game and its seats."""

    game: str
    options: JsonObject
    seats: Sequence[str]
    clock: TimeControl = TimeControl()
    rated: bool = False
    visibility: str = "public"
    level: ChanceLevel | None = None
    seed: str | None = None  # chosen, at level 0
    first_chair: int | None = None
    leaver: str = "bot:random"
    spectator_delay: int = 0
    tournament: str | None = None
    rematch_of: str | None = None
    at_screen: frozenset[str] = frozenset()  # players at the screen of the host, who sit down at once
    deal: UUID | None = None  # level 0: tables with the same deal share its committed seed
    silent: bool = False
    pauses: bool = True


def create(unit: GameUnitOfWork, proposal: Proposal, contribution: Contribution = NO_CONTRIBUTION) -> None:
    """Open a table; seat the host and the house bots. Raises BadOptions."""
    game = GAMES[proposal.game]
    seats = len(proposal.seats)
    if seats not in game.seats:
        raise BadOptions(
            "seats",
            "{seats} seats; the game is for {least} to {most}",
            seats=seats,
            least=game.seats[0],
            most=game.seats[-1],
        )
    options = game.read_options(proposal.options, seats)
    chairs = [_kept_for(seat, unit.actor) for seat in proposal.seats]
    _check_people(chairs)
    level = _level(proposal, contribution)
    unit.write(
        "game_created",
        game=game.name,
        options=dict(options),
        seats=seats,
        chairs=list(chairs),
        clock=proposal.clock.document(),
        rated=proposal.rated,
        level=int(level),
        **_bound(unit, level, proposal),
        tournament=proposal.tournament,
        imported=False,
        host=unit.actor,
        visibility=proposal.visibility,
        leaver=proposal.leaver,
        first_chair=_first_chair(proposal, options),
        spectator_delay=proposal.spectator_delay,
        rematch_of=proposal.rematch_of,
        **({"silent": True} if proposal.silent else {}),
        **({} if proposal.pauses else {"pauses": False}),
    )
    for number, kept_for in enumerate(chairs):
        if kept_for is not None and kept_for.startswith(BOT):
            take_seat(unit, number, kept_for, kept_for.removeprefix(BOT), NO_CONTRIBUTION)
        elif kept_for is not None and kept_for.removeprefix(PLAYER) in proposal.at_screen:
            take_seat(unit, number, kept_for.removeprefix(PLAYER), None, NO_CONTRIBUTION)
        elif kept_for == PLAYER + unit.actor:
            take_seat(unit, number, unit.actor, None, checked_contribution(unit, contribution))
    start_when_ready(unit)


def _kept_for(seat: str, host: str) -> str | None:
    """Returns a seat of a proposal as the event stores it. Raises BadOptions."""
    if seat == "open":
        return None
    if seat == ME:
        return PLAYER + host
    if seat == INVITE or (seat.startswith(BOT) and seat.removeprefix(BOT) in LEVELS):
        return seat
    if is_id(seat):
        return PLAYER + seat
    levels = ", ".join(BOT + level for level in LEVELS)
    raise BadOptions(
        "seats", "{seat!r} is none of me, open, invite, {levels} or a player's id", seat=seat, levels=levels
    )


def _check_people(chairs: Sequence[str | None]) -> None:
    people = [chair for chair in chairs if chair is not None and chair.startswith(PLAYER)]
    if len(set(people)) < len(people):
        raise BadOptions("seats", "a player cannot have two chairs")


def _level(proposal: Proposal, contribution: Contribution) -> ChanceLevel:
    """Returns the level of committed chance; by default 2 for a rated game with its host as a player, else 1."""
    if proposal.seed is not None and proposal.level not in (None, ChanceLevel.DECLARED):
        raise BadOptions("seed", "a chosen seed goes with chance level 0")
    if proposal.rated and proposal.tournament is None:  # a tournament follows its published regulations
        _check_rated(proposal)
    if proposal.seed is not None:
        return ChanceLevel.DECLARED
    if proposal.level is not None:
        return proposal.level
    return ChanceLevel.SEALED if proposal.rated and contribution.promised else ChanceLevel.OPEN


def _check_rated(proposal: Proposal) -> None:
    """Raises BadOptions for a rated game whose draws a player could know beforehand."""
    if proposal.seed is not None:
        raise BadOptions("seed", "a rated game cannot use a seed chosen by the host")
    if proposal.level == ChanceLevel.DECLARED:
        raise BadOptions("chance", "a rated game requires chance level 1 or more: at level 0 every draw is known")


def _bound(unit: GameUnitOfWork, level: ChanceLevel, proposal: Proposal) -> dict[str, Json]:
    """Returns the event fields that commit to the seed; at level 0 the seed itself, unless tables share it."""
    if (deal := proposal.deal) is not None:
        return {"commitment": chance.commitment(deal, unit.seed()).hex(), "seed": None, "deal": str(deal)}
    if level == ChanceLevel.DECLARED:
        return {"commitment": None, "seed": unit.seed().hex(), "chosen": proposal.seed is not None}
    return {"commitment": chance.commitment(unit.id, unit.seed()).hex(), "seed": None}


def _first_chair(proposal: Proposal, options: Mapping[str, Any]) -> int | None:
    if proposal.first_chair is not None:
        if proposal.first_chair >= len(proposal.seats):
            raise BadOptions("start_player", "the game has only {seats} chairs", seats=len(proposal.seats))
        return proposal.first_chair
    chosen = options.get("first_player")  # the same option has two names in the reference rules
    return 0 if options.get("start_player") == "seat_0" else chosen if isinstance(chosen, int) else None


def new_seed() -> bytes:
    """Returns a random seed for one game."""
    return secrets.token_bytes(chance.SECRET)

"""Games before their first move: create, take and leave seats, seal the deal, start."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from events.json_types import Json, JsonObject
from projections.games import chance
from projections.games.chance import ChanceLevel
from projections.games.clocks import SECOND, TimeControl
from projections.games.execute_move import set_up
from projections.games.record import BOT, INVITE, OPEN, PLAYER, Chair, GameRecord
from projections.games.seating import turn_order
from projections.rules.errors import BadOptions
from projections.rules.registry import GAMES
from service.core.errors import ChanceRefused, NoFreeChair, NotAllowed, NotOpen
from service.games import invites
from service.games.decisions.play import told, turn_of
from service.games.game_state import GameUnitOfWork
from service.games.house_bots import LEVELS
from service.players.names import is_id

REVEAL_WITHIN = 120 * SECOND
ME = "me"


class Contribution(NamedTuple):
    """A seat's contribution to the deal, as its level requires."""

    commitment: str | None = None
    entropy: str | None = None
    chain: str | None = None
    echo: str | None = None
    promised: bool = False  # the seat sends its commitment later
    key: str | None = None  # verifies the seat's moves
    program: bool = False  # the player is a program


NOTHING = Contribution()


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
    deal: UUID | None = None  # level 0: tables with the same deal share its committed seed


def create(act: GameUnitOfWork, proposal: Proposal, brought: Contribution = NOTHING) -> None:
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
    chairs = [_kept_for(seat, act.actor) for seat in proposal.seats]
    _check_people(chairs)
    level = _level(proposal, brought)
    act.write(
        "game_created",
        game=game.name,
        options=dict(options),
        seats=seats,
        chairs=list(chairs),
        clock=proposal.clock.document(),
        rated=proposal.rated,
        level=int(level),
        **_bound(act, level, proposal),
        tournament=proposal.tournament,
        imported=False,
        host=act.actor,
        visibility=proposal.visibility,
        leaver=proposal.leaver,
        first_chair=_first_chair(proposal, options),
        spectator_delay=proposal.spectator_delay,
        rematch_of=proposal.rematch_of,
    )
    for number, kept_for in enumerate(chairs):
        if kept_for is not None and kept_for.startswith(BOT):
            _sit(act, number, kept_for, kept_for.removeprefix(BOT), NOTHING)
        elif kept_for == PLAYER + act.actor:
            _sit(act, number, act.actor, None, _fitting(act, brought))
    start_when_ready(act)


def sit_down(act: GameUnitOfWork, chair: int, player: str, bot: str | None = None, *, program: bool = False) -> None:
    """Seat a player or bot without a contribution to the deal."""
    _sit(act, chair, player, bot, Contribution(program=program))


def join(
    act: GameUnitOfWork, player: str, chair: int | None, code: str | None, key: bytes, brought: Contribution
) -> None:
    """Take a seat, or bring a commitment that the deal waits for. Raises NotOpen, NoFreeChair or ChanceRefused."""
    record = act.record
    if record.status != OPEN:
        raise NotOpen(record.status)
    own = record.chair_of(player)
    if own is None:
        own = _free_chair(act.id, record, player, chair, code, key)
    elif chair not in (None, own) or not record.chairs[own].awaited or brought.commitment is None:
        raise NoFreeChair("seated", "you sit on chair {own} already", own=own)
    else:
        brought = brought._replace(key=record.chairs[own].key or brought.key)
    _sit(act, own, player, None, _fitting(act, brought))
    start_when_ready(act)


def leave(act: GameUnitOfWork, player: str) -> None:
    """Leave a seat before the commitments close. Raises NotOpen or NotAllowed."""
    record = act.record
    chair = record.chair_of(player)
    if record.status != OPEN or record.sealed is not None:
        raise NotOpen(record.status if record.status != OPEN else "about to start")
    if chair is None:
        raise NotAllowed("not_seated", "you have no seat in this game")
    act.write("seat_left", chair=chair, player=player)


def reveal(act: GameUnitOfWork, player: str, entropy: str) -> None:
    """Reveal a seat's committed entropy. Raises BrokenCommitment for a different one."""
    record = act.record
    chair = record.chair_of(player)
    if chair is None:
        raise NotAllowed("not_seated", "you have no seat in this game")
    if record.sealed is None or record.status != OPEN:
        raise ChanceRefused("not_closed", "entropies are revealed after all commitments are in, and before the start")
    if not record.chairs[chair].unrevealed:
        raise ChanceRefused("nothing_to_reveal", "this seat has nothing to reveal")
    promised = bytes.fromhex(record.chairs[chair].commitment or "")
    chance.check_entropy(act.id, chair, promised, bytes.fromhex(entropy))
    act.write("entropy_revealed", chair=chair, entropy=entropy)
    start_when_ready(act)


def stop_waiting(act: GameUnitOfWork) -> None:
    """Mark the late seats as absent, after the deadline for commitments or entropies."""
    for number, chair in enumerate(act.record.chairs):
        if chair.awaited or (act.record.sealed is not None and chair.unrevealed):
            act.write("entropy_revealed", chair=number, entropy=None)
    start_when_ready(act)


def start_when_ready(act: GameUnitOfWork) -> None:
    """Close the commitments or start the game, once the seats allow it."""
    record = act.record
    if not record.full or any(chair.awaited for chair in record.chairs):
        return
    if record.sealed is None and any(chair.unrevealed for chair in record.chairs):
        act.write("commitments_closed", reveal_by=act.at + REVEAL_WITHIN)
    elif not any(chair.unrevealed for chair in record.chairs):
        _start(act)


def _start(act: GameUnitOfWork) -> None:
    record, dealer = act.record, act.dealer()
    order, drew = turn_order(record.first_chair, len(record.chairs), dealer)
    board, deed = set_up(act.game, record.options, len(record.chairs), dealer)
    data = deed.data()
    act.replace_board(board)
    turn = turn_of(act.game, board)
    act.write("game_started", **{**data, "drew": [*drew, *deed.drew]}, order=list(order), turn=told(turn))


def _sit(act: GameUnitOfWork, chair: int, player: str, bot: str | None, brought: Contribution) -> None:
    act.write(
        "seat_taken",
        chair=chair,
        player=player,
        bot=bot,
        echo=brought.echo,
        commitment=brought.commitment,
        entropy=brought.entropy,
        chain=brought.chain,
        promised=brought.promised,
        **({} if brought.key is None else {"key": brought.key}),
        **({"program": True} if brought.program else {}),
    )


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
        raise BadOptions("seats", "nobody can sit on two chairs")


def _level(proposal: Proposal, brought: Contribution) -> ChanceLevel:
    """Returns the level of committed chance; by default 2 for a rated game with its host as a player, else 1."""
    if proposal.seed is not None and proposal.level not in (None, ChanceLevel.DECLARED):
        raise BadOptions("seed", "a chosen seed goes with chance level 0")
    if proposal.rated and proposal.tournament is None:  # a tournament follows its published regulations
        _check_rated(proposal)
    if proposal.seed is not None:
        return ChanceLevel.DECLARED
    if proposal.level is not None:
        return proposal.level
    return ChanceLevel.SEALED if proposal.rated and brought.promised else ChanceLevel.OPEN


def _check_rated(proposal: Proposal) -> None:
    """Raises BadOptions for a rated game whose draws a player could know beforehand."""
    if proposal.seed is not None:
        raise BadOptions("seed", "a rated game is not dealt from a seed that its host chose")
    if proposal.level == ChanceLevel.DECLARED:
        raise BadOptions("chance", "a rated game takes chance level 1 or more: at level 0 every draw is known")


def _bound(act: GameUnitOfWork, level: ChanceLevel, proposal: Proposal) -> dict[str, Json]:
    """Returns the event fields that commit to the seed; at level 0 the seed itself, unless tables share it."""
    if (deal := proposal.deal) is not None:
        return {"commitment": chance.commitment(deal, act.seed()).hex(), "seed": None, "deal": str(deal)}
    if level == ChanceLevel.DECLARED:
        return {"commitment": None, "seed": act.seed().hex(), "chosen": proposal.seed is not None}
    return {"commitment": chance.commitment(act.id, act.seed()).hex(), "seed": None}


def _first_chair(proposal: Proposal, options: Mapping[str, Any]) -> int | None:
    if proposal.first_chair is not None:
        if proposal.first_chair >= len(proposal.seats):
            raise BadOptions("start_player", "there is no chair {chair}", chair=proposal.first_chair)
        return proposal.first_chair
    chosen = options.get("first_player")  # the same option has two names in the reference rules
    return 0 if options.get("start_player") == "seat_0" else chosen if isinstance(chosen, int) else None


def _fitting(act: GameUnitOfWork, brought: Contribution) -> Contribution:
    """Returns the contribution of a seat if it fits the level. Raises ChanceRefused."""
    level = act.record.level
    if brought.entropy is not None and level != ChanceLevel.OPEN:
        raise ChanceRefused(
            "entropy_not_asked", "at level {level:d} entropy is not sent in clear with the seat", level=level
        )
    if (brought.commitment or brought.promised) and level < ChanceLevel.SEALED:
        raise ChanceRefused("commitment_not_asked", "at level {level:d} no commitment is asked for", level=level)
    if brought.chain is not None and level != ChanceLevel.CHAINED:
        raise ChanceRefused("chain_not_asked", "at level {level:d} no hash chain is asked for", level=level)
    if brought.commitment is not None and brought.echo is None:
        raise ChanceRefused("echo_missing", "a commitment echoes the server's commitment it answers")
    if brought.echo is not None and brought.echo != act.record.commitment:
        raise ChanceRefused("echo_differs", "the echoed commitment is not this game's")
    return brought


def _free_chair(game: UUID, record: GameRecord, player: str, wish: int | None, code: str | None, key: bytes) -> int:
    """Returns the wished, reserved or invited chair, else the first open one. Raises NoFreeChair."""
    fitting = [
        (rank, number)
        for number, chair in enumerate(record.chairs)
        if wish in (None, number) and (rank := _rank(game, number, chair, player, code, key)) is not None
    ]
    if not fitting:
        reason = "taken" if wish is None or wish < len(record.chairs) else "no_such_chair"
        raise NoFreeChair(reason, "no chair at this table is free for you")
    return min(fitting)[1]


def _rank(game: UUID, number: int, chair: Chair, player: str, code: str | None, key: bytes) -> int | None:
    """Returns the rank of a free chair for a player, best first; None for a taken or reserved one."""
    if chair.player is not None:
        return None
    if chair.kept_for == PLAYER + player:
        return 0
    if chair.kept_for == INVITE:
        return 1 if code is not None and invites.fits(code, key, game, number) else None
    return 2 if chair.kept_for is None else None


def new_seed() -> bytes:
    """Returns a random seed for one game."""
    return secrets.token_bytes(chance.SECRET)

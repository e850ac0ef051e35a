"""Seats before the first move: join and leave, with a contribution to the deal."""

from typing import NamedTuple
from uuid import UUID

from events.sealing.master_keys import MasterKeys
from projections.games.chance import ChanceLevel
from projections.games.record import INVITE, OPEN, PLAYER, Chair, GameRecord
from service.core.errors import ChanceRefused, NoFreeChair, NotAllowed, NotOpen
from service.games import invites
from service.games.decisions.game_start import start_when_ready
from service.games.game_state import GameUnitOfWork


class Contribution(NamedTuple):
    """A seat's contribution to the deal, as its level requires."""

    commitment: str | None = None
    entropy: str | None = None
    chain: str | None = None
    echo: str | None = None
    promised: bool = False  # the seat sends its commitment later
    key: str | None = None  # verifies the seat's moves
    program: bool = False  # the player is a program


NO_CONTRIBUTION = Contribution()


def sit_down(unit: GameUnitOfWork, chair: int, player: str, bot: str | None = None, *, program: bool = False) -> None:
    """Seat a player or bot without a contribution to the deal."""
    take_seat(unit, chair, player, bot, Contribution(program=program))


def join(
    unit: GameUnitOfWork, player: str, chair: int | None, code: str | None, keys: MasterKeys, contribution: Contribution
) -> None:
    """Take a seat, or bring a commitment that the deal waits for. Raises NotOpen, NoFreeChair or ChanceRefused."""
    record = unit.record
    if record.status != OPEN:
        raise NotOpen(record.status)
    own = record.chair_of(player)
    if own is None:
        own = _free_chair(unit.id, record, player, chair, code, keys)
    elif chair not in (None, own) or not record.chairs[own].awaited or contribution.commitment is None:
        raise NoFreeChair("seated", "you already have chair {own}", own=own + 1)
    else:
        contribution = contribution._replace(key=record.chairs[own].key or contribution.key)
    take_seat(unit, own, player, None, checked_contribution(unit, contribution))
    start_when_ready(unit)


def leave(unit: GameUnitOfWork, player: str) -> None:
    """Leave a seat before the commitments close. Raises NotOpen or NotAllowed."""
    record = unit.record
    chair = record.chair_of(player)
    if record.status != OPEN or record.sealed is not None:
        raise NotOpen(record.status if record.status != OPEN else "starting")
    if chair is None:
        raise NotAllowed("not_seated", "you have no seat in this game")
    unit.write("seat_left", chair=chair, player=player)


def decline(unit: GameUnitOfWork, player: str) -> None:
    """Open the seat that is kept for a player who has not taken it. Raises NotOpen or NotAllowed."""
    record = unit.record
    if record.status != OPEN:
        raise NotOpen(record.status)
    kept = [number for number, chair in enumerate(record.chairs) if chair.kept_for == PLAYER + player]
    if not kept or record.chairs[kept[0]].player is not None:
        raise NotAllowed("not_invited", "no seat of this table is kept for you")
    unit.write("seat_left", chair=kept[0], player=player)


def take_seat(unit: GameUnitOfWork, chair: int, player: str, bot: str | None, contribution: Contribution) -> None:
    unit.write(
        "seat_taken",
        chair=chair,
        player=player,
        bot=bot,
        echo=contribution.echo,
        commitment=contribution.commitment,
        entropy=contribution.entropy,
        chain=contribution.chain,
        promised=contribution.promised,
        **({} if contribution.key is None else {"key": contribution.key}),
        **({"program": True} if contribution.program else {}),
    )


def checked_contribution(unit: GameUnitOfWork, contribution: Contribution) -> Contribution:
    """Returns the contribution of a seat if it fits the level. Raises ChanceRefused."""
    level = unit.record.level
    if contribution.entropy is not None and level != ChanceLevel.OPEN:
        raise ChanceRefused(
            "entropy_not_asked", "at level {level:d} entropy is not sent in clear with the seat", level=level
        )
    if (contribution.commitment or contribution.promised) and level < ChanceLevel.SEALED:
        raise ChanceRefused("commitment_not_asked", "at level {level:d} no commitment is asked for", level=level)
    if contribution.chain is not None and level != ChanceLevel.CHAINED:
        raise ChanceRefused("chain_not_asked", "at level {level:d} no hash chain is asked for", level=level)
    if contribution.commitment is not None and contribution.echo is None:
        raise ChanceRefused("echo_missing", "a commitment echoes the server's commitment it answers")
    if contribution.echo is not None and contribution.echo != unit.record.commitment:
        raise ChanceRefused("echo_differs", "the echoed commitment is not this game's")
    return contribution


def _free_chair(
    game: UUID, record: GameRecord, player: str, wanted: int | None, code: str | None, keys: MasterKeys
) -> int:
    """Returns the wished, reserved or invited chair, else the first open one. Raises NoFreeChair."""
    fitting = [
        (rank, number)
        for number, chair in enumerate(record.chairs)
        if wanted in (None, number) and (rank := _rank(game, number, chair, player, code, keys)) is not None
    ]
    if not fitting:
        reason = "taken" if wanted is None or wanted < len(record.chairs) else "no_such_chair"
        raise NoFreeChair(reason, "no chair of this game is free for you")
    return min(fitting)[1]


def _rank(game: UUID, number: int, chair: Chair, player: str, code: str | None, keys: MasterKeys) -> int | None:
    """Returns the rank of a free chair for a player, best first; None for a taken or reserved one."""
    if chair.player is not None:
        return None
    if chair.kept_for == PLAYER + player:
        return 0
    if chair.kept_for == INVITE:
        return 1 if code is not None and invites.fits(code, keys, game, number) else None
    return 2 if chair.kept_for is None else None

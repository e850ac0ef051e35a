"""Commands before a game starts: create it, take, leave and reveal for seats, propose a rematch."""

from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID

from events.event import new_stream
from events.sealing.master_keys import MasterKeys
from projections.games.record import INVITE
from projections.rules.errors import BadOptions
from service.container import Container
from service.core.command_handler import Answer, CommandOutcome, ExpectedVersion, Request, check_expected
from service.core.errors import NotAllowed, NotSealed, NotThere, RematchProposed, SignatureRefused
from service.games import access, invites
from service.games.command_handler import GameOutcome
from service.games.decisions import game_start, proposals, rematch, take_seats
from service.games.decisions.proposals import Proposal
from service.games.decisions.take_seats import Contribution
from service.games.game_state import GameState, GameUnitOfWork
from service.games.summary import stored_summary, with_invitation_codes
from service.players.names import is_id
from service.players.people_at_screen import HERE, is_at_screen, seat_people
from service.players.queries import get_player, is_guest, names_of


class CreateGame(NamedTuple):
    """Open a table; it starts at once when no seat waits for a player."""

    proposal: Proposal
    seed: bytes
    contribution: Contribution = take_seats.NO_CONTRIBUTION
    signer: UUID | None = None  # the player whose registered key will verify the moves


class JoinGame(NamedTuple):
    """Take a seat, or bring the commitment that the player's seat still owes."""

    game: UUID
    chair: int | None
    invite: str | None
    contribution: Contribution
    signer: UUID | None = None


class RevealEntropy(NamedTuple):
    """Reveal the entropy that the player's seat has committed to."""

    game: UUID
    entropy: str


class LeaveGame(NamedTuple):
    """Leave the player's seat before the game starts."""

    game: UUID


class DeclineSeat(NamedTuple):
    """Decline the seat that is kept for the player, which opens it."""

    game: UUID


class ProposeRematch(NamedTuple):
    """Open the same table for the same players again, or join an open rematch."""

    game: UUID
    contribution: Contribution


def create_game(here: Container, command: CreateGame, request: Request) -> GameOutcome:
    """Open a table. Returns its summary as the answer."""

    def decide(unit: GameUnitOfWork) -> Answer:
        unit.bring_seed(command.seed)
        proposal = _with_people_at_screen(here, command.proposal, request.actor)
        _check_players_exist(here, proposal)
        _refuse_guests(here, request.actor, rated=proposal.rated)
        _check_kept_seats(here, proposal, request.actor)
        proposals.create(unit, proposal, _with_key(here, command.contribution, command.signer))
        return stored_summary(here, unit.now, request.actor, request.language)

    return _with_codes(here, here.game_commands.create(new_stream(here.now()), request, decide))


def join_game(here: Container, command: JoinGame, request: Request) -> GameOutcome:
    """Take a seat. Returns the summary of the game as the answer."""
    keys = here.settings.master_keys

    def decide(unit: GameUnitOfWork) -> None:
        if not _is_invited(unit.now, command.invite, keys):
            access.see(here.deals, unit.now, request.actor)
        _refuse_guests(here, request.actor, rated=unit.record.rated)
        contribution = _with_key(here, command.contribution, command.signer)
        take_seats.join(unit, request.actor, command.chair, command.invite, keys, contribution)

    return _execute(here, command.game, request, decide)


def reveal_entropy(here: Container, command: RevealEntropy, request: Request) -> GameOutcome:
    """Reveal entropy once all commitments are in the public log. Returns the summary of the game as the answer."""

    def decide(unit: GameUnitOfWork) -> None:
        access.see(here.deals, unit.now, request.actor)
        closed = unit.record.sealed
        if closed is not None and not here.games.is_sealed(unit.id, closed):
            raise NotSealed(closed)
        game_start.reveal(unit, request.actor, command.entropy)

    return _execute(here, command.game, request, decide)


def leave_game(here: Container, command: LeaveGame, request: Request) -> GameOutcome:
    """Leave a table. Returns the summary of the game as the answer."""

    def decide(unit: GameUnitOfWork) -> None:
        access.see(here.deals, unit.now, request.actor)
        take_seats.leave(unit, request.actor)

    return _execute(here, command.game, request, decide)


def decline_seat(here: Container, command: DeclineSeat, request: Request) -> GameOutcome:
    """Decline a kept seat. Returns the summary of the game as the answer."""

    def decide(unit: GameUnitOfWork) -> Answer:
        access.see(here.deals, unit.now, request.actor)
        take_seats.decline(unit, request.actor)
        return stored_summary(here, unit.now, request.actor, request.language)

    return _with_codes(here, here.game_commands.execute(command.game, request, decide))


def propose_rematch(here: Container, command: ProposeRematch, request: Request) -> GameOutcome:
    """Open the rematch of a game, or join an open one. Returns its summary as the answer."""

    def run() -> GameOutcome:
        table = here.games.load(command.game)
        access.see(here.deals, table, request.actor)
        proposal = rematch.proposal(table, request.actor)  # first: only the game's players learn its newest version
        check_expected(table, request.expected)
        on_new_game = request._replace(expected=ExpectedVersion())
        try:
            return _join_rematch(here, command, on_new_game) or _open_rematch(here, proposal, command, on_new_game)
        except RematchProposed:  # another player opened it meanwhile
            joined = _join_rematch(here, command, on_new_game)
            if joined is None:
                raise
            return joined

    return _with_codes(here, here.game_commands.once(request, run))


def _open_rematch(here: Container, proposal: Proposal, command: ProposeRematch, request: Request) -> GameOutcome:
    seed = proposals.new_seed()

    def decide(unit: GameUnitOfWork) -> Answer:
        unit.bring_seed(seed)
        proposals.create(unit, proposal, command.contribution)
        return stored_summary(here, unit.now, request.actor, request.language)

    return here.game_commands.create(new_stream(here.now()), request, decide)


def _join_rematch(here: Container, command: ProposeRematch, request: Request) -> GameOutcome | None:
    with here.stores.pool.connection() as connection:
        again = rematch.existing(connection, command.game)
    if again is None:
        return None
    table = here.games.load(again)
    if table.known.chair_of(request.actor) is not None:
        return CommandOutcome(stored_summary(here, table, request.actor, request.language), table, written=False)

    keys = here.settings.master_keys

    def decide(unit: GameUnitOfWork) -> None:
        take_seats.join(unit, request.actor, None, None, keys, command.contribution)

    return _execute(here, again, request, decide)


def _execute(here: Container, game: UUID, request: Request, decide: Callable[[GameUnitOfWork], None]) -> GameOutcome:
    """Execute a command on a game. Returns the summary of the game as the answer."""

    def decide_and_answer(unit: GameUnitOfWork) -> Answer:
        decide(unit)
        return stored_summary(here, unit.now, request.actor, request.language)

    return _with_codes(here, here.game_commands.execute(game, request, decide_and_answer))


def _with_codes(here: Container, outcome: GameOutcome) -> GameOutcome:
    """Returns the outcome with the host's invitation codes, which the stored answer does not hold."""
    return outcome._replace(answer=with_invitation_codes(here, outcome.answer))


def _is_invited(table: GameState, code: str | None, keys: MasterKeys) -> bool:
    """Returns whether a code belongs to a chair kept for an invited player, taken or not."""
    kept = [number for number, chair in enumerate(table.known.chairs) if chair.kept_for == INVITE]
    return code is not None and any(invites.fits(code, keys, table.id, number) for number in kept)


def _with_key(here: Container, contribution: Contribution, signer: UUID | None) -> Contribution:
    """Returns a contribution with the player's registered signing key. Raises SignatureRefused."""
    if signer is None:
        return contribution
    with here.stores.pool.connection() as connection:
        key = get_player(connection, signer).key
    if key is None:
        raise SignatureRefused("no_key", "register a key before you take a seat that signs")
    return contribution._replace(key=key.hex())


def _check_players_exist(here: Container, proposal: Proposal) -> None:
    """Raises NotThere for a player's id that no account has."""
    asked = [seat for seat in proposal.seats if is_id(seat)]
    with here.stores.pool.connection() as connection:
        known = names_of(connection, asked)
    for id in asked:
        if id not in known:
            raise NotThere("player", id)


def _refuse_guests(here: Container, player: str, *, rated: bool) -> None:
    """Raises NotAllowed for a guest or a person at a screen at a rated table."""
    if not rated or not is_id(player):
        return
    with here.stores.pool.connection() as connection:
        if is_guest(connection, UUID(player)):
            raise NotAllowed("guest_unrated", "guests play unrated games; keep the account to play rated ones")
        if is_at_screen(connection, UUID(player)):
            raise NotAllowed("at_screen_unrated", "a game with several people at one screen is not rated")


def _check_kept_seats(here: Container, proposal: Proposal, host: str) -> None:
    """Raises NotAllowed for seats that a guest, or a person at a screen, keeps for others: each tells its player."""
    if not any(is_id(seat) for seat in proposal.seats if seat != host and seat not in proposal.at_screen):
        return
    with here.stores.pool.connection() as connection:
        if is_guest(connection, UUID(host)) or is_at_screen(connection, UUID(host)):
            raise NotAllowed("guest_invites", "guests keep no seats for other players; send them the link of the table")


def _with_people_at_screen(here: Container, proposal: Proposal, host: str) -> Proposal:
    """Returns a proposal with the ids of the people at the screen of its host. Raises BadOptions for a rated game."""
    if not any(seat.startswith(HERE) for seat in proposal.seats):
        return proposal
    if proposal.rated:
        raise BadOptions("rated", "a game with several people at one screen is not rated")
    with here.stores.pool.connection() as connection, connection.transaction():
        seats = seat_people(connection, here.now(), UUID(host), proposal.seats)
    at_screen = {id for id, seat in zip(seats, proposal.seats, strict=True) if seat.startswith(HERE)}
    return proposal._replace(seats=seats, at_screen=frozenset(at_screen))

"""Opens many games under the same terms; each table has an answer of its own."""

import hashlib
from collections.abc import Sequence
from uuid import UUID

from events.errors import CabildoError
from events.store.protocol import IdempotencyKey, request_key
from projections.games.chance import ChanceLevel
from service.container import Container
from service.core.command_handler import Request
from service.games.commands.seats import CreateGame, JoinGame, create_game, join_game
from service.games.decisions.proposals import PairedTable, Proposal, new_seed
from service.games.decisions.take_seats import Contribution
from service.players.queries import bots_of


def open_pairings(here: Container, proposals: Sequence[Proposal], client: UUID, request: Request) -> list[PairedTable]:
    """Opens a game for each proposal and seats the client's own bots; a refused table hinders no other."""
    with here.stores.pool.connection() as connection:
        own_bots = {str(bot.id) for bot in bots_of(connection, client)}
    return [
        _opened(here, proposal, own_bots, request._replace(key=_key_of_table(request.key, number)))
        for number, proposal in enumerate(proposals)
    ]


def _opened(here: Container, proposal: Proposal, own_bots: set[str], request: Request) -> PairedTable:
    """Opens a table. Bots commit to chance themselves: where their seats have to, they stay kept for them."""
    try:
        table = create_game(here, CreateGame(proposal, new_seed()), request).answer
        status = str(table["status"])
        if proposal.level in (None, ChanceLevel.DECLARED, ChanceLevel.OPEN):
            for bot in [seat for seat in proposal.seats if seat in own_bots]:
                status = _seat(here, UUID(str(table["id"])), bot, request)
    except CabildoError as refused:
        return PairedTable(None, None, refused)
    return PairedTable(str(table["id"]), status)


def _seat(here: Container, game: UUID, bot: str, request: Request) -> str:
    """Takes the seat that is kept for a bot; one that has it already keeps it. Returns the status of the game."""
    state = here.games.load(game)
    if state.known.chair_of(bot) is not None:
        return state.known.status
    command = JoinGame(game, None, None, Contribution(program=True))
    return str(join_game(here, command, Request(bot, language=request.language)).answer["status"])


def _key_of_table(key: IdempotencyKey | None, number: int) -> IdempotencyKey | None:
    """Returns the key of one table of a request, so that a repetition opens none twice."""
    if key is None:
        return None
    name = hashlib.sha256(f"{key.name}/{number}".encode()).hexdigest()
    return request_key(key.scope, f"pairing {name}", key.request + bytes([number]))

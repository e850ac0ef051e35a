"""Tables: create a game, take a seat, bring what the deal asks for, leave."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from events.event import new_stream
from events.store.postgres import Statement
from projections.games.chance import ChanceLevel
from projections.games.clocks import read_setting
from projections.games.record import INVITE
from service.core.command_handler import Command, ExpectedVersion, check_seen
from service.core.errors import NotSealed, NotThere, RematchProposed, SignatureRefused
from service.games import access, documents, invites, lifecycle, rematch
from service.games.game_state import GameState, UnitOfWork
from service.games.lifecycle import Contribution, Proposal
from service.games.schemas import lifecycle as schemas
from service.games.written_records import with_names, written
from service.players import accounts
from service.players.credentials import Identity
from service.tournaments import at_table as at_tables
from service.tournaments.at_table import at_table, with_entrants
from service.web.idempotency import idempotency_key
from service.web.routing import Routes, container

routes = Routes("tables", "Creating games, taking and leaving seats")


@routes.on(
    "POST",
    "/v1/games",
    body=schemas.NewGame,
    answers=schemas.GameDocument,
    status=201,
    scope="play",
    keyed=True,
    refuses=(409,),
)
def create(body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Create a game; it starts at once when nobody is waited for."""
    seed = bytes.fromhex(body["seed"]) if "seed" in body else lifecycle.new_seed()
    proposal = _proposal(body)

    def decide(act: UnitOfWork) -> None:
        _know_players(proposal)
        lifecycle.create(act, proposal, _contribution(body, asker))

    return container().clerk.open(new_stream(container().now()), seed, _wish(asker, decide))


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/seats",
    body=schemas.Join,
    answers=schemas.GameDocument,
    status=201,
    scope="play",
    keyed=True,
    refuses=(404, 409),
)
def join(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Take a seat; also how the own seat brings the commitment it still owes."""
    secret = bytes(container().settings.master_key)

    def decide(act: UnitOfWork) -> None:
        if not _invited(act.now, body["invite"], secret):
            access.see(container().deals, act.now, asker.id)
        lifecycle.join(act, asker.id, body["chair"], body["invite"], secret, _contribution(body, asker))

    return container().clerk.do(game, _wish(asker, decide))


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/entropy",
    body=schemas.Reveal,
    answers=schemas.GameDocument,
    status=201,
    scope="play",
    keyed=True,
    refuses=(404, 409),
)
def reveal(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Reveal the entropy that the own seat has committed to, once all commitments are in."""

    def decide(act: UnitOfWork) -> None:
        access.see(container().deals, act.now, asker.id)
        closed = act.record.sealed
        if closed is not None and not container().shelf.is_sealed(game, closed):
            raise NotSealed(closed)
        lifecycle.reveal(act, asker.id, body["entropy"])

    return container().clerk.do(game, _wish(asker, decide))


@routes.on("DELETE", "/v1/games/<uuid:game>/seats/mine", answers=schemas.GameDocument, scope="play", refuses=(404, 409))
def leave(game: UUID, asker: Identity) -> dict[str, Any]:
    """Get up before the game starts."""

    def decide(act: UnitOfWork) -> None:
        access.see(container().deals, act.now, asker.id)
        lifecycle.leave(act, asker.id)

    return container().clerk.do(game, _wish(asker, decide))


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/rematch",
    body=schemas.Rematch,
    answers=schemas.GameDocument,
    status=201,
    scope="play",
    keyed=True,
    refuses=(404, 409),
)
def play_again(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Propose the same game again to the same people, or sit down where somebody else has proposed it."""
    idempotency_key(asker)  # refuses an unfit one also where nothing is left to be written
    table = container().clerk.look(game)
    access.see(container().deals, table, asker.id)
    proposal = rematch.proposal(table, asker.id)  # first: nobody who did not play learns the newest version
    check_seen(table, ExpectedVersion(body["expected"]))
    brought = Contribution(promised=body["commits"], program=asker.bot)
    try:
        return _join_rematch(game, asker, brought) or _open_rematch(proposal, asker, brought)
    except RematchProposed:  # somebody else was faster
        joined = _join_rematch(game, asker, brought)
        if joined is None:
            raise
        return joined


def _open_rematch(proposal: Proposal, asker: Identity, brought: Contribution) -> dict[str, Any]:
    wish = _wish(asker, lambda act: lifecycle.create(act, proposal, brought))
    return container().clerk.open(new_stream(container().now()), lifecycle.new_seed(), wish)


def _join_rematch(game: UUID, asker: Identity, brought: Contribution) -> dict[str, Any] | None:
    with container().stores.pool.connection() as connection:
        again = rematch.existing(connection, game)
    if again is None:
        return None
    table = container().clerk.look(again)
    if table.known.chair_of(asker.id) is not None:
        return summary(table, asker)
    return container().clerk.do(
        again, _wish(asker, lambda act: lifecycle.join(act, asker.id, None, None, b"", brought))
    )


def summary(table: GameState, asker: Identity | None, beside: Sequence[Statement] = ()) -> dict[str, Any]:
    """A game as somebody may know it; the host also learns the codes of invitations.

    `beside` is what is still to be stored of a record.
    """
    with container().stores.pool.connection() as connection:
        names = accounts.names_of(connection, documents.people(table.known))
        found = at_table(container().desk, table.known.tournament, table.id)
        event = None if found is None else at_tables.document(connection, found)
        record = written(connection, table.id, beside) if table.known.imported else None
    document = documents.summary(table, names) | {"tournament_table": event, "record": record}
    document["seats"] = with_names(with_entrants(document["seats"], found), record)
    if asker is not None and asker.id == table.known.host:
        document["invites"] = _codes(table)
    return document


def _wish(asker: Identity, decide: Callable[[UnitOfWork], None]) -> Command:
    return Command(asker.id, decide, lambda act: summary(act.now, asker), idempotency_key(asker))


def _invited(table: GameState, code: str | None, secret: bytes) -> bool:
    """Whether somebody has the code of a chair, whoever sits on it by now."""
    kept = [number for number, chair in enumerate(table.known.chairs) if chair.kept_for == INVITE]
    return code is not None and any(invites.fits(code, secret, table.id, number) for number in kept)


def _codes(table: GameState) -> dict[str, str]:
    secret = bytes(container().settings.master_key)
    kept = [number for number, chair in enumerate(table.known.chairs) if chair.kept_for == INVITE and not chair.player]
    return {str(number): invites.code(secret, table.id, number) for number in kept}


def _proposal(body: dict[str, Any]) -> Proposal:
    return Proposal(
        game=body["game"],
        options=body["options"],
        seats=body["seats"],
        clock=read_setting(body["clock"]),
        rated=body["rated"],
        visibility=body["visibility"],
        level=None if body["chance"] is None else ChanceLevel(body["chance"]),
        seed=body.get("seed"),
        first_chair=body["start_player"],
        leaver=body["leaver"],
        spectator_delay=body["spectator_delay"],
    )


def _contribution(body: dict[str, Any], asker: Identity) -> Contribution:
    key = _key_of(asker) if body["signs"] else None
    return Contribution(
        body.get("commitment"),
        body.get("entropy"),
        body.get("chain"),
        body.get("echo"),
        body["commits"],
        key,
        asker.bot,
    )


def _key_of(asker: Identity) -> str:
    """The key that the asker has registered; refuses with SignatureRefused."""
    with container().stores.pool.connection() as connection:
        key = accounts.player(connection, asker.player).key
    if key is None:
        raise SignatureRefused("no_key", "register a key before you take a seat that signs")
    return key.hex()


def _know_players(proposal: Proposal) -> None:
    """Refuse with NotThere a player's id that nobody has."""
    asked = [seat for seat in proposal.seats if accounts.is_id(seat)]
    with container().stores.pool.connection() as connection:
        known = accounts.names_of(connection, asked)
    for id in asked:
        if id not in known:
            raise NotThere("player", id)

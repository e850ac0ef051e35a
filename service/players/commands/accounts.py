"""Creates and changes accounts; a name can be changed and erased, since events hold only ids."""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypedDict
from uuid import UUID

from psycopg import Connection, Cursor, errors
from psycopg.types.json import Jsonb

from events.event import new_stream
from events.messages import Message
from projections.games.signed_moves import check_signature, key_statement
from service.container import Container
from service.core.announce import LISTS_CHANGED
from service.core.errors import InvalidRequest, NameTaken, NotAllowed, NotThere
from service.core.quotas import BOTS, TOKENS
from service.live.access import RIGHTS_ENDED
from service.moderation.record import record_acts
from service.players.bot_descriptions import NO_BOT, AboutBot
from service.players.commands.confirmation import check_confirmed, lock_confirmed
from service.players.commands.tokens import FIRST_LABEL, origin_of, rights_to_end, rights_to_pass_on, store_token
from service.players.email.storage import drop_waiting
from service.players.identity import Identity, lock_account, lock_credential, refuse_program
from service.players.lookalikes import SET_LOOKS, claim_name, looks_of, refuse_service_name
from service.players.names import normalize_name
from service.players.people_at_screen import rename_host
from service.players.queries import Player, get_player
from service.players.recovery_codes import void_codes
from service.players.reserved_names import is_reserved

INSERT: Final = """
INSERT INTO players (id, name, folded, password, bot, owner, engine, created, looks, manifest, guest)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
RENAME: Final = "UPDATE players SET name = %s, folded = %s WHERE id = %s AND forgotten IS NULL"
SET_LOGIN: Final = "UPDATE players SET password = %s WHERE id = %s AND forgotten IS NULL"
SET_ENGINE: Final = "UPDATE players SET engine = %s WHERE id = %s AND bot AND forgotten IS NULL"
SET_MANIFEST: Final = "UPDATE players SET manifest = %s WHERE id = %s AND bot AND forgotten IS NULL"
SET_KEY: Final = "UPDATE players SET key = %s WHERE id = %s AND forgotten IS NULL"
FIELDS_OF_BOTS: Final = ("engine", "manifest")
DELETE_OTHER_SESSIONS: Final = "DELETE FROM sessions WHERE player = %s AND id IS DISTINCT FROM %s"
DELETE_OTHER_TOKENS: Final = "DELETE FROM tokens WHERE player = %s AND id IS DISTINCT FROM %s"


class CreatePlayer(NamedTuple):
    """Creates a player with a first token."""

    name: str
    password: str | None = None
    address: str | None = None  # of the client


class CreateBot(NamedTuple):
    """Creates a bot of a player, with a first token."""

    owner: Identity
    name: str
    engine: str
    manifest: Mapping[str, str] | None = None


class AccountChanges(TypedDict, total=False):
    """The fields of an account to change; without a password, only tokens authenticate."""

    name: str
    password: str | None
    revoke_tokens: bool  # with a new password
    engine: str
    manifest: Mapping[str, str] | None


class ChangeAccount(NamedTuple):
    """Changes the name or password of the client, or the engine and manifest of a bot."""

    client: Identity
    changes: AccountChanges


class RegisterKey(NamedTuple):
    """Registers the key that a player signs moves with."""

    client: Identity
    key: bytes
    proof: bytes  # that the player owns the key


class RemoveKey(NamedTuple):
    """Removes the key of a player; seats taken with it keep it."""

    client: Identity


def create_player(here: Container, command: CreatePlayer) -> tuple[Player, str]:
    """Creates a player; returns it and the secret of its token. Raises BadName, NameReserved,
    NameConfusable, NameTaken, TooManyAttempts or ServiceBusy.
    """
    at, hashed = here.now(), hash_for_registration(here, command.name, command.password, command.address)
    with here.stores.pool.connection() as connection, connection.transaction():
        player = store_player(connection, at, command.name, hashed)
        return player, store_token(connection, at, player.id, FIRST_LABEL)[1]


def create_bot(here: Container, command: CreateBot) -> tuple[Player, str]:
    """Creates a bot; returns it and the secret of its token, with no more scopes and time than the client's.

    Raises BadName, NameTaken, or NotAllowed for a bot.
    """
    if command.owner.bot:
        raise NotAllowed("bots_own_nothing", "a bot cannot own bots")
    refuse_service_name(command.name)
    at = here.now()
    with here.stores.pool.connection() as connection, here.quotas.refusals(), connection.transaction():
        lock_credential(connection, command.owner)
        bot = store_player(
            connection, at, command.name, owner=command.owner.player, about=AboutBot(command.engine, command.manifest)
        )
        rights, origin = rights_to_pass_on(command.owner), origin_of(command.owner)
        secret = store_token(connection, at, bot.id, FIRST_LABEL, *rights, origin)[1]
        connection.execute(*here.quotas.check(bot.id, BOTS, TOKENS))
        return bot, secret


def change_account(here: Container, command: ChangeAccount) -> Player:
    """Applies all changes or none; a new password ends the other sessions, and tokens only when asked to.

    Raises BadName, NameTaken or NotThere, for a password ConfirmationRequired, for the name NotAllowed to a program.
    """
    id, changes = command.client.player, command.changes
    if not command.client.bot:
        _refuse_fields_of_bots(changes)
    if "name" in changes:
        refuse_program(command.client)
        refuse_service_name(changes["name"])
    if "password" in changes:
        with here.stores.pool.connection() as connection:
            check_confirmed(connection, here.now(), command.client)
    hashed = here.passwords.hash(changes.get("password"))
    with here.stores.pool.connection() as connection, connection.transaction():
        lock_account(connection, id)  # before the names, as whoever gives out tokens
        if "password" in changes:  # again: a reset may have ended the session while the password was hashed
            lock_confirmed(connection, here.now(), command.client)
        if "name" in changes:
            rename_player(connection, here.now(), id, changes["name"])
        if "password" in changes:
            _check_found(connection.execute(SET_LOGIN, (hashed, id)), id)
        _describe_bot(connection, id, changes)
        if "password" in changes:
            _end_access(connection, here.now(), command)
        changed = get_player(connection, id)
    if "password" in changes:
        here.authenticator.forget()
        here.announcer.announce(RIGHTS_ENDED)
    if "name" in changes:
        here.announcer.announce(LISTS_CHANGED)
    return changed


def _describe_bot(connection: Connection, id: UUID, changes: AccountChanges) -> None:
    if "engine" in changes:
        _check_found(connection.execute(SET_ENGINE, (changes["engine"], id)), id)
    if "manifest" in changes:
        _check_found(connection.execute(SET_MANIFEST, (_json(changes["manifest"]), id)), id)


def _refuse_fields_of_bots(changes: AccountChanges) -> None:
    """Raises InvalidRequest for fields that the account of a person does not have."""
    faults = {name: [Message("only a bot's account has this field")] for name in FIELDS_OF_BOTS if name in changes}
    if faults:
        raise InvalidRequest({"json": faults})


def _end_access(connection: Connection, at: int, command: ChangeAccount) -> None:
    """Ends the other sessions, without a password all, and what another holder of the old password may have begun.

    Tokens and the own set of recovery codes stay, unless the client revokes them.
    """
    id, changes = command.client.player, command.changes
    kept = None if changes.get("password") is None else command.client.session
    connection.execute(DELETE_OTHER_SESSIONS, (id, kept))
    drop_waiting(connection, id)
    void_codes(connection, id, own=bool(changes.get("revoke_tokens")))
    if changes.get("revoke_tokens"):
        ended = rights_to_end(connection, command.client.id, [id], command.client.token)
        connection.execute(DELETE_OTHER_TOKENS, (id, command.client.token))
        record_acts(connection, at, ended)


def register_key(here: Container, command: RegisterKey) -> Player:
    """Registers a key; seats taken with an earlier key keep it.

    Raises NotAllowed for a program, BadKey, or FalseSignature for a wrong proof.
    """
    refuse_program(command.client)
    player = command.client.player
    check_signature(command.key, key_statement(str(player)), command.proof)
    with here.stores.pool.connection() as connection, connection.transaction():
        _check_found(connection.execute(SET_KEY, (command.key, player)), player)
        return get_player(connection, player)


def remove_key(here: Container, command: RemoveKey) -> None:
    """Removes a key; raises NotAllowed for a program, or NotThere."""
    refuse_program(command.client)
    player = command.client.player
    with here.stores.pool.connection() as connection:
        _check_found(connection.execute(SET_KEY, (None, player)), player)


def hash_for_registration(here: Container, name: str, password: str | None, address: str | None) -> str | None:
    """Returns the hash of a new player's password. Raises BadName, NameReserved, TooManyAttempts or ServiceBusy.

    A registration without an address is the operator's own.
    """
    refuse_service_name(name)
    if address is not None:
        here.delays.begin_registration(address)
    return here.passwords.hash(password)


def store_player(
    connection: Connection,
    at: int,
    name: str,
    hashed: str | None = None,
    *,
    owner: UUID | None = None,
    about: AboutBot = NO_BOT,
    guest: bool = False,
) -> Player:
    """Stores a new player with the hash of a password; with an owner, a bot.

    Raises BadName, NameConfusable or NameTaken.
    """
    displayed, folded = normalize_name(name)
    player = Player(new_stream(at), displayed, owner is not None, owner, about.engine, at, manifest=about.manifest)
    if is_reserved(connection, at, folded):
        raise NameTaken(displayed)
    claim_name(connection, player.id, displayed)
    about_bot = (owner, about.engine, at, looks_of(displayed), _json(about.manifest))
    row = (player.id, displayed, folded, hashed, player.bot, *about_bot, guest)
    try:
        connection.execute(INSERT, row)
    except errors.UniqueViolation as taken:
        raise NameTaken(displayed) from taken
    return player


def rename_player(connection: Connection, at: int, id: UUID, name: str) -> None:
    """Renames a player; raises BadName, NameTaken, NameConfusable or NotThere."""
    displayed, folded = normalize_name(name)
    if is_reserved(connection, at, folded):
        raise NameTaken(displayed)
    claim_name(connection, id, displayed)
    old = get_player(connection, id).name
    try:
        _check_found(connection.execute(RENAME, (displayed, folded, id)), id)
        connection.execute(SET_LOOKS, (looks_of(displayed), id))
        if old is not None:
            rename_host(connection, id, old, displayed)
    except errors.UniqueViolation as taken:
        raise NameTaken(displayed) from taken


def _json(manifest: Mapping[str, str] | None) -> Jsonb | None:
    return None if manifest is None else Jsonb(dict(manifest))


def _check_found(changed: Cursor, id: UUID) -> None:
    if changed.rowcount == 0:
        raise NotThere("player", id)

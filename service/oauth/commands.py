"""Commands of programs and of the players who allow them; `COMMANDS` lists them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from events.event import new_stream
from events.messages import Message
from service.container import Container
from service.core.errors import InvalidRequest, NotThere
from service.core.quotas import PROGRAMS
from service.live.access import RIGHTS_ENDED
from service.oauth import device_logins
from service.oauth.device_logins import DeviceLogin
from service.oauth.programs import Program
from service.oauth.redirects import is_allowed
from service.players.commands.confirmation import lock_confirmed, session_of
from service.players.identity import Identity
from service.players.lookalikes import refuse_service_name
from service.players.names import normalize_name

INSERT: Final = "INSERT INTO programs (id, maker, name, site, redirects, created) VALUES (%s, %s, %s, %s, %s, %s)"
REMOVE: Final = "DELETE FROM programs WHERE id = %s AND maker = %s"
REVOKE: Final = "DELETE FROM tokens WHERE program = %s AND player = %s AND parent IS NULL"
VOID_CODES: Final = "DELETE FROM program_codes WHERE program = %s AND player = %s"
VOID_LOGINS: Final = "DELETE FROM device_logins WHERE program = %s AND player = %s"


class RegisterProgram(NamedTuple):
    """Registers a program that may ask players for tokens."""

    client: Identity
    name: str
    redirects: Sequence[str] = ()
    site: str | None = None


class RemoveProgram(NamedTuple):
    """Removes a program of the client; all tokens that it holds end."""

    client: Identity
    program: str


class RevokeProgram(NamedTuple):
    """Revokes all tokens that a program holds of the client."""

    client: Identity
    program: str


class AnswerDeviceLogin(NamedTuple):
    """Allows or refuses the login of a program without a browser."""

    client: Identity
    user_code: str
    allowed: bool


def register_program(here: Container, command: RegisterProgram) -> Program:
    """Registers a program. Raises NotAllowed for a token, BadName, NameReserved, InvalidRequest or QuotaReached."""
    session_of(command.client)
    refuse_service_name(command.name)
    wrong = [address for address in command.redirects if not is_allowed(address)]
    if wrong or len(set(command.redirects)) < len(command.redirects):
        fault = Message("takes different https:// addresses, http:// of this machine alone, or the scheme of an app")
        raise InvalidRequest({"json": {"redirects": [fault]}})
    at, name, player = here.now(), normalize_name(command.name)[0], command.client.player
    program = Program(str(new_stream(at)), player, None, name, command.site, list(command.redirects), at)
    with here.stores.pool.connection() as connection, here.quotas.refusals(), connection.transaction():
        connection.execute(INSERT, (program.id, player, name, program.site, program.redirects, at))
        connection.execute(*here.quotas.check(player, PROGRAMS))
    return program


def remove_program(here: Container, command: RemoveProgram) -> None:
    """Removes a program, and the tokens that it holds of any player. Raises NotAllowed for a token, or NotThere."""
    session_of(command.client)
    with here.stores.pool.connection() as connection:
        removed = connection.execute(REMOVE, (command.program, command.client.player)).rowcount
    if removed == 0:
        raise NotThere("program", command.program)
    _end_tokens(here)


def revoke_program(here: Container, command: RevokeProgram) -> None:
    """Revokes what the client allowed a program, also what it has not fetched yet. Raises NotAllowed for a token."""
    session_of(command.client)
    key = (command.program, command.client.player)
    with here.stores.pool.connection() as connection, connection.transaction():
        for statement in (VOID_CODES, VOID_LOGINS, REVOKE):
            connection.execute(statement, key)
    _end_tokens(here)


def answer_device_login(here: Container, command: AnswerDeviceLogin) -> DeviceLogin:
    """Stores the player's answer. Raises NotThere, or ConfirmationRequired for a session without its password."""
    at = here.now()
    with here.stores.pool.connection() as connection, connection.transaction():
        if command.allowed:
            lock_confirmed(connection, at, command.client)
        login = device_logins.find_by_user_code(connection, at, command.user_code)
        if login is None or not device_logins.answer(connection, at, login, command.client, allowed=command.allowed):
            raise NotThere("login", command.user_code[: device_logins.LONGEST_USER_CODE])
    return login


def _end_tokens(here: Container) -> None:
    here.authenticator.forget()
    here.announcer.announce(RIGHTS_ENDED)


COMMANDS: Final[Mapping[type, Callable[[Container, Any], object]]] = {
    RegisterProgram: register_program,
    RemoveProgram: remove_program,
    RevokeProgram: revoke_program,
    AnswerDeviceLogin: answer_device_login,
}

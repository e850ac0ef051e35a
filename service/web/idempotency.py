"""Reads the Idempotency-Key of a request: a client that repeats a request with its key gets the stored answer."""

from typing import Final
from uuid import UUID

from flask import request

from events.store.protocol import IdempotencyKey, request_key
from service.core.command_handler import ExpectedVersion
from service.core.command_handler import Request as CommandRequest
from service.core.errors import UnreadableBody
from service.players.identity import Identity
from service.web.responses import request_language

HEADER: Final = "Idempotency-Key"
LONGEST_KEY: Final = 200


def idempotency_key(identity: Identity) -> IdempotencyKey | None:
    """Returns the key of this request, bound to its player, stream and content; None when the request carries none.

    Raises UnreadableBody for a key that is empty or too long.
    """
    name = request.headers.get(HEADER)
    if name is None:
        return None
    if not 1 <= len(name) <= LONGEST_KEY:
        raise UnreadableBody("{header} takes 1 to {longest} characters", header=HEADER, longest=LONGEST_KEY)
    content = f"{request.method} {request.full_path}\n".encode() + request.get_data()
    return request_key(identity.id, name, content, _stream_of_path())


def _stream_of_path() -> UUID | None:
    """Returns the game, study or tournament that the path of this request names."""
    return next((value for value in (request.view_args or {}).values() if isinstance(value, UUID)), None)


def request_of(identity: Identity, version: int | None = None, head: bytes | None = None) -> CommandRequest:
    """Returns who sends a command, the key of this request, and the version that the command is based on."""
    return CommandRequest(identity.id, idempotency_key(identity), ExpectedVersion(version, head))


def translated_request(identity: Identity, version: int | None = None) -> CommandRequest:
    """Returns the request of a command that answers in the language of the client."""
    return request_of(identity, version)._replace(language=request_language())

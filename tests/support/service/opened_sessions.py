"""Browser sessions of players who never typed a password, opened in the database."""

import secrets
from typing import Final, NamedTuple
from uuid import UUID

from service.container import Container
from service.players.identity import SESSION_SECONDS, secret_hash

INSERT: Final = """
INSERT INTO sessions (hash, player, csrf, created, confirmed, expires) VALUES (%s, %s, %s, %s, %s, %s) RETURNING id
"""


class OpenedSession(NamedTuple):
    """The cookie of a session, the CSRF value of its forms, its id."""

    secret: str
    csrf: str
    id: str


def open_session(here: Container, player: str) -> OpenedSession:
    """Opens a session of a player, whose password was just given."""
    secret, csrf, now = secrets.token_urlsafe(), secrets.token_urlsafe(), here.now()
    row = (secret_hash(secret), UUID(player), csrf, now, now, now + SESSION_SECONDS * 1_000_000)
    with here.stores.pool.connection() as connection:
        (id,) = connection.execute(INSERT, row).fetchone() or ("",)
    return OpenedSession(secret, csrf, str(id))

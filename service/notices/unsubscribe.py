"""Links in mails that end them: for whoever reads the mail, without a login; they change nothing else."""

import hmac
from typing import Final
from uuid import UUID

from psycopg import Connection

from service.container import Container
from service.notices.notice_keys import link_key, link_key_if_made
from service.players.preferences.stored_settings import change_stored, settings_of
from service.players.preferences.values import MAIL, NOTIFY, telling_of

PATH: Final = "/unsubscribe"
DIGITS: Final = 32


def unsubscribe_url(connection: Connection, here: Container, player: UUID) -> str:
    """Returns the link that ends notices by mail to a player."""
    mark = _mark(link_key(connection, here.vault, here.now()), player)
    return f"{here.settings.public_url.rstrip('/')}{PATH}/{player}/{mark}"


def is_link(connection: Connection, here: Container, player: UUID, mark: str) -> bool:
    """Returns whether the service made a link. Writes nothing: without a key there was no link yet."""
    key = link_key_if_made(connection, here.vault)
    return key is not None and hmac.compare_digest(mark.encode(), _mark(key, player).encode())


def end_mails(connection: Connection, here: Container, player: UUID) -> None:
    """Ends notices by mail; those by push stay."""
    ways = telling_of(settings_of(connection, player) or {}).ways
    kept = {kind: [way for way in chosen if way != MAIL] for kind, chosen in ways.items()}
    change_stored(connection, here.now(), player, {NOTIFY: kept})


def _mark(key: bytes, player: UUID) -> str:
    return hmac.digest(key, player.bytes, "sha256").hex()[:DIGITS]

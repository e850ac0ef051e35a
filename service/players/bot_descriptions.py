"""What the owner of a bot says of it."""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from psycopg import Connection

from events.json_types import JsonObject
from service.players.names import is_id

DESCRIBED: Final = """
SELECT id::text, engine, manifest FROM players
WHERE id = ANY(%s) AND bot AND NOT EXISTS (SELECT FROM hidden_texts WHERE stream = players.id AND about = 'engine')
"""


class AboutBot(NamedTuple):
    """The name of its engine, and its manifest."""

    engine: str | None = None
    manifest: Mapping[str, str] | None = None


NO_BOT: Final = AboutBot()


def bots_among(connection: Connection, ids: Collection[str]) -> Mapping[str, JsonObject]:
    """Returns the engines and manifests of the bots among players, without those that an administrator hid."""
    known = [id for id in ids if is_id(id)]
    rows = connection.execute(DESCRIBED, (known,)).fetchall() if known else []
    return {id: {"engine": engine, "manifest": manifest} for id, engine, manifest in rows}

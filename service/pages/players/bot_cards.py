"""The bots at a table, with what their owners say of them, for the pages of games."""

from typing import NamedTuple

from events.json_types import JsonObject
from projections.games.record import GameRecord
from service.games.documents import programs
from service.i18n import phrases
from service.players.bot_descriptions import bots_among
from service.players.queries import names_of
from service.web.responses import request_language
from service.web.routing import container


class BotCard(NamedTuple):
    """A bot at a table."""

    id: str
    name: str
    about: JsonObject


def bots_at(record: GameRecord) -> list[BotCard]:
    """Returns the bots' accounts at a table, in the order of their ids; without those that an administrator hid."""
    ids = programs(record)
    if not ids:
        return []
    with container().stores.pool.connection() as connection:
        names, bots = names_of(connection, ids), bots_among(connection, ids)
    forgotten = phrases.phrase(request_language(), "common.forgotten")
    return [BotCard(id, names.get(id, forgotten), bots[id]) for id in sorted(bots)]

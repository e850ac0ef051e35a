"""Commands of hidden texts: hide a text from all readers, show it again."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from psycopg import Connection

from events.json_types import JsonObject
from service.container import Container
from service.core.announce import LISTS_CHANGED, Announcement
from service.core.errors import NotThere
from service.live.text_watch import TEXTS_HIDDEN
from service.moderation.record import AdministrativeAct, record_act
from service.moderation.things import MESSAGE, NOUNS, WITHOUT_HASH, Thing, text_hashes

HIDE: Final = """
INSERT INTO hidden_texts (stream, about, number, hash, since)
SELECT %(stream)s, %(about)s, %(number)s, hash, %(at)s FROM texts WHERE stream = %(stream)s AND hash = ANY(%(hashes)s)
ON CONFLICT DO NOTHING RETURNING hash
"""
HIDE_WITHOUT_HASH: Final = """
INSERT INTO hidden_texts (stream, about, number, hash, since)
VALUES (%(stream)s, %(about)s, %(number)s, '', %(at)s) ON CONFLICT DO NOTHING RETURNING hash
"""
TALK_CHANGED: Final = "UPDATE talks SET changes = changes + 1 WHERE stream = %(stream)s"
IS_HIDDEN: Final = "SELECT FROM hidden_texts WHERE stream = %(stream)s AND about = %(about)s AND number = %(number)s"
SHOW: Final = """
DELETE FROM hidden_texts WHERE stream = %(stream)s AND about = %(about)s AND number = %(number)s RETURNING hash
"""


class HideText(NamedTuple):
    """Hides a text from all readers, its author included."""

    by: str  # an administrator
    thing: Thing
    reason: str


class ShowText(NamedTuple):
    """Shows a hidden text again."""

    by: str
    thing: Thing
    reason: str | None = None


def hide_text(here: Container, command: HideText) -> None:
    """Hides a text; a hidden one stays hidden. Raises NotThere for a text that does not exist or was erased."""
    thing, at = command.thing, here.now()
    values = {**_place(thing), "hashes": [bytes.fromhex(hash) for hash in text_hashes(here, thing)], "at": at}
    with here.stores.pool.connection() as connection, connection.transaction():
        hidden = connection.execute(HIDE_WITHOUT_HASH if thing.about in WITHOUT_HASH else HIDE, values).fetchall()
        if hidden:
            _tell_talk(connection, thing)
            record_act(connection, at, _act("text_hidden", command.by, thing, command.reason))
        elif connection.execute(IS_HIDDEN, values).fetchone() is None:
            raise NotThere(NOUNS[thing.about], thing.number or thing.id)
    _announce(here, thing)


def show_text(here: Container, command: ShowText) -> None:
    """Shows a hidden text again; raises NotThere when it is not hidden."""
    thing = command.thing
    with here.stores.pool.connection() as connection, connection.transaction():
        if not connection.execute(SHOW, _place(thing)).fetchall():
            raise NotThere("hidden text", thing.number or thing.id)
        _tell_talk(connection, thing)
        record_act(connection, here.now(), _act("text_shown", command.by, thing, command.reason))
    _announce(here, thing)


COMMANDS: Final[Mapping[type, Callable[[Container, Any], None]]] = {HideText: hide_text, ShowText: show_text}


def _tell_talk(connection: Connection, thing: Thing) -> None:
    """Lets those who read a talk read it again."""
    if thing.about == MESSAGE:
        connection.execute(TALK_CHANGED, _place(thing))


def _announce(here: Container, thing: Thing) -> None:
    here.announcer.announce(TEXTS_HIDDEN if thing.about != MESSAGE else Announcement((str(thing.id),)))
    here.announcer.announce(LISTS_CHANGED)


def _place(thing: Thing) -> dict[str, object]:
    return {"stream": thing.id, "about": thing.about, "number": thing.number}


def _act(act: str, by: str, thing: Thing, reason: str | None) -> AdministrativeAct:
    details: JsonObject = {"about": thing.about, "number": thing.number}
    return AdministrativeAct(by, act, str(thing.id), reason, details)

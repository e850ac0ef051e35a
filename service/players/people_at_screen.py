"""People at the screen of a player: names at a table that nobody logs in to; the player's browser acts for them."""

from collections.abc import Collection, Sequence
from typing import Final
from uuid import UUID

from psycopg import Connection

from events.event import new_stream
from events.messages import Message
from service.core.errors import BadName, InvalidRequest, NotAllowed, NotThere
from service.players.identity import GUEST_SCOPES, Identity, lock_account
from service.players.lookalikes import refuse_service_name
from service.players.names import normalize_name
from service.players.queries import get_player

HERE: Final = "here:"  # begins a seat of a new game for a person at the screen of the host
LONGEST: Final = 16  # characters of such a name: the name of the host follows it
MOST: Final = 20  # names of a player
OF_PLAYER: Final = """
SELECT id::text, name FROM players WHERE owner = %s AND NOT bot AND forgotten IS NULL ORDER BY created, id
"""
KIND: Final = "SELECT owner IS NOT NULL AND NOT bot FROM players WHERE id = %s"
ONE: Final = "SELECT FROM players WHERE id = %s AND owner = %s AND NOT bot AND forgotten IS NULL"
RENAMED: Final = """
UPDATE players SET name = left(name, -length(%(old)s)) || %(new)s
WHERE owner = %(host)s AND NOT bot AND forgotten IS NULL AND right(name, length(%(old)s)) = %(old)s
"""
GAMES: Final = """
SELECT DISTINCT games.id, games.created FROM places JOIN games USING (id)
WHERE places.player = ANY (%s) AND status = %s ORDER BY games.created DESC, games.id DESC LIMIT %s
"""
INSERT: Final = "INSERT INTO players (id, name, owner, created, looks) VALUES (%s, %s, %s, %s, '{}')"


def people_of(connection: Connection, player: UUID) -> dict[str, str]:
    """Returns the names of the people at a player's screen, by id."""
    return dict(connection.execute(OF_PLAYER, (player,)).fetchall())


def games_of(connection: Connection, people: Collection[str], status: str, limit: int) -> list[UUID]:
    """Returns the newest games of a status in which some of these people sit."""
    return [id for id, _ in connection.execute(GAMES, ([*people], status, limit))] if people else []


def rename_host(connection: Connection, host: UUID, old: str, new: str) -> None:
    """Gives the people at a host's screen names that end with the new name of the host."""
    connection.execute(RENAMED, {"host": host, "old": f" ({old})", "new": f" ({new})"})


def seat_people(connection: Connection, at: int, host: UUID, seats: Sequence[str]) -> Sequence[str]:
    """Returns the seats of a proposal with ids in place of names at the screen; makes people with new names.

    Raises BadName, NameReserved, NotAllowed for a bot or a person at a screen, InvalidRequest for too many names.
    """
    if not any(seat.startswith(HERE) for seat in seats):
        return seats
    lock_account(connection, host)
    player = get_player(connection, host)
    if player.owner is not None:
        raise NotAllowed("no_screen", "a bot or a person at a screen seats nobody; the account that owns it does")
    of_host = player.name or ""
    known = {name: id for id, name in people_of(connection, host).items()}
    return [_seat(connection, at, host, of_host, known, seat) for seat in seats]


def is_at_screen(connection: Connection, player: UUID) -> bool:
    """Returns whether a player is a name at the screen of another one."""
    row = connection.execute(KIND, (player,)).fetchone()
    return row is not None and bool(row[0])


def act_for(connection: Connection, client: Identity, person: UUID) -> Identity:
    """Returns the identity of a person at the client's screen, who may play. Raises NotThere."""
    if connection.execute(ONE, (person, client.player)).rowcount == 0:
        raise NotThere("player", person)
    return client._replace(player=person, scopes=client.scopes.intersection(GUEST_SCOPES), guest=True)


def _seat(connection: Connection, at: int, host: UUID, of_host: str, known: dict[str, str], seat: str) -> str:
    if not seat.startswith(HERE):
        return seat
    given = seat.removeprefix(HERE)
    name = normalize_name(given)[0]
    if len(name) > LONGEST:
        raise BadName(name, "use 1 to {longest} characters", longest=LONGEST)
    refuse_service_name(name)
    shown = f"{name} ({of_host})"
    if shown not in known:
        if len(known) >= MOST:
            most = Message("you have given {most} names at your screen; use one of them again", most=MOST)
            raise InvalidRequest({"seats": [most]})
        id = new_stream(at)
        connection.execute(INSERT, (id, shown, host, at))
        known[shown] = str(id)
    return known[shown]

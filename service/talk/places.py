"""Where a client reads and writes: which rooms of a game or tournament, up to which version, and why not."""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from events.messages import Message
from projections.games.record import OPEN, RUNNING, GameRecord
from projections.tournaments.record import CANCELLED, FINISHED
from service.container import Container
from service.core.clock import SECOND
from service.games import access
from service.games.visibility import Visibility, visible_game
from service.players.identity import Identity
from service.players.names import is_id
from service.players.people_at_screen import is_at_screen
from service.talk.errors import TalkRefused
from service.talk.rooms import EVERYTHING, GAME, PLAYERS, SPECTATORS, TOURNAMENT, TalkPlace
from service.tournaments.queries import visible_tournament

DAY: Final = 86_400 * SECOND
RELATED: Final = """
SELECT FROM players AS own JOIN players AS seated ON coalesce(seated.owner, seated.id) = coalesce(own.owner, own.id)
WHERE own.id = %s AND seated.id = ANY(%s) LIMIT 1
"""
PLAYS: Final = """
SELECT FROM places AS p JOIN games AS g ON g.id = p.id
WHERE p.player = %s AND g.tournament = %s AND g.status = 'running' LIMIT 1
"""
REASONS: Final[Mapping[str, Message]] = {
    "anonymous": Message("log in to write"),
    "guest": Message("guests read; keep the account with a name and a password to write"),
    "at_screen": Message("people at one screen read; the player whose browser it is writes"),
    "imported": Message("this game was entered from a record: nobody sits at its table"),
    "silent": Message("the players of this game agreed on silence until it ends"),
    "own_table_silent": Message("you play at a silent table of this tournament: you can write when that game is over"),
    "own_bot_plays": Message("a player of your account sits at this table: you can write when the game is over"),
    "over_long_ago": Message("this ended long ago: its messages are deleted"),
    "not_an_entrant": Message("entrants and directors of the tournament write here"),
    "closed": Message("the host or a director has closed this talk"),
}


def check_writable(place: TalkPlace, closed: Sequence[str]) -> str:
    """Returns the room in which the client writes; raises TalkRefused."""
    reason = place.reason or ("closed" if place.writes in closed else None)
    if place.writes is None or reason is not None:
        raise refusal(reason or "anonymous")
    return place.writes


def refusal(reason: str) -> TalkRefused:
    """Returns the refusal to write, for a reason of REASONS."""
    return TalkRefused(reason, REASONS[reason].pattern)


def game_place(here: Container, game: UUID, player: str | None) -> TalkPlace:
    """Returns the talk at a table. Raises NotThere or TableClosed."""
    visible = visible_game(here.games, here.deals, game, player)
    record = visible.record if visible.is_over else here.games.load(game).known
    seated = player is not None and record.chair_of(player) is not None
    related = not visible.is_over and not seated and player is not None and _is_related(here, player, record)
    room = PLAYERS if seated else SPECTATORS
    return TalkPlace(
        game,
        GAME,
        _readable(visible, seated=seated, related=related),
        room,
        _game_reason(here, record, player, seated=seated, related=related),
        visible.version,
        player is not None and access.leads(here.tournaments, record, player),
        {chair.player: number for number, chair in enumerate(record.chairs) if chair.player},
        record.silent,
    )


def _readable(visible: Visibility, *, seated: bool, related: bool) -> Mapping[str, int]:
    """Returns what a client reads: players nothing of spectators before the end, those with a delay."""
    if visible.is_over:
        return {PLAYERS: EVERYTHING, SPECTATORS: EVERYTHING}
    if seated:
        return {PLAYERS: EVERYTHING}
    seen = visible.version if visible.behind else EVERYTHING
    return {PLAYERS: seen} if related else {PLAYERS: seen, SPECTATORS: seen}


def _game_reason(here: Container, record: GameRecord, player: str | None, *, seated: bool, related: bool) -> str | None:
    if player is None:
        return "anonymous"
    if record.imported:
        return "imported"
    if record.status not in (OPEN, RUNNING) and record.changed < here.now() - here.settings.talk_days * DAY:
        return "over_long_ago"
    if seated and record.silent and record.status == RUNNING:
        return "silent"
    return "own_bot_plays" if related else None


def _is_related(here: Container, player: str, record: GameRecord) -> bool:
    """Returns whether another player of the same account has a seat: its bot, or the owner of this one."""
    seated = [UUID(chair.player) for chair in record.chairs if chair.player and is_id(chair.player)]
    with here.stores.pool.connection() as connection:
        return connection.execute(RELATED, (UUID(player), seated)).fetchone() is not None


def tournament_place(here: Container, tournament: UUID, player: str | None) -> TalkPlace:
    """Returns the talk of a tournament. Raises NotThere."""
    state = visible_tournament(here, tournament, player)
    record = state.known
    directs = player is not None and record.directs(player)
    enters = any(entry.player == player and entry.disqualified is None for entry in record.entries)
    reason = None if directs or enters else "anonymous" if player is None else "not_an_entrant"
    if reason is None and player is not None and record.regulations.get("silent") and _plays(here, player, tournament):
        reason = "own_table_silent"
    if record.status in (FINISHED, CANCELLED) and record.changed < here.now() - here.settings.talk_days * DAY:
        reason = "over_long_ago"
    reads = {TOURNAMENT: EVERYTHING}
    return TalkPlace(tournament, TOURNAMENT, reads, TOURNAMENT, reason, state.head.seq, directs, {})


def _plays(here: Container, player: str, tournament: UUID) -> bool:
    """Returns whether a game of the player in a tournament is running."""
    with here.stores.pool.connection() as connection:
        return connection.execute(PLAYS, (player, tournament)).fetchone() is not None


def for_client(here: Container, place: TalkPlace, client: Identity | None) -> TalkPlace:
    """Returns the talk as it is for a client: guests and people at a screen write nothing."""
    if client is None or not client.guest:
        return place
    with here.stores.pool.connection() as connection:
        return place._replace(reason="at_screen" if is_at_screen(connection, client.player) else "guest")

"""What one event changed in a game, as one viewer may see it: pages apply it and read nothing again."""

from typing import NamedTuple, cast

from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.event import Event
from events.json_types import Json, JsonObject
from projections.games.board_diff import changes
from projections.games.redaction import conceal
from projections.games.replay import SHOWN, ReplayStep, returns_to
from projections.rules.protocol import NO_BOARD
from service.games.documents import event_document, summary
from service.games.game_repository import GameRepository
from service.games.game_state import GameState
from service.games.queries import is_noted, note, step_document, visible_board
from service.games.written_records import comments
from service.i18n.messages import hidden_notice
from service.players.queries import names_of


class StateChange(NamedTuple):
    """A game before and after one of its events."""

    before: GameState
    event: Event
    after: GameState


class Viewpoint(NamedTuple):
    """What decides the contents of a step: the viewer's seat, whether secrets are open, the language."""

    seat: int | None
    open: bool
    language: str


class LiveSteps:
    """Describes events as steps for live streams."""

    def __init__(self, games: GameRepository, pool: ConnectionPool[Connection]) -> None:
        self.games = games
        self._pool = pool

    def document(self, change: StateChange, viewpoint: Viewpoint) -> JsonObject:
        """Returns the step, the changes of board and summary, and the note of an event."""
        before, event, after = change
        was = None if before.board is NO_BOARD else visible_board(before.game, before.board, viewpoint.seat)
        now = None if after.board is NO_BOARD else visible_board(after.game, after.board, viewpoint.seat)
        return {
            "version": event.seq,
            "kind": event.kind,
            "prev": event.prev.hex(),
            "step": None if now is None else self._step(change, viewpoint, (was or now, now)),
            "position": now if was is None else None,
            "changes": changes(was, now) if was is not None else {},
            "summary": summary_changes(before, after),
            "note": self._note(change, viewpoint.language),
        }

    def _step(
        self, change: StateChange, viewpoint: Viewpoint, views: tuple[JsonObject, JsonObject]
    ) -> JsonObject | None:
        before, event, after = change
        if event.kind not in SHOWN and returns_to(event) is None:
            return None
        secrets = {} if viewpoint.open or after.known.imported else after.game.secrets(after.known.options)
        data = cast(JsonObject, conceal(event_document(event), secrets, viewpoint.seat)["data"])
        board = None if before.board is NO_BOARD else before.board
        step = ReplayStep(event, after.board, kept=True)
        document = step_document(after.game, data, board, step, viewpoint.language, views)
        return {**document, "reason": self._reason(change, viewpoint.language), "comments": self._comments(change)}

    def _note(self, change: StateChange, language: str) -> JsonObject | None:
        if not is_noted(change.event):
            return None
        reasons = self.games.reasons(change.after.id, [change.event], hidden_notice(language))
        return with_player_names(self._pool, [note(change.after.known, change.event, reasons)])[0]

    def _reason(self, change: StateChange, language: str) -> str | None:
        reasons = self.games.reasons(change.after.id, [change.event], hidden_notice(language))
        return next(iter(reasons.values()), None)

    def _comments(self, change: StateChange) -> list[Json]:
        if not change.after.known.imported:
            return []
        with self._pool.connection() as connection:
            return [*comments(connection, change.after.id).get(change.event.seq, ())]


def summary_changes(before: GameState, after: GameState) -> JsonObject | None:
    """Returns the changes of a game's summary; None when names may have changed, so that clients read it again."""
    if before.record is None:
        return None
    changed = changes(summary(before, {}, {}, {}, {}), summary(after, {}, {}, {}, {}))
    seats = [pointer.split("/") for pointer in changed if pointer.startswith("/seats")]
    return changed if all(len(parts) > 3 and parts[3] == "link" for parts in seats) else None


def with_player_names(pool: ConnectionPool[Connection], notes: list[JsonObject]) -> list[JsonObject]:
    """Returns notes on a game with the names of substitutes."""
    ids = {str(one["player"]) for one in notes if one["player"]}
    if not ids:
        return notes
    with pool.connection() as connection:
        names = names_of(connection, ids)
    return [
        {**one, "player": {"id": one["player"], "name": names.get(str(one["player"]))}} if one["player"] else one
        for one in notes
    ]

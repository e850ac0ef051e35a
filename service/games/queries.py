"""What can be read of a game: its board at any version, what is possible now, every step that led there."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from events.event import Event
from events.json_types import Json, JsonObject
from projections.games.board_diff import gains
from projections.games.replay import ReplayStep, position_at, returns_to, steps
from projections.games.rules_versions import rules_after
from projections.rules.legal_moves import are_open, legal_moves_document, refused_moves
from projections.rules.protocol import Game
from service.core.errors import NotAllowed, NotThere
from service.games.game_state import setting
from service.games.play import told, turn_of
from service.games.repository import GameRepository
from service.games.visibility import ALL, Visibility, events_seen, shown

NOTED: Final = frozenset(("resigned", "flag_fell", "player_replaced", "ruled", "game_ended", "game_aborted"))
Eyes = int | str | None
Taken = ReplayStep[Event, Any]


def board_at(shelf: GameRepository, sight: Visibility, at: int | None) -> Any:
    """The board after event `at`; refuses with NotThere what has not happened, or what is not yet to be seen."""
    if at is None or at == sight.version:
        return sight.board
    if at > sight.version:
        raise NotThere("version", at)
    events = events_seen(shelf, sight, 0, at)
    if not any(event.kind == "game_started" for event in events):
        raise NotThere("board at version", at)
    return position_at(setting(sight.record).under(rules_after(events[-1])), events)


def seen(game: Game[Any, Any], board: Any, eyes: Eyes) -> JsonObject:
    """A board as somebody sees it, with the names of what is hidden."""
    if eyes == ALL:
        return {**game.document(board), "viewer": ALL, "hides": []}
    return game.view(board, None if eyes is None else int(eyes))


def position(shelf: GameRepository, sight: Visibility, at: int | None, eyes: Eyes) -> JsonObject:
    """The document of the board after event `at`, as somebody sees it."""
    board = board_at(shelf, sight, at)
    return {**seen(sight.game, board, eyes), "version": sight.version if at is None else at}


def board(shelf: GameRepository, sight: Visibility, at: int | None, eyes: Eyes, language: str) -> str:
    """The board after event `at` in words, as somebody sees it."""
    seat = None if eyes is None or eyes == ALL else int(eyes)
    return sight.game.board(board_at(shelf, sight, at), seat, language, whole=eyes == ALL)


def legal(sight: Visibility, language: str, wishes: Sequence[str] = ()) -> JsonObject:
    """What the seat to act may do, and why not what is asked about besides.

    Refuses with NotAllowed who would learn from it what that seat keeps secret.
    """
    if sight.secrets and sight.record.turn is not None and sight.record.turn.seat != sight.seat:
        raise NotAllowed("not_your_seat", "in this game only the seat to act knows what it may do")
    told = {"version": sight.version, **legal_moves_document(sight.game, sight.board, language)}
    if not wishes:
        return told
    refusals = refused_moves(sight.game, sight.board, wishes, language)
    return {**told, "refused": refusals, "asked": are_open(wishes, refusals)}


class ReplayOptions(NamedTuple):
    """How a replay is told."""

    eyes: Eyes
    language: str
    undone: bool  # whether moves that were taken back are shown
    boards: bool  # whether each step carries the position


def replay(
    shelf: GameRepository, sight: Visibility, after: int, telling: ReplayOptions, comments: Mapping[int, list[str]]
) -> Iterator[JsonObject]:
    """Every step after a version: its words, facts, position and scores, who gained what, and a record's comments."""
    events = events_seen(shelf, sight, 0)
    reasons = shelf.reasons(sight.table.id, events)
    for step, document in _steps(sight, events, after, telling):
        reason = reasons.get(str(step.event.data.get("reason")))
        yield {**document, "reason": reason, "comments": comments.get(step.event.seq, [])}


def _steps(
    sight: Visibility, events: Sequence[Event], after: int, telling: ReplayOptions
) -> Iterator[tuple[Taken, JsonObject]]:
    before: Taken | None = None
    was: JsonObject | None = None
    for step in steps(setting(sight.record), events, undone=telling.undone):
        if step.event.seq > after:
            if was is None and before is not None:
                was = seen(sight.game, before.position, telling.eyes)
            now = seen(sight.game, step.position, telling.eyes)
            yield step, _told(sight, before, step, telling, was or now, now)
            was = now
        before = step


def _told(
    sight: Visibility, before: Taken | None, step: Taken, telling: ReplayOptions, was: JsonObject, now: JsonObject
) -> JsonObject:
    """A step in the form of the API; `was` and `now` are the boards before and after it as the viewer sees them."""
    game, event, board = sight.game, step.event, step.position
    data = cast(JsonObject, shown(sight, event)["data"])
    document: dict[str, Json] = {
        "version": event.seq,
        "kind": event.kind,
        "at": event.at,
        "kept": step.kept,
        "back_to": returns_to(event),
        "seat": data.get("seat"),
        "move": data.get("move"),
        "label": _label(game, before, data, telling.language),
        "drew": data.get("drew", ()),
        "then": _forced(game, before, data, telling.language),
        "facts": data.get("facts", ()),
        "turn": told(turn_of(game, board)),
        "scores": scores(game, board, now),
        "gains": gains(was, now),
    }
    return {**document, "position": now} if telling.boards else document


def _label(game: Game[Any, Any], before: Taken | None, data: JsonObject, language: str) -> str | None:
    """The move of a step in words; None when it was no move."""
    move = data.get("move")
    return None if before is None or move is None else game.label(before.position, game.parse(str(move)), language)


def _forced(game: Game[Any, Any], before: Taken | None, data: JsonObject, language: str) -> list[JsonObject]:
    """The moves that were made by themselves after a step, each in words."""
    forced = cast(Sequence[JsonObject], data.get("then", ()))
    return [{**move, "label": _label(game, before, move, language)} for move in forced]


def notes(games: GameRepository, sight: Visibility, after: int) -> list[JsonObject]:
    """What happened after a version besides moves: who left or was replaced, what was ruled, how the game ended."""
    events = [event for event in events_seen(games, sight, after) if event.kind in NOTED]
    reasons = games.reasons(sight.table.id, events)
    return [_note(sight, event, reasons) for event in events]


def _note(sight: Visibility, event: Event, reasons: Mapping[str, str]) -> JsonObject:
    data = event.data
    seat = sight.record.seat_of(event.actor) if event.kind == "game_aborted" else data.get("seat")
    return {
        "version": event.seq,
        "kind": event.kind,
        "at": event.at,
        "seat": seat,
        "cause": data.get("cause", data.get("consequence")),
        "absent": data.get("absent", False),
        "player": data.get("player"),
        "bot": data.get("bot", data.get("stand_in")),
        "reason": reasons.get(str(data.get("reason"))),
    }


def scores(game: Game[Any, Any], board: Any, view: JsonObject) -> list[JsonObject | None]:
    """Each seat's points item by item; None where the viewer may not know them."""
    hidden = cast(Sequence[str], view["hides"])
    return [
        None if any(name.startswith(f"players[{seat}].") for name in hidden) else score
        for seat, score in enumerate(game.scores(board))
    ]

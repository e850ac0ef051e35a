"""Queries on games: boards at any version, legal moves, replays, notes, scores."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, cast

from events.event import Event
from events.json_types import Json, JsonObject
from projections.games.board_diff import gains
from projections.games.record import OPEN, GameRecord
from projections.games.replay import GameSetup, ReplayStart, ReplayStep, returns_to, steps
from projections.games.rules_versions import rules_after
from projections.rules.errors import GameIsOver, NotYourTurn
from projections.rules.legal_moves import (
    are_open,
    continuations,
    legal_moves_document,
    no_moves_document,
    refused_moves,
)
from projections.rules.protocol import NO_BOARD, AnyGame, Board
from service.core.clock import iso_time
from service.core.errors import NotAllowed, NotThere
from service.games.game_repository import GameRepository
from service.games.game_state import setting
from service.games.not_your_turn import (
    GAME_IS_OVER,
    NOT_PLAYING,
    NOT_SEATED,
    NOT_STARTED,
    NOT_YOUR_TURN,
    no_moves_sentence,
)
from service.games.turns import turn_document, turn_of
from service.games.visibility import ALL, Visibility, events_seen, visible_event
from service.i18n.messages import hidden_notice
from service.rulebook.addresses import KINDS, with_pages

STOPS: Final = ("clock_paused", "away_began")
NOTED: Final = frozenset(
    ("resigned", "flag_fell", "player_replaced", "ruled", "game_ended", "game_aborted", "clock_resumed", "away_ended")
).union(STOPS, ["offer_withdrawn"])
ANSWERED: Final = "offer_answered"
Eyes = int | str | None
BoardStep = ReplayStep[Event, Board]


def board_at(shelf: GameRepository, visible: Visibility, at: int | None) -> Board:
    """Returns the board after event `at`. Raises NotThere for a version that does not exist or is not visible yet."""
    if at is None or at == visible.version:
        return visible.board
    if at > visible.version:
        raise NotThere("version", at)
    board = NO_BOARD if at < 1 else shelf.board_at(visible.table.id, visible.record, at)
    if board is NO_BOARD:
        raise NotThere("board at version", at)
    return board


def visible_board(game: AnyGame, board: Board, eyes: Eyes) -> JsonObject:
    """Returns a board from a point of view, with the names of its hidden fields."""
    if eyes == ALL:
        return {**game.document(board), "viewer": ALL, "hides": []}
    return game.view(board, None if eyes is None else int(eyes))


def position(shelf: GameRepository, visible: Visibility, at: int | None, eyes: Eyes) -> JsonObject:
    """Returns the document of the board after event `at`, from a point of view."""
    board = board_at(shelf, visible, at)
    return {**visible_board(visible.game, board, eyes), "version": visible.version if at is None else at}


def board(shelf: GameRepository, visible: Visibility, at: int | None, eyes: Eyes, language: str) -> str:
    """Returns the board after event `at` in words, from a point of view."""
    seat = None if eyes is None or eyes == ALL else int(eyes)
    return visible.game.board(board_at(shelf, visible, at), seat, language, whole=eyes == ALL)


class LegalQuestion(NamedTuple):
    """What a viewer asks about the legal moves."""

    mine: bool | None = None  # only the viewer's own; None: for a viewer with a seat
    why_not: Sequence[str] = ()
    begin: str | None = None  # the beginning of a move to complete


def legal(visible: Visibility, language: str, question: LegalQuestion) -> JsonObject:
    """Returns the turn, and the moves that the viewer asks about or the reason why there are none.

    Raises NotAllowed for another seat's viewer when the moves would reveal a secret.
    """
    turn, none = visible.record.turn, _no_moves(visible, question.mine)
    if none is None and visible.secrets and turn is not None and turn.seat != visible.seat:
        raise NotAllowed("not_your_seat", "in this game only the seat to act knows what it may do")
    head = {"version": visible.version, "viewer": visible.seat, "yours": _no_moves(visible, mine=True) is None}
    if none is None:
        moves = legal_moves_document(visible.game, visible.board, language)
        return {**head, **moves, "none": None, **_answers_on_moves(visible, language, question)}
    why = {"reason": none, "sentence": no_moves_sentence(none, turn, language)}
    rule = _rule_without_moves(none, visible.game.name)
    refused = _refusals(visible, question, {**why, "rule": rule}, language)
    return {**head, **no_moves_document(turn), "none": why, **refused}


def _answers_on_moves(visible: Visibility, language: str, question: LegalQuestion) -> JsonObject:
    """Returns the answers about single moves, as far as they are asked for."""
    answers: dict[str, Json] = {}
    if question.begin is not None:
        answers["continuations"] = continuations(visible.game, visible.board, question.begin)
    if question.why_not:
        told = refused_moves(visible.game, visible.board, question.why_not, language)
        refused = with_pages(visible.game.name, told, language)
        answers |= {"refused": refused, "asked": are_open(question.why_not, refused)}
    return answers


def _rule_without_moves(reason: str, game: str) -> str:
    """Returns the rule that takes a viewer's moves away; empty where no rule of the game does."""
    kinds = {NOT_YOUR_TURN: NotYourTurn, GAME_IS_OVER: GameIsOver}
    return KINDS[kinds[reason]][game] if reason in kinds else ""


def _refusals(visible: Visibility, question: LegalQuestion, why: JsonObject, language: str) -> JsonObject:
    """Returns the answers to a viewer without moves: there is nothing to go on with, and every move is refused."""
    answers: dict[str, Json] = {} if question.begin is None else {"continuations": []}
    if question.why_not:
        told: list[JsonObject] = [{"move": move, **why} for move in question.why_not]
        refused = with_pages(visible.game.name, told, language) if why["rule"] else told
        answers |= {"refused": refused, "asked": are_open(question.why_not, refused)}
    return answers


def _no_moves(visible: Visibility, mine: bool | None) -> str | None:
    """Returns why the viewer is shown no moves; None when there are some."""
    record, seat = visible.record, visible.seat
    if record.status == OPEN:
        return NOT_STARTED
    if record.turn is None or visible.is_over:
        return GAME_IS_OVER
    if not (seat is not None if mine is None else mine):
        return None
    if seat is None:
        return NOT_SEATED
    if record.chair_at(seat).engine is not None or record.chair_at(seat).forfeited is not None:
        return NOT_PLAYING
    return None if record.turn.seat == seat else NOT_YOUR_TURN


class ReplayOptions(NamedTuple):
    """Options of a replay."""

    eyes: Eyes
    language: str
    undone: bool  # whether to include undone moves
    boards: bool  # whether to add the board to each step


class ReplayPart(NamedTuple):
    """The part of a game that is replayed: what happened after a version, as it stood at another one."""

    after: int
    until: int

    @property
    def length(self) -> int:
        """Returns the number of events."""
        return max(0, self.until - self.after)


def replay(
    shelf: GameRepository,
    visible: Visibility,
    part: ReplayPart,
    options: ReplayOptions,
    comments: Mapping[int, list[str]],
) -> Iterator[JsonObject]:
    """Yields every step of a part with its words, facts, board, scores, gains and comments."""
    events = events_seen(shelf, visible, part.after, part.length)
    start = _replay_start(shelf, visible, part.after, events, options) if part.after and events else None
    reasons = shelf.reasons(visible.table.id, events, hidden_notice(options.language))
    for step, document in _steps(visible, events, start, options):
        reason = reasons.get(str(step.event.data.get("reason")))
        yield {**document, "reason": reason, "comments": comments.get(step.event.seq, [])}


def _replay_start(
    shelf: GameRepository, visible: Visibility, version: int, events: Sequence[Event], options: ReplayOptions
) -> tuple[GameSetup[Board], ReplayStart[Board]] | None:
    """Returns the set-up and the board at a version, from a kept one; None before the start of the game.

    Where undone moves are left out, later events may have undone the moves before the version too.
    """
    history = shelf.past(visible.table.id)
    played = setting(visible.record).under(rules_after(history.event(version)))
    earlier = [] if options.undone else [to for event in events if (to := returns_to(event)) is not None]
    board = history.board(played, min((version, *earlier)))
    return None if board is NO_BOARD else (played, ReplayStart(board, partial(history.board, played)))


def _steps(
    visible: Visibility,
    events: Sequence[Event],
    start: tuple[GameSetup[Board], ReplayStart[Board]] | None,
    options: ReplayOptions,
) -> Iterator[tuple[BoardStep, JsonObject]]:
    played, begun = start or (setting(visible.record), None)
    before = None if begun is None else begun.position
    was = None if begun is None else visible_board(visible.game, begun.position, options.eyes)
    for step in steps(played, events, undone=options.undone, start=begun):
        now = visible_board(visible.game, step.position, options.eyes)
        data = cast(JsonObject, visible_event(visible, step.event)["data"])
        document = step_document(visible.game, data, before, step, options.language, (was or now, now))
        yield step, {**document, "position": now} if options.boards else document
        was, before = now, step.position


def step_document(
    game: AnyGame,
    data: JsonObject,
    before: Board | None,
    step: BoardStep,
    language: str,
    views: tuple[JsonObject, JsonObject],
) -> JsonObject:
    """Returns a step from the visible data of its event and the viewer's boards before and after it."""
    event, board = step.event, step.position
    return {
        "version": event.seq,
        "kind": event.kind,
        "at": iso_time(event.at),
        "kept": step.kept,
        "back_to": returns_to(event),
        "seat": data.get("seat"),
        "move": data.get("move"),
        "label": _label(game, before, data, language),
        "drew": data.get("drew", ()),
        "then": _forced(game, before, data, language),
        "facts": data.get("facts", ()),
        "turn": turn_document(turn_of(game, board)),
        "scores": scores(game, board, views[1]),
        "gains": gains(*views),
    }


def _label(game: AnyGame, before: Board | None, data: JsonObject, language: str) -> str | None:
    """Returns the played move of a step in words; None for other steps."""
    move = data.get("move")
    return None if before is None or move is None else game.report(before, game.parse(str(move)), language)


def _forced(game: AnyGame, before: Board | None, data: JsonObject, language: str) -> list[JsonObject]:
    """Returns the forced moves of a step in words."""
    forced = cast(Sequence[JsonObject], data.get("then", ()))
    return [{**move, "label": _label(game, before, move, language)} for move in forced]


def is_noted(event: Event) -> bool:
    """Returns whether readers are told of an event that is no step: of answers to proposals, of refusals alone."""
    return event.kind in NOTED or (event.kind == ANSWERED and event.data["agrees"] is False)


def notes(games: GameRepository, visible: Visibility, part: ReplayPart, language: str) -> list[JsonObject]:
    """Returns the visible events of a part that are not moves: leavers, substitutes, rulings, the end."""
    events = [event for event in events_seen(games, visible, part.after, part.length) if is_noted(event)]
    reasons = games.reasons(visible.table.id, events, hidden_notice(language))
    return [note(visible.record, event, reasons) for event in events]


def note(record: GameRecord, event: Event, reasons: Mapping[str, str]) -> JsonObject:
    """Returns an event that is not a move."""
    data = event.data
    seat = record.seat_of(event.actor) if event.kind == "game_aborted" else data.get("seat")
    return {
        "version": event.seq,
        "kind": event.kind,
        "at": iso_time(event.at),
        "seat": seat,
        "cause": data.get("cause", data.get("consequence")),
        "absent": data.get("absent", False),
        "player": data.get("player"),
        "bot": data.get("bot", data.get("stand_in")),
        "until": iso_time(int(str(data["until"]))) if event.kind in STOPS else None,
        "reason": reasons.get(str(data.get("reason"))),
    }


def scores(game: AnyGame, board: Board, view: JsonObject) -> list[JsonObject | None]:
    """Returns each seat's itemised points; None where they are hidden from the viewer."""
    hidden = cast(Sequence[str], view["hides"])
    return [
        None if any(name.startswith(f"players[{seat}].") for name in hidden) else score
        for seat, score in enumerate(game.scores(board))
    ]

"""Replays a game from its events by recorded chance and rules, to compare results, record and clocks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from events.errors import CabildoError
from events.event import Event, in_newest_shape
from events.json_types import Json
from events.kinds import KINDS
from projections.games.clocks import BANK, FIELDS, NONE
from projections.games.commitments import Commitments
from projections.games.execute_move import digest, enact, set_up
from projections.games.fold import fold
from projections.games.record import RUNNING, GameRecord
from projections.games.replay import CHANGES, RETURNS, returns_to
from projections.games.results import result
from projections.games.rules_versions import MOVED_ON, board_under_rules, rules_after
from projections.games.seating import turn_order
from projections.rules.dealer import Dealer, DeclaredDealer
from projections.rules.protocol import NO_BOARD, AnyGame, Board
from projections.rules.registry import rules_of
from projections.verify.checks.documents import same
from projections.verify.checks.parted import Parted
from projections.verify.checks.undoing import check_undo

BEFORE_START = frozenset(
    ("game_created", "seat_taken", "seat_left", "expiry_announced", "commitments_closed", "entropy_revealed")
) | {"game_started"}
AFTER_START = frozenset(
    ("moved", "undone", "ruled", "offer_made", "offer_answered", "clock_changed", "player_replaced", "flag_fell")
) | {"offer_withdrawn", "resigned", MOVED_ON, "game_ended", "clock_paused", "clock_resumed", "away_began", "away_ended"}


class Expected(NamedTuple):
    """The expected content of one event."""

    seq: int
    drew: Sequence[str]
    data: Mapping[str, Json]


@dataclass
class Rerun:
    """A game during its replay."""

    game: AnyGame
    commitments: Commitments
    seed: bytes | None
    record: GameRecord | None = None
    board: Board = NO_BOARD
    boards: dict[int, Board] = field(default_factory=dict)  # after each event of the line
    line: dict[int, Event] = field(default_factory=dict)  # the events that made the board, without undone ones

    def expect(self, event: Event) -> Expected | None:
        """Returns the expected content of an event that changes the board, or None for other events."""
        dealer = self._dealer(event)
        expected = None
        if event.kind == "game_started":
            expected = self._started(event, dealer)
        elif event.kind == "moved":
            played = enact(self.game, self.board, str(event.data["move"]), dealer)
            data = {"seat": played.seat, "move": played.move, "turn": self._turn(), **played.deed.data()}
            expected = Expected(event.seq, played.deed.drew, data)
        elif event.kind in RETURNS:
            expected = self._returned(event)
        elif event.kind == MOVED_ON:
            expected = self._moved_on(event)
        if event.kind in CHANGES:
            self.boards[event.seq] = self.game.copy(self.board)
            self.line[event.seq] = event
        self.record = folded(self.record, event)
        return expected

    def result(self) -> Mapping[str, Json] | None:
        """Returns the result, or None while the game continues."""
        if self.record is None or self.board is NO_BOARD or self.record.status != RUNNING:
            return None
        return result(self.game, self.board, self.record)

    def round(self) -> int | None:
        """The round of the board; None before the game starts."""
        number = None if self.board is NO_BOARD else self.game.document(self.board)["round"]
        return number if isinstance(number, int) else None

    def _dealer(self, event: Event) -> Dealer:
        before = self.commitments.draws
        self.commitments.hear(event.kind, event.data)
        if self.seed is None or not self.commitments.dealt:
            drew: Any = event.data.get("drew", ())
            return DeclaredDealer(drew)
        return replace(self.commitments, draws=before).dealer(self.seed)

    def _started(self, event: Event, dealer: Dealer) -> Expected:
        assert self.record is not None  # set by the first event
        chairs = len(self.record.chairs)
        order, drew = turn_order(self.record.first_chair, chairs, dealer)
        self.board, deed = set_up(self.game, self.record.options, chairs, dealer)
        data = {**deed.data(), "order": list(order), "drew": [*drew, *deed.drew], "turn": self._turn()}
        return Expected(event.seq, (*drew, *deed.drew), data)

    def _returned(self, event: Event) -> Expected:
        earlier = returns_to(event)
        if earlier is not None:
            if earlier not in self.line:
                raise Parted(
                    event.seq, "no_such_board", "there is no board of event {earlier} to return to", earlier=earlier
                )
            taken = self._take_back(earlier)
            if event.kind == "undone":
                check_undo(self.record, taken, event)
            self.board = self.game.copy(self.boards[earlier])
        expected: dict[str, Json] = {"digest": digest(self.game, self.board)}
        if earlier is not None or "turn" in event.data:  # a ruling that undoes nothing need not state the turn
            expected["turn"] = self._turn()
        return Expected(event.seq, (), expected)

    def _take_back(self, version: int) -> list[Event]:
        """Removes the events after a version from the line, and their boards. Returns them, oldest first."""
        taken: list[Event] = []
        while self.line and next(reversed(self.line)) > version:
            seq, event = self.line.popitem()
            del self.boards[seq]
            taken.append(event)
        return taken[::-1]

    def _moved_on(self, event: Event) -> Expected:
        """Continues under newer rules, also after an undo."""
        self.game = rules_of(self.game.name, rules_after(event))
        self.board = board_under_rules(self.game, self.board)
        self.boards = {seq: board_under_rules(self.game, board) for seq, board in self.boards.items()}
        return Expected(event.seq, (), {"digest": digest(self.game, self.board)})

    def _turn(self) -> Json:
        seat, decision = self.game.actor(self.board), self.game.decision(self.board)
        return None if seat is None else {"seat": seat, "decision": decision}


def folded(record: GameRecord | None, event: Event) -> GameRecord:
    """Returns the record after one more event; raises Parted when the event does not fit the record."""
    try:
        return fold(record, event)
    except (LookupError, TypeError, ValueError, AttributeError) as fault:
        raise Parted(event.seq, "form", "does not fit what went before: {fault}", fault=fault) from fault


def begin(first: Event, seed: bytes | None, rules: str | None = None) -> Rerun:
    """Returns a replay before the first event, by the rules it names or by others."""
    return Rerun(rules_of(str(first.data["game"]), rules or first.rules), Commitments(first.stream), seed)


def check_form(events: Sequence[Event]) -> tuple[Event, ...]:
    """Returns the events with their data in the newest shape.

    Raises Parted for an event with the wrong form for its kind, or in a wrong place.
    """
    chairs, started = 0, False
    check_rules(events)
    formed: list[Event] = []
    for received in events:
        event = _formed(received)
        chairs = chairs or _check_table(event)
        if event.kind in (AFTER_START if not started else BEFORE_START):
            when = "{kind} cannot happen after start" if started else "{kind} cannot happen before start"
            raise Parted(event.seq, "out_of_place", when, kind=event.kind)
        started = started or event.kind == "game_started"
        formed.append(event)
        _check_numbers(event, chairs, chairs if _is_banked(formed[0]) else 0)
    return tuple(formed)


def check_rules(events: Sequence[Event]) -> None:
    """Raises Parted for an event under other rules than the game has at that point."""
    rules = events[0].rules
    for event in events:
        if event.rules != rules:
            sentence = "is under the rules {rules!r}, and the game keeps to {now!r}"
            raise Parted(event.seq, "rules", sentence, rules=event.rules, now=rules)
        to = event.data.get("to") if event.kind == MOVED_ON else None
        rules = to if isinstance(to, str) else rules


def _formed(event: Event) -> Event:
    """Returns the event in its newest shape; raises Parted for data that does not fit its kind."""
    try:
        newest = in_newest_shape(event)
        kind = KINDS.check(newest.kind, newest.seq, newest.data)
    except CabildoError as fault:
        raise Parted(event.seq, "form", fault.words) from fault
    except (LookupError, TypeError, ValueError, AttributeError) as fault:
        raise Parted(event.seq, "form", "does not fit what went before: {fault}", fault=fault) from fault
    if kind.stream != "game":
        raise Parted(event.seq, "other_stream", "{kind} is not an event of a game", kind=event.kind)
    return newest


def _check_table(event: Event) -> int:
    """Returns the number of chairs; raises Parted unless the game allows these options, chairs and clock."""
    data: Mapping[str, Any] = event.data
    try:
        game = rules_of(data["game"], event.rules)
        options = dict(game.read_options(data["options"], len(data["chairs"])))
    except CabildoError as fault:
        raise Parted(event.seq, "form", fault.words) from fault
    chairs, clock = len(data["chairs"]), data["clock"]
    fields = FIELDS.get(clock.get("kind", NONE))
    fits = fields is not None and clock.keys() <= {"kind", *fields} and all(type(clock.get(f)) is int for f in fields)
    if data["seats"] != chairs or chairs not in game.seats or not fits:
        raise Parted(event.seq, "table", "nobody can play with these chairs or this clock")
    if data.get("chosen") and data["level"]:
        raise Parted(event.seq, "chosen", "says that the host chose the seed, at a level where nobody does")
    if not same(options, data["options"]):
        raise Parted(event.seq, "options", "the options are not complete")
    return chairs


def _is_banked(opening: Event) -> bool:
    """Returns whether each seat has a bank of time."""
    clock: Any = opening.data["clock"]
    return bool(clock.get("kind") == BANK)


def _check_numbers(event: Event, chairs: int, banks: int) -> None:
    """Raises Parted for a seat or chair out of range, or an order or banks without every seat."""
    data: Mapping[str, Any] = event.data
    turn = data.get("turn") or {}
    named = (data.get("seat"), data.get("chair"), data.get("first_chair"), turn.get("seat"), *data.get("agreed", ()))
    if any(number >= chairs for number in named if number is not None):
        raise Parted(event.seq, "no_such_seat", "names a seat that is not there")
    if sorted(data.get("order", range(chairs))) != list(range(chairs)):
        raise Parted(event.seq, "no_such_seat", "does not name every seat once")
    if any(len(clocks["banks"]) != banks for clocks in (data, data.get("clocks", {})) if "banks" in clocks):
        raise Parted(event.seq, "no_such_seat", "does not name every seat once")

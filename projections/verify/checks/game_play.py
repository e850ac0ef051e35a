"""V6 to V10: the draws, the moves, the result, the clocks, and the statements of players."""

from collections.abc import Iterator, Mapping
from typing import Any

from events.errors import CabildoError
from events.event import Event, Head
from events.kinds.field_types import NAME, RULES
from events.messages import Message
from projections.games.clocks import NONE
from projections.games.clocks_after_undo import ClockHistory
from projections.games.fold import fold
from projections.games.record import Chair, GameRecord
from projections.games.rules_versions import MOVED_ON, rules_after
from projections.games.signed_moves import check_signature, move_statement
from projections.rules.registry import is_known
from projections.rules.tables_hash import rules_data
from projections.verify.checks.actors import Actors
from projections.verify.checks.case import (
    ENDS,
    OPENING,
    Case,
    CheckFailed,
    Finding,
    Weight,
    doubtful,
    not_checked,
    unproved,
)
from projections.verify.checks.changed_rules import check_move
from projections.verify.checks.documents import same
from projections.verify.checks.no_shows import check_no_shows
from projections.verify.checks.parted import Parted
from projections.verify.checks.undoing import check_abort
from projections.verify.replay_check import Expected, Rerun, begin, check_form, check_rules

INTERVENTIONS = frozenset(("ruled", "clock_changed", "player_replaced", MOVED_ON))  # not by players
RULES_UNKNOWN = "this program does not know these rules: draws, moves and result are not judged"
NO_GAME = "this is not the stream of a game"


def recompute_draws(case: Case) -> Iterator[Finding]:
    """V6: seed, entropies and links produce every draw."""
    if not _is_game(case):
        yield not_checked("no_game", NO_GAME)
        return
    if not _are_rules_known(case):
        yield not_checked("rules_unknown", RULES_UNKNOWN, Weight.UNDECIDED)
        return
    _compare_tables(case)
    for expected in _expectations(case):
        event = case.events[expected.seq - 1]
        if not same(tuple(expected.drew), _drawn(event)):
            raise CheckFailed("draws", "the recorded draws are not those of the committed chance", event.seq)
    if not case.commitments.dealt:
        yield not_checked("draws_declared", "the draws are those that the scribe wrote down")
    elif case.commitments.seed is None:
        sentence = "without the server's seed the draws are taken as they are recorded"
        yield not_checked("draws_unread", sentence, Weight.REMARK)


def _compare_tables(case: Case) -> None:
    """Raises CheckFailed when the exporter's tables of this rules version differ from this program's."""
    given, game = case.bundle.rules, case.events[0].data.get("game")
    if given is None or not isinstance(game, str):
        return
    if given != rules_data(game, rules := _rules_kept(case)[-1]):
        raise CheckFailed(
            "rules_data", "the bundle was made by other tables of the rules {rules!r} than these", rules=rules
        )


def judge_moves(case: Case) -> Iterator[Finding]:
    """V7: every move is legal, by the right actor, with exactly the recorded result."""
    if not _is_game(case):
        raise CheckFailed("no_game", "does not open a game", 1)
    if not _are_rules_known(case):
        check_rules(case.events)
        yield not_checked("rules_unknown", RULES_UNKNOWN, Weight.UNDECIDED)
        return
    for expected in _expectations(case):
        event = case.events[expected.seq - 1]
        for name, value in expected.data.items():
            if not same(event.data.get(name), value):
                raise CheckFailed(
                    "deed", "the rules make another {name!r} of it than is recorded", event.seq, name=name
                )
    if case.parted is not None:
        raise case.parted
    ruled = [event.seq for event in case.events if event.kind in INTERVENTIONS and case.commitments.dealt]
    if ruled:
        sentence = "events {seqs}: a director or the operator intervened in the game, and only they know why"
        yield doubtful("intervened", Message(sentence, seqs=", ".join(map(str, ruled))))
    if case.late:
        sentence = "events {seqs}: moves of players who had left their seats by then"
        yield doubtful("left", Message(sentence, seqs=", ".join(map(str, case.late))))


def recount_result(case: Case) -> Iterator[Finding]:
    """V8: the result is that of the rules, and no event follows the end."""
    if not _are_rules_known(case):
        yield not_checked("rules_unknown", RULES_UNKNOWN, Weight.UNDECIDED)
        return
    check_no_shows(case.events)
    ended = next((event for event in case.events if event.kind in ENDS), None)
    if ended is None:
        if case.overdue is not None:
            raise CheckFailed("not_ended", "the game is over after it, and does not end", case.overdue[0])
        yield not_checked("unfinished", "the game is not over in this bundle", Weight.REMARK)
        return
    late = next((e for e in case.events if e.seq > ended.seq and e.kind != "seed_revealed"), None)
    if late is not None:
        raise CheckFailed("after_the_end", "happens after the end", late.seq)
    if ended.kind == "game_aborted":
        yield not_checked("aborted", "the game was aborted: it has no result")
    _compare_result(case, ended)


def _compare_result(case: Case, ended: Event) -> None:
    """Raises CheckFailed for a wrong end or result."""
    over = case.overdue
    if over is not None and over[0] != ended.seq - 1:
        raise CheckFailed("ended_late", "the game was over before this", over[0] + 1)
    if ended.kind == "game_aborted":
        if over is not None:
            raise CheckFailed("aborted_late", "aborts a game that was over", ended.seq)
        return
    if over is None:
        raise CheckFailed("ended_early", "the game is not over by its rules", ended.seq)
    for name, value in over[1].items():
        if not same(ended.data[name], value):
            raise CheckFailed("result", "the rules count other {name} than the result states", ended.seq, name=name)


def check_clocks(case: Case) -> Iterator[Finding]:
    """V9: times do not decrease, no move comes after its flag fell, no flag falls early."""
    if not _are_rules_known(case):
        yield not_checked("rules_unknown", RULES_UNKNOWN, Weight.UNDECIDED)
        return
    away = [event.seq for event in case.events if event.kind == "service_was_away"]
    if away:
        sentence = "events {seqs}: that the service was away, and nobody is charged for it, is its own word"
        yield unproved("away", Message(sentence, seqs=", ".join(map(str, away))))
    history = ClockHistory()
    before = 0
    for event in case.events:
        if event.at < before:
            raise CheckFailed("time", "happens before the event in front of it", event.seq)
        _check_deadline(history.record, event)
        _check_absence(history.record, event)
        if event.kind == "undone":
            yield from _check_undone(history, event)
        history.hear(event)
        before = event.at


def _check_undone(history: ClockHistory, event: Event) -> Iterator[Finding]:
    """Checks that an undo restores the clocks before the move and charges the time since."""
    data: Mapping[str, Any] = event.data
    timed = history.record is not None and history.record.clocks.setting.kind != NONE
    if "clocks" in data:
        clocks = history.after_undo(data["to"], data["seat"], event.at) if timed else None
        if clocks is None or clocks.ran_out(event.at) or not same(data["clocks"], clocks.stated()):
            raise CheckFailed("undo_clocks", "an undo leaves the clocks otherwise", event.seq)
    elif timed:  # earlier versions recorded none, and restored the time
        sentence = "event {seq}: an undo that states no clocks may have given time back"
        yield doubtful("clocks_unstated", Message(sentence, seq=event.seq))


def _check_deadline(record: GameRecord | None, event: Event) -> None:
    deadline = record.clocks.deadline if record else None
    if event.kind == "flag_fell":
        stated = event.data["deadline"]
        fell = record is not None and deadline is not None and deadline == stated and event.at >= deadline
        if not fell or (record and record.clocks.seat != event.data["seat"]):
            raise CheckFailed("flag", "no flag falls here by the recorded times", event.seq)
    elif event.kind == "moved" and deadline is not None and event.at > deadline:
        raise CheckFailed("overtime", "is a move after the flag should have fallen", event.seq)
    elif event.kind == "undone" and deadline is not None and event.at > deadline:
        raise CheckFailed("overtime", "is an undo after the flag should have fallen", event.seq)


def _check_absence(record: GameRecord | None, event: Event) -> None:
    """Checks that no seat is recorded as absent before the deadline to commit or reveal."""
    if event.kind == "entropy_revealed" and event.data["entropy"] is None:
        until = record.wait_until if record else None
        if until is None or event.at < until:
            raise CheckFailed("absent_early", "takes a seat for absent before its time was over", event.seq)


def compare_statements(case: Case) -> Iterator[Finding]:
    """V10: the players saw this history, and signed every move of seats with keys."""
    for event in case.events:
        if event.kind == "moved" and event.data.get("saw") not in (None, event.prev.hex()):
            raise CheckFailed("saw", "the player saw another history than this one", event.seq)
    if not _are_rules_known(case):
        yield not_checked("rules_unknown", RULES_UNKNOWN, Weight.UNDECIDED)
        return
    record, unsigned = None, False
    for event in case.events:
        if event.kind == "moved" and record is not None:
            chair = record.chair_at(int(str(event.data["seat"])))
            _check_signed(chair, event)
            unsigned = unsigned or (chair.engine is None and "signature" not in event.data)
        record = fold(record, event)
    signing = [f"{chair.player} {chair.key}" for chair in (record.chairs if record else ()) if chair.key]
    if signing:
        sentence = "whose keys sign is the host's word; compare with the players: {known}"
        yield unproved("keys_named", Message(sentence, known=", ".join(signing)))
    if unsigned:
        yield unproved("unsigned", "some moves are not signed: that their players made them is the service's word")
    if not any({"saw", "signature"} & event.data.keys() for event in case.events if event.kind == "moved"):
        yield not_checked("no_statements", "no player states a history or signs a move in these events")


def _check_signed(chair: Chair, event: Event) -> None:
    signature = event.data.get("signature")
    if signature is None:
        if chair.signs:
            raise CheckFailed("unsigned", "the seat signs its moves, and nobody signed this one", event.seq)
        return
    if chair.key is None:
        raise CheckFailed("no_key", "is signed, and the seat has named no key", event.seq)
    before = Head(event.seq - 1, event.prev)
    stated = move_statement(event.stream, before, int(str(event.data["seat"])), str(event.data["move"]))
    try:
        check_signature(bytes.fromhex(chair.key), stated, bytes.fromhex(str(signature)))
    except CabildoError as false:
        raise CheckFailed(
            "signature", "nobody knows this move to be the player's: {false}", event.seq, false=false
        ) from false


def _is_game(case: Case) -> bool:
    """Returns whether the first event opens a game."""
    return case.events[0].kind == OPENING


def _are_rules_known(case: Case) -> bool:
    """Returns whether this program has the game and all its rules versions; V7 checks other claims."""
    game = case.events[0].data.get("game")
    moved_on = (event.data.get("to") for event in case.events if event.kind == MOVED_ON)
    if not isinstance(game, str) or not NAME.holds(game) or not all(map(RULES.holds, moved_on)):
        return True
    return all(is_known(game, rules) for rules in _rules_kept(case))


def _rules_kept(case: Case) -> list[str]:
    """Returns the rules versions of the game by its own events, in order."""
    named = [event.data.get("to") for event in case.events if event.kind == MOVED_ON]
    return [case.events[0].rules, *(rules for rules in named if isinstance(rules, str))]


def _expectations(case: Case) -> list[Expected]:
    """Returns the expected content of each event, up to the first impossible one; replayed once."""
    if case.expected is None:
        case.expected = []
        try:
            case.events = check_form(case.events)
            rerun = begin(case.events[0], _seed(case))
            actors = Actors(late=case.late)
            for event in case.events:
                actors.check(rerun.record, event)
                if event.kind == "game_aborted":
                    check_abort(rerun.record, rerun.round(), event)
                actors.hear(rerun.record, event)
                _follow(case, rerun, event)
        except Parted as parted:
            case.parted = parted
    return case.expected


def _follow(case: Case, rerun: Rerun, event: Event) -> None:
    try:
        if event.kind == MOVED_ON:
            _check_rules_change(case, rerun, event)
        expected = rerun.expect(event)
    except Parted:
        raise
    except CabildoError as refused:
        raise Parted(event.seq, "illegal", refused.words) from refused
    if expected is not None and case.expected is not None:
        case.expected.append(expected)
    if case.overdue is None and (ended := rerun.result()) is not None:
        case.overdue = (event.seq, ended)


def _check_rules_change(case: Case, rerun: Rerun, event: Event) -> None:
    """Raises Parted unless the newer rules lead to the same game so far."""
    try:
        check_move(case.events[: event.seq - 1], rerun.game.rules, rules_after(event), rerun.seed)
    except Parted as parted:
        raise Parted(
            event.seq, "moved_on", "the game could not be moved to these rules: {parted}", parted=parted
        ) from parted


def _seed(case: Case) -> bytes | None:
    return case.commitments.seed or case.commitments.declared_seed


def _drawn(event: Event) -> list[Any]:
    drew: Any = event.data.get("drew", [])
    return list(drew)

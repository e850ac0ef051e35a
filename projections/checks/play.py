"""V6 to V10: the draws, the moves, the result, the clocks, and what the players themselves stated."""

from collections.abc import Iterator, Mapping
from typing import Any

from events.errors import CabildoError
from events.event import Event, Head
from events.words import Words
from projections.checks.case import Case, CheckFailed, Remark
from projections.checks.moving import check_move
from projections.checks.no_shows import check_no_shows
from projections.checks.rerun import Expected, Parted, Rerun, begin, check_form, plain
from projections.chronology import fold
from projections.clocks import NONE
from projections.clocks_after_undo import ClockHistory
from projections.games import is_known
from projections.record import Chair, Record
from projections.rules_data import rules_data
from projections.statements import check_signature, move_statement
from projections.versions import MOVED_ON, all_rules, rules_after


def recompute_draws(case: Case) -> Iterator[Remark]:
    """V6: every draw is the one that seed, entropies and links make."""
    if not _judged(case):
        yield Remark("rules_unknown", "this program does not know these rules: draws, moves and result are not judged")
        return
    _compare_tables(case)
    if case.promises.dealt and case.promises.seed is None:
        yield Remark("draws_unread", "without the server's seed the draws are taken as they are recorded")
    for expected in _expectations(case):
        event = case.events[expected.seq - 1]
        if list(expected.drew) != _drawn(event):
            raise CheckFailed("draws", "the recorded draws are not those of the committed chance", event.seq)


def _compare_tables(case: Case) -> None:
    """Refuse a bundle whose exporter plays this version of the rules by other numbers than this program."""
    given, rules = case.bundle.rules, rules_after(case.last)
    if given is not None and given != rules_data(str(case.events[0].data["game"]), rules):
        raise CheckFailed(
            "rules_data", "the bundle was made by other tables of the rules {rules!r} than these", rules=rules
        )


def judge_moves(case: Case) -> Iterator[Remark]:
    """V7: every move is legal, and brought about exactly what is recorded."""
    if not _judged(case):
        return
    for expected in _expectations(case):
        event = case.events[expected.seq - 1]
        for name, value in expected.data.items():
            if name in event.data and plain(event.data[name]) != plain(value):
                raise CheckFailed(
                    "deed", "the rules make another {name!r} of it than is recorded", event.seq, name=name
                )
    if case.parted is not None:
        raise case.parted
    yield from ()


def recount_result(case: Case) -> Iterator[Remark]:
    """V8: the result is the one the rules count, and nothing happens after the end."""
    if not _judged(case):
        return
    check_no_shows(case.events)
    ended = next((event for event in case.events if event.kind in ("game_ended", "game_aborted")), None)
    if ended is None:
        if case.overdue is not None:
            raise CheckFailed("not_ended", "the game is over after it, and does not end", case.overdue[0])
        yield Remark("unfinished", "the game is not over in this bundle")
        return
    late = next((e for e in case.events if e.seq > ended.seq and e.kind != "seed_revealed"), None)
    if late is not None:
        raise CheckFailed("after_the_end", "happens after the end", late.seq)
    if ended.kind == "game_aborted":
        return
    if case.overdue is None:
        raise CheckFailed("ended_early", "the game is not over by its rules", ended.seq)
    if case.overdue[0] != ended.seq - 1:
        raise CheckFailed("ended_late", "the game was over before this", case.overdue[0] + 1)
    for name, value in case.overdue[1].items():
        if plain(ended.data[name]) != plain(value):
            raise CheckFailed("result", "the rules count other {name} than the result states", ended.seq, name=name)


def check_clocks(case: Case) -> Iterator[Remark]:
    """V9: time does not run backwards, nobody moves after their flag fell, and no flag falls early."""
    if not _judged(case):
        return
    history = ClockHistory()
    before = 0
    for event in case.events:
        if event.at < before:
            raise CheckFailed("time", "happens before the event in front of it", event.seq)
        _check_deadline(history.record, event)
        _check_absence(history.record, event)
        if event.kind == "undone" and "clocks" in event.data:  # earlier versions stated none, and gave time back
            _check_undone(history, event)
        history.hear(event)
        before = event.at
    yield from ()


def _check_undone(history: ClockHistory, event: Event) -> None:
    """An undo restores the clocks of before the move, and charges the time since."""
    data: Mapping[str, Any] = event.data
    record = history.record
    timed = record is not None and record.clocks.setting.kind != NONE
    clocks = history.after_undo(data["to"], data["seat"], event.at) if timed else None
    if clocks is None or clocks.ran_out(event.at) or plain(data["clocks"]) != plain(clocks.stated()):
        raise CheckFailed("undo_clocks", "an undo leaves the clocks otherwise", event.seq)


def _check_deadline(record: Record | None, event: Event) -> None:
    deadline = record.clocks.deadline if record else None
    if event.kind == "flag_fell":
        stated = event.data["deadline"]
        fell = record is not None and deadline is not None and deadline == stated and event.at >= deadline
        if not fell or (record and record.clocks.seat != event.data["seat"]):
            raise CheckFailed("flag", "no flag falls here by the recorded times", event.seq)
    elif event.kind == "moved" and deadline is not None and event.at > deadline:
        raise CheckFailed("overtime", "is a move after the flag should have fallen", event.seq)


def _check_absence(record: Record | None, event: Event) -> None:
    """Nobody is recorded as absent from the deal before the time to commit or to reveal is over."""
    if event.kind == "entropy_revealed" and event.data["entropy"] is None:
        until = record.wait_until if record else None
        if until is None or event.at < until:
            raise CheckFailed("absent_early", "takes a seat for absent before its time was over", event.seq)


def compare_statements(case: Case) -> Iterator[Remark]:
    """V10: the history a player saw is this one, and seats that sign their moves signed each of them."""
    record: Record | None = None
    for event in case.events:
        if event.kind == "moved" and event.data.get("saw") not in (None, event.prev.hex()):
            raise CheckFailed("saw", "the player saw another history than this one", event.seq)
        if not _judged(case):
            continue
        if event.kind == "moved" and record is not None:
            _check_signed(record.chair_at(int(str(event.data["seat"]))), event)
        record = fold(record, event)
    signing = [f"{chair.player} {chair.key}" for chair in (record.chairs if record else ()) if chair.key]
    if signing:
        yield Remark(
            "keys_named",
            Words("whose keys sign is the host's word; compare with the players: {known}", known=", ".join(signing)),
        )


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


def _judged(case: Case) -> bool:
    """Whether the game and all rules it has kept to are known here."""
    first = case.events[0]
    game = str(first.data.get("game"))
    return first.kind == "game_created" and all(is_known(game, rules) for rules in all_rules(case.events))


def _expectations(case: Case) -> list[Expected]:
    """What each event should have brought about, up to the first that cannot have happened; played once."""
    if case.expected is None:
        case.expected = []
        try:
            check_form(case.events)
            rerun = begin(case.events[0], _seed(case))
            for event in case.events:
                _follow(case, rerun, event)
        except Parted as parted:
            case.parted = parted
    return case.expected


def _follow(case: Case, rerun: Rerun, event: Event) -> None:
    try:
        if event.kind == MOVED_ON:
            _check_moved_on(case, rerun, event)
        expected = rerun.expect(event)
    except Parted:
        raise
    except CabildoError as refused:
        raise Parted(event.seq, "illegal", refused.words) from refused
    if expected is not None and case.expected is not None:
        case.expected.append(expected)
    if case.overdue is None and (ended := rerun.result()) is not None:
        case.overdue = (event.seq, ended)


def _check_moved_on(case: Case, rerun: Rerun, event: Event) -> None:
    """A game is moved to newer rules only where they would have made the same of all that happened before."""
    try:
        check_move(case.events[: event.seq - 1], rerun.game.rules, rules_after(event), rerun.seed)
    except Parted as parted:
        raise Parted(
            event.seq, "moved_on", "the game could not be moved to these rules: {parted}", parted=parted
        ) from parted


def _seed(case: Case) -> bytes | None:
    return case.promises.seed or case.promises.declared_seed


def _drawn(event: Event) -> list[Any]:
    drew: Any = event.data.get("drew", [])
    return list(drew)

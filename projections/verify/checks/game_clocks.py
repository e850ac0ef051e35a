"""V9: the times, clocks and flags of a game."""

from collections.abc import Iterator, Mapping
from typing import Any

from events.event import Event
from events.messages import Message
from projections.games.clocks import NONE
from projections.games.clocks_after_undo import ClockHistory
from projections.games.record import GameRecord
from projections.verify.checks.case import Case, CheckFailed, Finding, doubtful, unproved
from projections.verify.checks.documents import same
from projections.verify.checks.game_replay import are_rules_known, rules_unknown
from projections.verify.checks.pauses import Pauses


def check_clocks(case: Case) -> Iterator[Finding]:
    """V9: times do not decrease, no move comes after its flag fell, no flag falls early, no clock stops unagreed."""
    if not are_rules_known(case):
        yield rules_unknown()
        return
    away = [event.seq for event in case.events if event.kind == "service_was_away"]
    if away:
        sentence = "events {seqs}: that the service was away, and nobody is charged for it, is its own word"
        yield unproved("away", Message(sentence, seqs=", ".join(map(str, away))))
    history, pauses = ClockHistory(), Pauses()
    before = 0
    for event in case.events:
        if event.at < before:
            raise CheckFailed("time", "happens before the event in front of it", event.seq)
        _check_deadline(history.record, event)
        _check_absence(history.record, event)
        pauses.check(history.record, event)
        if event.kind == "undone":
            yield from _check_undone(history, event)
        history.hear(event)
        before = event.at
    if pauses.seqs:
        sentence = "events {seqs}: that the players had said they would be away is the service's word"
        yield unproved("players_away", Message(sentence, seqs=", ".join(map(str, pauses.seqs))))


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

"""Checks that this program replays every stored game identically: by its facts, and by its rules."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from events.errors import CabildoError
from events.event import Event
from events.log.bundle import Bundle
from projections.games.execute_move import digest
from projections.games.replay import GameSetup, steps
from projections.games.rules_versions import all_rules, rules_after
from projections.rules.protocol import Board
from projections.rules.registry import GAMES, is_known, rules_of
from projections.verify.checks.case import Case, Check
from projections.verify.checks.chance import check_commitments
from projections.verify.checks.game_clocks import check_clocks
from projections.verify.checks.game_play import judge_moves, recompute_draws, recount_result

BY_RULES: Sequence[Check] = (check_commitments, recompute_draws, judge_moves, recount_result, check_clocks)
FACTS, RULES = "facts", "rules"


class Difference(NamedTuple):
    """The first event at which this program differs from a stored game."""

    by: str  # facts or rules
    seq: int | None
    sentence: str


def differences(events: Sequence[Event]) -> list[Difference]:
    """Returns the first difference by facts and by rules; empty when both replays match."""
    found = (_by_facts(events), _by_rules(events))
    return [difference for difference in found if difference is not None]


def _by_facts(events: Sequence[Event]) -> Difference | None:
    created: dict[str, Any] = dict(events[0].data)
    if created["game"] not in GAMES:
        return Difference(FACTS, 1, f"there is no game {created['game']!r}")
    if _unknown(events):
        return None  # reported once, by the replay by rules
    game = rules_of(created["game"], events[0].rules)
    setting: GameSetup[Board] = GameSetup(game, created["options"], created["seats"])
    seq = None
    try:
        for step in steps(setting, events, undone=True):
            seq = step.event.seq
            if digest(setting.game, step.position) != step.event.data["digest"]:
                return Difference(FACTS, seq, "its facts lead to another board than they did")
    except (CabildoError, LookupError, TypeError, ValueError) as fault:
        return Difference(FACTS, seq, f"the facts after it cannot be applied: {fault}")
    return None


def _unknown(events: Sequence[Event]) -> Difference | None:
    """Returns the first event under rules that this program does not have."""
    game = str(events[0].data["game"])
    missing = next((rules for rules in all_rules(events) if not is_known(game, rules)), None)
    if missing is None:
        return None
    seq = next(event.seq for event in events if rules_after(event) == missing)
    return Difference(RULES, seq, f"the rules {missing} are not in this program")


def _by_rules(events: Sequence[Event]) -> Difference | None:
    case = Case(b"", None)
    case.bundle = Bundle(events[0].stream, tuple(event.body for event in events))
    case.events = tuple(events)
    try:
        for check in BY_RULES:
            for remark in check(case):
                if remark.reason == "rules_unknown":
                    return _unknown(events)
    except CabildoError as fault:
        return Difference(RULES, getattr(fault, "seq", None), str(fault))
    return None

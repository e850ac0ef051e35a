"""Replays the events of a game for its checks, once, and says whether its rules are known."""

from events.errors import CabildoError
from events.event import Event
from events.kinds.field_types import NAME, RULES
from projections.games.rules_versions import MOVED_ON, rules_after
from projections.rules.registry import is_known
from projections.verify.checks.actors import Actors
from projections.verify.checks.case import OPENING, Case, Finding, Weight, not_checked
from projections.verify.checks.changed_rules import check_move
from projections.verify.checks.parted import Parted
from projections.verify.checks.undoing import check_abort
from projections.verify.replay_check import Expected, Rerun, begin, check_form


def is_game(case: Case) -> bool:
    """Returns whether the first event opens a game."""
    return case.events[0].kind == OPENING


def are_rules_known(case: Case) -> bool:
    """Returns whether this program has the game and all its rules versions; V7 checks other claims."""
    game = case.events[0].data.get("game")
    moved_on = (event.data.get("to") for event in case.events if event.kind == MOVED_ON)
    if not isinstance(game, str) or not NAME.holds(game) or not all(map(RULES.holds, moved_on)):
        return True
    return all(is_known(game, rules) for rules in rules_kept(case))


def rules_unknown() -> Finding:
    """Returns the finding of a check that needs rules which this program does not have."""
    sentence = "this program does not know these rules: draws, moves and result are not judged"
    return not_checked("rules_unknown", sentence, Weight.UNDECIDED)


def rules_kept(case: Case) -> list[str]:
    """Returns the rules versions of the game by its own events, in order."""
    named = [event.data.get("to") for event in case.events if event.kind == MOVED_ON]
    return [case.events[0].rules, *(rules for rules in named if isinstance(rules, str))]


def expectations(case: Case) -> list[Expected]:
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

"""V6 to V8: the draws, the moves and the result of a game."""

from collections.abc import Iterator
from typing import Any

from events.event import Event
from events.messages import Message
from projections.games.rules_versions import MOVED_ON
from projections.rules.tables_hash import rules_data
from projections.verify.checks.case import ENDS, Case, CheckFailed, Finding, Weight, doubtful, not_checked
from projections.verify.checks.documents import same
from projections.verify.checks.game_replay import are_rules_known, expectations, is_game, rules_kept, rules_unknown
from projections.verify.checks.no_shows import check_no_shows
from projections.verify.replay_check import check_rules

INTERVENTIONS = frozenset(("ruled", "clock_changed", "player_replaced", MOVED_ON))  # not by players
NO_GAME = "this is not the stream of a game"


def recompute_draws(case: Case) -> Iterator[Finding]:
    """V6: seed, entropies and links produce every draw."""
    if not is_game(case):
        yield not_checked("no_game", NO_GAME)
        return
    if not are_rules_known(case):
        yield rules_unknown()
        return
    _compare_tables(case)
    for expected in expectations(case):
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
    if given != rules_data(game, rules := rules_kept(case)[-1]):
        raise CheckFailed(
            "rules_data", "the bundle was made by other tables of the rules {rules!r} than these", rules=rules
        )


def _drawn(event: Event) -> list[Any]:
    drew: Any = event.data.get("drew", [])
    return list(drew)


def judge_moves(case: Case) -> Iterator[Finding]:
    """V7: every move is legal, by the right actor, with exactly the recorded result."""
    if not is_game(case):
        raise CheckFailed("no_game", "does not open a game", 1)
    if not are_rules_known(case):
        check_rules(case.events)
        yield rules_unknown()
        return
    for expected in expectations(case):
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
    if not are_rules_known(case):
        yield rules_unknown()
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

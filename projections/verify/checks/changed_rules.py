"""Checks that the events of a game so far would be the same under newer rules."""

from collections.abc import Sequence

from events.errors import CabildoError
from events.event import Event
from projections.games.execute_move import digest
from projections.games.rules_versions import MOVED_ON
from projections.rules.registry import is_newer
from projections.verify.checks.documents import same
from projections.verify.checks.parted import Parted
from projections.verify.replay_check import Expected, Rerun, begin, folded


def check_move(before: Sequence[Event], now: str, to: str, seed: bytes | None) -> None:
    """Raises Parted unless the rules are newer and lead to the same game so far.

    Parted names the first event that the newer rules change.
    """
    if not is_newer(str(before[0].data["game"]), to, now):
        raise Parted(before[-1].seq + 1, "not_newer", "the rules {to} are not newer than {now}", to=to, now=now)
    rerun = begin(before[0], seed, to)
    for event in before:
        expected = _expected(rerun, event)
        if expected is not None and (name := _otherwise(rerun, expected, event)):
            raise Parted(
                event.seq,
                "otherwise",
                "the rules {to} make another {name!r} of event {seq}",
                to=to,
                name=name,
                seq=event.seq,
            )


def _expected(rerun: Rerun, event: Event) -> Expected | None:
    """Returns the expected content of an event; after an earlier change the game stays under the newest rules."""
    if event.kind == MOVED_ON:
        rerun.record = folded(rerun.record, event)
        return None
    try:
        return rerun.expect(event)
    except Parted:
        raise
    except CabildoError as refused:
        raise Parted(event.seq, "illegal", "event {seq}: {refused}", seq=event.seq, refused=refused) from refused


def _otherwise(rerun: Rerun, expected: Expected, event: Event) -> str | None:
    """Returns the difference in an event; the digest is of the board under the event's own rules."""
    made = {**expected.data, "digest": digest(rerun.game, rerun.board, event.rules)}
    return next(
        (name for name, value in made.items() if name in event.data and not same(event.data[name], value)), None
    )

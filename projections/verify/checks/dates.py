"""V3, second half: compares the times of events with the clocks of the witnesses."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from events.log.bundle import DATED
from events.merkle.policy import Policy
from events.messages import Message
from projections.verify.checks.case import Case, CheckFailed, Finding, doubtful, unproved

SECOND: Final = 1_000_000
CLOCKS_APART: Final = 60  # allowed difference between the clocks of service and witness, in seconds
SEEN_LATE: Final = 24 * 3600  # seconds from the last event to its first witness, beyond which its date is doubtful


def judge_dates(case: Case, policy: Policy) -> Iterator[Finding]:
    """Raises CheckFailed for times that witnesses contradict; yields how far they confirm the others."""
    if policy.quorum is None:
        yield unproved("undated", "no witness vouches for the times: all of them are the service's word")
        return
    seen = _first_seen(case, policy)
    if seen is not None and (seen + CLOCKS_APART) * SECOND < case.last.at:
        raise CheckFailed("post_dated", "witnesses saw it before the time it states", case.last.seq)
    known = _trees_named(case, policy)
    undated = next((event for event in case.events if event.kind in DATED and event.seq not in known), None)
    if undated is not None:
        sentence = "event {seq}: only its own word says that it did not happen earlier"
        yield doubtful("undated", Message(sentence, seq=undated.seq))
    if seen is not None:
        yield _span(case, max(known.values(), default=None), seen)


def _first_seen(case: Case, policy: Policy) -> int | None:
    """Returns the second at which a quorum had cosigned the last event, or None."""
    proofs = [barrier.proof for barrier in case.bundle.barriers if barrier.seq == case.last.seq]
    proofs += [case.bundle.proof] if case.bundle.proof else []
    times = (policy.witnessed_since(policy.judge(proof.checkpoint).times) for proof in proofs)
    return min((time for time in times if time is not None), default=None)


def _trees_named(case: Case, policy: Policy) -> dict[int, int]:
    """Returns the events that name a witnessed tree, with its second: the events are not older.

    Raises CheckFailed for an event that names a tree from after its own time.
    """
    known: dict[int, int] = {}
    for root in case.bundle.roots:
        since = policy.witnessed_since(policy.judge(root.checkpoint).times)
        if since is None or root.seq > len(case.events):
            continue
        if (since - CLOCKS_APART) * SECOND > case.events[root.seq - 1].at:
            raise CheckFailed("back_dated", "names a tree that witnesses first saw after the time it states", root.seq)
        known[root.seq] = since
    return known


def _span(case: Case, after: int | None, seen: int) -> Finding:
    """Returns the finding on the time of the stream's end, as the witnesses bound it."""
    stated = case.last.at // SECOND
    if seen - stated > SEEN_LATE:
        sentence = "the last event states {stated}, and witnesses first saw it at {seen}: it may be dated back"
        return doubtful("seen_late", Message(sentence, stated=_time_text(stated), seen=_time_text(seen)))
    if after is None:
        return unproved(
            "dates",
            Message("that the times are not later than {seen} is all that is proved of them", seen=_time_text(seen)),
        )
    sentence = (
        "that the newest dated event happened after {after}, and all before {seen}, is all that is proved of the times"
    )
    return unproved("dates", Message(sentence, after=_time_text(after), seen=_time_text(seen)))


def _time_text(second: int) -> str:
    """Returns a time in ISO format, or in seconds when it is beyond the calendar."""
    try:
        return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (OverflowError, ValueError, OSError):
        return f"{second} s"

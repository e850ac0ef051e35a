"""V5: what server and seats revealed is what they had committed to, in the order that makes it fair."""

from collections.abc import Iterator

from events.bundle import CLOSING, REVEALING
from events.merkle.checkpoint import Checkpoint
from events.words import Words
from projections.chance import Level
from projections.checks.case import ENDS, Case, CheckFailed, Remark
from projections.errors import BrokenPromise, UnreadablePromise
from projections.promises import Promises

LEVELS = {
    Level.DECLARED: "chance is of level 0: the operator could choose the deal, and foresees it",
    Level.OPEN: "chance is of level 1: the last to sit down and the operator together could choose the deal",
    Level.SEALED: "chance is of level 2: nobody could choose the deal, but the operator foresees it",
    Level.CHAINED: "chance is of level 3: nobody could choose the deal, nor foresee past the next move of another seat",
}


def keep_promises(case: Case) -> Iterator[Remark]:
    """V5: seeds, entropies and links are those committed to; commitments were sealed before anything was revealed."""
    case.promises = promises = Promises(case.bundle.stream)
    for event in case.events:
        try:
            promises.hear(event.kind, event.data)
        except (BrokenPromise, UnreadablePromise) as broken:
            raise CheckFailed("broken_promise", broken.words, event.seq) from broken
    if not promises.dealt:
        yield Remark("imported", "the game was written down from another table: its chance is declared, not dealt")
        return
    over = next((event for event in case.events if event.kind in ENDS), None)
    if over is not None and promises.seed is None and promises.deal is not None:
        yield Remark("seed_shared", "the seed is shared with other tables and not revealed yet: no draw can be checked")
    elif over is not None and promises.seed is None:
        raise CheckFailed("seed_hidden", "ends the game, and the server's seed is not revealed with it", over.seq)
    yield from _judge_level(case, promises)


def _judge_level(case: Case, promises: Promises) -> Iterator[Remark]:
    if promises.level < Level.SEALED:
        yield Remark("level", LEVELS[promises.level])
        return
    absent = promises.absent()
    if absent and case.first("game_started"):
        chairs = ", ".join(map(str, absent))
        yield Remark(
            "absent",
            Words(
                "chance has nothing from the chairs {chairs}: who sits there trusts the others with it", chairs=chairs
            ),
        )
    if any(promises.entropies.values()) and not _sealed_first(case):
        yield Remark(
            "not_sealed_first",
            Words(
                "nothing proves that commitments were sealed before the first reveal, so {level}",
                level=Words(LEVELS[Level.OPEN]),
            ),
        )


def _sealed_first(case: Case) -> bool:
    """Whether the log shows all commitments in a checkpoint before anybody revealed."""
    closing = case.first(CLOSING)
    revealing = next((e for e in case.events if e.kind == REVEALING and e.data["entropy"] is not None), None)
    places = {barrier.seq: barrier.proof for barrier in case.bundle.barriers}
    if closing is None or revealing is None or closing.seq not in places or revealing.seq not in places:
        return False
    sealed = Checkpoint.parse(places[closing.seq].checkpoint.text).size
    return places[revealing.seq].index >= sealed

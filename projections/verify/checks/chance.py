"""V5: the revealed seeds, entropies and links match their commitments, in an order that is fair."""

from collections.abc import Iterator, Mapping

from events.log.bundle import CLOSING, REVEALING
from events.merkle.checkpoint import Checkpoint
from events.messages import Message
from projections.games.chance import ChanceLevel
from projections.games.commitments import Commitments
from projections.games.errors import BrokenCommitment, UnreadableCommitment
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

CHOSEN = "chance is of level 0: the host of the game chose the seed, and foresees every draw"
LEVELS = {
    ChanceLevel.DECLARED: "chance is of level 0: the operator could choose the deal, and foresees it",
    ChanceLevel.OPEN: "chance is of level 1: the last to sit down and the operator together could choose the deal",
    ChanceLevel.SEALED: "chance is of level 2: nobody could choose the deal, but the operator foresees it",
    ChanceLevel.CHAINED: (
        "chance is of level 3: nobody could choose the deal, nor foresee past the next move of another seat"
    ),
}

ABSENT = "chance has nothing from the chairs {chairs}: who sits there trusts the others with it"
NOT_SEALED_FIRST = "nothing proves that commitments were sealed before the first reveal, so {level}"


def check_commitments(case: Case) -> Iterator[Finding]:
    """V5: reveals match their commitments; the log sealed the commitments before the first reveal."""
    case.commitments = commitments = Commitments(case.bundle.stream)
    if case.events[0].kind != OPENING:
        yield not_checked("no_game", "this is not the stream of a game")
        return
    for event in case.events:
        try:
            commitments.hear(event.kind, event.data)
        except (BrokenCommitment, UnreadableCommitment) as broken:
            raise CheckFailed("broken_promise", broken.words, event.seq) from broken
    if not commitments.dealt:
        sentence = "the game was written down from another table: its chance is declared, not dealt"
        yield not_checked("imported", sentence, Weight.REMARK)
        return
    if commitments.seed is None:
        yield _hidden_seed(case, commitments)
    yield from _judge_level(case, commitments)


def _hidden_seed(case: Case, commitments: Commitments) -> Finding:
    """Returns the reason for a missing seed; raises CheckFailed when the game ended without one."""
    over = next((event for event in case.events if event.kind in ENDS), None)
    if over is None:
        return not_checked("seed_pending", "the server's seed is not revealed before the game is over")
    if commitments.deal is None:
        raise CheckFailed("seed_hidden", "ends the game, and the server's seed is not revealed with it", over.seq)
    sentence = "the seed is shared with other tables and not revealed yet: no draw can be checked"
    return not_checked("seed_shared", sentence, Weight.REMARK)


def _judge_level(case: Case, commitments: Commitments) -> Iterator[Finding]:
    """Yields the chance level, and the chairs without a contribution."""
    absent = commitments.absent() if case.first("game_started") else ()
    brought = any(commitments.entropies.values())
    level = commitments.level if brought or not commitments.started else ChanceLevel.DECLARED
    if level < ChanceLevel.CHAINED:
        chosen = case.events[0].data.get("chosen") is True
        yield unproved("level", CHOSEN if chosen else LEVELS[level])
    people = tuple(chair for chair in absent if not _is_bot(case, chair))
    chairs = ", ".join(str(chair + 1) for chair in absent)
    if people and commitments.level >= ChanceLevel.SEALED:
        yield doubtful("absent", Message(ABSENT, chairs=chairs))
    elif absent:
        yield unproved("absent", Message(ABSENT, chairs=chairs))
    if commitments.level >= ChanceLevel.SEALED and brought and not _sealed_first(case):
        yield not_checked(
            "not_sealed_first", Message(NOT_SEALED_FIRST, level=Message(LEVELS[ChanceLevel.OPEN])), Weight.REMARK
        )


def _is_bot(case: Case, chair: int) -> bool:
    """Returns whether a bot of the service had the chair; bots contribute no entropy."""
    taken = (event.data for event in case.events if event.kind == "seat_taken")
    bots: Mapping[object, object] = {data["chair"]: data.get("bot") for data in taken}
    return bots.get(chair) is not None


def _sealed_first(case: Case) -> bool:
    """Returns whether a checkpoint covers all commitments before the first reveal."""
    closing = case.first(CLOSING)
    revealing = next((e for e in case.events if e.kind == REVEALING and e.data["entropy"] is not None), None)
    places = {barrier.seq: barrier.proof for barrier in case.bundle.barriers}
    if closing is None or revealing is None or closing.seq not in places or revealing.seq not in places:
        return False
    sealed = Checkpoint.parse(places[closing.seq].checkpoint.text).size
    return places[revealing.seq].index >= sealed

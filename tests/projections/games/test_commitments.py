"""The commitments of one game: what is kept deals on, what is broken is named."""

from typing import Any
from uuid import UUID

import pytest
from cabildo_client.commitments import link_chain

from projections.games.chance import ChanceLevel, commitment, entropy_commitment, game_seed, turn_seed
from projections.games.commitments import Commitments
from projections.games.errors import BrokenCommitment, UnreadableCommitment
from projections.rules.dealer import SeededDealer

GAME = UUID("00000000-0000-4000-8000-000000000001")
SEED = b"\x11" * 32
ENTROPY = [b"\xa0" * 32, b"\xa1" * 32]
CHAINS = [link_chain(GAME, chair, bytes([0xB0 + chair]) * 32, 5) for chair in range(2)]
COUNTS = {"corn": 3, "coffee": 4, "sugar": 5}

Told = tuple[str, dict[str, Any]]


def created(level: int, **given: Any) -> Told:
    data = {"level": level, "seats": 2, "commitment": commitment(GAME, SEED).hex(), "seed": None, "imported": False}
    return "game_created", data | given


def taken(chair: int, **given: Any) -> Told:
    data = {"chair": chair, "echo": commitment(GAME, SEED).hex(), "commitment": None, "entropy": None, "chain": None}
    return "seat_taken", data | given


def sealed(chair: int, **given: Any) -> Told:
    return taken(chair, commitment=entropy_commitment(GAME, chair, ENTROPY[chair]).hex(), **given)


def revealed(chair: int, entropy: bytes | None) -> Told:
    return "entropy_revealed", {"chair": chair, "entropy": entropy.hex() if entropy else None}


STARTED: Told = ("game_started", {"order": [1, 0], "drew": ["corn"]})
CLOSED: Told = ("commitments_closed", {})


def heard(*events: Told) -> Commitments:
    commitments = Commitments(GAME)
    for kind, data in events:
        commitments.hear(kind, data)
    return commitments


SEALED = (created(2), sealed(0), sealed(1), CLOSED, revealed(0, ENTROPY[0]), revealed(1, ENTROPY[1]), STARTED)
CHAINED = (
    created(3),
    *(sealed(chair, chain=CHAINS[chair][0].hex()) for chair in range(2)),
    *SEALED[3:],
)


def moved(seat: int, link: bytes | None, drew: list[str]) -> Told:
    return "moved", {"seat": seat, "drew": drew} | ({"link": link.hex()} if link else {})


def test_sealed_entropies_are_mixed_and_draws_counted() -> None:
    commitments = heard(*SEALED, moved(0, None, ["corn", "sugar"]))
    expected = SeededDealer(game_seed(GAME, SEED, ENTROPY), 3)
    assert commitments.draws == 3
    assert [commitments.dealer(SEED).draw(COUNTS) for _ in range(2)] == [expected.draw(COUNTS)] * 2
    assert commitments.absent() == ()


def test_entropy_in_clear_counts_at_level_1_only() -> None:
    for level, absent in ((1, (1,)), (2, (0, 1)), (0, ())):
        commitments = heard(created(level), taken(0, entropy=ENTROPY[0].hex()), taken(1))
        assert commitments.absent() == absent
    assert heard(created(1), taken(0, entropy=ENTROPY[0].hex())).entropies == {0: ENTROPY[0]}


def test_each_link_changes_the_draws_that_follow() -> None:
    commitments = heard(*CHAINED, moved(0, CHAINS[1][1], []))  # seat 0 is chair 1
    links = [commitments.links[0], commitments.links[1]]
    assert [link.number for link in links] == [0, 1]
    expected = SeededDealer(turn_seed(GAME, game_seed(GAME, SEED, ENTROPY), links), 1)
    assert commitments.dealer(SEED).draw(COUNTS) == expected.draw(COUNTS)
    assert (commitments.level, commitments.absent()) == (ChanceLevel.CHAINED, ())


def test_an_absent_entropy_is_recorded_and_reported() -> None:
    commitments = heard(*SEALED[:5], revealed(1, None))
    assert commitments.absent() == (1,)
    assert commitments.dealer(SEED).draw(COUNTS)


def test_a_seat_that_was_left_promises_nothing() -> None:
    commitments = heard(created(2), sealed(0), ("seat_left", {"chair": 0}), taken(0))
    assert commitments.entropy_commitments == {}


def test_a_seed_declared_beforehand_is_the_one_revealed() -> None:
    declared = created(0, seed=SEED.hex(), commitment=None)
    assert heard(declared, STARTED, ("seed_revealed", {"seed": SEED.hex(), "draws": 1})).seed == SEED
    with pytest.raises(BrokenCommitment):
        heard(declared, STARTED, ("seed_revealed", {"seed": ENTROPY[0].hex(), "draws": 1}))


OTHER = (b"\x99" * 32).hex()


def test_a_stand_in_owes_no_links() -> None:
    commitments = heard(*CHAINED, ("resigned", {"seat": 0}), moved(0, None, []))
    assert commitments.draws == 1


def test_a_promise_without_its_field_is_unreadable() -> None:
    told = (*CHAINED, moved(0, CHAINS[1][1], []), ("seed_revealed", {"seed": SEED.hex(), "draws": 1}))
    for number, (kind, data) in enumerate(told):
        for name in data.keys() - {"link"}:
            with pytest.raises(UnreadableCommitment):
                heard(*told[:number], (kind, {key: value for key, value in data.items() if key != name}))


@pytest.mark.parametrize(
    "events",
    [
        (created(0, seed=OTHER),),
        (created(2), sealed(0, echo=OTHER)),
        (created(2, seed=SEED.hex()),),  # the host chose the seed beforehand
        (created(1, commitment=None),),
        (created(2), created(2)),
        (created(2), sealed(0, echo=None)),
        (*SEALED[:4], revealed(0, ENTROPY[1])),
        (*SEALED[:5], revealed(0, ENTROPY[0])),
        (*SEALED[:3], revealed(0, ENTROPY[0])),  # before all commitments are in
        (created(2), taken(0), CLOSED, revealed(0, ENTROPY[0])),
        (*SEALED, STARTED),
        (*SEALED, taken(0)),
        (*CHAINED, moved(0, None, [])),  # without its link
        (*CHAINED, moved(0, CHAINS[0][1], [])),  # another seat's link
        (*CHAINED, moved(0, CHAINS[1][2], [])),  # a link left out
        (*CHAINED, moved(0, CHAINS[1][1], []), moved(0, CHAINS[1][1], [])),
        (*SEALED, moved(0, CHAINS[1][1], [])),
        (*SEALED, ("seed_revealed", {"seed": OTHER, "draws": 1})),
        (*SEALED, ("seed_revealed", {"seed": SEED.hex(), "draws": 2})),
    ],
)
def test_a_broken_promise_is_refused(events: tuple[Told, ...]) -> None:
    heard(*events[:-1])
    with pytest.raises(BrokenCommitment):
        heard(*events)

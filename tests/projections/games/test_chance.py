"""Committed chance: the written-out vectors, and what a changed secret does."""

from collections import Counter
from uuid import UUID

import pytest
from cabildo_client.commitments import link_chain
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.games.chance import (
    Link,
    check_entropy,
    check_seed,
    commitment,
    entropy_commitment,
    game_seed,
    next_link,
    turn_seed,
)
from projections.games.errors import BrokenCommitment
from projections.rules.dealer import SeededDealer

GAME = UUID("00000000-0000-4000-8000-000000000001")
SEED = b"\x11" * 32
ENTROPIES = [bytes([0xA0 + seat]) * 32 for seat in range(3)]
SECRETS = st.binary(min_size=32, max_size=32)


def test_commitments_are_the_written_out_ones() -> None:
    assert commitment(GAME, SEED).hex() == "97c5aab07070a819f28be4ce3f23ea3529bf000b9089866721f6063f304f7088"
    seat_0 = entropy_commitment(GAME, 0, ENTROPIES[0])
    assert seat_0.hex() == "e5db3e62fddb917ea3d75dc8238123f3cab14c02b52fbd9d39049dfb83917bd0"


def test_the_game_seed_is_the_written_out_one() -> None:
    mixed = game_seed(GAME, SEED, ENTROPIES)
    assert mixed.hex() == "72a4dcee8dcf7a2d62cdb5cc90bf9302fb58ba84719c8232c79ac78bfac0f003"


def deal(seed: bytes, count: int) -> list[str]:
    left = Counter(coffee=8, corn=10, indigo=12, sugar=11, tobacco=9)
    dealer, drawn = SeededDealer(seed), list[str]()
    for _ in range(count):
        drawn.append(dealer.draw(left))
        left[drawn[-1]] -= 1
    return drawn


def test_the_draws_are_the_written_out_ones() -> None:
    drawn = "tobacco tobacco tobacco sugar coffee tobacco coffee sugar corn coffee corn sugar"
    assert deal(game_seed(GAME, SEED, ENTROPIES), 12) == drawn.split()


def test_absent_entropy_is_not_entropy_of_zeros() -> None:
    absent = game_seed(GAME, SEED, [ENTROPIES[0], None, ENTROPIES[2]])
    assert absent.hex() == "4f21c0b95a26cb7abc590343bb169faf7d5aee43ff0eba9166dea8c2dda76cb2"
    assert absent != game_seed(GAME, SEED, [ENTROPIES[0], bytes(32), ENTROPIES[2]])


def test_chains_and_turn_seeds_are_the_written_out_ones() -> None:
    links = link_chain(GAME, 1, b"\xb1" * 32, 3)
    assert [link.hex() for link in links] == [
        "b00e499f5ef736e0f40ca8231df5f532c524b8d65d8e613bd98777e1ce60e42b",
        "7cc3bafe30e249705d53c85dbd150c3638d62084b3ff867e50e5f40b109c0505",
        "5d208583be739bfb6736d6208d53ab7df30ed064c4e45634e71aeeb23e8c6480",
        "b1" * 32,
    ]
    mixed = game_seed(GAME, SEED, ENTROPIES)
    at_start = turn_seed(GAME, mixed, [None, Link(0, links[0]), None])
    after_two = turn_seed(GAME, mixed, [None, Link(2, links[2]), None])
    assert at_start.hex() == "6727e5a69ee7df6bc1368777adb5754862f60c5de55ee23bf5bef5f0b41287e2"
    assert after_two.hex() == "33d1212061519b0c3acb1483aea1b3108fe1eb7a8131f2372acfd8b47636243b"
    assert deal(after_two, 6) == ["sugar", "indigo", "indigo", "corn", "indigo", "indigo"]


@given(SECRETS, st.integers(0, 4), st.integers(1, 40))
@settings(max_examples=40, deadline=None)
def test_links_of_a_chain_follow_one_another_and_nothing_else_does(last: bytes, seat: int, length: int) -> None:
    links = link_chain(GAME, seat, last, length)
    newest = Link(0, links[0])
    for value in links[1:]:
        newest = next_link(GAME, seat, newest, value)
        with pytest.raises(BrokenCommitment):
            next_link(GAME, seat, newest, value)  # a link is revealed once
    assert newest == Link(length, last)
    with pytest.raises(BrokenCommitment):
        next_link(GAME, seat + 1, Link(0, links[0]), links[1])
    with pytest.raises(BrokenCommitment):
        next_link(UUID(int=2), seat, Link(0, links[0]), links[1])


@given(SECRETS, SECRETS)
@settings(max_examples=40, deadline=None)
def test_only_the_committed_secret_is_believed(secret: bytes, other: bytes) -> None:
    check_seed(GAME, commitment(GAME, secret), secret)
    check_entropy(GAME, 2, entropy_commitment(GAME, 2, secret), secret)
    for seat, shown in ((2, other), (1, secret)):
        if (seat, shown) != (2, secret):
            with pytest.raises(BrokenCommitment, match=f"chair {seat + 1}"):
                check_entropy(GAME, seat, entropy_commitment(GAME, 2, secret), shown)
    with pytest.raises(BrokenCommitment, match="the server's"):
        check_seed(UUID(int=2), commitment(GAME, secret), secret)


def test_a_secret_of_another_length_is_refused() -> None:
    with pytest.raises(BrokenCommitment):
        commitment(GAME, b"short")
    with pytest.raises(BrokenCommitment):
        next_link(GAME, 0, Link(0, bytes(32)), b"")


@given(st.lists(st.none() | SECRETS, min_size=2, max_size=5))
@settings(max_examples=40, deadline=None)
def test_every_seat_changes_the_deal(entropies: list[bytes | None]) -> None:
    mixed = game_seed(GAME, SEED, entropies)
    for seat in range(len(entropies)):
        changed: list[bytes | None] = list(entropies)
        changed[seat] = b"\x01" * 32 if entropies[seat] != b"\x01" * 32 else None
        assert game_seed(GAME, SEED, changed) != mixed
    assert game_seed(GAME, SEED, [*entropies, None]) != mixed

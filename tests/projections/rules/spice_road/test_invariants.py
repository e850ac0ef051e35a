"""Invariants I-1 to I-7 after every step of random games, and the log that replays to the same table."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pytest

from projections.rules.dealer import DeclaredDealer, RandomDealer, RecordingDealer
from projections.rules.spice_road.cards import MARKET, POINT_CARDS, STARTING
from projections.rules.spice_road.choices import Choices
from projections.rules.spice_road.moves import Claim, Move
from projections.rules.spice_road.state.position import Position
from tests.support.spice_road.tables import GAME

GAMES_PER_SEATS: Final = 250
GOLD: Final = Claim(1)
VARIANTS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"coin_taking": "optional", "min_upgrade_steps": 1},
    {"empty_rest": "allow", "cube_scoring": "all", "hand_visibility": "owner_only"},
)


class Step(NamedTuple):
    """One move of a random game, and the table after it."""

    move: Move
    drew: tuple[str, ...]
    facts: tuple[Any, ...]
    position: Position


def options(seed: int, seats: int) -> Any:
    return GAME.read_options(VARIANTS[seed % len(VARIANTS)], seats)


def choice(moves: Choices, source: random.Random, seed: int) -> Move:
    """Any move; in every other game the gold coin's card first, so that the gold runs out in some."""
    if seed % 2 and GOLD in moves:
        return GOLD
    move = moves.sample(source)
    return moves.sample(source) if seed % 2 and isinstance(move, Claim) else move


def random_game(seats: int, seed: int) -> Iterator[tuple[Position, Choices]]:
    """Yields the table before the first move and after each move, one object that changes, with its legal moves."""
    source = random.Random(seed * 10 + seats)
    dealer, recorder = RandomDealer(source), GAME.recorder(recording=False)
    position = GAME.set_up(options(seed, seats), seats, dealer, recorder)
    yield position, (moves := GAME.legal(position))
    while GAME.actor(position) is not None:
        GAME.play(position, choice(moves, source, seed), dealer, recorder)
        yield position, (moves := GAME.legal(position))


def recorded_game(seats: int, seed: int) -> Iterator[Step]:
    """A random game with its record; the first step is the set-up, without a move of a player."""
    source = random.Random(seed)
    recorder, dealer = GAME.recorder(recording=True), RecordingDealer(RandomDealer(source))
    position = GAME.set_up(options(seed, seats), seats, dealer, recorder)
    yield Step(GAME.parse("rest"), tuple(dealer.drew), tuple(recorder.facts), GAME.copy(position))
    while GAME.actor(position) is not None:
        move = choice(GAME.legal(position), source, seed)
        recorder, dealer = GAME.recorder(recording=True), RecordingDealer(RandomDealer(source))
        GAME.play(position, move, dealer, recorder)
        yield Step(move, tuple(dealer.drew), tuple(recorder.facts), GAME.copy(position))


def check_i1_merchant_cards_are_conserved_and_distinct(position: Position) -> None:
    owned = [card for cards in (*position.hands, *position.played) for card in cards]
    cards = [*owned, *(laid.card for laid in position.merchant_row), *position.merchant_deck]
    assert len(cards) == 43 + 2 * position.seats
    assert set(cards) == ALL_MERCHANT_CARDS  # only the starting cards, one of each kind a seat (I-6), are alike


def check_i2_point_cards_are_conserved_and_five_lie_in_the_row(position: Position) -> None:
    claimed = [card for cards in position.claimed for card in cards]
    assert len(position.point_row) == 5
    assert len(claimed) + 5 + len(position.point_deck) == 36
    assert {*claimed, *position.point_row, *position.point_deck} == ALL_POINT_CARDS
    assert max(map(len, position.claimed)) <= position.threshold


def check_i3_coins_are_conserved(position: Position) -> None:
    assert position.gold_supply + sum(position.gold) == 2 * position.seats
    assert position.silver_supply + sum(position.silver) == 2 * position.seats
    assert min(position.gold_supply, position.silver_supply) >= 0


def check_i4_caravans_hold_up_to_ten_between_turns(position: Position) -> None:
    for seat, caravan in enumerate(position.caravans):
        assert min(caravan) >= 0
        assert sum(caravan) <= 10 or (seat == GAME.actor(position) and GAME.decision(position) == "caravan_limit")


def check_i6_starting_cards_never_reach_the_row(position: Position) -> None:
    assert ALL_STARTING.isdisjoint(laid.card for laid in position.merchant_row)
    for hand, played in zip(position.hands, position.played, strict=True):
        owned = (*hand, *played)
        for card in STARTING:
            assert owned.count(card) == 1


def check_i7_one_player_acts_until_the_end(position: Position, moves: Choices) -> None:
    actor = GAME.actor(position)
    assert (actor is None) == (GAME.outcome(position) is not None) == (len(moves) == 0)
    assert actor is None or actor in range(position.seats)


ALL_STARTING: Final = frozenset(STARTING)
ALL_MERCHANT_CARDS: Final = {*MARKET, *STARTING}
ALL_POINT_CARDS: Final = set(POINT_CARDS)
CHECKS: Final = (
    check_i1_merchant_cards_are_conserved_and_distinct,
    check_i2_point_cards_are_conserved_and_five_lie_in_the_row,
    check_i3_coins_are_conserved,
    check_i4_caravans_hold_up_to_ten_between_turns,
    check_i6_starting_cards_never_reach_the_row,
)


@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("seats", GAME.seats)
def test_invariants_hold_after_every_step_of_random_games(seats: int, part: int) -> None:
    for seed in range(part * GAMES_PER_SEATS // 2, (part + 1) * GAMES_PER_SEATS // 2):
        for position, moves in random_game(seats, seed):
            for check in CHECKS:
                check(position)
            check_i7_one_player_acts_until_the_end(position, moves)


@pytest.mark.parametrize("seats", GAME.seats)
def test_i5_everybody_has_had_the_same_number_of_turns(seats: int) -> None:
    for seed in range(20):
        turns = [0] * seats
        acting, rounds = 0, 1
        for position, _ in random_game(seats, seed):
            if (position.turn, position.round, position.over) != (acting, rounds, False):
                turns[acting] += 1
            acting, rounds = position.turn, position.round
            assert max(turns) - min(turns) <= 1
        assert turns == [rounds] * seats


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_log_replays_by_facts_alone_and_by_rules_alone(seats: int) -> None:
    for seed in range(6):
        start, *moves = recorded_game(seats, seed)
        by_facts = GAME.blank(options(seed, seats), seats)
        by_rules = GAME.set_up(options(seed, seats), seats, DeclaredDealer(start.drew), GAME.recorder(recording=False))
        replay(by_facts, start)
        assert by_facts == by_rules == start.position
        for step in moves:
            replay(by_facts, step)
            move = GAME.parse(GAME.notation(step.move))
            GAME.play(by_rules, move, DeclaredDealer(step.drew), GAME.recorder(recording=False))
            assert by_facts == by_rules == step.position


def replay(position: Position, step: Step) -> None:
    for fact in step.facts:
        GAME.apply(position, GAME.decode(GAME.encode(fact)))


def test_no_position_is_offered_a_move_twice_or_refuses_what_it_offers() -> None:
    for seats in GAME.seats:
        for number, step in enumerate(recorded_game(seats, seats)):
            moves = list(GAME.legal(step.position))
            assert len(moves) == len(set(moves)) == len(GAME.legal(step.position))
            for move in moves if number % 10 == 0 else ():
                assert GAME.canonical(step.position, move) == move
                assert GAME.parse(GAME.notation(move)) == move


def test_random_games_reach_what_is_rare() -> None:
    """The games above are worth something only if decks run out, coins move and caravans overflow in them."""
    seen: Counter[str] = Counter()
    for seed in range(40):
        for position, _ in random_game(2 + seed % 4, seed):
            seen["a shorter market"] += len(position.merchant_row) < 6
            seen["gold is gone"] += not position.gold_supply
            seen["silver is gone"] += not position.silver_supply
            seen["a return"] += GAME.decision(position) == "caravan_limit"
            seen["the final round"] += position.final_round and not position.over
    assert len(+seen) == 5, seen

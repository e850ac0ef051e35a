"""What every game promises: random games end, replay to the same position, and offer exactly what they accept."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import pytest

from events.json_types import JsonObject
from projections.rules.dealer import DeclaredDealer, RandomDealer, RecordingDealer
from projections.rules.errors import IllegalMove
from projections.rules.protocol import Game
from projections.rules.registry import GAMES

# The options that games are played with, besides none: enough that every rule comes up.
OPTIONS: Final[Mapping[str, Sequence[JsonObject]]] = {
    "puerto_rico": (
        {},
        {"variant": "balanced", "city_geometry": "grid_4x3", "mayor_placement": "simultaneous"},
        {"expansions": ["new_buildings"], "edition": "classic"},
        {"expansions": ["new_buildings"], "exp1_selection": "all", "forest_face": "owner_only"},
        {"expansions": ["nobles"], "land_office_source": "face_up", "vp_end_scope": "captain_only"},
        {"expansions": ["nobles"], "nobles_setup": "draft", "final_guest_window": False},
        {"expansions": ["new_buildings", "nobles"], "exp1_selection": "all"},
        {
            "expansions": ["new_buildings", "nobles"],
            "exp1_selection": "random",
            "nobles_setup": "draft",
            "forest_mode": "tile_stack",
            "guest_windows": "coarse",
            "mayor_placement": "simultaneous",
            "exclude_office_and_trading_post": True,
            "specialty_factory_count": "own_production",
            "land_office_sell_forest": False,
            "hospice_ship_fallback": False,
        },
    ),
    "spice_road": (
        {},
        {"coin_taking": "optional", "min_upgrade_steps": 1},
        {"empty_rest": "allow", "cube_scoring": "all", "hand_visibility": "owner_only"},
    ),
}
LISTED: Final = 60  # of a longer collection so many moves are looked at
LONGEST: Final = 4_000
ANY_CHANCE: Final = RandomDealer(random.Random(1))


class Case(NamedTuple):
    """A game to play: its options, its number of seats, its chance."""

    game: Game[Any, Any]
    options: JsonObject
    seats: int
    seed: int


def cases(seeds: int) -> list[Any]:
    """Every game with every number of seats and every set of options."""
    return [
        pytest.param(Case(game, options, seats, seed), id=f"{name}-{number}-{seats}-{seed}")
        for name, game in GAMES.items()
        for number, options in enumerate(OPTIONS[name])
        for seats in game.seats
        for seed in range(seeds)
    ]


def opening(case: Case, source: random.Random) -> Any:
    options = case.game.read_options(case.options, case.seats)
    return case.game.set_up(options, case.seats, RandomDealer(source), case.game.recorder(recording=False))


def walk(case: Case) -> Iterator[tuple[Any, random.Random]]:
    """The positions of a random game, one after the other; each must be left as it was."""
    source = random.Random(case.seed)
    position = opening(case, source)
    for _ in range(LONGEST):
        yield position, source
        if case.game.actor(position) is None:
            return
        move = case.game.legal(position).sample(source)
        case.game.play(position, move, RandomDealer(source), case.game.recorder(recording=False))
    raise AssertionError("the game does not end")


def some(moves: Any) -> list[Any]:
    """The first moves of a collection."""
    return [move for move, _ in zip(moves, range(LISTED), strict=False)]


@pytest.mark.parametrize("case", cases(seeds=6))
def test_a_random_game_ends_with_places_and_points(case: Case) -> None:
    position = None
    for position, _ in walk(case):
        assert (case.game.actor(position) is None) == (case.game.outcome(position) is not None)
    outcome = case.game.outcome(position)
    assert outcome is not None
    assert len(outcome.points) == len(outcome.places) == len(case.game.scores(position)) == case.seats
    assert min(outcome.places) == 1
    assert [score["total"] for score in case.game.scores(position)] == list(outcome.points)
    assert case.game.decision(position) is None
    assert len(case.game.legal(position)) == 0


@pytest.mark.parametrize("case", cases(seeds=1))
def test_legal_moves_are_offered_once_and_read_back_from_their_text(case: Case) -> None:
    for position, source in walk(case):
        if case.game.actor(position) is None:
            return
        legal = case.game.legal(position)
        listed = some(legal)
        assert len(set(listed)) == len(listed)
        assert len(listed) == min(len(legal), LISTED)
        for move in (*listed, *legal.suggested(), legal.sample(source)):
            assert move in legal
            assert case.game.parse(case.game.notation(move)) == move
            assert case.game.canonical(position, move) == move


@pytest.mark.parametrize("case", cases(seeds=1))
def test_a_listed_move_is_accepted_and_any_other_refused(case: Case) -> None:
    seen: dict[Any, None] = {}
    for position, source in walk(case):
        if case.game.actor(position) is None:
            return
        legal = case.game.legal(position)
        listed = some(legal)
        for move in source.sample(listed, min(3, len(listed))):
            played = case.game.copy(position)
            case.game.play(played, move, ANY_CHANCE, case.game.recorder(recording=False))
            assert played != position
        before = case.game.copy(position)
        for move in source.sample(list(seen), min(8, len(seen))):
            if move not in legal:
                assert_refused(case, position, move)
                assert position == before
        seen |= dict.fromkeys(listed[:5])


def assert_refused(case: Case, position: Any, move: Any) -> None:
    """The move is refused in words."""
    with pytest.raises(IllegalMove) as refused:
        case.game.play(position, move, ANY_CHANCE, case.game.recorder(recording=False))
    assert refused.value.reason
    assert refused.value.rule


@pytest.mark.parametrize("case", cases(seeds=2))
def test_recorded_facts_and_rules_alone_lead_to_the_same_position(case: Case) -> None:
    game, source = case.game, random.Random(case.seed)
    options = game.read_options(case.options, case.seats)
    recorder, dealer = game.recorder(recording=True), RecordingDealer(RandomDealer(source))
    position = game.set_up(options, case.seats, dealer, recorder)
    moves = []
    while game.actor(position) is not None:
        moves.append(game.notation(game.legal(position).sample(source)))
        game.play(position, game.parse(moves[-1]), dealer, recorder)

    recorded = [game.encode(fact) for fact in recorder.facts]
    by_facts = game.blank(options, case.seats)
    for stored in json.loads(json.dumps(recorded)):
        game.apply(by_facts, game.decode(stored))
    assert by_facts == position

    again, declared = game.recorder(recording=True), DeclaredDealer(dealer.drew)
    by_rules = game.set_up(options, case.seats, declared, again)
    for text in moves:
        game.play(by_rules, game.parse(text), declared, again)
    assert by_rules == position
    assert [game.encode(fact) for fact in again.facts] == recorded
    assert again.then == recorder.then


@pytest.mark.parametrize("case", cases(seeds=1))
def test_a_position_survives_copying_and_its_document(case: Case) -> None:
    for step, (position, _) in enumerate(walk(case)):
        if step % 7 == 0:
            document = case.game.document(position)
            restored = case.game.restore(json.loads(json.dumps(document)))
            assert restored == position == case.game.copy(position)
            assert case.game.document(restored) == document
            assert list(case.game.legal(restored).suggested()) == list(case.game.legal(position).suggested())
            view = case.game.view(position, None)
            assert (view["game"], view["viewer"]) == (case.game.name, None)
            assert isinstance(view["hides"], list)


@pytest.mark.parametrize("case", cases(seeds=1))
def test_a_copy_is_independent(case: Case) -> None:
    for step, (position, source) in enumerate(walk(case)):
        if step % 7 == 0 and case.game.actor(position) is not None:
            before, twin = case.game.document(position), case.game.copy(position)
            move = case.game.legal(twin).sample(source)
            case.game.play(twin, move, RandomDealer(source), case.game.recorder(recording=False))
            assert case.game.document(position) == before

"""Positions, facts and moves that somebody made up are read, or refused in our own words, and never break anything."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any, Final

import pytest

from events.json_types import JsonObject
from projections.rules.dealer import RandomDealer
from projections.rules.errors import BadFact, ImpossiblePosition, UnreadableMove
from projections.rules.puerto_rico.game import PuertoRico

GAME: Final = PuertoRico()
JUNK: Final[tuple[Any, ...]] = (
    None, -1, 0, 1, 3, 99, 10**9, True, "", "corn", "forest", "harbor",
    [], {}, [1], {"a": 1}, [[]], ["corn"], {"corn": 1},
)  # fmt: skip
WORDS: Final = [
    "take",
    "place",
    "build",
    "corn",
    "=",
    "corn=1",
    "harbor",
    "black_market=vp",
    "black_market=,",
    "-hospice",
    "-",
    "ship",
    "6",
    "guest",
    "noble@chapel",
    "@",
    "unplant",
    "forest",
    "plant",
    "supply",
    "store",
    "corn=99999",
    "1+1n",
    "chapel=0+1n",
    "bonus",
    "keep",
    "sell",
    "trading_post",
    "stay",
    "phase",
    "draft",
    "role",
    "wharf",
]
OPTIONS: Final[tuple[JsonObject, ...]] = (
    {},
    {"expansions": ["new_buildings", "nobles"], "exp1_selection": "all"},
    {"expansions": ["nobles"], "mayor_placement": "simultaneous"},
    {"expansions": ["new_buildings"], "forest_face": "owner_only"},
)


def a_game_on_the_way(source: random.Random) -> tuple[dict[str, Any], list[Any]]:
    """The document of a position somewhere in a game, and the facts that led to it."""
    seats, recorder, dealer = source.randint(2, 5), GAME.recorder(recording=True), RandomDealer(source)
    position = GAME.set_up(GAME.read_options(source.choice(OPTIONS), seats), seats, dealer, recorder)
    for _ in range(source.randrange(200)):
        if GAME.actor(position) is not None:
            GAME.play(position, GAME.legal(position).sample(source), dealer, recorder)
    facts = [GAME.encode(fact) for fact in recorder.facts]
    return json.loads(json.dumps(GAME.document(position))), json.loads(json.dumps(facts))


def places(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to everything inside a document."""
    inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from places(value, (*path, key))


def spoilt(document: dict[str, Any], source: random.Random) -> Any:
    """The document with one part replaced, shifted by one, or missing."""
    document = copy.deepcopy(document)
    *path, last = source.choice(list(places(document)))
    part: Any = document
    for key in path:
        part = part[key]
    if source.random() < 0.2:
        del part[last]
    elif source.random() < 0.4 and isinstance(part[last], int):
        part[last] += source.choice((-1, 1))
    else:
        part[last] = copy.deepcopy(source.choice(JUNK))
    return document


@pytest.mark.parametrize("seed", range(40))
def test_an_edited_position_is_refused_or_can_be_played_on(seed: int) -> None:
    source = random.Random(seed)
    document, _ = a_game_on_the_way(source)
    for _ in range(30):
        try:
            position = GAME.restore(spoilt(document, source))
        except ImpossiblePosition:
            continue
        for _ in range(20):
            if GAME.actor(position) is not None:
                move = GAME.legal(position).sample(source)
                GAME.play(position, move, RandomDealer(source), GAME.recorder(recording=False))
        assert GAME.document(GAME.restore(GAME.document(position))) == GAME.document(position)


@pytest.mark.parametrize("seed", range(20))
def test_a_spoilt_fact_is_refused_or_applied(seed: int) -> None:
    source, refused = random.Random(seed), 0
    document, facts = a_game_on_the_way(source)
    position = GAME.restore(document)
    for fact in source.choices(facts, k=40):
        fact[source.randrange(len(fact))] = source.choice(JUNK)
        try:
            GAME.apply(GAME.copy(position), GAME.decode(fact))
        except BadFact:
            refused += 1
    assert 0 < refused < 40


def test_random_words_are_a_move_or_unreadable() -> None:
    source = random.Random(1)
    for _ in range(4_000):
        text = " ".join(source.choices(WORDS, k=source.randrange(5)))
        try:
            move = GAME.parse(text)
        except UnreadableMove:
            continue
        assert GAME.parse(GAME.notation(move)) == move

"""Views that hide something are taken back: what they hide is dealt from what it may be, by the seed."""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import pytest

from events.errors import CabildoError
from projections.games.execute_move import enact, set_up
from projections.games.what_if import AnalysisDraws, Start, analyse
from projections.rules.dealer import RandomDealer
from projections.rules.protocol import Game
from projections.rules.registry import GAMES

HIDING: dict[str, tuple[str, dict[str, Any]]] = {
    "hands": ("spice_road", {"hand_visibility": "owner_only"}),
    "points": ("puerto_rico", {}),
    "faces": ("puerto_rico", {"expansions": ["new_buildings"], "exp1_selection": "all", "forest_face": "owner_only"}),
    "placements": ("puerto_rico", {"expansions": ["nobles"], "mayor_placement": "simultaneous"}),
}
HIDDEN = {
    "hands": {"players.hand", "players.point_cards", "point_deck", "merchant_deck"},
    "points": {"players.vp_chips", "players.vp_noted"},
    "faces": {"players.vp_chips", "players.vp_noted", "players.island.face", "phase.drawn_tile"},
    "placements": {"players.vp_chips", "players.vp_noted", "phase.sealed_placements"},
}
SEATS = 3
WRONG: tuple[Any, ...] = (None, -1, 10**12, 2.5, "x", [], {}, [None], True)


def boards(what: str, seed: int) -> Iterator[tuple[Game[Any, Any], Any]]:
    """The boards of a random game that likes forests."""
    source = random.Random(seed)
    name, options = HIDING[what]
    game, dealer = GAMES[name], RandomDealer(source)
    board, _ = set_up(game, game.read_options(options, SEATS), SEATS, dealer)
    while game.actor(board) is not None:
        yield game, board
        moves = [game.notation(game.legal(board).sample(source)) for _ in range(6)]
        wished = (move for move in moves if "forest" in move or move.startswith("use"))
        enact(game, board, next(wished, moves[0]), dealer)


def handed_out(game: Game[Any, Any], board: Any, viewer: int | None) -> Any:
    """A view as a client gets it."""
    return json.loads(json.dumps(game.view(board, viewer)))


def plain(path: str) -> str:
    """A path without numbers."""
    return "".join(part.rpartition("]")[2] for part in path.split("["))


def mutants(view: Any, source: random.Random) -> Iterator[Any]:
    """The view with one thing in it spoilt, again and again."""
    for _ in range(150):
        spoilt = json.loads(json.dumps(view))
        place, key = spoilt, source.choice(sorted(spoilt))
        while isinstance(place[key], dict | list) and place[key] and source.random() < 0.8:
            place = place[key]
            key = source.choice(sorted(place)) if isinstance(place, dict) else source.randrange(len(place))
        if isinstance(place, dict) and source.random() < 0.2:
            del place[key]
        else:
            place[key] = source.choice(WRONG)
        yield spoilt


@pytest.mark.parametrize("what", HIDING)
def test_every_view_of_a_game_is_taken_back(what: str) -> None:
    hidden: set[str] = set()
    for seed in range(3):
        for number, (game, board) in enumerate(boards(what, seed)):
            view = handed_out(game, board, (None, *range(SEATS))[number % (SEATS + 1)])
            kinds = set(map(plain, view["hides"]))
            if kinds and (number % 7 == 0 or not kinds <= hidden):
                told: Any = analyse(game, Start(view), [], AnalysisDraws(None, "monday"), "en")
                assert told["supposed"] == view["hides"]
                assert handed_out(game, game.restore(told["position"]), view["viewer"]) == view
                hidden |= kinds
    assert hidden == HIDDEN[what]


def test_the_seed_deals_what_is_hidden() -> None:
    game, board = list(islice(boards("hands", 3), 60))[-1]
    view = handed_out(game, board, 0)
    decks = [analyse(game, Start(view), [], AnalysisDraws(None, seed), "en")["position"] for seed in ("a", "a", "b")]
    assert decks[0] == decks[1] != decks[2]


@pytest.mark.parametrize("what", HIDING)
def test_a_view_that_nobody_handed_out_is_refused(what: str) -> None:
    source = random.Random(5)
    for number, (game, board) in enumerate(boards(what, 1)):
        view = handed_out(game, board, None)
        if number % 40 or not view["hides"]:
            continue
        for spoilt in mutants(view, source):
            with suppress(CabildoError):  # nothing else: a fault of the service is a 500
                analyse(game, Start(spoilt), [], AnalysisDraws(None, "monday"), "en")

"""The second engine and the product play the same games: moves, positions, automatic moves and results are equal.

`CABILDO_RANDOM_GAMES` says how many games are played for each number of players and each choice of expansions.
"""

import os
import random
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest

from events.json_types import Json
from projections.games.execute_move import ExecutedMove, enact, set_up
from projections.games.imports.checker import ImportChecker, lay_out
from projections.games.imports.transcript import parse as read_record
from projections.rules.dealer import RandomDealer
from projections.rules.errors import IllegalMove, UnreadableMove
from projections.rules.puerto_rico.state.position import Position
from tests.support.projections.perturbed_moves import perturb
from tests.support.puerto_rico import reference_scorer
from tests.support.puerto_rico.scenes import GAME
from tests.support.puerto_rico.second_engine.books import Player
from tests.support.puerto_rico.second_engine.choices import Move, Question, read, spelled
from tests.support.puerto_rico.second_engine.document import normalised, written
from tests.support.puerto_rico.second_engine.engine import Engine
from tests.support.puerto_rico.second_engine.tables import BASE, BUILDINGS, DEFAULTS, GOODS, NEW, NOBLES

FOLDER: Final = Path(__file__).parent
GAMES: Final = int(os.environ.get("CABILDO_RANDOM_GAMES", "3"))
EXPANSIONS: Final[list[list[Json]]] = [[], ["new_buildings"], ["nobles"], ["new_buildings", "nobles"]]
OTHERS: Final[dict[str, Json]] = {  # rules 11: the value that is not the default
    "edition": "classic", "vp_pool_5p": 122, "start_player": "seat_0", "hospice_ship_fallback": False,
    "forest_mode": "tile_stack", "forest_face": "owner_only", "mayor_placement": "simultaneous", "short_ship": "none",
    "city_geometry": "grid_4x3", "specialty_factory_count": "own_production", "exclude_office_and_trading_post": True,
    "guest_windows": "coarse", "final_guest_window": False, "nobles_setup": "draft", "land_office_source": "face_up",
    "land_office_sell_forest": False, "vp_end_scope": "captain_only", "vp_display": "open", "variant": "balanced",
}  # fmt: skip
WORDS: Final = (
    "pass", "stay", "phase", "ask_guests", "guest", "draw", "keep", "forest", "plant", "unplant", "quarry", "settler",
    "mayor", "builder", "craftsman", "trader", "captain", "noble", "supply", "store", "black_market",
)  # fmt: skip
SELECTIONS: Final = ("draft", "all", "fixed_list", "random")
LISTED: Final = 300  # moves; longer collections are counted and sampled
SAMPLES: Final = 4
REACHING: Final = 24  # games
POINTS: Final = {
    "D-DRAFT", "D-ROLE", "D-SET-HAC", "D-SET-HAC-F", "D-SET-TAKE", "D-SET-LIB", "D-SET-LODGE", "D-MAY-PICK",
    "D-MAY-PLACE", "D-BLD", "D-CRA-PRIV", "D-TRD", "D-TRD-F", "D-CAP-RS", "D-CAP-LOAD", "D-CAP-STORE", "D-GUEST",
}  # fmt: skip
PERTURBED: Final = 2  # texts for each decision


@pytest.mark.parametrize("expansions", EXPANSIONS, ids=lambda names: "+".join(names) or "base")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_both_engines_play_the_same_games(seats: int, expansions: list[Json]) -> None:  # rules 1 to 6, 11
    for seed in range(GAMES):
        source = random.Random(f"second {seats} {expansions} {seed}")
        options = mixed(source, expansions) if seed % 3 else {"expansions": expansions}
        play_on(options, seats, source)


def mixed(source: random.Random, expansions: list[Json]) -> dict[str, Json]:
    """Any options that fit together."""
    options = {name: value for name, value in OTHERS.items() if source.random() < 0.4}
    selection = source.choice(SELECTIONS)
    options |= {"expansions": expansions, "exp1_selection": selection}
    if selection == "fixed_list":
        kinds = [*BASE, *(NEW if "new_buildings" in expansions else ()), *(NOBLES if "nobles" in expansions else ())]
        options["violet_buildings"] = source.sample(kinds, source.randint(len(kinds) // 2, len(kinds)))
    return options


def play_on(given: Mapping[str, Json], seats: int, source: random.Random) -> None:
    """A random game, compared before and after every move."""
    taste, dealer = Taste(source), RandomDealer(source)
    options = GAME.read_options(dict(given), seats)
    position, deed = set_up(GAME, options, seats, dealer)
    engine = Engine(seats, given, deed.drew)
    agree_on_options(engine.options, options)
    while engine.question is not None:
        agree(engine, position)
        agree_on_moves(engine.question, position, source)
        move = taste.choose(position, source)
        agree_on_perturbed_moves(engine.question, position, move, source)
        follow(engine, enact(GAME, position, move, dealer))
    agree(engine, position)
    agree_on_the_result(engine, position)


def agree_on_options(mine: Mapping[str, object], theirs: Mapping[str, Json]) -> None:
    """Defaults and presets of rules 11."""
    assert {name: str(value) for name, value in mine.items() if name != "violet_buildings"} == {
        name: str(value) for name, value in theirs.items() if name != "violet_buildings"
    }


class Taste:
    """Preferences of a game's players, drawn for every game, so that games reach different positions."""

    def __init__(self, source: random.Random) -> None:
        self._tries, self._of_cost = source.randint(1, 4), source.choice((0.0, 0.1, 1.0))
        self._liking = {word: source.choice((-1, 0, 1, 2)) for word in (*WORDS, *BUILDINGS)}

    def choose(self, position: Position, source: random.Random) -> str:
        """The dearest of a few random moves."""
        moves = GAME.legal(position)
        return max((GAME.notation(moves.sample(source)) for _ in range(self._tries)), key=self._liked)

    def _liked(self, move: str) -> float:
        words = move.split()
        cost = BUILDINGS[words[1]].cost if words[0] == "build" else 0
        return cost * self._of_cost + sum(self._liking.get(word.partition("=")[0], 0) for word in words)


def follow(engine: Engine, played: ExecutedMove) -> None:
    """Enters a move; each automatic move must be the only choice for the second engine too (R-2)."""
    engine.enter(played.seat, played.move, played.deed.drew)
    automatic = iter(engine.automatic)
    assert all((seat, read(move)) in automatic for seat, move in played.deed.then)


def agree(engine: Engine, position: Position) -> None:
    """The same table, boards and turn."""
    assert written(engine) == normalised(dict(GAME.document(position)))
    assert (engine.question is None) == (GAME.actor(position) is None)


def agree_on_moves(question: Question, position: Position, source: random.Random) -> None:
    """The same set of moves; of a long one the same number, and samples of each that the other has."""
    moves = GAME.legal(position)
    assert len(question) == len(moves)
    if len(moves) <= LISTED:
        assert question.moves() == told(moves)
        return
    for _ in range(SAMPLES):
        assert question.allows(GAME.notation(moves.sample(source)))
    for other in islice(question.others, source.randrange(LISTED), LISTED, LISTED // SAMPLES):
        assert GAME.canonical(position, GAME.parse(spelled(other))) in moves


def told(moves: Any) -> set[Move]:
    """Moves of the product, as the second engine reads them."""
    return {read(GAME.notation(move)) for move in moves}


def agree_on_perturbed_moves(question: Question, position: Position, move: str, source: random.Random) -> None:
    """Both engines judge a legal move with one fault alike."""
    for text in islice(perturb(move, source), PERTURBED):
        made = accepted(position, text, source)
        assert question.allows(made or text) == (made is not None), text


def accepted(position: Position, text: str, source: random.Random) -> str | None:
    """The canonical spelling of a text that the product takes for a move; None if it takes it for none."""
    try:
        move = GAME.canonical(position, GAME.parse(text))
    except (IllegalMove, UnreadableMove):
        move = None
    try:
        made = enact(GAME, GAME.copy(position), text, RandomDealer(source))
    except (IllegalMove, UnreadableMove):
        assert move is None or move not in GAME.legal(position)
        return None
    assert move in GAME.legal(position)
    return made.move


def agree_on_the_result(engine: Engine, position: Position) -> None:
    """Points, tie-break and places, scored from the second engine's books."""
    players, outcome = written(engine)["players"], GAME.outcome(position)
    assert outcome is not None
    ranked = [(reference_scorer.total(player), reference_scorer.tie_break(player)) for player in players]
    assert list(zip(outcome.points, outcome.tie_break, strict=True)) == ranked
    assert list(outcome.places) == reference_scorer.places(ranked)


@pytest.mark.parametrize("record", sorted(FOLDER.glob("playthroughs/*.txt")), ids=lambda record: record.stem)
def test_the_second_engine_follows_every_recorded_game(record: Path) -> None:
    transcript = read_record(record.read_text("utf-8"))
    table = lay_out(GAME, transcript)
    engine, scribe = Engine(len(table.seats), table.options, table.deed.drew), ImportChecker(GAME, table.position)
    agree(engine, scribe.position)
    for entry in scribe.enter(transcript.lines):
        told_standings = tuple(comment for comment in entry.line.above if ": doubloons " in comment)
        assert told_standings in ((), tuple(map(standing, table.seats, engine.players)))
        follow(engine, entry.played)
        agree(engine, scribe.position)
    agree_on_the_result(engine, scribe.position)


def standing(name: str, player: Player) -> str:
    """A line of a record: doubloons, victory points, people and goods of a player, under the heading of a round."""
    goods = "".join(f", {good} {player.goods[good]}" for good in GOODS if player.goods[good])
    people = player.people("colonist") + player.people("noble")
    points = player.chips + player.noted
    return f"; {name}: doubloons {player.doubloons}, points {points}, colonists {people}{goods}"


def test_random_games_reach_every_decision_and_every_verb() -> None:  # rules 3 to 6
    points, verbs = set[str | None](), set[str]()
    for seed in range(REACHING):
        source = random.Random(f"reach {seed}")
        seats, taste, dealer = 2 + seed % 4, Taste(source), RandomDealer(source)
        position, _ = set_up(GAME, GAME.read_options(mixed(source, EXPANSIONS[3]), seats), seats, dealer)
        while GAME.actor(position) is not None:
            points.add(GAME.decision(position))
            text = taste.choose(position, source)
            verbs.add(text.split()[0])
            enact(GAME, position, text, dealer)
    assert points == POINTS
    assert verbs == {form.move.split()[0] for form in GAME.examples}


def test_every_option_of_the_reference_is_played_with_another_value() -> None:  # rules 11
    given = {"expansions", "violet_buildings", "exp1_selection"}
    assert OTHERS.keys() == DEFAULTS.keys() - given
    assert all(OTHERS[name] != DEFAULTS[name] for name in OTHERS)
    assert {name: {*choice.values} for name, choice in GAME.choices.items() if name in OTHERS} == {
        name: {value, DEFAULTS[name]} for name, value in OTHERS.items()
    }

"""The worked examples of the rules as games: a position, the moves made from it, and the board after each.

`examples/<game>.json` names for each example its seats and options, what differs from a game that was just set up, its
moves with what was drawn for them, and the parts of the board that matter. The engine plays the moves. A row also has
what its text says about the end: what stands on the last board (`ends`), the points and places of the seats, single
items of the first seat's points (`scores`), and moves that are refused after a number of moves (`refused`).
"""

import json
import random
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from events.json_types import JsonObject
from projections.rules.dealer import DeclaredDealer, RandomDealer
from projections.rules.protocol import AnyGame, Board
from projections.rules.registry import GAMES

EXAMPLES: Final = files(__package__).joinpath("examples")
DEAL: Final = 0  # seeds the game that the examples differ from


@cache
def _examples(game: str) -> Mapping[str, Any]:
    told: Mapping[str, Any] = json.loads(EXAMPLES.joinpath(f"{game}.json").read_text("utf-8"))
    return told


def example_names(game: str) -> list[str]:
    """Returns the examples that are drawn, by the names of their paragraphs."""
    return list(_examples(game))


def example_row(game: str, name: str) -> Mapping[str, Any]:
    """Returns the row of an example."""
    row: Mapping[str, Any] = _examples(game)[name]
    return row


def example_document(game: str, name: str, language: str) -> JsonObject:
    """Returns an example: its boards, each with the move that led to it."""
    written, rules = example_row(game, name), GAMES[game]
    points = {"points": written["points"]} if "points" in written else {}
    steps = list(_steps(rules, written, language))
    return {"game": game, "example": name, "show": written["show"], **points, "steps": steps}


def _steps(rules: AnyGame, written: Mapping[str, Any], language: str) -> Iterator[JsonObject]:
    board = starting_board(rules, written)
    yield {"move": None, "seat": None, "report": None, "position": rules.document(board)}
    for text, drew in written["moves"]:
        move, seat = rules.canonical(board, rules.parse(text)), rules.actor(board)
        report = rules.report(board, move, language)
        rules.play(board, move, DeclaredDealer(drew), rules.recorder(recording=False))
        yield {"move": text, "seat": seat, "report": report, "position": rules.document(board)}


def starting_board(rules: AnyGame, written: Mapping[str, Any]) -> Board:
    """Returns the board before the first move."""
    return rules.restore(merged(fresh(rules, written["seats"], written["options"]), written["changes"]))


def fresh(rules: AnyGame, seats: int, options: JsonObject) -> Any:
    """Returns the document of a game that was just set up, always with the same deal."""
    dealer, recorder = RandomDealer(random.Random(DEAL)), rules.recorder(recording=False)  # noqa: S311 - no secret
    board = rules.set_up(rules.read_options(options, seats), seats, dealer, recorder)
    return json.loads(json.dumps(rules.document(board)))


def merged(document: Any, changes: Any) -> Any:
    """Returns a document with changes: of objects by member (null: without it), of lists of one length by number."""
    if isinstance(document, list) and isinstance(changes, Mapping):
        return [merged(item, changes[str(at)]) if str(at) in changes else item for at, item in enumerate(document)]
    if not isinstance(document, Mapping) or not isinstance(changes, Mapping):
        return changes
    kept = {name: value for name, value in document.items() if name not in changes}
    set_anew = {name: merged(document.get(name), value) for name, value in changes.items() if value is not None}
    return kept | set_anew

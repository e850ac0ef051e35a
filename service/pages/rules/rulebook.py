"""The page with the rules of a game."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from flask import Blueprint, redirect, render_template
from werkzeug.wrappers import Response

from projections.rules.puerto_rico.buildings.printed import KINDS
from service.games.lookup import game_named
from service.pages.games.board_labels import setting
from service.pages.games.game_lists import TITLES
from service.rulebook.examples import example_names
from service.rulebook.paragraphs import in_short, rulebook
from service.rulebook.pieces import pieces_document
from service.web.responses import request_language

pages = Blueprint("rulebook", __name__)
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {  # tables of pieces, in their order
    "puerto_rico": ("roles", "base", "new_buildings", "nobles", "goods", "tiles", "places"),
    "spice_road": ("cards", "point_cards", "spices", "coins", "places"),
}
BOXES: Final = {f"buildings.{kind.name}": kind.expansion for kind in KINDS}
EXPANSIONS: Final = ("base", "new_buildings", "nobles")
PRINTED: Final = ("cost", "points", "column", "circles", "price")  # columns of a table, where its pieces have them


class PieceTable(NamedTuple):
    """A table of pieces."""

    name: str
    columns: tuple[str, ...]
    rows: list[tuple[str, Mapping[str, Any]]]


@pages.get("/rules")
def first() -> Response:
    """Leads to the rules of the first game."""
    return redirect("/rules/puerto_rico")


@pages.get("/rules/<string:name>")
def rules(name: str) -> str:
    """Renders the rules of a game."""
    game, words = game_named(name).name, request_language()
    return render_template(
        "rules.html",
        game=game,
        games={other: TITLES[other] for other in GROUPS},
        title=TITLES[game],
        short=in_short(game, words),
        book=rulebook(game, words),
        tables=list(tables(game, words)),
        setting={**setting(game, words), "game": game, "examples": example_names(game)},
    )


def tables(game: str, language: str) -> Iterator[PieceTable]:
    """Yields the tables of pieces with what is printed on them and what they do."""
    pieces: Any = pieces_document(game, language)["pieces"]
    for group in GROUPS[game]:
        rows = [(name, piece) for name, piece in pieces.items() if _group(name) == group]
        columns = tuple(column for column in PRINTED if any(column in piece for _, piece in rows))
        yield PieceTable(group, columns, rows)


def _group(name: str) -> str:
    return str(EXPANSIONS[BOXES[name]]) if name in BOXES else name.partition(".")[0]

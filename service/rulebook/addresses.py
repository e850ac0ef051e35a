"""The addresses of paragraphs of the rules, and the paragraph that each refusal rests on."""

from collections.abc import Iterable
from typing import Final

from events.errors import CabildoError
from events.json_types import JsonObject
from projections.rules.errors import BadOptions, GameIsOver, IllegalMove, NotYourTurn, UnreadableMove
from projections.rules.registry import GAMES

KINDS: Final = {  # refusals without a rule of their own: kind of error -> game -> paragraph
    NotYourTurn: {"puerto_rico": "3.3", "spice_road": "4"},
    GameIsOver: {"puerto_rico": "5.1", "spice_road": "8"},
    IllegalMove: {"puerto_rico": "3", "spice_road": "4"},
    UnreadableMove: {"puerto_rico": "14", "spice_road": "15"},
}


def address_of(game: str, rule: str, language: str) -> str:
    """Returns the address of a paragraph in a language: a section, a ruling, an example, a building or an option."""
    return f"/rules/{game}?language={language}#{rule}"


def address_of_refusal(error: CabildoError, language: str) -> str | None:
    """Returns the address of the paragraph that a refusal rests on; None where no rule of a game refuses."""
    if isinstance(error, BadOptions):
        return _address_of_option(error.option, language)
    if not isinstance(error, IllegalMove | UnreadableMove) or not error.game:
        return None
    rule = error.rule if isinstance(error, IllegalMove) else ""
    paragraphs = next(found for kind, found in KINDS.items() if isinstance(error, kind))
    return address_of(error.game, rule or paragraphs[error.game], language)


def with_pages(game: str, refused: Iterable[JsonObject], language: str) -> list[JsonObject]:
    """Returns refused moves, each with the address of its paragraph: that of its rule, else of moves in general."""
    general = KINDS[IllegalMove][game]
    return [{**one, "rule_page": address_of(game, str(one["rule"]) or general, language)} for one in refused]


def _address_of_option(option: str, language: str) -> str | None:
    """Returns the address of an option that exactly one game has."""
    games = [name for name, game in GAMES.items() if option in game.choices]
    return address_of(games[0], f"opt-{option}", language) if len(games) == 1 else None

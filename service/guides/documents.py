"""Documents of guided games: a step with its board, its texts, the moves before it and the legal moves."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from events.json_types import JsonObject
from projections.games.what_if import result
from projections.rules.catalogue import fill
from projections.rules.legal_moves import are_open, legal_moves_document, move_document, refused_moves
from projections.rules.registry import GAMES
from service.core.errors import NotThere
from service.games.house_bots import called
from service.guides.scripts import LEARNER, GuidedGame, Played, guided_game
from service.i18n.catalogue import GUIDES, rows
from service.rulebook.addresses import with_pages

BOTS: Final = "greedy"  # the level of the others at the table
MOST_TOLD: Final = 10  # moves before a step that are told one by one


def guides() -> list[JsonObject]:
    """Returns the guided games with the number of their steps."""
    return [{"game": name, "steps": len(guided_game(name).steps)} for name in GAMES]


def step_document(name: str, step: int, language: str, why_not: Sequence[str] = ()) -> JsonObject:
    """Returns a step; the one after the last is the end, with the result. Raises NotThere."""
    guide = guided_game(name)
    if not 1 <= step <= len(guide.steps) + 1:
        raise NotThere("step", step)
    game, board, wanted = guide.game, guide.board(step), guide.wanted(step)
    over = wanted is None
    refused = refused_moves(game, board, why_not, language) if why_not and not over else []
    return {
        "game": name,
        "step": step,
        "steps": len(guide.steps),
        "seat": LEARNER,
        "seats": guide.seats,
        **_texts(name, "end" if over else str(step), others(guide.seats, language), language),
        "move": None if wanted is None else move_document(game, board, game.parse(wanted.move), language),
        "position": game.view(board, LEARNER) if not over else game.document(board),
        "legal": None if over else legal_moves_document(game, board, language),
        "passed": len(guide.since(step)),
        "story": list(_story(guide, guide.since(step)[-MOST_TOLD:], language)),
        "refused": with_pages(name, refused, language),
        "asked": are_open(why_not, refused),
        "scores": list(game.scores(board)) if over else None,
        "result": result(game, board),
    }


def others(seats: int, language: str) -> dict[int, str]:
    """Returns the names of the bots beside the reader by seat, as at any table."""
    return {seat: called(BOTS, seat + 1, language) for seat in range(seats) if seat != LEARNER}


def _texts(name: str, step: str, bots: Mapping[int, str], language: str) -> JsonObject:
    """Returns the title of a step, what it explains, and why its move is made; `{bot1}` is the bot in seat 1."""
    texts, named = rows(GUIDES, name), {f"bot{seat}": bot for seat, bot in bots.items()}
    return {part: fill(language, texts[f"{part}_{step}"][language], named) for part in ("title", "explains", "reason")}


def _story(guide: GuidedGame, moves: Sequence[Played], language: str) -> Iterator[JsonObject]:
    """Yields moves in words; of forced moves the rules speak for themselves."""
    for played in moves:
        told = guide.game.report(played.before, guide.game.parse(played.move), language)
        yield {"seat": played.seat, "move": played.move, "label": told}

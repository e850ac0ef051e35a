"""Turns the figures of an analysis into edits of a study, on request and labelled as estimates."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from events.messages import Message
from projections.games.replay import line
from service.analyses.queries import GLYPH_OF, Analysis, RankedDecision, WeighedMove, swing
from service.core.errors import NotThere
from service.i18n import messages
from service.studies.chapter_game import ChapterGame
from service.studies.editing.context import Edit
from service.studies.errors import LimitReached

Figures: TypeAlias = Mapping[int, RankedDecision]  # by the event of the move
MOST_MOVES: Final = 60  # in one request
SEED: Final = "00" * 16  # of random draws after a proposed move


class EstimateSelection(NamedTuple):
    """The smallest loss to copy, the author of the copies, and their language."""

    least: int
    author: str
    language: str


def edits(chapter_game: ChapterGame, analysis: Analysis, figures: Figures, selection: EstimateSelection) -> list[Edit]:
    """Returns a comment, a glyph and the better move for each move with at least that loss."""
    chapter_game.need_over()
    if chapter_game.chapter.of is None or chapter_game.chapter.of.stream != analysis.game:
        raise NotThere("analysis", analysis.id)
    worth_it = {seq: found for seq, found in figures.items() if found["loss"] >= selection.least}
    if len(worth_it) > MOST_MOVES:
        raise LimitReached("moves that are taken over at once; ask for those that gave more away", MOST_MOVES)
    return list(_edits(chapter_game, analysis, worth_it, selection))


def _edits(
    chapter_game: ChapterGame, analysis: Analysis, figures: Figures, selection: EstimateSelection
) -> Iterator[Edit]:
    before = None
    for event in line(chapter_game.events):
        found = figures.get(event.seq)
        if found is not None:
            there = {"chapter": chapter_game.chapter.id, "at": str(event.seq)}
            yield {"do": "comment", **there, "text": messages.translate(_sentence(analysis, found), selection.language)}
            if selection.author not in chapter_game.chapter.note(str(event.seq)).marks:
                glyph = GLYPH_OF.get(swing(found["loss"]) or "", 6)
                yield {"do": "mark", **there, "glyphs": [glyph], "markers": []}
            chance = {"chance": "random", "seed": SEED}
            yield {
                "do": "play",
                "chapter": chapter_game.chapter.id,
                "at": str(before),
                "moves": [found["best"]],
                **chance,
            }
        before = event.seq


def _sentence(analysis: Analysis, found: RankedDecision) -> Message:
    seat = found["seat"]
    best: WeighedMove = next((one for one in found["alternatives"] if one["move"] == found["best"]), found)
    return Message(
        "Estimate ({level} {version}, {steps} steps, seed {seed}): seat {seat} wins {had:.1f} % after this,"
        " {could:.1f} % after `{best}`.",
        level=analysis.level,
        version=analysis.version,
        steps=analysis.steps,
        seed=analysis.seed,
        seat=seat + 1,
        had=found["shares"][seat] / 10,
        could=best["shares"][seat] / 10,
        best=found["best"],
    )

"""What an analysis thinks, as edits of a study: only when somebody asks for it, and labelled as an estimate."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from projections.replay import line
from service.analyses import Analysis, swing
from service.errors import NotThere
from service.studies.desk import Edit
from service.studies.errors import LimitReached
from service.studies.ground import Ground

GLYPHS: Final = {"blunder": 4, "mistake": 2, "doubtful": 6}
MOST_MOVES: Final = 60  # that are taken over at once
SEED: Final = "00" * 16  # of draws after a proposed move


def edits(
    ground: Ground, analysis: Analysis, figures: Mapping[int, Mapping[str, Any]], least: int, author: str
) -> list[Edit]:
    """A comment, a glyph and the better move for each move that gave at least so much away."""
    ground.need_over()
    if ground.chapter.of is None or ground.chapter.of.stream != analysis.game:
        raise NotThere("analysis of this chapter's game:", analysis.id)
    worth_it = {seq: found for seq, found in figures.items() if found["loss"] >= least}
    if len(worth_it) > MOST_MOVES:
        raise LimitReached("moves that are taken over at once; ask for those that gave more away", MOST_MOVES)
    return list(_edits(ground, analysis, worth_it, author))


def _edits(ground: Ground, analysis: Analysis, figures: Mapping[int, Mapping[str, Any]], author: str) -> Iterator[Edit]:
    before = None
    for event in line(ground.events):
        found = figures.get(event.seq)
        if found is not None:
            there = {"chapter": ground.chapter.id, "at": str(event.seq)}
            yield {"do": "comment", **there, "text": _sentence(analysis, found)}
            if author not in ground.chapter.note(str(event.seq)).marks:
                glyph = GLYPHS.get(swing(found["loss"]) or "", 6)
                yield {"do": "mark", **there, "glyphs": [glyph], "markers": []}
            chance = {"chance": "random", "seed": SEED}
            yield {"do": "play", "chapter": ground.chapter.id, "at": str(before), "moves": [found["best"]], **chance}
        before = event.seq


def _sentence(analysis: Analysis, found: Mapping[str, Any]) -> str:
    seat = found["seat"]
    best = next((one for one in found["alternatives"] if one["move"] == found["best"]), found)
    had, could = found["shares"][seat] / 10, best["shares"][seat] / 10
    bot = f"{analysis.level} {analysis.version}, {analysis.steps} steps, seed {analysis.seed}"
    return f"Estimate ({bot}): seat {seat} wins {had:.1f} % after this, {could:.1f} % after `{found['best']}`."

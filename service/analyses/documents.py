"""Analyses as clients read them: status, decisions with labels, and a Markdown report."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Final, TypedDict

from psycopg import Connection

from events.event import Event
from events.messages import Message
from projections.games.replay import steps
from projections.rules.protocol import AnyGame, Board
from projections.studies.glyphs import GLYPHS
from service.analyses.queries import GLYPH_OF, Analysis, RankedDecision, WeighedMove, count_figures, swing
from service.core.clock import iso_time
from service.games.game_state import GameState, setting
from service.i18n import messages
from service.studies.markdown import flat

TITLE: Final = Message("Computer analysis")
LABEL: Final = Message(
    "An estimate by a bot, not the truth: the same bot, version, steps and seed give the same figures again."
)
COLUMNS: Final = (Message("move"), Message("gave away"), Message("better"))


class LabelledMove(WeighedMove):
    """A weighed move with its label."""

    label: str


class DecisionReport(LabelledMove):
    """A decision with its figures, and the name of a large loss."""

    version: int
    seat: int
    best: str | None
    loss: int
    enough: bool
    swing: str | None
    alternatives: Sequence[LabelledMove]


class BotSettings(TypedDict):
    """The bot of an analysis, and what its figures depend on."""

    level: str
    version: int
    steps: int
    seed: str


class AnalysisSummary(TypedDict):
    """An analysis without its figures."""

    id: str
    game: str
    status: str
    done: int
    total: int
    estimate: str
    bot: BotSettings
    created: str | None
    yours: bool
    changed: str | None


class CompleteAnalysis(AnalysisSummary):
    """An analysis with its figures."""

    decisions: Sequence[DecisionReport]
    advice: str | None


def advice(analysis: AnalysisSummary, decisions: Sequence[DecisionReport], language: str) -> str | None:
    """Returns the advice to ask for more steps; None when the steps were enough for every decision."""
    thin = sum(not decision["enough"] for decision in decisions)
    if not thin:
        return None
    message = Message(
        "{steps} steps are too few to compare the moves of {thin} out of {done} decisions; ask for more steps",
        steps=analysis["bot"]["steps"],
        thin=thin,
        done=analysis["done"],
    )
    return messages.translate(message, language)


def analysis_document(connection: Connection, analysis: Analysis, language: str, reader: str | None) -> AnalysisSummary:
    """Returns the document of an analysis without its figures."""
    return {
        "id": str(analysis.id),
        "game": str(analysis.game),
        "status": analysis.status,
        "done": count_figures(connection, analysis.id),
        "total": analysis.total,
        "estimate": messages.translate(LABEL, language),
        "bot": {
            "level": analysis.level,
            "version": analysis.version,
            "steps": analysis.steps,
            "seed": analysis.seed,
        },
        "created": iso_time(analysis.created),
        "yours": analysis.asker == reader,
        "changed": iso_time(analysis.changed),
    }


def decisions(
    table: GameState, events: Sequence[Event], found: Mapping[int, RankedDecision], language: str
) -> list[DecisionReport]:
    """Returns every decision with figures, with labels of its moves and the name of a large loss."""
    boards = pairwise(steps(setting(table.known), events))
    weighed = ((before.position, step.event.seq) for before, step in boards if step.event.seq in found)
    return [_decision(table.game, board, seq, found[seq], language) for board, seq in weighed]


def _decision(rules: AnyGame, board: Board, version: int, found: RankedDecision, language: str) -> DecisionReport:
    def label(weighed: WeighedMove) -> str:
        return rules.label(board, rules.parse(weighed["move"]), language)

    others: list[LabelledMove] = [{**one, "label": label(one)} for one in found["alternatives"]]
    named = swing(found["loss"])
    return {"version": version, **found, "label": label(found), "swing": named, "alternatives": others}


def markdown(analysis: CompleteAnalysis, seats: Sequence[str], address: str, language: str) -> str:
    """Returns an analysis as Markdown with a table of its decisions; `address` is the page of the game."""
    say = partial(messages.translate, language=language)
    how = Message("{level} {version}, {steps} steps a decision, seed {seed}", **analysis["bot"])
    move, lost, better = map(say, COLUMNS)
    heads = ["#", move, *(f"{flat(seat)} %" for seat in seats), f"{lost} %", better]
    rows = [heads, ["---"] * len(heads), *(_row(one, seats, address) for one in analysis["decisions"])]
    head = [f"# {say(TITLE)}", f"<{address}>", flat(analysis["estimate"]), f"{flat(say(how))}: {_share(analysis)}"]
    if analysis["advice"] is not None:
        head.append(flat(analysis["advice"]))
    return "\n\n".join([*head, "\n".join(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def _share(analysis: AnalysisSummary) -> str:
    return f"{analysis['done']} / {analysis['total']}"


def _row(decision: DecisionReport, seats: Sequence[str], address: str) -> list[str]:
    """Returns a row of the table: the shares after the move, its loss, and the better move."""
    number, sign = decision["version"], f" {GLYPHS[GLYPH_OF[decision['swing']]].sign}" if decision["swing"] else ""
    best = next((one for one in decision["alternatives"] if one["move"] == decision["best"]), None)
    return [
        f"[{number}]({address}#{number})",
        f"{flat(seats[decision['seat']])}: {_move(decision)}{sign}",
        *(_percent(share) for share in decision["shares"]),
        _percent(decision["loss"]) if decision["loss"] else "",
        f"{_move(best)} ({_percent(best['shares'][decision['seat']])} %)" if best and decision["loss"] else "",
    ]


def _move(weighed: LabelledMove) -> str:
    return f"{flat(weighed['label'])} `{weighed['move']}`"


def _percent(thousandths: int) -> str:
    return f"{thousandths / 10:.1f}"

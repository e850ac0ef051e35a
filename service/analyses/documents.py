"""Analyses as clients read them: status, decisions with labels, and a Markdown report."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final

from psycopg import Connection

from events.event import Event
from events.messages import Message
from projections.games.replay import steps
from projections.rules.protocol import AnyGame, Board
from projections.studies.glyphs import GLYPHS
from service.analyses.queries import GLYPH_OF, Analysis, count_figures, swing
from service.core.clock import iso_time
from service.games.game_state import GameState, setting
from service.i18n import messages
from service.studies.markdown import flat

Decision = dict[str, Any]
TITLE: Final = Message("Computer analysis")
LABEL: Final = Message(
    "An estimate by a bot, not the truth: the same bot, version, steps and seed give the same figures again."
)
COLUMNS: Final = (Message("move"), Message("gave away"), Message("better"))


def advice(analysis: Mapping[str, Any], language: str) -> str | None:
    """Returns the advice to ask for more steps; None when the steps were enough for every decision."""
    thin = sum(not decision["enough"] for decision in analysis["decisions"])
    if not thin:
        return None
    message = Message(
        "{steps} steps are too few to compare the moves of {thin} out of {done} decisions; ask for more steps",
        steps=analysis["bot"]["steps"],
        thin=thin,
        done=analysis["done"],
    )
    return messages.translate(message, language)


def analysis_document(connection: Connection, analysis: Analysis, language: str, reader: str | None) -> dict[str, Any]:
    """Returns the document of an analysis without its figures."""
    return {
        "id": str(analysis.id),
        "game": str(analysis.game),
        "status": analysis.status,
        "done": count_figures(connection, analysis.id),
        "total": analysis.total,
        "estimate": messages.translate(LABEL, language),
        "bot": {name: getattr(analysis, name) for name in ("level", "version", "steps", "seed")},
        "created": iso_time(analysis.created),
        "yours": analysis.asker == reader,
        "changed": iso_time(analysis.changed),
    }


def decisions(
    table: GameState, events: Sequence[Event], found: Mapping[int, Decision], language: str
) -> list[Decision]:
    """Returns every decision with figures, with labels of its moves and the name of a large loss."""
    boards = pairwise(steps(setting(table.known), events))
    weighed = ((before.position, step.event.seq) for before, step in boards if step.event.seq in found)
    return [_decision(table.game, board, {"version": seq, **found[seq]}, language) for board, seq in weighed]


def _decision(rules: AnyGame, board: Board, found: Decision, language: str) -> Decision:
    def labelled(weighed: Decision) -> Decision:
        return {**weighed, "label": rules.label(board, rules.parse(weighed["move"]), language)}

    others = [labelled(one) for one in found["alternatives"]]
    return {**labelled(found), "swing": swing(found["loss"]), "alternatives": others}


def markdown(analysis: Mapping[str, Any], seats: Sequence[str], address: str, language: str) -> str:
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


def _share(analysis: Mapping[str, Any]) -> str:
    return f"{analysis['done']} / {analysis['total']}"


def _row(decision: Decision, seats: Sequence[str], address: str) -> list[str]:
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


def _move(weighed: Mapping[str, Any]) -> str:
    return f"{flat(weighed['label'])} `{weighed['move']}`"


def _percent(thousandths: int) -> str:
    return f"{thousandths / 10:.1f}"

"""What an analysis found in the words of its reader: every move, and a report to take home."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final

from events.event import Event
from events.messages import Message
from projections.games.replay import steps
from projections.rules.protocol import Game
from projections.studies.glyphs import GLYPHS
from service.analyses.queries import GLYPH_OF, swing
from service.games.game_state import GameState, setting
from service.i18n import messages
from service.studies.markdown import flat

Decision = dict[str, Any]
TITLE: Final = Message("Computer analysis")
COLUMNS: Final = (Message("move"), Message("gave away"), Message("better"))


def decisions(
    table: GameState, events: Sequence[Event], found: Mapping[int, Decision], language: str
) -> list[Decision]:
    """Every decision that was weighed, its moves in words, and what it is called when it gave much away."""
    boards = pairwise(steps(setting(table.known), events))
    weighed = ((before.position, step.event.seq) for before, step in boards if step.event.seq in found)
    return [_told(table.game, board, {"version": seq, **found[seq]}, language) for board, seq in weighed]


def _told(rules: Game[Any, Any], board: Any, found: Decision, language: str) -> Decision:
    def worded(weighed: Decision) -> Decision:
        return {**weighed, "label": rules.label(board, rules.parse(weighed["move"]), language)}

    others = [worded(one) for one in found["alternatives"]]
    return {**worded(found), "swing": swing(found["loss"]), "alternatives": others}


def markdown(analysis: Mapping[str, Any], seats: Sequence[str], address: str, language: str) -> str:
    """An analysis with its decisions as a table of Markdown; `address` is where the game is shown."""
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
    """A line of the table: the shares after the move, what it gave away, and what was better."""
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

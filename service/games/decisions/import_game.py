"""Scribe mode: imports an over-the-table game from its record, at once or in parts.

The game is stored like every other; its draws are declared instead of dealt, and marked so. The scribe's comments are
stored beside the events and returned with the record.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from psycopg import Connection

from events.event import Event
from events.messages import Message
from events.store.statements import Statement
from projections.games.errors import UnreadableRecord
from projections.games.execute_move import digest
from projections.games.imports.checker import AcceptedLine, ImportChecker, lay_out
from projections.games.imports.transcript import Header, Transcript, TranscriptLine, parse, write
from projections.games.record import RUNNING, GameRecord
from projections.games.replay import line
from projections.rules.protocol import AnyGame, Board
from projections.rules.registry import GAMES
from projections.rules.time_budget import TimeBudget
from service.core.errors import NotAllowed, NotRunning, NotThere
from service.games.decisions import endings
from service.games.game_state import GameUnitOfWork, setting
from service.games.turns import turn_document, turn_of

PUT_RECORD: Final = """
INSERT INTO transcripts (id, headers, below) VALUES (%s, %s, %s)
ON CONFLICT (id) DO UPDATE SET below = excluded.below
"""
ADD_BELOW: Final = "UPDATE transcripts SET below = below || %s::text[] WHERE id = %s"
PUT_NOTE: Final = "INSERT INTO transcript_notes (id, seq, above, beside) VALUES (%s, %s, %s, %s)"
RECORD: Final = "SELECT headers, below FROM transcripts WHERE id = %s"
SHOWN: Final = """
SELECT headers, below FROM transcripts
WHERE id = %s AND NOT EXISTS (SELECT FROM hidden_texts WHERE stream = id AND about = 'record')
"""
NOTES: Final = """
SELECT seq, above, beside FROM transcript_notes
WHERE id = %s AND NOT EXISTS (SELECT FROM hidden_texts WHERE stream = id AND about = 'record')
"""


def game_of(transcript: Transcript) -> AnyGame:
    """Returns the game that a record names. Raises UnreadableRecord."""
    name = transcript.value("game")
    if name is None or name not in GAMES:
        header = next((header for header in transcript.headers if header.name == "game"), None)
        reason = "header_missing" if header is None else "unknown_game"
        raise UnreadableRecord(
            header.number if header else 1, reason, Message("game: one of {known}", known=", ".join(GAMES))
        )
    return GAMES[name]


def begin(unit: GameUnitOfWork, transcript: Transcript, visibility: str, time_budget: TimeBudget) -> None:
    """Store a record as a new game. Raises the error of the first illegal line."""
    game = game_of(transcript)
    table = lay_out(game, transcript)
    seats = len(table.seats)
    unit.write(
        "game_created",
        game=game.name,
        options=table.options,
        seats=seats,
        chairs=[None] * seats,
        clock={"kind": "none"},
        rated=False,
        level=0,
        commitment=None,
        seed=None,
        tournament=None,
        imported=True,
        host=unit.actor,
        visibility=visibility,
        first_chair=0,
    )
    unit.replace_board(table.position)
    turn = turn_document(turn_of(game, table.position))
    unit.write("game_started", order=list(range(seats)), turn=turn, **table.deed.data())
    unit.beside.append(Statement(PUT_RECORD, (unit.id, write(transcript._replace(lines=(), below=())), [])))
    _enter(unit, ImportChecker(game, table.position), transcript, time_budget)


def go_on(unit: GameUnitOfWork, text: str, below: Sequence[str], time_budget: TimeBudget) -> None:
    """Append more lines; earlier comments at the end move to the first of them."""
    transcript = parse(text)
    if transcript.headers:
        raise UnreadableRecord(transcript.headers[0].number, "header_after_moves", transcript.headers[0].name)
    if not transcript.lines:  # comments alone follow the existing ones, without an event
        unit.beside.append(Statement(ADD_BELOW, (list(transcript.below), unit.id)))
        return
    first, *others = transcript.lines
    transcript = transcript._replace(lines=(first._replace(above=(*below, *first.above)), *others))
    last: Mapping[str, Any] = next(unit.history().line(unit.before.head.seq)).data
    forced = [(one["seat"], one["move"]) for one in last["then"]]
    _enter(unit, ImportChecker(unit.game, unit.board(), forced), transcript, time_budget)


def go_back(unit: GameUnitOfWork, to: int) -> None:
    """Strike the lines after a version; the log keeps them."""
    kept = next((event.seq for event in unit.history().line(unit.before.head.seq) if event.seq <= to), None)
    if kept != to:
        raise NotThere("line entered at version", to)
    board = unit.history().board(setting(unit.record), to)
    unit.replace_board(board)
    turn = turn_document(turn_of(unit.game, board))
    details = {"cause": "misread"}
    unit.write(
        "ruled", ruling="struck_out", to=to, details=details, reason=None, digest=digest(unit.game, board), turn=turn
    )
    unit.beside.append(Statement(PUT_RECORD, (unit.id, "", [])))


def check_scribe(record: GameRecord, player: str) -> None:
    """Raises NotAllowed unless the player is the scribe, NotRunning when the record is complete."""
    if not record.imported:
        raise NotAllowed("not_a_record", "this game was not entered from a record")
    if record.host != player:
        raise NotAllowed("not_the_scribe", "only the player who began a record can continue it")
    if record.status != RUNNING:
        raise NotRunning(record.status)


def _enter(
    unit: GameUnitOfWork, checker: ImportChecker[Board], transcript: Transcript, time_budget: TimeBudget
) -> None:
    for entry in checker.enter(time_budget.through(transcript.lines)):
        turn = turn_document(turn_of(unit.game, checker.position))
        seat, move, deed = entry.played
        unit.write("moved", seat=seat, move=move, turn=turn, **deed.data())
        unit.beside += _notes(unit, entry)
    unit.beside.append(Statement(PUT_RECORD, (unit.id, "", list(checker.close(transcript.below)))))
    endings.end_if_over(unit)


def _notes(unit: GameUnitOfWork, entry: AcceptedLine) -> list[Statement]:
    """Returns the statements that store a line's comments."""
    above, beside = entry.line.above, entry.line.beside
    if not above and beside is None:
        return []
    return [Statement(PUT_NOTE, (unit.id, unit.now.head.seq, list(above), beside))]


def comments_below(connection: Connection, id: UUID) -> Sequence[str]:
    """Returns the comments after the last line of a record."""
    row = connection.execute(RECORD, (id,)).fetchone()
    return row[1] if row else ()


def text_of(connection: Connection, record: GameRecord, events: Sequence[Event], names: Sequence[str]) -> str:
    """Returns a game as a record that can be imported again: the scribe's own text, without it a generated one."""
    id = events[0].stream
    row = connection.execute(SHOWN, (id,)).fetchone()
    headers, below = row or (write(Transcript(_headers(record, events, names), (), ())), ())
    notes = {seq: (above, beside) for seq, above, beside in connection.execute(NOTES, (id,))}
    lines = tuple(_line(event, *notes.get(event.seq, ((), None))) for event in line(events) if event.kind == "moved")
    return str(headers) + write(Transcript((), lines, tuple(below)))


def _line(event: Event, above: Sequence[str], beside: str | None) -> TranscriptLine:
    data: Mapping[str, Any] = event.data
    return TranscriptLine(event.seq, data["move"], None, tuple(data["drew"]), tuple(above), beside)


def _headers(record: GameRecord, events: Sequence[Event], names: Sequence[str]) -> tuple[Header, ...]:
    """Returns the headers for a game played on this service."""
    seats = ", ".join(_plain(name) for name in names)
    headers = [("game", record.game), ("seats", seats or str(len(record.chairs)))]
    usual = GAMES[record.game].read_options({}, len(record.chairs))
    for name, value in record.options.items():
        if value != usual.get(name):
            headers.append((f"option {name}", value if isinstance(value, str) else json.dumps(value)))
    started: Mapping[str, Any] = next((event.data for event in events if event.kind == "game_started"), {"drew": ()})
    headers.append(("draws", " ".join(started["drew"][0 if record.first_chair is not None else 1 :])))
    return tuple(Header(0, name, value, ()) for name, value in headers)


def _plain(name: str) -> str:
    """Returns a name without separators."""
    return name.replace(",", " ").strip()

"""Checks a written game against the rules: plays every line with the draws it declares."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

from events.json_types import Json
from events.messages import Message
from projections.games.errors import ImpossibleLine, NeedlessDraw, UnreadableRecord
from projections.games.execute_move import ExecutedMove, MoveResult, enact, set_up
from projections.games.imports.transcript import Transcript, TranscriptLine, names
from projections.rules.dealer import DeclaredDealer
from projections.rules.errors import IllegalMove, ImpossibleDraw, NotYourTurn, UnreadableMove
from projections.rules.legal_moves import alternatives
from projections.rules.protocol import Game

P = TypeVar("P")
OPTION: Final = "option "
REFUSALS: Final = (IllegalMove, ImpossibleDraw, NeedlessDraw, UnreadableMove)


class ImportedTable(NamedTuple, Generic[P]):
    """The initial position of a written game."""

    options: dict[str, Json]
    seats: tuple[str, ...]  # the names of the players in turn order, empty when the header has only their number
    position: P
    deed: MoveResult


class AcceptedLine(NamedTuple):
    """A line that the rules accept."""

    line: TranscriptLine  # with the comments of skipped lines before it, which repeat forced moves
    played: ExecutedMove

    def written(self) -> TranscriptLine:
        """Returns the line in canonical spelling."""
        return self.line._replace(move=self.played.move, seat=None, draws=self.played.deed.drew)


def lay_out(game: Game[P, Any], transcript: Transcript) -> ImportedTable[P]:
    """Returns the position before the first move; raises BadOptions, UnreadableRecord or ImpossibleLine."""
    seats = players(transcript)
    given = {h.name.removeprefix(OPTION): option(h.value) for h in transcript.headers if h.name.startswith(OPTION)}
    options = game.read_options(given, len(seats))
    header = next((header for header in transcript.headers if header.name == "draws"), None)
    draws = names(header.value) if header else ()
    try:
        position, deed = set_up(game, options, len(seats), DeclaredDealer(draws))
        _all_used(draws, deed.drew)
    except (ImpossibleDraw, NeedlessDraw) as cause:
        raise ImpossibleLine(header.number if header else 1, "draws", cause, ()) from cause
    return ImportedTable(dict(options), seats, position, deed)


def players(transcript: Transcript) -> tuple[str, ...]:
    """Returns the players in turn order, with empty names when the header has only their number."""
    stated = transcript.value("seats")
    if not stated:
        raise UnreadableRecord(1, "header_missing", Message("seats: the players' names in turn order, or their number"))
    if stated.isascii() and stated.isdigit():
        return ("",) * min(int(stated[:3]), 100)
    return tuple(name.strip() for name in stated.split(","))


def option(value: str) -> Json:
    """Returns the value of an option: a name as it stands, anything else as JSON."""
    try:
        read: Json = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read


class ImportChecker(Generic[P]):
    """Checks lines one after the other, also in several sittings; raises ImpossibleLine."""

    def __init__(self, game: Game[P, Any], position: P, forced: Sequence[tuple[int, str]] = ()) -> None:
        self._game = game
        self.position = position
        self._forced = list(forced)  # forced moves that are executed already; the text may repeat them
        self._carried: tuple[str, ...] = ()

    def enter(self, lines: Iterable[TranscriptLine]) -> Iterator[AcceptedLine]:
        """Yields the accepted lines; the comments of a line that repeats a forced move go to the next line."""
        for line in lines:
            before = self._game.copy(self.position)
            try:
                entry = None if self._repeats(line) else self._play(line)
            except REFUSALS as cause:
                raise ImpossibleLine(line.number, line.move, cause, alternatives(self._game, before)) from cause
            if entry is None:
                self._carried += (*line.above, *(() if line.beside is None else (f"; {line.beside}",)))
            else:
                self._forced, self._carried = list(entry.played.deed.then), ()
                yield entry

    def close(self, below: tuple[str, ...]) -> tuple[str, ...]:
        """Returns the comments after the last line."""
        return self._carried + below

    def _play(self, line: TranscriptLine) -> AcceptedLine:
        seat = self._game.actor(self.position)
        if seat is not None and line.seat not in (None, seat):
            raise NotYourTurn(
                line.move,
                "not_your_turn",
                "",
                Message("seat {seat} is to act, not seat {given}", seat=seat + 1, given=line.seat + 1),
            )
        played = enact(self._game, self.position, line.move, DeclaredDealer(line.draws))
        _all_used(line.draws, played.deed.drew)
        return AcceptedLine(line._replace(above=self._carried + line.above), played)

    def _repeats(self, line: TranscriptLine) -> bool:
        """Returns whether a line repeats a forced move and is no legal move now."""
        if not self._forced or line.seat not in (None, self._forced[0][0]):
            return False
        move, seat = self._game.parse(line.move), self._game.actor(self.position)
        if self._game.notation(move) != self._forced[0][1]:
            return False
        if seat is not None and line.seat in (None, seat) and move in self._game.legal(self.position):
            return False
        self._forced.pop(0)
        return True


def _all_used(declared: Sequence[str], drew: Sequence[str]) -> None:
    if len(declared) > len(drew):
        raise NeedlessDraw(declared[len(drew) :])

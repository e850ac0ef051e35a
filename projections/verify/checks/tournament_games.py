"""V12, second half: the archive holds the declared games, and their results are the recorded ones."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from events.event import Event, in_newest_shape, received
from events.log.bundle import Bundle
from events.messages import Message
from projections.games import chance
from projections.games.fold import record_of
from projections.games.no_shows import never_came
from projections.games.record import FINISHED, PLAYER
from projections.games.record import GameRecord as Played
from projections.games.replay import GameSetup, position_at
from projections.rules.registry import is_known, rules_of
from projections.tournaments.record import (
    BOT,
    BOT_COUNTS_FOR_ABSENT,
    CANCELLED,
    DECLARED,
    Entry,
    RoundRecord,
    Sitting,
    TournamentRecord,
)
from projections.verify.checks.case import Case, CheckFailed, Finding, Weight, doubtful, not_checked, refuse_unfoldable
from projections.verify.checks.documents import same

Data = Mapping[str, Any]
TERMS: Final[Mapping[str, bool]] = {"silent": False, "pauses": True}  # what regulations and games leave out


class ArchivedGame(NamedTuple):
    """A game of the archive: its verified events, and its record."""

    events: tuple[Event, ...]
    record: Played


def check_games(case: Case, record: TournamentRecord) -> Iterator[Finding]:
    """Checks that no game is missing or extra, and that each has the declared set-up and result."""
    declared = {UUID(table.game): (one, table) for one, table in record.games() if table.game is not None}
    if case.archive is None:
        if declared:
            sentence = "the games are not in this file: results are the tournament's word"
            yield not_checked("games_apart", sentence, Weight.UNDECIDED)
        return
    extra = sorted(str(stream) for stream in case.archive.games.keys() - declared.keys() - {case.bundle.stream})
    if extra:
        raise CheckFailed(
            "extra_game", "the archive holds games that the tournament never declared: {extra}", extra=extra[0]
        )
    stated = _stated(case.events)
    for stream, (one, table) in declared.items():
        with refuse_unfoldable(stream):
            yield from _check_game(case, record, one, table, stated.get(str(stream)))


def _check_game(
    case: Case, record: TournamentRecord, one: RoundRecord, table: Sitting, stated: Event | None
) -> Iterator[Finding]:
    data = case.archive.games.get(UUID(table.game)) if case.archive else None
    if data is None:
        if table.proof is None and (one.status == DECLARED or _decided_early(case, one, table)):
            return  # the game was never created
        if table.proof is None and record.status == CANCELLED:
            yield doubtful(
                "left_open",
                Message("game {game} was still being played when the tournament was called off", game=table.game),
            )
            return
        raise CheckFailed(
            "missing_game",
            "game {game} of round {round}, table {table} is missing",
            game=table.game,
            round=one.number,
            table=table.number,
        )
    game = _read(data, table)
    _check_opening(case, record, one, table, game)
    if stated is not None:
        _check_end(game, stated)
        yield from _counted_no_shows(record, one, table, game)
    elif game.record.result is not None:
        yield doubtful(
            "result_pending",
            Message(
                "round {round}, table {table}: the game's end is not in the stream",
                round=one.number,
                table=table.number,
            ),
        )


def _decided_early(case: Case, one: RoundRecord, table: Sitting) -> bool:
    """Returns whether a director decided or voided a table before its round started."""
    since = case.events[one.event :]
    started = next((event.seq for event in since if _is_about(event, "round_started", one)), len(case.events) + 1)
    return table.void is not None or any(
        _is_about(event, "result_ruled", one) and event.data["table"] == table.number
        for event in case.events[one.event : started - 1]
    )


def _is_about(event: Event, kind: str, one: RoundRecord) -> bool:
    return event.kind == kind and event.data["round"] == one.number


def _read(data: bytes, table: Sitting) -> ArchivedGame:
    """Returns a game of the archive."""
    events = tuple(in_newest_shape(received(body)) for body in Bundle.read(data).events)
    record = record_of(events)
    if record is None:
        raise CheckFailed("unreadable_game", "game {game} has no events", game=table.game)
    return ArchivedGame(events, record)


def _check_opening(case: Case, record: TournamentRecord, one: RoundRecord, table: Sitting, game: ArchivedGame) -> None:
    """Checks the game's tournament, deal and invited players."""
    created: Data = game.events[0].data
    where = Message(
        "game {game} of round {round}, table {table}", game=table.game, round=one.number, table=table.number
    )
    if created["tournament"] != str(case.bundle.stream) or created["game"] != record.regulations["game"]:
        raise CheckFailed("other_tournament", "{where} is not a game of this tournament", where=where)
    for term, usual in TERMS.items():
        if created.get(term, usual) is not record.regulations.get(term, usual):
            raise CheckFailed("other_terms", "{where} is played with other terms than were published", where=where)
    bound = created["commitment"] or chance.commitment(UUID(table.game), bytes.fromhex(created["seed"])).hex()
    if bound != table.commitment or created.get("deal") != one.deal:
        raise CheckFailed("other_deal", "{where} is bound to another deal than was declared", where=where)
    seated = [[_chair(record.entry(number)) for number in seats] for seats in _seatings(case, one, table)]
    if not any(same(created["chairs"], chairs) for chairs in seated) or not same(created.get("first_chair"), 0):
        raise CheckFailed(
            "other_seats", "{where} asks others to sit down than were paired, or in another order", where=where
        )


def _seatings(case: Case, one: RoundRecord, table: Sitting) -> list[tuple[int, ...]]:
    """Returns the players of a table since its game was declared: now, and before each substitution."""
    found = [table.seats]
    for event in reversed(case.events[one.declared or 0 :]):
        data: Data = event.data
        if event.kind == "substituted" and (data["round"], data["table"]) == (one.number, table.number):
            found.append(tuple(data["entrant"] if number == data["by"] else number for number in found[-1]))
    return found


def _chair(entry: Entry) -> str:
    return BOT + entry.bot if entry.bot else PLAYER + entry.player


def _check_end(game: ArchivedGame, stated: Event) -> None:
    """Compares the end of a game with the tournament's record of it."""
    data: Data = stated.data
    found = next((event for event in game.events if event.seq == data["version"]), None)
    if found is None or found.hash.hex() != data["head"]:
        raise CheckFailed("other_end", "names an event that the game does not have", stated.seq)
    ended: Data = found.data
    if (found.kind, ended.get("cause")) != (
        "game_ended" if stated.kind == "result_recorded" else "game_aborted",
        data["cause"],
    ):
        raise CheckFailed("other_end", "the game ended otherwise", stated.seq)
    if stated.kind == "result_recorded":
        _check_result(game, ended, stated)


def _check_result(game: ArchivedGame, ended: Data, stated: Event) -> None:
    data: Data = stated.data
    for name in ("points", "tie_break", "places"):
        if not same(ended[name], data[name]):
            raise CheckFailed("other_result", "the game ended with other {name}", stated.seq, name=name)
    seats = list(enumerate(game.record.seats))
    absent = [seat for seat, chair in seats if chair.absent]
    forfeited = [seat for seat, chair in seats if chair.forfeited is not None or chair.absent]
    if list(data.get("absent", ())) != absent:
        raise CheckFailed("other_result", "other seats were absent", stated.seq)
    ends = _ends(game, data["cause"])
    if list(data["forfeited"]) != forfeited or (ends is not None and list(data["ends"]) != ends):
        raise CheckFailed("other_result", "other seats forfeited, or something else ended the game", stated.seq)


def _counted_no_shows(
    record: TournamentRecord, one: RoundRecord, table: Sitting, game: ArchivedGame
) -> Iterator[Finding]:
    """Yields a remark on an absent entrant with a bot's result; earlier rules allowed it."""
    if record.rules == BOT_COUNTS_FOR_ABSENT or game.record.status != FINISHED:
        return
    noted = (seat for seat, number in enumerate(table.seats) if number in table.absent)
    if any(not game.record.chair_at(seat).absent and never_came(game.events, seat) for seat in noted):
        yield doubtful(
            "no_show_counted",
            Message(
                "round {round}, table {table}: what a bot played counts for an entrant who did not come",
                round=one.number,
                table=table.number,
            ),
        )


def _ends(game: ArchivedGame, cause: str) -> list[str] | None:
    """Returns the reasons of a game's end, or None when this program does not know its rules."""
    record = game.record
    if record.status != FINISHED or not is_known(record.game, record.rules):
        return None
    rules = rules_of(record.game, record.rules)
    board = position_at(GameSetup(rules, record.options, len(record.chairs)), game.events)
    named: Any = rules.document(board).get("ends")
    return list(named) if named else [cause]


def _stated(events: tuple[Event, ...]) -> Mapping[str, Event]:
    """Returns the tournament's record of each game's end."""
    return {str(e.data["game"]): e for e in events if e.kind in ("result_recorded", "game_lost")}

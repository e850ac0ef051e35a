"""Builds the JSON documents of tournaments, with names; each names the version it was computed at."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from psycopg import Connection

from events.json_types import JsonObject
from events.store.free_texts import shown_texts
from projections.tournaments import inputs
from projections.tournaments.record import Entry, RoundRecord, Sitting, TournamentRecord
from projections.tournaments.regulations import regulation_warnings
from projections.tournaments.values import Result
from service.core.clock import SECOND
from service.core.clock import iso_time as told_time
from service.games.house_bots import called, marked
from service.games.shared_deals import still_played_of
from service.i18n.messages import hidden_notice
from service.i18n.messages import translate as told_words
from service.players.bot_descriptions import bots_among
from service.players.names import FORGOTTEN, is_id
from service.players.queries import names_of
from service.tournaments.tournament_repository import TournamentState

Document = JsonObject


class TournamentNames(NamedTuple):
    """The stored names and texts of a tournament; the names of bots are translated."""

    names: Mapping[str, str]
    texts: Mapping[str, str]  # by their hash
    forgotten: str = ""  # stands for an erased name
    closed: frozenset[str] = frozenset()  # deals of games that still run
    language: str = "en"
    bots: Mapping[str, JsonObject] = MappingProxyType({})  # the descriptions of programs that entered

    def person(self, id: str) -> Document:
        """Returns a player by id and name."""
        return {"id": id, "name": self.names.get(id)}

    def entrant(self, entry: Entry) -> Document:
        """Returns an entrant by number, id and name."""
        return {
            "entrant": entry.number,
            "player": entry.player,
            "bot": entry.bot,
            "program": entry.program,
            "name": self.names.get(entry.player),
        }

    def listed(self, record: TournamentRecord) -> dict[str, str]:
        """Returns the names of all entrants, as pages and sheets show them."""
        return {entry.player: self._displayed_name(entry) for entry in record.entries}

    def _displayed_name(self, entry: Entry) -> str:
        name = self.names.get(entry.player) or self.forgotten
        return marked(name, self.language) if entry.program else name

    def entrants(self, record: TournamentRecord) -> dict[str, Document]:
        """Returns all entrants by player id."""
        return {entry.player: self.entrant(entry) for entry in record.entries}


def words(connection: Connection, state: TournamentState, language: str) -> TournamentNames:
    """Loads the names and texts that the documents of a tournament need."""
    record = state.known
    players = (record.host, *record.directors, *record.invited, *(entry.player for entry in record.entries))
    names = names_of(connection, {one for one in players if is_id(one)})
    described = bots_among(connection, {entry.player for entry in record.entries if entry.program})
    hashes = (record.title, *(ruling.reason for ruling in record.rulings))
    texts = shown_texts(connection, state.id, hashes, hidden_notice(language))
    bots = {one.player: called(one.bot, one.number, language) for one in record.entries if one.bot is not None}
    forgotten = told_words(FORGOTTEN, language)
    shared = any(one.deal is not None for one in record.rounds)
    closed = still_played_of(connection, state.id) if shared else frozenset[str]()
    return TournamentNames({**names, **bots}, texts, forgotten, closed, language, described)


def computed(state: TournamentState, **more: Any) -> Document:
    """Returns a document with the version it was computed at."""
    return {"tournament": str(state.id), "version": state.head.seq, **more}


def summary(state: TournamentState, known: TournamentNames) -> Document:
    """Returns the tournament without its entrants, rounds and rulings."""
    record, current = state.known, state.known.round
    return {
        "id": str(state.id),
        "title": known.texts.get(record.title),
        "status": record.status,
        "version": state.head.seq,
        "head": state.head.hash.hex(),
        "visibility": record.visibility,
        "host": known.person(record.host),
        "directors": [known.person(one) for one in record.directors],
        "regulations": record.regulations,
        "hash": record.hash,
        "commitment": record.commitment,
        "seed": record.seed,
        "doubts": _doubts(record),
        "entrants": len(record.in_field),
        "stage": record.stages[-1].number if record.stages else None,
        "round": record.rounds[-1].number if record.rounds else None,
        "round_status": None if current is None else current.status,
        "edition": len(record.editions) or None,
        "starts": told_time(record.regulations["starts"]),
        "ends": told_time(record.regulations["ends"]),
        "local": {name: _there(record, record.regulations[name]) for name in ("starts", "ends")},
        "created": told_time(record.created),
        "changed": told_time(record.changed),
    }


def _there(record: TournamentRecord, at: int | None) -> str | None:
    """Returns a time in the tournament's time zone."""
    if at is None:
        return None
    return datetime.fromtimestamp(at // SECOND, ZoneInfo(record.regulations["time_zone"])).isoformat()


def _doubts(record: TournamentRecord) -> list[Document]:
    last = len(record.regulations["stages"])
    return [
        {"stage": number, **doubt._asdict()}
        for number in range(1, last + 1)
        for doubt in regulation_warnings(inputs.stage_of(record, number))
        if doubt.code != "nobody_advances" or number < last
    ]


def entrants(state: TournamentState, known: TournamentNames) -> Document:
    """Returns all entrants and invited players."""
    record = state.known
    return computed(
        state,
        entrants=[_entry(entry, known) for entry in record.entries],
        invited=[known.person(player) for player in record.invited],
    )


def _entry(entry: Entry, known: TournamentNames) -> Document:
    return {
        **known.entrant(entry),
        "about": known.bots.get(entry.player),
        "event": entry.event,
        "status": _status(entry),
        "checked_in": entry.checked_in,
        "gone": entry.gone,
        "sits_out": [round for round, _ in entry.absences],
    }


def _status(entry: Entry) -> str:
    if entry.disqualified is not None:
        return "disqualified"
    if entry.withdrawn is not None:
        return "withdrawn"
    return "reserve" if entry.reserve else "entered"


def round_document(state: TournamentState, current: RoundRecord, known: TournamentNames) -> Document:
    """Returns a round with its tables."""
    record = state.known
    return computed(
        state,
        round=current.number,
        stage=current.stage,
        status=current.status,
        attempt=current.attempt,
        seed=current.seed,
        inputs=current.inputs,
        event=current.event,
        tables=[table_document(record, table, known) for table in current.tables],
        byes=people(record, inputs.drawn_byes(record, current), known),
        choose_by=told_time(current.choose_by),
        sit_by=told_time(current.sit_by),
        deal=None if current.deal is None else _deal(current, known),
    )


def _deal(current: RoundRecord, known: TournamentNames) -> Document:
    """Returns the shared deal of a round; its tables are closed to other players until the last one ends."""
    return {"id": current.deal, "seed": current.deal_seed, "closed": current.deal in known.closed}


def table_document(record: TournamentRecord, table: Sitting, known: TournamentNames) -> Document:
    """Returns a table: its seats, its game, its result."""
    return {
        "table": table.number,
        "seats": people(record, table.seats or table.paired, known),
        "settled": table.settled,
        "wished": [number for number, _ in table.wishes],
        "bids": list(table.bids),
        "game": table.game,
        "commitment": table.commitment,
        "result": None if table.result is None else _result(table.result),
        "lost": table.lost,
        "void": table.void,
        "absent": list(table.absent),
    }


def _result(result: Result) -> Document:
    return {
        "points": list(result.points),
        "tie_break": list(result.tie_break),
        "places": list(result.places),
        "forfeited": sorted(result.forfeited),
        "absent": sorted(result.absent),
        "ends": list(result.ends),
        "ruling": result.ruling,
        "event": result.event,
    }


def people(record: TournamentRecord, numbers: Iterable[int], known: TournamentNames) -> list[Document]:
    """Returns entrants by number, with their names."""
    return [known.entrant(record.entry(number)) for number in numbers]


def rulings(state: TournamentState, known: TournamentNames) -> Document:
    """Returns the rulings of the directors; the reason is null after its erasure."""
    return computed(
        state,
        rulings=[
            {
                "event": ruling.event,
                "ruling": ruling.kind,
                "at": told_time(ruling.at),
                "by": known.person(ruling.actor),
                "reason": known.texts.get(ruling.reason),
                "about": {name: value for name, value in ruling.data.items() if name != "reason"},
            }
            for ruling in state.known.rulings
        ],
    )


def row(stored: Mapping[str, Any], known: TournamentNames) -> Document:
    """Returns a row of the tournament list."""
    return {
        "id": str(stored["id"]),
        "title": stored["text"],
        "game": stored["game"],
        "status": stored["status"],
        "host": known.person(stored["host"]),
        "entrants": stored["entrants"],
        "rounds": stored["rounds"],
        "starts": told_time(stored["starts"]),
        "created": told_time(stored["created"]),
    }

"""Folds the events of a tournament into its TournamentRecord: a table of one small function for each kind."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from projections.games.event_views import DatedEventView, folded
from projections.tournaments import record as records
from projections.tournaments.record import Edition, Entry, RoundRecord, Ruling, Sitting, StageRecord, TournamentRecord
from projections.tournaments.values import Result

Data = Mapping[str, Any]


def record_of(events: Iterable[DatedEventView], record: TournamentRecord | None = None) -> TournamentRecord | None:
    """Returns the record after events, from the first event or an earlier record, or None without events."""
    return folded(fold, events, record)


def fold(record: TournamentRecord | None, event: DatedEventView) -> TournamentRecord:
    """Returns the record after one more event."""
    if record is None:
        return _declared(event)
    if event.kind in RULINGS:
        record = record._replace(rulings=(*record.rulings, _ruling(event)))
    return _FOLDS[event.kind](record, event.data, event)._replace(changed=event.at)


def _declared(event: DatedEventView) -> TournamentRecord:
    data: Data = event.data
    return TournamentRecord(
        title=data["title"],
        regulations=dict(data["regulations"]),
        visibility=data["visibility"],
        host=event.actor,
        created=event.at,
        changed=event.at,
        rules=event.rules,
    )


def _ruling(event: DatedEventView) -> Ruling:
    return Ruling(event.kind, event.seq, event.at, event.actor, str(event.data["reason"]), event.data)


def _amended(record: TournamentRecord, data: Data, _event: DatedEventView) -> TournamentRecord:
    return record._replace(title=data["title"], regulations=dict(data["regulations"]))


def _published(record: TournamentRecord, data: Data, event: DatedEventView) -> TournamentRecord:
    return record._replace(
        status=records.OPEN, published=event.seq, hash=data["regulations"], commitment=data["commitment"]
    )


def _named(record: TournamentRecord, data: Data, _event: DatedEventView) -> TournamentRecord:
    return record._replace(directors=(*record.directors, data["player"]))


def _relieved(record: TournamentRecord, data: Data, _event: DatedEventView) -> TournamentRecord:
    return record._replace(directors=tuple(one for one in record.directors if one != data["player"]))


def _invited(record: TournamentRecord, data: Data, _event: DatedEventView) -> TournamentRecord:
    return record._replace(invited=(*record.invited, data["player"]))


def _entered(record: TournamentRecord, data: Data, event: DatedEventView) -> TournamentRecord:
    joined = None if data["reserve"] else event.seq
    entry = Entry(data["entrant"], data["player"], data["bot"], event.seq, data["reserve"], joined)
    entry = entry._replace(
        program=data.get("program", False), rating=data.get("rating"), rating_at=data.get("rating_at")
    )
    return record._replace(entries=(*record.entries, entry))


def _entry(record: TournamentRecord, number: int, **changes: Any) -> TournamentRecord:
    entries = record.entries
    return record._replace(entries=(*entries[: number - 1], entries[number - 1]._replace(**changes), *entries[number:]))


def _checked_in(record: TournamentRecord, data: Data, event: DatedEventView) -> TournamentRecord:
    entry = record.entry(data["entrant"])
    late = record.status == records.RUNNING and not entry.reserve
    return _entry(record, entry.number, checked_in=event.seq, joined=event.seq if late else entry.joined)


def _absence_noted(record: TournamentRecord, data: Data, event: DatedEventView) -> TournamentRecord:
    number = data["entrant"]
    return _entry(record, number, absences=(*record.entry(number).absences, (data["round"], event.seq)))


def _stage_begun(record: TournamentRecord, data: Data, event: DatedEventView) -> TournamentRecord:
    stage = StageRecord(data["stage"], tuple(data["field"]), event.seq)
    return record._replace(status=records.RUNNING, stages=(*record.stages, stage))


def _stage_closed(record: TournamentRecord, data: Data, event: DatedEventView) -> TournamentRecord:
    closed = record.stages[-1]._replace(
        closed=event.seq, advancing=tuple(data["advancing"]), alternates=tuple(data["alternates"])
    )
    return record._replace(stages=(*record.stages[:-1], closed))


def _round_paired(record: TournamentRecord, data: Data, event: DatedEventView) -> TournamentRecord:
    settled = data["settled"]
    tables = tuple(
        Sitting(number, tuple(seats), tuple(seats) if settled else (), event.seq)
        for number, seats in enumerate(data["tables"], 1)
    )
    paired = RoundRecord(
        number=data["round"],
        stage=data["stage"],
        attempt=data["attempt"],
        inputs=data["inputs"],
        seed=data["seed"],
        present=tuple(data["present"]),
        byes=tuple(data["byes"]),
        tables=tables,
        event=event.seq,
    )
    return record._replace(rounds=(*record.rounds[: paired.number - 1], paired))


def _round(record: TournamentRecord, number: int, **changes: Any) -> TournamentRecord:
    rounds = record.rounds
    return record._replace(rounds=(*rounds[: number - 1], rounds[number - 1]._replace(**changes), *rounds[number:]))


def _table(record: TournamentRecord, data: Data, **changes: Any) -> TournamentRecord:
    """Returns the record with changes to the table that an event names."""
    tables, number = record.rounds[data["round"] - 1].tables, data["table"]
    changed = tables[number - 1]._replace(**changes)
    return _round(record, data["round"], tables=(*tables[: number - 1], changed, *tables[number:]))


def table_of(record: TournamentRecord, data: Data) -> Sitting:
    """Returns the table that an event names."""
    number: int = data["round"]
    table: int = data["table"]
    return record.rounds[number - 1].tables[table - 1]


def _round_published(record: TournamentRecord, data: Data, _event: DatedEventView) -> TournamentRecord:
    return _round(record, data["round"], status=records.PUBLISHED, choose_by=data["choose_by"])


def _seats_wished(record: TournamentRecord, data: Data, _event: DatedEventView) -> TournamentRecord:
    others = tuple(wish for wish in table_of(record, data).wishes if wish[0] != data["entrant"])
    return _table(record, data, wishes=(*others, (data["entrant"], data["wish"])))


def _seats_given(record: TournamentRecord, data: Data, event: DatedEventView) -> TournamentRecord:
    return _table(record, data, seats=tuple(data["order"]), bids=tuple(data["paid"]), event=event.seq)


def _games_declared(record: TournamentRecord, data: Data, event: DatedEventView) -> TournamentRecord:
    for game in data["games"]:
        at_table = {"round": data["round"], "table": game["table"]}
        record = _table(record, at_table, game=game["game"], commitment=game["commitment"])
    return _round(record, data["round"], status=records.DECLARED, deal=data["deal"], declared=event.seq)


def _round_started(record: TournamentRecord, data: Data, _event: DatedEventView) -> TournamentRecord:
    return _round(record, data["round"], status=records.STARTED, sit_by=data["sit_by"])


def _arrivals_closed(record: TournamentRecord, data: Data, _event: DatedEventView) -> TournamentRecord:
    return _round(record, data["round"], sit_by=None)


def _no_show_noted(record: TournamentRecord, data: Data, _event: DatedEventView) -> TournamentRecord:
    return _table(record, data, absent=(*table_of(record, data).absent, data["entrant"]))


def _result_recorded(record: TournamentRecord, data: Data, event: DatedEventView) -> TournamentRecord:
    result = Result(
        tuple(data["points"]),
        tuple(data["tie_break"]),
        tuple(data["places"]),
        event.seq,
        forfeited=frozenset(data["forfeited"]),
        ends=tuple(data["ends"]),
        absent=frozenset(data.get("absent", ())),
    )
    proof = (data["version"], data["head"])
    if table_of(record, data).result is not None:  # a director ruled before: the ruling stands
        return _table(record, data, proof=proof)
    return _table(record, data, result=result, proof=proof)


def _game_lost(record: TournamentRecord, data: Data, event: DatedEventView) -> TournamentRecord:
    return _table(record, data, lost=event.seq, proof=(data["version"], data["head"]))


def _round_closed(record: TournamentRecord, data: Data, _event: DatedEventView) -> TournamentRecord:
    return _round(record, data["round"], status=records.CLOSED, deal_seed=data["deal_seed"])


def _result_ruled(record: TournamentRecord, data: Data, event: DatedEventView) -> TournamentRecord:
    before = table_of(record, data).result
    result = Result(
        tuple(data["points"]),
        tuple(data["tie_break"]),
        tuple(data["places"]),
        event.seq,
        "adjudicated" if before is None else "corrected",
        frozenset(data["forfeited"]),
        before.ends if before else (),
    )
    return _table(record, data, result=result)


def _substituted(record: TournamentRecord, data: Data, _event: DatedEventView) -> TournamentRecord:
    table = table_of(record, data)

    def changed(order: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(data["by"] if one == data["entrant"] else one for one in order)

    return _table(record, data, paired=changed(table.paired), seats=changed(table.seats))


def _tournament_closed(record: TournamentRecord, data: Data, event: DatedEventView) -> TournamentRecord:
    status = records.FINISHED if data["cause"] == "finished" else records.CANCELLED
    editions = (Edition(1, event.seq, event.at),)
    return record._replace(status=status, cause=data["cause"], seed=data["seed"], editions=editions)


def _tournament_corrected(record: TournamentRecord, data: Data, event: DatedEventView) -> TournamentRecord:
    edition = Edition(data["edition"], event.seq, event.at, data["ruling"])
    return record._replace(editions=(*record.editions, edition))


OPENS: Final = "tournament_declared"
CORRECTING: Final = frozenset(("result_ruled", "table_voided", "disqualified"))  # also after the tournament closed
RULINGS: Final = frozenset(("time_added", "result_ruled", "table_voided", "substituted", "disqualified"))
_FOLDS: Final[Mapping[str, Callable[[TournamentRecord, Data, DatedEventView], TournamentRecord]]] = {
    "tournament_amended": _amended,
    "tournament_published": _published,
    "director_named": _named,
    "director_relieved": _relieved,
    "player_invited": _invited,
    "entered": _entered,
    "admitted": lambda record, data, event: _entry(record, data["entrant"], reserve=False, joined=event.seq),
    "checked_in": _checked_in,
    "withdrawn": lambda record, data, event: _entry(record, data["entrant"], withdrawn=event.seq),
    "returned": lambda record, data, _event: _entry(record, data["entrant"], withdrawn=None),
    "absence_noted": _absence_noted,
    "stage_begun": _stage_begun,
    "stage_closed": _stage_closed,
    "round_paired": _round_paired,
    "round_published": _round_published,
    "seats_wished": _seats_wished,
    "seats_given": _seats_given,
    "games_declared": _games_declared,
    "round_started": _round_started,
    "no_show_noted": _no_show_noted,
    "arrivals_closed": _arrivals_closed,
    "result_recorded": _result_recorded,
    "game_lost": _game_lost,
    "round_closed": _round_closed,
    "tournament_closed": _tournament_closed,
    "time_added": lambda record, _data, _event: record,
    "result_ruled": _result_ruled,
    "table_voided": lambda record, data, event: _table(record, data, void=event.seq),
    "substituted": _substituted,
    "disqualified": lambda record, data, event: _entry(record, data["entrant"], disqualified=event.seq),
    "tournament_corrected": _tournament_corrected,
}

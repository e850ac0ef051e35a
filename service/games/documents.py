"""Builds the JSON documents of games and events, with names."""

from collections.abc import Mapping
from typing import Any

from events.event import Event
from events.json_types import JsonObject
from projections.games.clocks import NONE
from projections.games.record import OPEN, Chair, GameRecord
from service.core.clock import SECOND
from service.core.clock import iso_time as told_time
from service.games.game_state import GameState
from service.games.turns import turn_document


def event_document(event: Event) -> JsonObject:
    """Returns an event with the fields of its canonical bytes, its hash, and its time in ISO 8601."""
    return {
        "stream": str(event.stream),
        "seq": event.seq,
        "kind": event.kind,
        "shape": event.shape,
        "actor": event.actor,
        "at": event.at,
        "time": told_time(event.at),
        "rules": event.rules,
        "salt": event.salt.hex(),
        "prev": event.prev.hex(),
        "hash": event.hash.hex(),
        "data": event.data,
    }


def summary(
    table: GameState,
    names: Mapping[str, str],
    entrants: Mapping[int, int],
    other_names: Mapping[int, str],
    bots: Mapping[str, JsonObject],
) -> JsonObject:
    """Returns a game without its board; entrant numbers and the names of seats without an account are by chair.

    The descriptions of bots are by player.
    """
    record = table.known
    return {
        "id": str(table.id),
        "game": record.game,
        "rules": record.rules,
        "options": record.options,
        "status": record.status,
        "version": table.head.seq,
        "head": table.head.hash.hex(),
        "host": _person(record.host, names),
        "rated": record.rated,
        "visibility": record.visibility,
        "leaver": record.leaver,
        "seats": [
            {
                **seat,
                "about": bots.get(str(record.chairs[chair].player)),
                "entrant": entrants.get(chair),
                "name": other_names.get(chair),
                "away_until": away(record, seat),
            }
            for chair, seat in seats(record, names)
        ],
        "turn": turn_document(record.turn),
        "clock": clock(record),
        "chance": deal(record),
        "offer": _offer(record),
        "result": record.result,
        "tournament": record.tournament,
        "rematch_of": record.rematch_of,
        "expires": None if record.expires is None else told_time(record.expires),
        "spectator_delay": record.spectator_delay,
        "silent": record.silent,
        "pauses": record.pauses,
        "imported": record.imported,
        "created": told_time(record.created),
        "changed": told_time(record.changed),
    }


def seats(record: GameRecord, names: Mapping[str, str]) -> list[tuple[int, JsonObject]]:
    """Returns the seats in turn order with their chairs; before the start, the chairs."""
    order = record.order or range(len(record.chairs))
    started = bool(record.order)
    return [
        (chair, _seat(seat if started else None, chair, record.chairs[chair], names))
        for seat, chair in enumerate(order)
    ]


def _seat(seat: int | None, number: int, chair: Chair, names: Mapping[str, str]) -> JsonObject:
    return {
        "seat": seat,
        "chair": number,
        "player": None if chair.bot else _person(chair.player, names),
        "kept_for": chair.kept_for or OPEN,
        "bot": chair.bot,
        "program": chair.program,
        "stand_in": chair.stand_in,
        "forfeited": chair.forfeited is not None,
        "absent": chair.absent,
        "promised": chair.promised,
        "commitment": chair.commitment,
        "entropy": chair.entropy,
        "key": chair.key,
        "link": None if chair.link is None else {"number": chair.link[0], "value": chair.link[1]},
    }


def clock(record: GameRecord) -> JsonObject:
    """Returns the clock with the remaining time and the next deadline."""
    clocks = record.clocks
    document: dict[str, Any] = dict(clocks.setting.document())
    if clocks.setting.kind != NONE:
        banks = [left / SECOND for left in clocks.banks]
        document |= {"banks": banks, "running": clocks.seat, "since": told_time(clocks.since or None)}
        document |= {"paused_until": _end(clocks.paused_until), "stands_until": _end(clocks.stands_until)}
    return document | {"deadline": told_time(record.deadline)}


def away(record: GameRecord, seat: Mapping[str, Any]) -> str | None:
    """Returns until when the player of a seat is away; None while the clock of the seat runs in its turns."""
    return None if seat["seat"] is None else _end(record.clocks.away_until(seat["seat"]))


def _end(at: int) -> str | None:
    return told_time(at or None)


def deal(record: GameRecord) -> JsonObject:
    """Returns the commitments to the deal, and the state that it waits for."""
    return {
        "level": int(record.level),
        "commitment": record.commitment,
        "seed": record.seed,
        "chosen": record.seed_chosen,
        "draws": record.draws,
        "closed": record.sealed,
        "waits_for": _waits_for(record),
    }


def _waits_for(record: GameRecord) -> str | None:
    if record.status != OPEN:
        return None
    if not record.full:
        return "players"
    return "commitments" if any(chair.awaited for chair in record.chairs) else "entropies"


def _person(id: str | None, names: Mapping[str, str]) -> JsonObject | None:
    return None if id is None else {"id": id, "name": names.get(id)}


def _offer(record: GameRecord) -> JsonObject | None:
    return None if record.offer is None else record.offer._asdict()


def programs(record: GameRecord) -> set[str]:
    """Returns the ids of the players that are programs."""
    return {chair.player for chair in record.chairs if chair.program and chair.player is not None}


def people(record: GameRecord) -> set[str]:
    """Returns the ids of the players whose names a summary needs."""
    return {id for id in (record.host, *(chair.player for chair in record.chairs)) if id is not None}

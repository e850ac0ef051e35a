"""Folds the events of a game into its GameRecord: a table of one small function for each kind of event."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from projections.games import clocks
from projections.games.chance import ChanceLevel
from projections.games.event_views import DatedEventView, folded
from projections.games.record import ABORTED, FINISHED, PLAYER, RUNNING, Chair, GameRecord, Offer, Turn

Data = Mapping[str, Any]
COMMIT_WITHIN: Final = 120 * clocks.SECOND  # the longest wait of a full table for promised commitments


def record_of(events: Iterable[DatedEventView], record: GameRecord | None = None) -> GameRecord | None:
    """Returns the record after events, from the first event or an earlier record, or None without events."""
    return folded(fold, events, record)


def fold(record: GameRecord | None, event: DatedEventView) -> GameRecord:
    """Returns the record after one more event."""
    if record is None:
        return _created(event)
    return _FOLDS[event.kind](record, event.data, event)._replace(changed=event.at)


def _created(event: DatedEventView) -> GameRecord:
    data: Data = event.data
    return GameRecord(
        game=data["game"],
        rules=event.rules,
        options=data["options"],
        host=data.get("host"),
        rated=data["rated"],
        visibility=data.get("visibility", "public"),
        level=ChanceLevel(data["level"]),
        commitment=data["commitment"],
        seed=data["seed"],
        first_chair=data.get("first_chair"),
        leaver=data.get("leaver", "bot:random"),
        spectator_delay=data.get("spectator_delay", 0),
        tournament=data["tournament"],
        rematch_of=data.get("rematch_of"),
        silent=data.get("silent", False),
        pauses=data.get("pauses", True),
        imported=data["imported"],
        created=event.at,
        chairs=tuple(Chair(kept_for) for kept_for in data["chairs"]),
        clocks=clocks.initial_clocks(clocks.read_setting(data["clock"]), data["seats"]),
        changed=event.at,
        deal=data.get("deal"),
        seed_chosen=data.get("chosen"),
    )


def _seat_taken(record: GameRecord, data: Data, event: DatedEventView) -> GameRecord:
    """Folds a player sitting down; the same player may repeat it, to send the commitment later."""
    taken = _on_chair(
        record,
        data["chair"],
        player=data["player"],
        bot=data["bot"],
        promised=data.get("promised", False) or data["commitment"] is not None,
        commitment=data["commitment"],
        entropy=data["entropy"],
        link=(0, data["chain"]) if data["chain"] else None,
        key=data.get("key"),
        program=data.get("program", False),
    )
    return taken._replace(wait_until=event.at + COMMIT_WITHIN if taken.full else None, expires=None)


def _seat_left(record: GameRecord, data: Data, _event: DatedEventView) -> GameRecord:
    kept_for = record.chairs[data["chair"]].kept_for
    left = _with_chair(record, data["chair"], Chair(None if kept_for == PLAYER + data["player"] else kept_for))
    return left._replace(wait_until=None, expires=None)


def _expiry_announced(record: GameRecord, data: Data, _event: DatedEventView) -> GameRecord:
    return record._replace(expires=data["expires"])


def _commitments_closed(record: GameRecord, data: Data, event: DatedEventView) -> GameRecord:
    return record._replace(sealed=event.seq, wait_until=data["reveal_by"])


def _entropy_revealed(record: GameRecord, data: Data, _event: DatedEventView) -> GameRecord:
    if data["entropy"] is None:  # absent at the deadline
        return _on_chair(record, data["chair"], commitment=None, promised=False)
    return _on_chair(record, data["chair"], entropy=data["entropy"])


def _game_started(record: GameRecord, data: Data, event: DatedEventView) -> GameRecord:
    started = record._replace(status=RUNNING, order=tuple(data["order"]), draws=len(data["drew"]), wait_until=None)
    return _with_turn(started, data, event)


def _moved(record: GameRecord, data: Data, event: DatedEventView) -> GameRecord:
    seat = data["seat"]
    if "link" in data:
        newest = record.chair_at(seat).link
        record = _on_chair(record, record.order[seat], link=(newest[0] + 1 if newest else 1, data["link"]))
    return _with_turn(record, data, event, draws=record.draws + len(data["drew"]), offer=None)


def _undone(record: GameRecord, data: Data, event: DatedEventView) -> GameRecord:
    """Sets the clocks as the event says; an event of an earlier version passes the turn, with an increment."""
    undone = _with_turn(record._replace(offer=None), data, event)
    if "clocks" not in data:
        return undone
    banks, since = tuple(data["clocks"]["banks"]), data["clocks"]["since"]
    return undone._replace(clocks=undone.clocks._replace(banks=banks, since=since))


def _ruled(record: GameRecord, data: Data, event: DatedEventView) -> GameRecord:
    return _with_turn(record, data, event) if "turn" in data else record


def _offer_made(record: GameRecord, data: Data, _event: DatedEventView) -> GameRecord:
    offer = Offer(data["what"], data["seat"], data["to"], (data["seat"],), data.get("seconds"))
    return record._replace(offer=offer)


def _offer_answered(record: GameRecord, data: Data, _event: DatedEventView) -> GameRecord:
    offer = record.offer
    if offer is None or not data["agrees"]:
        return record._replace(offer=None)
    return record._replace(offer=offer._replace(agreed=(*offer.agreed, data["seat"])))


def _offer_withdrawn(record: GameRecord, _data: Data, _event: DatedEventView) -> GameRecord:
    return record._replace(offer=None)


def _clock_paused(record: GameRecord, data: Data, event: DatedEventView) -> GameRecord:
    return record._replace(offer=None, clocks=clocks.paused(record.clocks, data["until"], event.at))


def _clock_resumed(record: GameRecord, _data: Data, event: DatedEventView) -> GameRecord:
    return record._replace(clocks=clocks.paused(record.clocks, 0, event.at))


def _away_began(record: GameRecord, data: Data, _event: DatedEventView) -> GameRecord:
    return _with_away(record, data["seat"], data["until"], data["since"])


def _away_ended(record: GameRecord, data: Data, event: DatedEventView) -> GameRecord:
    return _with_away(record, data["seat"], 0, event.at)


def _clock_changed(record: GameRecord, data: Data, _event: DatedEventView) -> GameRecord:
    since = data.get("since", record.clocks.since)
    return record._replace(clocks=record.clocks._replace(banks=tuple(data["banks"]), since=since))


def _service_was_away(record: GameRecord, data: Data, _event: DatedEventView) -> GameRecord:
    return record._replace(clocks=clocks.without_outage(record.clocks, data["since"], data["until"]))


def _history_lost(record: GameRecord, _data: Data, event: DatedEventView) -> GameRecord:
    """Folds the loss of later events: nobody is charged for the time since the newest kept event."""
    return record._replace(clocks=clocks.without_outage(record.clocks, record.changed, event.at))


def _player_replaced(record: GameRecord, data: Data, event: DatedEventView) -> GameRecord:
    chair = record.order[data["seat"]]
    now = {"player": data["player"], "bot": data["bot"], "program": data.get("program", False), "replaced": True}
    replaced = _on_chair(record, chair, **now, stand_in=None, key=None, absent=False)
    return _without_away(replaced, data["seat"], event.at)


def _player_gone(record: GameRecord, data: Data, event: DatedEventView) -> GameRecord:
    """A flag fell or a player resigned: a bot plays on, and the seat's clock stops counting."""
    chair = record.order[data["seat"]]
    forfeited = event.seq if data["consequence"] == "forfeit" else None
    absent = data.get("absent", False)
    record = _on_chair(record, chair, stand_in=data["stand_in"], forfeited=forfeited, absent=absent)
    turn = record.turn.seat if record.turn else None
    record = _with_clock(record, turn, event.at) if turn == data["seat"] else record
    return _without_away(record, data["seat"], event.at)


def _rules_changed(record: GameRecord, data: Data, _event: DatedEventView) -> GameRecord:
    return record._replace(rules=data["to"])


def _game_ended(record: GameRecord, data: Data, event: DatedEventView) -> GameRecord:
    result = {name: data[name] for name in ("cause", "points", "tie_break", "places")}
    return _finished(record, event)._replace(status=FINISHED, result=result)


def _game_aborted(record: GameRecord, data: Data, event: DatedEventView) -> GameRecord:
    by = _aborted_by(record, data["cause"], event)
    return _finished(record, event)._replace(status=ABORTED, result={"cause": data["cause"]}, aborted_by=by)


def _aborted_by(record: GameRecord, cause: str, event: DatedEventView) -> str | None:
    """Returns the player that aborted the game, or None when no single player did."""
    if cause in ("early", "maker"):
        return event.actor
    return record.chair_at(record.offer.seat).player if cause == "agreement" and record.offer else None


def _seed_revealed(record: GameRecord, data: Data, _event: DatedEventView) -> GameRecord:
    return record._replace(seed=data["seed"])


def _finished(record: GameRecord, event: DatedEventView) -> GameRecord:
    ended = _with_clock(record, None, event.at)._replace(turn=None, offer=None, wait_until=None, expires=None)
    return ended._replace(clocks=ended.clocks._replace(paused_until=0, away=()))


def _with_turn(record: GameRecord, data: Data, event: DatedEventView, **changes: Any) -> GameRecord:
    """Returns the record with the turn that the event states, and further changes; the clock follows the turn."""
    turn = Turn(data["turn"]["seat"], data["turn"]["decision"]) if data.get("turn") else None
    return _with_clock(record, turn.seat if turn else None, event.at, turn=turn, **changes)


def _with_clock(record: GameRecord, seat: int | None, at: int, **changes: Any) -> GameRecord:
    """Returns the record with the clock of the next seat running, and further changes; house bots have none."""
    counted = None if seat is None or record.chair_at(seat).engine else seat
    return record._replace(clocks=clocks.after_action(record.clocks, counted, at), **changes)


def _with_away(record: GameRecord, seat: int, until: int, at: int) -> GameRecord:
    return record._replace(clocks=clocks.with_away(record.clocks, len(record.chairs), seat, until, at))


def _without_away(record: GameRecord, seat: int, at: int) -> GameRecord:
    """Returns the record without the days away of a player who has left the seat."""
    return _with_away(record, seat, 0, at) if record.clocks.away_until(seat) else record


def _on_chair(record: GameRecord, number: int, **changes: Any) -> GameRecord:
    return _with_chair(record, number, record.chairs[number]._replace(**changes))


def _with_chair(record: GameRecord, number: int, chair: Chair) -> GameRecord:
    return record._replace(chairs=(*record.chairs[:number], chair, *record.chairs[number + 1 :]))


_FOLDS: Final[Mapping[str, Callable[[GameRecord, Data, DatedEventView], GameRecord]]] = {
    "seat_taken": _seat_taken,
    "seat_left": _seat_left,
    "expiry_announced": _expiry_announced,
    "commitments_closed": _commitments_closed,
    "entropy_revealed": _entropy_revealed,
    "game_started": _game_started,
    "moved": _moved,
    "undone": _undone,
    "ruled": _ruled,
    "offer_made": _offer_made,
    "offer_answered": _offer_answered,
    "offer_withdrawn": _offer_withdrawn,
    "clock_paused": _clock_paused,
    "clock_resumed": _clock_resumed,
    "away_began": _away_began,
    "away_ended": _away_ended,
    "clock_changed": _clock_changed,
    "service_was_away": _service_was_away,
    "history_lost": _history_lost,
    "player_replaced": _player_replaced,
    "flag_fell": _player_gone,
    "resigned": _player_gone,
    "rules_changed": _rules_changed,
    "game_ended": _game_ended,
    "game_aborted": _game_aborted,
    "seed_revealed": _seed_revealed,
}

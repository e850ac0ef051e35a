"""Forged rules, moves, results, clocks and undos."""

from collections.abc import Callable, Sequence
from typing import Any

from projections.games.chance import ChanceLevel
from projections.games.clocks import SECOND, TimeControl
from tests.support.projections.forged.tools import (
    SHORT,
    abort_agreed,
    evening,
    flag,
    inserted,
    kind_is,
    move_of,
    next_move,
    put,
    resign,
    retold,
    seq_of,
    short,
    undo_own,
    whole_game,
    without,
)
from tests.support.projections.played_games import SEATED
from tests.support.projections.rewritten_history import (
    BANK,
    Body,
    bodies,
    changed_at,
    first,
    has_drawn,
    is_end,
    is_move,
    renumbered,
)


def under_other_rules(seq: int, told: Sequence[Body]) -> bytes:
    return retold(put(told, seq, rules="spice-road-99"))


def of_unknown_rules(told: Sequence[Body]) -> bytes:
    return retold([{**body, "rules": "spice-road-99"} for body in told])


def as_booleans() -> bytes:
    """Facts that say true where the rules write 1."""
    told = whole_game()
    at, facts = next(
        (body["seq"], body["data"]["facts"])
        for body in told
        if is_move(body) and any(1 in fact for fact in body["data"]["facts"])
    )
    turned = [[True if item == 1 and type(item) is int else item for item in fact] for fact in facts]
    return retold(changed_at(told, at, facts=turned))


def options_as_numbers() -> bytes:
    """An option that is said as 0 or 1 where the rules have false or true, or the other way round."""
    told = short()
    options = told[0]["data"]["options"]
    name, value = next(
        (name, value) for name, value in options.items() if type(value) in (bool, int) and value in (0, 1)
    )
    return retold(changed_at(told, 1, options={**options, name: int(value) if type(value) is bool else bool(value)}))


def moves_on_to(to: str) -> bytes:
    told = short()
    after = move_of(told)
    changed = inserted(told, after, "rules_changed", to=to, digest=told[after - 1]["data"]["digest"])
    return retold([{**body, "rules": to} if body["seq"] > after + 1 else body for body in changed])


def aborted_after_its_end() -> bytes:
    told = whole_game()
    end = first(told, is_end)
    aborted = {**told[end - 1], "kind": "game_aborted", "data": {"cause": "ruled", "reason": None}}
    return retold([*told[: end - 1], aborted, *told[end:]])


def ended_one_later() -> bytes:
    """Something else happens between the last move and the end."""
    told = whole_game()
    end = first(told, is_end)
    return retold(
        inserted(told, end - 1, "offer_made", SEATED[0], seat=seat_of_player(told, SEATED[0]), what="abort", to=None)
    )


def seat_of_player(told: Sequence[Body], player: str) -> int:
    order = told[seq_of("game_started", told) - 1]["data"]["order"]
    return int(order.index(SEATED.index(player)))


def talk_after_the_end() -> bytes:
    told = whole_game()
    return retold(inserted(told, len(told), "offer_answered", SEATED[0], seat=0, agrees=True))


def undone_to(to: Callable[[Sequence[Body]], int]) -> bytes:
    told = evening(undo_own, next_move)
    at = seq_of("undone", told)
    return retold(changed_at(told, at, to=to(told)))


def undone_draw() -> bytes:
    """A draw that was disliked is taken back."""
    told = bodies(ChanceLevel.OPEN)
    at = first(told, has_drawn)
    before = max(body["seq"] for body in told[: at - 1] if "digest" in body["data"])
    seat = told[at - 1]["data"]["seat"]
    back = {"seat": seat, "to": before, "agreed": [seat], **_where(told, before)}
    return retold(inserted(told[:at], at, "undone", told[at - 1]["actor"], **back))


def undone_alone() -> bytes:
    """Two moves are taken back by one seat, and the other was never asked."""
    told = short(ChanceLevel.OPEN)
    at = next(
        body["seq"]
        for body in told
        if is_move(body)
        and is_move(told[body["seq"] - 2])
        and not body["data"]["drew"]
        and not told[body["seq"] - 2]["data"]["drew"]
    )
    before, seat = at - 2, told[at - 1]["data"]["seat"]
    back = {"seat": seat, "to": before, "agreed": [seat], **_where(told, before)}
    return retold(inserted(told[:at], at, "undone", told[at - 1]["actor"], **back))


def _where(told: Sequence[Body], seq: int) -> dict[str, Any]:
    return {name: told[seq - 1]["data"][name] for name in ("digest", "turn")}


def struck_out() -> bytes:
    """A ruling that sets the board back to where it never was."""
    told = short(ChanceLevel.OPEN)
    at = move_of(told)
    ruling = {"ruling": "back", "to": 1, "details": {}, "reason": None, **_where(told, at)}
    return retold(inserted(told, at, "ruled", **ruling))


def resigned_without_consequence() -> bytes:
    """A resignation without a known consequence."""
    told = short(ChanceLevel.OPEN)
    return retold(inserted(told, move_of(told), "resigned", SEATED[0], seat=seat_of_player(told, SEATED[0])))


def clocks_after_undo(more: int) -> bytes:
    told = evening(undo_own, next_move, clock=BANK)
    at = seq_of("undone", told)
    stated = told[at - 1]["data"]["clocks"]
    return retold(changed_at(told, at, clocks={**stated, "banks": [bank + more for bank in stated["banks"]]}))


def unstated_clocks() -> bytes:
    told = evening(undo_own, next_move, clock=BANK)
    return retold(without(told, seq_of("undone", told), "clocks"))


def late_move() -> bytes:
    told = [dict(body) for body in bodies(clock=TimeControl("per_move", 30), most=SHORT)]
    for body in told[move_of(told) - 1 :]:
        body["at"] += 60 * SECOND
    return retold(told)


def late_undo() -> bytes:
    """A move is taken back when the flag of the next player should have fallen."""
    told = evening(undo_own, clock=BANK)
    at = seq_of("undone", told)
    return retold([{**body, "at": body["at"] + 2_000 * SECOND} if body["seq"] >= at else body for body in told])


def agreed_without(*kinds: str) -> bytes:
    """A game that was aborted by agreement, without the events that show the agreement."""
    return retold(renumbered([body for body in evening(abort_agreed) if body["kind"] not in kinds]))


def aborted_as(cause: str) -> bytes:
    """A game that both players aborted in its second round has another cause."""
    told = evening(abort_agreed)
    return retold(changed_at(told, seq_of("game_aborted", told), cause=cause))


def early_flag() -> bytes:
    told = evening(flag, clock=BANK)
    at = seq_of("flag_fell", told)
    return retold([{**body, "at": body["at"] - 1_990 * SECOND} if body["seq"] >= at else body for body in told])


def backwards() -> bytes:
    told = [dict(body) for body in short()]
    told[-1]["at"] = told[-2]["at"] - 1
    return retold(told)


def absent_player(tournament: str | None) -> bytes:
    """A player with a move is recorded as absent."""
    told = changed_at(evening(resign), 1, tournament=tournament)
    return retold(changed_at(told, seq_of("resigned", told), absent=True))


def absent_at_once() -> bytes:
    told = short()
    reveals = [body["seq"] for body in told if kind_is("entropy_revealed", body)]
    return retold(changed_at(told, reveals[-1], entropy=None))


def ended_early() -> list[Body]:
    told = whole_game()
    end, seed = told[-2], told[-1]
    draws = sum(len(body["data"].get("drew", [])) for body in told[:40])
    return renumbered([*told[:40], end, {**seed, "data": {**seed["data"], "draws": draws}}])

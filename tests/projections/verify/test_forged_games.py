"""Whole games examined: chance, moves, result, clocks and statements are judged by playing them again."""

from typing import Any

import pytest
from cabildo_client import verify_standalone
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.games.chance import ChanceLevel
from projections.games.clocks import SECOND, TimeControl
from projections.games.errors import BrokenCommitment
from projections.verify.bundle import NOT_APPLICABLE, PASSED, VALID, verify
from tests.projections.verify.test_bundle import changed, paths, with_change
from tests.support.projections.bundles import POLICY
from tests.support.projections.played_games import played, seated
from tests.support.projections.rewritten_history import (
    BANK,
    KEY,
    OTHER_KEY,
    Body,
    bodies,
    bundle,
    changed_at,
    first,
    has_drawn,
    is_end,
    is_move,
    retold,
    signing,
)


def found(data: bytes) -> tuple[str, str, int | None]:
    report = verify(data, POLICY)
    assert report.failure is not None, report.remarks
    return report.failure.code, report.failure.reason, report.failure.seq


@pytest.mark.parametrize("level", list(ChanceLevel))
def test_a_game_played_to_its_end_is_proved(level: ChanceLevel) -> None:
    report = verify(bundle(played(level)).encode(), POLICY)
    assert (report.verdict, report.exit_status, report.remarks) == (VALID, 0, ())
    notes = {"level", "dates", "unsigned"} - ({"level"} if level == ChanceLevel.CHAINED else set())
    assert {found.reason for found in report.notes} == notes
    assert {answer.status for answer in report.answers} == {PASSED, NOT_APPLICABLE}


def test_a_game_with_clocks_is_proved() -> None:
    assert verify(bundle(played(clock=BANK)).encode(), POLICY).verdict == VALID


def test_an_unfinished_game_says_so() -> None:
    report = verify(bundle(played(most=20)).encode(), POLICY)
    assert [remark.reason for remark in report.remarks] == ["draws_unread", "unfinished"]


def test_another_draw_is_named() -> None:
    told = bodies()
    at = first(told, has_drawn)
    (drawn,) = told[at - 1]["data"]["drew"]
    other = next(card for body in told if has_drawn(body) for card in body["data"]["drew"] if card != drawn)
    assert found(retold(changed_at(told, at, drew=[other]))) == ("V6", "draws", at)


def test_a_draw_more_or_less_is_named() -> None:
    told = bodies()
    assert found(retold(changed_at(told, first(told, has_drawn), drew=[])))[:1] == (
        "V5",
    )  # fewer than the last event says
    short = changed_at(
        changed_at(told, first(told, has_drawn), drew=[]), len(told), draws=told[-1]["data"]["draws"] - 1
    )
    assert found(retold(short)) == ("V6", "draws", first(told, has_drawn))


@pytest.mark.parametrize(
    ("field", "value"), [("facts", []), ("digest", "00" * 32), ("then", [{"seat": 0, "move": "rest"}])]
)
def test_another_deed_is_named(field: str, value: Any) -> None:
    told = bodies()
    assert found(retold(changed_at(told, 12, **{field: value}))) == ("V7", "deed", 12)


def test_an_illegal_move_and_somebody_elses_are_named() -> None:
    told = bodies()
    at = first(told, is_move) + 3
    assert found(retold(changed_at(told, at, move="claim 9"))) == ("V7", "illegal", at)
    assert found(retold(changed_at(told, at, seat=1 - told[at - 1]["data"]["seat"])))[0::2] == ("V7", at)


def test_a_result_the_rules_do_not_count_is_named() -> None:
    told = bodies()
    at = first(told, is_end)
    points = [point + 1 for point in told[at - 1]["data"]["points"]]
    assert found(retold(changed_at(told, at, points=points))) == ("V8", "result", at)
    assert found(retold(changed_at(told, at, places=[2, 2])))[::2] == ("V8", at)
    assert found(retold(changed_at(told, at, cause="forfeit")))[::2] == ("V8", at)


def test_a_game_that_ends_early_or_never_is_named() -> None:
    told = bodies()
    end, seed = told[-2], told[-1]
    draws = sum(len(body["data"].get("drew", [])) for body in told[:40])
    early = [*told[:40], end, {**seed, "data": {**seed["data"], "draws": draws}}]
    assert found(retold(early)) == ("V8", "ended_early", 41)
    assert found(retold(told[:-2])) == ("V8", "not_ended", len(told) - 2)
    assert found(retold([*told[:-2], seed])) == ("V8", "not_ended", len(told) - 2)
    assert found(retold([*told, {**told[0], "kind": "offer_answered", "data": {"seat": 0, "agrees": True}}]))[0] == "V8"


def test_time_that_runs_backwards_is_named() -> None:
    told = [dict(body) for body in bodies()]
    told[19]["at"] = told[18]["at"] - 1
    assert found(retold(told)) == ("V9", "time", 20)


def test_a_move_after_the_flag_should_have_fallen_is_named() -> None:
    told = [dict(body) for body in bodies(clock=TimeControl("per_move", 30))]
    for body in told[24:]:
        body["at"] += 60 * SECOND
    assert found(retold(told)) == ("V9", "overtime", 25)


def test_a_flag_that_fell_early_is_named() -> None:
    told = list(bodies(clock=BANK, most=20))
    seat = told[-1]["data"]["turn"]["seat"]
    flag = {"seat": seat, "deadline": told[-1]["at"] + SECOND, "consequence": "bot", "stand_in": "random"}
    fallen = {**told[-1], "kind": "flag_fell", "data": flag, "at": told[-1]["at"] + 2 * SECOND}
    assert found(retold([*told, fallen])) == ("V9", "flag", len(told) + 1)


def test_another_history_than_the_player_saw_is_named() -> None:
    """Chaining anew changes the hash that a player stated with the next move."""
    told = bodies()
    at = first(told, is_move) + 5
    rewritten = [{**body, "at": body["at"] + 1} if body["seq"] == at else body for body in told]
    assert found(retold(rewritten)) == ("V10", "saw", at + 1)


def test_a_seat_that_signs_is_proved_to_have_moved() -> None:
    report = verify(retold(signing(bodies(most=8), KEY, 0)), POLICY)
    assert report.failure is None
    assert [found.reason for found in report.remarks] == ["draws_unread", "unfinished"]
    assert "keys_named" in {found.reason for found in report.notes}


def test_a_move_made_up_by_the_host_is_named() -> None:
    """Unsigned, with a signature of another move, or signed by the host's own key."""
    told = bodies(most=8)
    at = first(told, lambda body: is_move(body) and body["data"]["seat"] == 0)
    honest = signing(told, KEY, 0)
    later = next(body for body in honest[at:] if "signature" in body["data"])
    assert found(retold(signing(told, KEY, 0, but=at))) == ("V10", "unsigned", at)
    assert found(retold(changed_at(honest, at, signature=later["data"]["signature"]))) == ("V10", "signature", at)
    taken = first(told, lambda body: body["kind"] == "seat_taken" and "key" in honest[body["seq"] - 1]["data"])
    forged = changed_at(honest, taken, key=OTHER_KEY.public_key().public_bytes_raw().hex())
    assert found(retold(forged)) == ("V10", "signature", at)


def test_a_signature_under_no_key_or_a_bad_one_is_named() -> None:
    honest = signing(bodies(most=8), KEY, 0)
    at = first(honest, lambda body: "signature" in body["data"])
    taken = first(honest, lambda body: "key" in body["data"])
    nameless = [{**body, "data": {n: v for n, v in body["data"].items() if n != "key"}} for body in honest]
    assert found(retold(nameless)) == ("V10", "no_key", at)
    assert found(retold(changed_at(honest, taken, key="00" * 32))) == ("V10", "signature", at)  # of low order


def test_a_link_that_is_not_of_the_chain_is_named() -> None:
    told = bodies(ChanceLevel.CHAINED)
    at = first(told, is_move) + 4
    assert found(retold(changed_at(told, at, link="77" * 32))) == ("V5", "broken_promise", at)


def test_an_evening_refuses_what_the_audit_refuses() -> None:
    evening = seated(ChanceLevel.CHAINED, TimeControl())
    with pytest.raises(BrokenCommitment):
        evening.move()  # a seat with a chain moves with its next link


@given(st.data())
@settings(max_examples=120, deadline=None)
def test_a_made_up_history_is_judged_without_a_traceback_and_alike_by_both(data: st.DataObject) -> None:
    """Any field changed to anything of the same or another form, everything chained, sealed and cosigned anew."""
    told: list[Body] = list(
        bodies(data.draw(st.sampled_from([ChanceLevel.OPEN, ChanceLevel.SEALED, ChanceLevel.CHAINED])), BANK, 12)
    )
    for _ in range(data.draw(st.integers(1, 2))):
        number = data.draw(st.integers(0, len(told) - 1))
        path = data.draw(st.sampled_from([path for path in paths(told[number]["data"]) if path]))
        told[number] = {**told[number], "data": with_change(told[number]["data"], path)}
    action = data.draw(st.sampled_from(["keep", "drop", "swap", "double"]))
    at = data.draw(st.integers(1, len(told) - 2))
    told = {
        "keep": told,
        "drop": [*told[:at], *told[at + 1 :]],
        "swap": [*told[:at], told[at + 1], told[at], *told[at + 2 :]],
        "double": [*told[: at + 1], *told[at:]],
    }[action]
    forged = retold(told)
    report = verify(forged, POLICY)
    assert report.verdict != VALID
    other = verify_standalone.verify(forged, verify_standalone.LogPolicy(str(POLICY).encode()))
    early = report.failure if report.failure and report.failure.code in ("V1", "V2", "V3", "V4", "V5") else None
    assert (other["failed"], other["event"]) == ((early.code, early.seq) if early else (None, None))


def test_every_changed_value_is_another_one() -> None:
    values: tuple[Any, ...] = (True, None, 3, "a", "0", [], {})
    assert [value for value in values if changed(value) == value] == []

"""What an entrant gets who never came: the last place and no points, whatever a bot plays for the seat."""

from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from freezegun import freeze_time

from events.event import received
from events.log.bundle import Bundle
from projections.games.fold import record_of
from projections.ratings.game_inputs import inputs_of
from projections.verify.archive import pack, unpack, verify_archive
from projections.verify.bundle import verify
from projections.verify.checks.case import CheckFailed, Contents
from projections.verify.checks.no_shows import check_no_shows
from service.games.decisions import end_early
from tests.service.tournaments.test_archives import changed, told_anew
from tests.service.tournaments.test_arrivals import LEAVER, SWISS, after_the_timer, game, sit_down
from tests.support.service.players import answer
from tests.support.service.tournament_fixture import Hall

LAST_COUNTS = {**SWISS, "scheme": {"places": {"3": ["9", "6", "3"]}, "forfeit": "last"}}


def met(app: Flask, absent: int, stage: dict[str, Any] = SWISS, **regulations: Any) -> Hall:
    """A hall in whose first round an entrant does not come, so that a greedy bot plays for the seat."""
    hall = Hall(app, [stage], no_show=LEAVER, leaver="bot:greedy", **regulations).open(people=3)
    hall.direct("stages")
    hall.start()
    sit_down(hall, absent)
    after_the_timer(hall)
    return hall


def ended(hall: Hall) -> dict[str, Any]:
    """Lets all present players leave to bots and closes the round. Returns its table."""
    document = game(hall)
    people = {person.id: person for person in hall.people}
    for seat in document["seats"]:
        if seat["stand_in"] is None:
            people[seat["player"]["id"]].post(f"/v1/games/{document['id']}/resign")
    hall.play()
    table: dict[str, Any] = hall.direct("rounds/current/closing")["tables"][0]
    return table


def place_of(table: dict[str, Any], entrant: int) -> int:
    return next(seat for seat, one in enumerate(table["seats"]) if one["entrant"] == entrant)


@pytest.mark.parametrize("absent", [1, 2, 3])
@pytest.mark.parametrize("stage", [SWISS, LAST_COUNTS], ids=["nothing", "last_counts"])
def test_a_no_show_has_the_last_place_and_no_points(app: Flask, absent: int, stage: dict[str, Any]) -> None:
    hall = met(app, absent, stage)
    assert [seat["absent"] for seat in game(hall)["seats"]].count(True) == 1
    table = ended(hall)
    seat = place_of(table, absent)
    result = table["result"]
    assert (result["absent"], result["forfeited"]) == ([seat], [seat])
    assert (result["places"][seat], result["points"][seat], result["tie_break"][seat]) == (3, 0, 0)
    assert sorted(result["places"])[:2] in ([1, 2], [1, 1])
    lines = hall.read("standings")["lines"]
    line = next(line for line in lines if line["player"] == hall.people[absent - 1].id)
    assert line["rank"] == 3
    assert {line["values"][name] for name in line["values"].keys() & {"points", "score", "wins"}} == {"0"}


def test_what_the_bot_plays_counts_for_the_others(app: Flask) -> None:
    hall = met(app, 2)
    assert (game(hall)["status"], game(hall)["result"]) == ("running", None)
    result = ended(hall)["result"]
    assert sum(point > 0 for point in result["points"]) == 2
    assert game(hall)["result"]["points"] == result["points"]


def test_the_archive_of_a_no_show_verifies(app: Flask) -> None:
    hall = met(app, 1, rated=True)
    files = closed(hall)
    report = verify_archive(pack(files.items()), None)
    assert [one.failure for _, one in report.games] == [None, None]
    events = [received(body) for body in Bundle.read(files[hall.games()[0]]).events]
    (people,) = inputs_of(events).values()
    record = record_of(events)
    assert record is not None
    assert [chair.absent for chair in record.seats].count(True) == 1
    assert f'"place":3,"player":"{hall.people[0].id}"'.encode() in people


def closed(hall: Hall) -> dict[UUID, bytes]:
    """Play a hall's only round to the end of the event; the bundles of its archive."""
    ended(hall)
    hall.direct("stages/current/closing")
    hall.direct("closing")
    return dict(unpack(hall.client.get(f"{hall.path}/archive").data).games)


def findings(files: dict[UUID, bytes], hall: Hall) -> set[str]:
    """Returns the reasons of V12's findings or refusal."""
    report = verify(files[UUID(hall.id)], None, UUID(hall.id), Contents(files))
    said = {one.reason for answer in report.answers if answer.code == "V12" for one in answer.findings}
    return said | ({report.failure.reason} if report.failure else set())


def test_a_tournament_that_states_other_absences_is_refused(app: Flask) -> None:
    hall = met(app, 1)
    files = closed(hall)
    stream = UUID(hall.id)
    assert not findings(files, hall) & {"other_result", "no_show_counted"}
    forged = told_anew(files[stream], changed("result_recorded", 0, absent=[]))
    assert "other_result" in findings({**files, stream: forged}, hall)


def test_a_no_show_who_has_a_bots_result_is_remarked_on(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    resign = end_early.resign
    monkeypatch.setattr(end_early, "resign", lambda act, seat, absent=False: resign(act, seat))
    hall = met(app, 1)
    assert "no_show_counted" in findings(closed(hall), hall)


def test_a_player_the_service_seated_who_never_moves_is_a_no_show(app: Flask) -> None:
    clock = {"kind": "per_move", "seconds": 60}
    hall = Hall(app, [SWISS], leaver="bot:random", clock=clock).open(people=3)
    hall.direct("stages")
    with freeze_time() as time:
        hall.start()
        table = hall.read("rounds/1")["tables"][0]
        time.tick(61)
        hall.container.game_commands.settle_time(UUID(table["game"]))
    assert [seat["absent"] for seat in game(hall)["seats"]] == [True, False, False]


def test_a_no_show_leaves_after_the_deal_that_others_took_part_in(app: Flask) -> None:
    hall = Hall(app, [SWISS], no_show=LEAVER, leaver="bot:random", chance=None).open(people=3)
    hall.direct("stages")
    with freeze_time() as time:
        hall.start()
        hall.people[0].join(game(hall)["id"], commits=True)
        sit_down(hall, 1, 2)
        time.tick(301)
        hall.keep()
        assert (game(hall)["status"], hall.read("rounds/1")["sit_by"] is None) == ("open", False)
        time.tick(121)  # the commitment does not come
        hall.keep()
    assert (game(hall)["status"], hall.read("rounds/1")["sit_by"]) == ("running", None)
    absent = next(seat for seat in game(hall)["seats"] if seat["absent"])
    assert absent["player"]["id"] == hall.people[1].id


def test_a_substitute_is_not_a_no_show(app: Flask) -> None:
    hall = Hall(app, [SWISS], no_show=LEAVER, leaver="bot:random", most=3).open(people=4)
    hall.direct("stages")
    hall.start()
    sit_down(hall, 2)
    after_the_timer(hall)
    hall.direct("rulings/substitution", {"round": 1, "table": 1, "entrant": 2, "by": 4, "reason": "Came late"})
    hall.keep()
    assert not any(seat["absent"] for seat in game(hall)["seats"])


@pytest.mark.parametrize("change", ["sat_down", "no_tournament"])
def test_a_bundle_that_takes_a_present_player_for_absent_is_refused(app: Flask, change: str) -> None:
    hall = met(app, 1)
    ended(hall)
    bundle = answer(hall.client.get(f"/v1/games/{hall.games()[0]}/bundle"), 200)
    events = [received(body.encode()) for body in bundle["events"]]
    check_no_shows(events)
    forged = []
    for event in events:
        if change == "sat_down" and event.kind == "seat_taken":
            event = event._replace(actor=str(event.data["player"]))
        if change == "no_tournament" and event.kind == "game_created":
            event = event._replace(data={**event.data, "tournament": None})
        forged.append(event)
    with pytest.raises(CheckFailed) as refused:
        check_no_shows(forged)
    assert refused.value.reason == "no_show"

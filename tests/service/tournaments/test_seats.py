"""Seats by rank choice or by bids in half points: said before the game, and seen by nobody before all have spoken."""

from uuid import uuid4

import pytest
from flask import Flask
from freezegun import freeze_time

from events.store.free_texts import text_hash
from tests.support.service.players import answer, problem
from tests.support.service.scriptless_browser import Visitor
from tests.support.service.tournament_fixture import Hall

HEATS = {"format": "heats", "rounds": 1, "sizes": [3]}


def choosing(app: Flask, method: str, **regulations: int) -> Hall:
    """A published round at whose one table three people are to say where they want to sit."""
    hall = Hall(app, [{**HEATS, "seats": method}], **regulations).open(people=3)
    hall.direct("stages")
    hall.direct("rounds")
    hall.direct("rounds/current/publication")
    return hall


def wish(hall: Hall, player: str, wanted: list[int], status: int = 201) -> str:
    """Let a player say where they want to sit; the reason when that is refused."""
    person = next(one for one in hall.people if one.id == player)
    document = person.post(f"{hall.path}/rounds/current/wishes", {"wish": wanted}, status)
    return str(document.get("reason", ""))


def table(hall: Hall) -> list[str]:
    (found,) = hall.read("rounds/1")["tables"]
    return [seat["player"] for seat in found["seats"]]


def test_the_best_ranked_chooses_first(app: Flask) -> None:
    hall = choosing(app, "choice")
    first, second, third = table(hall)
    for player in (third, second, first):
        wish(hall, player, [2, 0, 1])
    hall.keep()
    assert table(hall) == [second, third, first]
    hall.direct("rounds/current/start")
    hall.keep()
    game = answer(hall.client.get(f"/v1/games/{hall.games()[0]}"), 200)
    assert [seat["player"]["id"] for seat in game["seats"]] == [second, third, first]


def test_bids_buy_seats_for_half_points_and_are_shown_when_all_are_in(app: Flask) -> None:
    hall = choosing(app, "bids")
    first, second, third = table(hall)
    for player, bids in ((first, [0, 0, 7]), (second, [0, 3, 8]), (third, [1, 0, 0])):
        assert hall.read("rounds/1")["tables"][0]["settled"] is False
        wish(hall, player, bids)
    hall.keep()
    assert (table(hall), hall.read("rounds/1")["tables"][0]["bids"]) == ([third, second, first], [1, 3, 7])
    events = hall.read("events")["events"]
    hashes = {event["data"]["wish"] for event in events if event["kind"] == "seats_wished"}
    (given,) = [event["data"]["wishes"] for event in events if event["kind"] == "seats_given"]
    assert {text_hash(bytes.fromhex(one["salt"]), str(one["wish"])).hex() for one in given} == hashes
    assert all(str(bids) not in str(event) for event in events[:-1] for bids in ([0, 0, 7], [0, 3, 8]))


def test_who_says_nothing_in_time_takes_what_is_left(app: Flask) -> None:
    hall = choosing(app, "choice", choosing=5)
    *_, third = table(hall)
    wish(hall, third, [0, 1, 2])
    hall.keep()
    assert problem(hall.direct("rounds/current/start", status=409)) == "not_at_this_stage"
    with freeze_time() as clock:
        clock.tick(301)
        hall.keep()
    assert table(hall)[0] == third
    assert hall.direct("rounds/current/start")["status"] == "declared"


def test_wishes_that_name_no_seats_are_refused(app: Flask) -> None:
    hall = choosing(app, "choice")
    assert wish(hall, hall.people[0].id, [0, 0, 1], 422) == "not_an_order"
    bidding = choosing(app, "bids")
    assert wish(bidding, bidding.people[0].id, [1, 2], 422) == "not_bids"
    refused = hall.host.post(f"{hall.path}/rounds/current/wishes", {"wish": [0, 1, 2]}, 403)
    assert problem(refused) == "not_allowed"
    for person in hall.people:
        wish(hall, person.id, [0, 1, 2])
    hall.keep()
    again = hall.people[0].post(f"{hall.path}/rounds/current/wishes", {"wish": [0, 1, 2]}, 422)
    assert (problem(again), again["reason"]) == ("wish_refused", "given")


@pytest.mark.parametrize(("method", "wanted"), [("choice", ["2", "0", "1"]), ("bids", ["0", "0", "4"])])
def test_a_player_says_so_on_the_page_of_the_tournament(app: Flask, method: str, wanted: list[str]) -> None:
    visitor = Visitor(app.test_client(), f"guest {uuid4().hex[:8]}")
    hall = Hall(app, [{**HEATS, "seats": method}]).open(people=2)
    path = f"/tournaments/{hall.id}"
    visitor.sent(f"{path}/enter")
    for step in ("stages", "rounds"):
        hall.direct(step)
    assert f'action="{path}/wish"' not in visitor.open(path)
    hall.direct("rounds/current/publication")
    assert visitor.open(path).count('name="wish"') == 3
    assert visitor.send(f"{path}/wish", wish=["9", "9"]).status_code == 422
    visitor.sent(f"{path}/wish", wish=wanted)
    assert "You have said so" in visitor.open(path)
    (own,) = {*table(hall)} - {one.id for one in hall.people}
    for other in hall.people:
        wish(hall, other.id, [0, 1, 2] if method == "choice" else [0, 0, 0])
    hall.keep()
    assert table(hall)[2] == own
    assert f'action="{path}/wish"' not in visitor.open(path)

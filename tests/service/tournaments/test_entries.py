"""Who takes part: limits and the reserve, invitations, check-in, joining late, sitting out, double bookings."""

from flask import Flask

from tests.support.service.players import answer, problem, somebody
from tests.support.service.tournament_fixture import Hall

SWISS = {"format": "swiss", "rounds": 3, "sizes": [4, 3]}
HOUR = 3_600_000_000
NOON = 1_900_000_000_000_000


def statuses(hall: Hall) -> list[str]:
    return [one["status"] for one in hall.read("entrants")["entrants"]]


def test_a_late_entrant_stands_in_the_reserve_and_moves_up(app: Flask) -> None:
    hall = Hall(app, [SWISS], most=2).open(people=3)
    assert statuses(hall) == ["entered", "entered", "reserve"]
    hall.people[0].post(f"{hall.path}/entrants/1/withdrawal", {"reason": "Fever"})
    assert statuses(hall) == ["withdrawn", "entered", "entered"]


def test_nobody_enters_twice_but_who_withdrew_may_return(app: Flask) -> None:
    hall = Hall(app, [SWISS]).open(people=2)
    guest = hall.people[0]
    twice = guest.post(f"{hall.path}/entrants", {}, 409)
    assert (problem(twice), twice["reason"]) == ("entry_refused", "entered")
    guest.post(f"{hall.path}/entrants/1/withdrawal")
    guest.post(f"{hall.path}/entrants")
    assert statuses(hall) == ["entered", "entered"]


def test_a_tournament_by_invitation_is_for_who_is_invited(app: Flask) -> None:
    hall = Hall(app, [SWISS], entry="invited").open()
    anna, birgir = somebody(hall.client), somebody(hall.client)
    hall.direct("invitations", {"player": anna.id})
    anna.post(f"{hall.path}/entrants")
    assert birgir.post(f"{hall.path}/entrants", {}, 409)["reason"] == "not_invited"
    assert problem(hall.direct("invitations", {"player": "nobody"}, 404)) == "not_there"


def test_who_did_not_check_in_is_not_in_the_field(app: Flask) -> None:
    hall = Hall(app, [SWISS], check_in=True, least=3).open(people=4)
    for number, guest in enumerate(hall.people[:2], 1):
        guest.post(f"{hall.path}/entrants/{number}/check-in")
    assert problem(hall.direct("stages", status=409)) == "not_at_this_stage"
    hall.direct("entrants/3/check-in")
    hall.direct("stages")
    hall.direct("rounds")
    (table,) = hall.read("rounds/1")["tables"]
    assert sorted(seat["entrant"] for seat in table["seats"]) == [1, 2, 3]


def test_a_late_joiner_gets_byes_for_the_rounds_missed(app: Flask) -> None:
    hall = Hall(app, [SWISS], late_join=2, bots="random").open(bots=4)
    hall.direct("stages")
    hall.round()
    somebody(hall.client).post(f"{hall.path}/entrants")
    parts = hall.read("standings/5")["line"]["figures"][0]["parts"]
    assert [(part["round"], part["table"]) for part in parts] == [(1, None)]  # half of a win, by default
    hall.direct("rounds")
    second = hall.read("rounds/2")
    seated = {seat["entrant"] for table in second["tables"] for seat in table["seats"]}
    assert 5 in seated | {one["entrant"] for one in second["byes"]}
    assert somebody(hall.client).post(f"{hall.path}/entrants", {}, 409)["reason"] == "too_late"


def test_who_asked_for_a_round_off_is_not_paired_in_it(app: Flask) -> None:
    hall = Hall(app, [SWISS], bots="random").open(people=1, bots=4)
    hall.people[0].post(f"{hall.path}/entrants/1/absences", {"round": 1})
    hall.direct("stages")
    hall.direct("rounds")
    seated = {seat["entrant"] for table in hall.read("rounds/1")["tables"] for seat in table["seats"]}
    assert seated == {2, 3, 4, 5}
    assert hall.people[0].post(f"{hall.path}/entrants/1/absences", {"round": 1}, 409)["reason"] == "too_late"


def test_nobody_acts_for_another_entrant(app: Flask) -> None:
    hall = Hall(app, [SWISS]).open(people=2)
    refused = hall.people[0].post(f"{hall.path}/entrants/2/withdrawal", {}, 403)
    assert (problem(refused), refused["reason"]) == ("not_allowed", "not_yours")
    assert hall.people[0].post(f"{hall.path}/entrants/9/withdrawal", {}, 409)["reason"] == "no_such_entrant"
    assert problem(hall.people[0].post(f"{hall.path}/entrants", {"bot": True}, 403)) == "not_allowed"


def test_nobody_plays_in_two_places_at_once(app: Flask) -> None:
    one = Hall(app, [SWISS], starts=NOON, ends=NOON + 2 * HOUR).open(people=1)
    (guest,) = one.people
    clash = Hall(app, [SWISS], starts=NOON + HOUR, ends=NOON + 3 * HOUR).open()
    later = Hall(app, [SWISS], starts=NOON + 2 * HOUR, ends=NOON + 3 * HOUR).open()
    assert guest.post(f"{clash.path}/entrants", {}, 409)["reason"] == "double_booked"
    guest.post(f"{later.path}/entrants")
    guest.post(f"{one.path}/entrants/1/withdrawal")
    assert guest.post(f"{clash.path}/entrants", {}, 409)["reason"] == "double_booked"  # with the later one now


def test_bots_fill_tables_where_the_regulations_let_them(app: Flask) -> None:
    hall = Hall(app, [{**SWISS, "sizes": [4]}], bots="random").open(people=6)
    hall.direct("stages")
    preview = answer(hall.host.ask("GET", f"{hall.path}/rounds/next"), 200)
    assert len(hall.read("entrants")["entrants"]) == 6  # a preview writes nothing
    tables = hall.direct("rounds")["tables"]
    assert sorted(seat["bot"] or "" for table in tables for seat in table["seats"]) == [""] * 6 + ["random"] * 2
    shown = [[seat["player"] for seat in table["seats"]] for table in tables]
    assert [table["seats"] for table in preview["tables"]] == shown
    assert Hall(app, [SWISS]).open().direct("entrants", {"bot": True}, 409)["reason"] == "no_bots"


def test_forbidden_pairs_never_meet_and_too_many_cannot_be_seated(app: Flask) -> None:
    people = [somebody(app.test_client()) for _ in range(6)]
    ids = [person.id for person in people]
    pairs, foes = [[ids[0], ids[1]], [ids[2], ids[3]]], [[a, b] for a in ids[:3] for b in ids[:3] if a < b]
    hall, strict = (Hall(app, [{**SWISS, "sizes": [3]}], forbidden=forbidden).open() for forbidden in (pairs, foes))
    for person in people:
        person.post(f"{hall.path}/entrants")
        person.post(f"{strict.path}/entrants")
    hall.direct("stages")
    for table in hall.direct("rounds")["tables"]:
        together = {seat["player"] for seat in table["seats"]}
        assert not any(set(pair) <= together for pair in pairs)
    strict.direct("stages")
    assert problem(strict.direct("rounds", status=422)) == "cannot_pair"

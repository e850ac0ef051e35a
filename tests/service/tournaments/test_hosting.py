"""Tournaments go on by themselves: through restarts, beside others that are stuck, and when all come at once."""

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

from flask import Flask
from freezegun import freeze_time

from events.store.connections import connect
from service import settings
from service.container import open_container
from service.tournaments.scheduler import attend
from tests.service.conftest import Environ
from tests.support.service.players import Person, somebody
from tests.support.service.tournament_fixture import Hall
from workers.jobs import play_on
from workers.keeper.duty_context import KeeperContext
from workers.keeper.tournaments import AdvanceTournaments

HEATS = {"format": "heats", "rounds": 2, "sizes": [4, 3]}


def test_a_restart_in_the_middle_of_a_round_loses_and_doubles_nothing(app: Flask, environ: Environ) -> None:
    hall = Hall(app, [HEATS], bots="random").open(bots=8)
    hall.direct("stages")
    hall.start()
    first, second = hall.games()
    before = hall.container.game_commands.settle_time(first)
    play_on(hall.container, first, before.head.seq)  # as far as one job goes
    anew = open_container(settings.load(environ), "keeper")  # a process that knows nothing
    for game in (first, second):
        while (table := anew.game_commands.settle_time(game)).known.status == "running":
            play_on(anew, game, table.head.seq)
    with connect(environ["DATABASE_URL"]) as connection:
        for _ in range(2):
            attend(anew, connection, UUID(hall.id), anew.now())
    anew.close()
    kinds = [event["kind"] for event in hall.read("events")["events"]]
    assert (kinds.count("games_declared"), kinds.count("round_started"), kinds.count("result_recorded")) == (1, 1, 2)
    assert hall.direct("rounds/current/closing")["status"] == "closed"


def test_a_tournament_that_cannot_go_on_keeps_no_other_waiting(app: Flask, environ: Environ) -> None:
    few = Hall(app, [HEATS], bots="random", least=5, pace="automatic", starts=1).open(bots=3)
    well = Hall(app, [HEATS], bots="random", pace="automatic", starts=1).open(bots=4)
    hosting = AdvanceTournaments(KeeperContext(settings.load(environ), environ))
    with connect(environ["DATABASE_URL"]) as connection:
        hosting(connection)
        assert (few.read()["status"], well.read()["round_status"]) == ("open", "started")
        for _ in range(2):
            few.direct("entrants", {"bot": True})
        hosting(connection)
        assert few.read()["status"] == "open"  # asked again only after a while
        with freeze_time() as clock:
            clock.tick(11)
            hosting(connection)
    hosting.container.close()
    assert few.read()["round_status"] == "started"


def test_everybody_may_come_at_the_same_time(app: Flask) -> None:
    hall = Hall(app, [HEATS]).open()
    people = [somebody(hall.client) for _ in range(16)]

    def enter(person: Person) -> int:
        path = f"{hall.path}/entrants"
        headers = {"Authorization": f"Bearer {person.token}"}
        return app.test_client().post(path, json={}, headers=headers).status_code

    with ThreadPoolExecutor(8) as threads:
        assert {*threads.map(enter, people)} == {201}
    entrants = hall.read("entrants")["entrants"]
    assert [one["entrant"] for one in entrants] == list(range(1, 17))
    assert {one["player"] for one in entrants} == {person.id for person in people}


def test_game_that_cannot_be_settled_holds_up_no_result_of_its_round(app: Flask, environ: Environ) -> None:
    clock = {"kind": "per_move", "seconds": 60}
    with freeze_time("2026-11-18 12:00:00", ignore=["psycopg_pool"]) as time, connect(environ["DATABASE_URL"]) as hung:
        hall = Hall(app, [{"format": "heats", "rounds": 1, "sizes": [2]}], clock=clock, leaver="forfeit").open(people=4)
        hall.direct("stages")
        hall.start()
        locked, other = hall.games()
        time.tick(61)
        with hung.transaction():
            hung.execute("SELECT FROM games WHERE id = %s FOR UPDATE", (locked,))
            with connect(environ["DATABASE_URL"]) as connection:
                attend(hall.container, connection, UUID(hall.id), hall.container.now())
            recorded = [event["data"] for event in hall.read("events")["events"] if event["kind"] == "result_recorded"]
            assert [data["game"] for data in recorded] == [str(other)]
        attend(hall.container, hung, UUID(hall.id), hall.container.now())
    assert [event["kind"] for event in hall.read("events")["events"]].count("result_recorded") == 2

"""Notices of short clocks and of tables that end; bounds of what waits for browsers and mail servers."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

import pytest
from flask import Flask
from freezegun import freeze_time
from psycopg import Connection

from events.store.connections import connect
from service import settings
from service.container import Container
from service.core.errors import ServiceBusy
from service.mail.outbox import MOST_NOTICES, NOTICE, Mail, claim_mail, put_mail
from service.mail.texts import CONFIRM
from service.notices.push_queue import FAILURES, MOST_OF_BROWSER, MOST_OF_PLAYER, queue_push
from tests.service.conftest import Environ
from tests.support.service.held_accounts import asked_meanwhile
from tests.support.service.mail_duty import run_duty
from tests.support.service.noticed_players import PUSH, Phone, Player, begun, pass_time
from tests.support.service.players import answer
from tests.support.service.push_fixtures import app, phones
from tests.support.service.shared_fixtures import environ
from tests.support.service.webhook_receiver import Receiver
from workers.keeper.duty_context import KeeperContext
from workers.keeper.notices import CollectNotices, SendPushes
from workers.keeper.open_tables import AnnounceExpiries

__all__ = ["app", "environ", "phones"]
MINUTE: Final = 60_000_000
DAY: Final = 1_440 * MINUTE
LATE: Final = 10**17
BROWSER: Final = """
INSERT INTO push_subscriptions (id, player, sealed, hash, language, created) VALUES (%s, %s, 'sealed', 'hash', 'en', %s)
"""
CLOCK: Final = "UPDATE games SET deadline = %s, changed = %s WHERE id = %s"


@pytest.fixture
def database(environ: Environ) -> Iterator[Connection]:
    """A connection of the service."""
    with connect(environ["DATABASE_URL"]) as connection:
        yield connection


def said(title: str) -> Callable[[str], Mapping[str, str]]:
    """A message that is the same in each language."""
    return lambda _language: {"title": title}


def here(app: Flask) -> Container:
    found: Container = app.extensions["cabildo"]
    return found


def subscribed(app: Flask, name: str, endpoint: str, *kinds: str) -> tuple[Player, Phone]:
    """A player who wants some notices on a phone."""
    player, phone = Player(app, name), Phone(endpoint)
    player.wants(notify={kind: ["push"] for kind in kinds})
    assert player.browser.ask("POST", PUSH, phone.body).status_code == 204
    return player, phone


@pytest.mark.parametrize(
    ("left", "passed", "told"),
    [(10, 31, 1), (30, 35, 0), (50, 600, 1), (70, 6_000, 0), (0.2, 0.7, 0), (0.4, 1.3, 1)],
    ids=["last quarter", "third quarter", "last hour", "before the last hour", "first minute", "fast clock"],
)
def test_the_last_part_of_a_turn_is_told(
    app: Flask, environ: Environ, phones: Receiver, database: Connection, left: float, passed: float, told: int
) -> None:
    anna, _ = subscribed(app, "Anna", f"{phones.url}clock", "time")
    game, birgir = begun(app, anna)
    birgir.move(game, "play create_2")
    now = here(app).now()
    database.execute(CLOCK, (now + int(left * MINUTE), now - int(passed * MINUTE), game))
    for duty in (CollectNotices, SendPushes):
        run_duty(environ, duty)
    assert len(phones.heard) == told


@pytest.mark.parametrize("seat", ["me", "here:Anna"])
def test_an_open_page_hears_once_that_time_runs_out(
    app: Flask, environ: Environ, database: Connection, seat: str
) -> None:
    host = Player(app, "Host")
    host.wants(notify={"time": ["tab"]})
    game = host.person.create(seat, "open", start_player=0)["id"]
    Player(app, "Birgir").person.join(game)
    with closing(here(app).followed_players.enter(host.person.id, waiting=False)) as stream:
        stream.after(0)
        now = here(app).now()
        database.execute(CLOCK, (now + 10 * MINUTE, now - 31 * MINUTE, game))
        for duty in (CollectNotices, SendPushes):
            run_duty(environ, duty)
        told = [json.loads(item.document) for item in stream.after(0) if item.kind == "time_runs_out"]
        assert [item["game"] for item in told] == [game]
        assert [item for item in stream.after(0) if item.kind == "time_runs_out"] == []


def idle_table(environ: Environ, host: Player) -> str:
    """A table whose end the keeper has announced."""
    game: str = host.person.create("me", "open")["id"]
    with freeze_time(datetime.now(UTC) + timedelta(days=13)):
        run_duty(environ, AnnounceExpiries)
    return game


def test_the_end_of_an_open_table_is_told_by_its_own_kind(app: Flask, environ: Environ, phones: Receiver) -> None:
    anna, phone = subscribed(app, "Anna", f"{phones.url}expires", "expires")
    clock, _ = subscribed(app, "Carla", f"{phones.url}time", "time")
    pass_time(environ)
    for player in (anna, clock):
        idle_table(environ, player)
    pass_time(environ)
    ((path, _, body),) = phones.heard
    assert path == "/expires"
    assert phone.read(body)["title"].endswith("your open table ends soon, unless others sit down.")


def test_a_table_that_fills_is_told_of_no_more(app: Flask, environ: Environ, phones: Receiver) -> None:
    anna, _ = subscribed(app, "Anna", f"{phones.url}fills", "expires")
    pass_time(environ)
    game = idle_table(environ, anna)
    Player(app, "Birgir").person.join(game)
    pass_time(environ)
    assert phones.heard == []


def test_players_whose_notices_are_due_are_told_in_one_step(app: Flask, environ: Environ, database: Connection) -> None:
    due = "INSERT INTO notices (player, stream, what, due) VALUES (%s, %s, 'over', 0)"
    for name in ("Anna", "Birgir", "Carla"):
        database.execute(due, (Player(app, name).person.id, uuid4()))
    context = KeeperContext(settings.load(environ), environ)
    try:
        assert CollectNotices(context)(database) is False
    finally:
        context.close()
    assert database.execute("SELECT count(*) FROM notices WHERE told IS NULL").fetchone() == (0,)


def test_few_messages_wait_for_a_browser_and_the_newest_stay(
    app: Flask, phones: Receiver, database: Connection
) -> None:
    anna, _ = subscribed(app, "Anna", f"{phones.url}many")
    player = UUID(anna.person.id)
    for number in range(MOST_OF_BROWSER + 3):
        queue_push(database, number * 1_000, LATE, player, said(str(number)))
    waiting = "SELECT body FROM push_messages JOIN push_subscriptions AS s ON s.id = subscription WHERE player = %s"
    titles = sorted(int(body["title"]) for (body,) in database.execute(waiting, (player,)))
    assert titles == [*range(3, MOST_OF_BROWSER + 3)]


def test_browsers_that_subscribe_at_once_are_no_more_than_a_player_has(app: Flask, environ: Environ) -> None:
    anna = Player(app, "Anna")
    for number in range(MOST_OF_PLAYER):
        assert anna.browser.ask("POST", PUSH, Phone(f"http://127.0.0.1/{number}").body).status_code == 204
    stored = (uuid4(), anna.person.id, LATE)
    last = Phone("http://127.0.0.1/last").body
    told = asked_meanwhile(environ, anna.person.id, BROWSER, stored, lambda: anna.browser.ask("POST", PUSH, last))
    assert told.status_code == 204
    assert answer(anna.browser.ask("GET", PUSH), 200)["browsers"] == MOST_OF_PLAYER


def test_a_browser_that_fails_for_long_is_dropped(
    app: Flask, environ: Environ, phones: Receiver, database: Connection
) -> None:
    anna, _ = subscribed(app, "Anna", f"{phones.url}failing")
    failing = "UPDATE push_subscriptions SET failures = %s, failing_since = %s WHERE player = %s"

    def fail_after(failures: int, since: int | None, *statuses: int) -> int:
        """Sends a message after some failures; the browsers that are left."""
        database.execute(failing, (failures, since, anna.person.id))
        queue_push(database, 0, LATE, UUID(anna.person.id), said("x"))
        phones.statuses.extend(statuses)
        run_duty(environ, SendPushes)
        return int(answer(anna.browser.ask("GET", PUSH), 200)["browsers"])

    now = here(app).now()
    assert fail_after(0, None, 503) == 1
    assert fail_after(FAILURES, now - DAY // 2, 503) == 1
    assert fail_after(FAILURES, now - 2 * DAY) == 1  # it took one
    row = database.execute("SELECT failures FROM push_subscriptions WHERE player = %s", (anna.person.id,)).fetchone()
    assert row == (0,)
    assert fail_after(FAILURES - 1, now - 2 * DAY, 503) == 0


def test_codes_have_room_beside_notices_and_go_first(app: Flask, database: Connection) -> None:
    player = UUID(Player(app, "Anna").person.id)

    def put(kind: str) -> None:
        put_mail(database, here(app).vault, 0, Mail(player, kind, "anna@example.org", "en", {}, LATE))

    for _ in range(MOST_NOTICES):
        put(NOTICE)
    with pytest.raises(ServiceBusy):
        put(NOTICE)
    put(CONFIRM)
    claimed = claim_mail(database, 1)
    assert claimed is not None
    assert claimed.kind == CONFIRM


def test_subscribing_costs_what_looking_up_a_name_costs(app: Flask, phones: Receiver) -> None:
    stored = Player(app, "Anna").browser.ask("POST", PUSH, Phone(f"{phones.url}cost").body)
    assert (stored.status_code, stored.headers["RateLimit-Cost"]) == (204, "20")

"""Streams end when a text of what they follow is hidden or shown, so that their readers read it again."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import Final
from uuid import UUID

import httpx
import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient

from events.store.connections import connect
from service.container import Container
from service.live.delivery.follower import Following
from service.live.event_cache import EventCache
from service.live.protocol import TextsChanged
from service.live.study_source import study_source
from service.live.text_watch import TextWatch
from service.web.routing import EXTENSION
from tests.service.conftest import Environ
from tests.service.live.test_access import last, opened
from tests.service.live.test_streams import NDJSON, SSE, Server, web_server
from tests.service.moderation.test_hidden_texts import hide, show
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.administrators import administrator
from tests.support.service.annotators import a_running_game, begin
from tests.support.service.followed_streams import wait_for_item
from tests.support.service.players import Person, somebody
from tests.support.service.shared_fixtures import app, client, environ
from tests.support.service.tournament_fixture import Hall

__all__ = ["app", "client", "environ"]  # shared by the tests of this module
CLOSED: Final = "texts_changed"
CLOCK: Final = {"kind": "per_move", "seconds": 600}
STAGE: Final = {"format": "swiss", "rounds": 1, "sizes": [2]}


@pytest.fixture(scope="module")
def server(environ: Environ, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The web server of two processes that these tests share."""
    with web_server(environ, tmp_path_factory.mktemp("web") / "log") as running:
        yield running


@pytest.fixture(scope="module")
def here(app: Flask) -> Container:
    container: Container = app.extensions[EXTENSION]
    return container


@pytest.fixture(scope="module")
def admin(app: Flask) -> Person:
    return administrator(app)


@pytest.mark.parametrize("form", [SSE, NDJSON])
def test_streams_in_all_processes_end_when_a_text_is_hidden(
    app: Flask, client: FlaskClient, server: Server, admin: Person, form: dict[str, str]
) -> None:
    study = begin(somebody(client), title="Rude", visibility="public")
    hall = Hall(app, [STAGE], clock=CLOCK).open(2)
    hall.direct("stages")
    hall.start()
    game = hall.games()[0]
    hall.direct("rulings/time", {"round": 1, "table": 1, "entrant": 1, "seconds": 5, "reason": "Rude"})
    hall.keep()  # brings the reason into the game
    event = hall.read("rulings")["rulings"][0]["event"]
    of_game = f"/v1/games/{game}/events"
    paths = (f"{hall.path}/events", of_game, f"{of_game}?items=steps")
    with ExitStack() as exits:
        streams = [opened(exits, f"{server[1]}{study.path}/changes", form) for _ in range(4)]
        others = [opened(exits, server[1] + path, form) for path in paths]
        hide(admin, "study", study.id)
        assert [last(lines) for lines in streams] == [{"closed": CLOSED, "next": 1}] * 4
        hide(admin, "reason", hall.id, event)
        assert [last(lines)["closed"] for lines in others] == [CLOSED] * 3
        of_table = opened(exits, server[1] + of_game, form)  # its summary tells the title of the tournament
        hide(admin, "tournament", hall.id)
        assert last(of_table)["closed"] == CLOSED
        again = opened(exits, f"{server[1]}{study.path}/changes?after=0", form)
        show(admin, "study", study.id)
        assert last(again) == {"closed": CLOSED, "next": 1}


def test_long_poll_ends_when_a_text_is_hidden(client: FlaskClient, here: Container, admin: Person) -> None:
    study = begin(somebody(client), title="Rude", visibility="public")
    find = partial(study_source, here.event_cache, here.studies, UUID(study.id), None)
    over = wait_for_item(here, Following(None, find), 1, 10 * PATIENCE)
    assert not over(0.2)
    hide(admin, "study", study.id)
    assert over(PATIENCE)


def test_new_followers_share_no_document_from_before_a_text_was_hidden(
    client: FlaskClient, here: Container, admin: Person
) -> None:
    study = begin(somebody(client), title="Rude", visibility="public")
    with here.event_cache.on(UUID(study.id)) as before:
        before.after(0)
        hide(admin, "study", study.id)
        assert eventually(lambda: before.stale)
        with pytest.raises(TextsChanged):
            before.after(0)
        with here.event_cache.on(UUID(study.id)) as after:
            assert after is not before
            assert [event.seq for event in after.after(0)] == [1]


def test_a_watch_finds_a_change_without_an_announcement(client: FlaskClient, here: Container, admin: Person) -> None:
    study = begin(somebody(client), title="Rude", visibility="public")
    watch = TextWatch(here.stores.pool, here.pubsub, check_seconds=0.1)
    cache = EventCache(here.studies.store, here.pubsub, watch)
    with cache.on(UUID(study.id)) as feed:
        feed.after(0)
        with connect(here.settings.database_url) as database:
            database.execute(
                "INSERT INTO hidden_texts SELECT stream, 'study', 0, hash, 0 FROM texts WHERE stream = %s", (study.id,)
            )
        assert eventually(lambda: feed.stale)


def test_no_fault_stops_the_watch(
    client: FlaskClient, here: Container, admin: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = begin(somebody(client), title="Rude", visibility="public")
    watch = TextWatch(here.stores.pool, here.pubsub, check_seconds=0.1)
    faults, check = [RuntimeError("once"), psycopg.OperationalError("once")], watch.check

    def faulty() -> None:
        if faults:
            raise faults.pop()
        check()

    monkeypatch.setattr(watch, "check", faulty)
    with EventCache(here.studies.store, here.pubsub, watch).on(UUID(study.id)) as feed:
        feed.after(0)
        assert eventually(lambda: not faults)
        hide(admin, "study", study.id)
        assert eventually(lambda: feed.stale)


def test_a_stream_goes_on_where_nothing_was_hidden(client: FlaskClient, server: Server, admin: Person) -> None:
    game, first, _ = a_running_game(client)
    study = begin(first, title="Rude", visibility="public")
    with ExitStack() as exits:
        going_on = opened(exits, f"{server[1]}/v1/games/{game}/events?after=0", NDJSON)
        ended = opened(exits, f"{server[1]}{study.path}/changes", NDJSON)
        hide(admin, "study", study.id)
        assert last(ended)["closed"] == CLOSED
        first.post(f"/v1/games/{game}/abort")
        assert httpx.get(f"{server[1]}/healthz", timeout=PATIENCE).status_code == 200
        assert '"offer_made"' in next(line for line in going_on if '"kind":"offer_made"' in line)

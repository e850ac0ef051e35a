"""The sender of webhooks: deadlines, one slot for each owner, a bounded backlog, and hooks that are switched off."""

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.core.clock import SECOND
from service.live.player_source import newest_news
from service.web.routing import EXTENSION
from service.webhooks import addresses, slots
from service.webhooks.send import CALL_SECONDS, connection_to
from service.webhooks.slots import FAILING_FOR, LEASE, LEAST_ATTEMPTS, PAUSES
from tests.service.conftest import Environ
from tests.service.webhooks.test_webhooks import named, told
from tests.support.running_program import eventually
from tests.support.service.players import Person, problem, somebody
from tests.support.service.tournament_fixture import Hall
from tests.support.service.webhook_receiver import (
    Receiver,
    carry,
    dripping,
    queue_news,
    receiving,
    send_due,
    wait_in_hook,
    working,
)

HEADER = b"HTTP/1.1 200 OK\r\nX-Drip: "
BODY = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
ENDLESS = b"HTTP/1.1 200 OK\r\n\r\n" + bytes(400_000)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver that listens."""
    with receiving() as server:
        yield server


@pytest.fixture
def environ(environ: Environ) -> Environ:
    """A service that calls any address, for the receivers of these tests are on this machine."""
    return {**environ, "CABILDO_WEBHOOKS": "anywhere"}


def hook_with_test(person: Person, url: str) -> dict[str, Any]:
    """Creates a webhook in which a test waits."""
    hook = named(person, url)
    person.post(f"/v1/webhooks/{hook['id']}/test", status=202)
    return hook


def container_of(app: Flask) -> Container:
    container: Container = app.extensions[EXTENSION]
    return container


def silent_port() -> int:
    """Returns a port on which no server listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def test_dripping_header_ends_a_call_and_delays_no_other_owner(
    client: FlaskClient, environ: Environ, receiver: Receiver
) -> None:
    anna, birgir = somebody(client), somebody(client)
    with dripping(HEADER, b"x") as dripper, working(environ):
        slow = hook_with_test(anna, dripper.url)
        assert eventually(lambda: dripper.calls == 1)
        quick = hook_with_test(birgir, receiver.url)
        assert eventually(lambda: bool(told(birgir, quick)["delivered"] and told(anna, slow)["failed"]))
    assert told(anna, slow)["error"] == "test, attempt 1: no answer within 10 s"
    assert told(birgir, quick)["delivered"] < told(anna, slow)["failed"]


def test_looking_up_the_name_counts_towards_the_deadline_of_a_call() -> None:
    async def called(url: str) -> tuple[str | None, float]:
        began = asyncio.get_running_loop().time()
        where = addresses.target(url, anywhere=True)
        async with connection_to(where, began - CALL_SECONDS + 1) as receiver:  # the name took nine seconds
            fault = await receiver.post(b"{}", {})
        return fault, asyncio.get_running_loop().time() - began

    with dripping(HEADER, b"x") as dripper:
        fault, seconds = asyncio.run(called(dripper.url))
    assert fault == "no answer within 10 s"
    assert seconds < CALL_SECONDS


@pytest.mark.parametrize("at_once", [BODY, ENDLESS])
def test_dripping_or_endless_body_is_left_and_its_message_arrived(
    app: Flask, client: FlaskClient, at_once: bytes
) -> None:
    anna = somebody(client)
    with dripping(at_once, b"x") as dripper:
        hook = hook_with_test(anna, dripper.url)
        assert (send_due(app), send_due(app)) == (1, 0)
        assert dripper.calls == 1
    assert told(anna, hook)["failed"] is None
    assert told(anna, hook)["waiting"] == 0


def test_owner_has_one_slot_whatever_the_number_of_hooks(app: Flask, client: FlaskClient) -> None:
    anna, here = somebody(client), container_of(app)
    for _ in range(3):
        hook_with_test(anna, "http://127.0.0.1:9/")
    now = here.now()
    with here.stores.pool.connection() as first, here.stores.pool.connection() as second:
        (slot,) = slots.claim(first, now, 10, 10)
        assert slots.claim(second, now, 10, 10) == []
        (again,) = slots.claim(second, now + LEASE, 10, 10)  # its process is dead
        assert again.holder != slot.holder
        slots.release(first, slot, slow=False)  # it holds nothing any more
        assert slots.claim(first, now + LEASE, 10, 10) == []


def test_slow_receivers_leave_slots_to_quick_ones(app: Flask, client: FlaskClient) -> None:
    slow, quick, here = [somebody(client) for _ in range(3)], somebody(client), container_of(app)
    for person in slow:
        hook_with_test(person, "http://127.0.0.1:9/")
    now = here.now()
    with here.stores.pool.connection() as connection:
        for slot in slots.claim(connection, now, 10, 10):
            slots.release(connection, slot, slow=True)
        hook_with_test(quick, "http://127.0.0.1:9/")
        claimed = slots.claim(connection, here.now(), 10, 1)
    assert sorted(slot.slow for slot in claimed) == [False, True]
    assert str(claimed[0].player) == quick.id or str(claimed[1].player) == quick.id


def test_outcome_of_a_call_whose_slot_was_lost_schedules_nothing(app: Flask, client: FlaskClient) -> None:
    anna, here = somebody(client), container_of(app)
    hook = hook_with_test(anna, "http://127.0.0.1:9/")
    now = here.now()
    with here.stores.pool.connection() as connection:
        (slot,) = slots.claim(connection, now, 10, 10)
        assert not slots.record(connection, now + LEASE, slot, (), slots.DeliveryFailure("test", "late")).held
        assert told(anna, hook)["failed"] is None
        slots.record(connection, now + LEASE, slot, (-1,))
    assert told(anna, hook)["waiting"] == 0  # what arrived is not sent again


def test_message_of_a_killed_worker_is_sent_again(app: Flask, client: FlaskClient, environ: Environ) -> None:
    anna = somebody(client)
    with socket.create_server(("127.0.0.1", 0)) as hung, working(environ) as worker:
        hook = hook_with_test(anna, f"http://127.0.0.1:{hung.getsockname()[1]}/")
        call, _ = hung.accept()
        assert call.recv(4) == b"POST"
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        call.close()
    assert told(anna, hook)["waiting"] == 1
    assert send_due(app) == 0  # until the slot of the dead worker is free
    assert send_due(app, LEASE // SECOND + 1) == 1
    assert told(anna, hook)["error"].startswith("test, attempt 1: ConnectError")


def test_order_is_kept_and_a_failure_holds_back_what_follows(
    app: Flask, client: FlaskClient, receiver: Receiver
) -> None:
    anna = somebody(client)
    hook = named(anna, receiver.url)
    wait_in_hook(app, hook["id"], range(1, 121))
    receiver.statuses = [204] * 30 + [500]
    send_due(app)
    assert [said["number"] for said in receiver.bodies()] == list(range(1, 32))
    assert told(anna, hook)["waiting"] == 90
    send_due(app, PAUSES[0] + 1)
    assert [said["number"] for said in receiver.bodies()[31:]] == list(range(31, 121))
    assert told(anna, hook)["waiting"] == 0


def test_oldest_messages_beyond_the_bound_are_dropped_and_counted(
    app: Flask, client: FlaskClient, receiver: Receiver
) -> None:
    anna = somebody(client)
    hook = named(anna, receiver.url)
    wait_in_hook(app, hook["id"], range(-5, 0))
    somebody(client).create("me", anna.id)
    queue_news(app, most=3)
    shown = told(anna, hook)
    assert (shown["waiting"], shown["dropped"]) == (3, 3)
    send_due(app)
    assert [said["number"] for said in receiver.bodies()][:2] == [-2, -1]
    assert told(anna, hook)["waiting"] == 0


def failing_for_three_days(app: Flask, person: Person, hook: dict[str, Any]) -> int:
    """Tries a webhook until the service switches it off; returns how many attempts that took."""
    person.post(f"/v1/webhooks/{hook['id']}/test", status=202)
    later, attempts = 0, 0
    while not told(person, hook)["off"]:
        assert send_due(app, later) == 1
        attempts += 1
        later += PAUSES[min(attempts, len(PAUSES)) - 1] + 1
    return attempts


def test_hook_that_fails_for_three_days_is_switched_off_with_notice(
    app: Flask, client: FlaskClient, receiver: Receiver
) -> None:
    anna, birgir, here = somebody(client), somebody(client), container_of(app)
    hook = named(anna, f"http://127.0.0.1:{silent_port()}/")
    assert failing_for_three_days(app, anna, hook) >= max(LEAST_ATTEMPTS, FAILING_FOR // SECOND // PAUSES[-1])
    shown = told(anna, hook)
    assert (shown["off_because"], shown["waiting"], shown["dropped"]) == ("failing", 0, 1)
    with here.stores.pool.connection() as connection:
        newest = newest_news(connection, anna.id)
    with closing(here.followed_players.enter(anna.id, waiting=True)) as source:
        assert [(item.kind, hook["id"] in item.document) for item in source.after(newest)] == [("webhook_off", True)]
        assert list(source.after(newest)) == []
    birgir.create("me", anna.id)
    queue_news(app)
    assert told(anna, hook)["waiting"] == 0
    refused = anna.post(f"/v1/webhooks/{hook['id']}/test", status=422)
    assert refused["reason"] == "switched_off"
    on = anna.post(f"/v1/webhooks/{hook['id']}/on", status=200)
    assert (on["off"], on["failing_since"]) == (None, None)
    birgir.create("me", anna.id)
    queue_news(app)
    assert told(anna, hook)["waiting"] == 1  # what happened while it was off is not sent


def test_right_to_a_tournament_is_judged_before_messages_are_sent(app: Flask, receiver: Receiver) -> None:
    hall = Hall(app, [{"format": "swiss", "rounds": 1, "sizes": [3]}])
    director = somebody(hall.client)
    hall.direct("directors", {"player": director.id})
    hook = named(director, receiver.url, tournament=hall.id)
    assert hall.host.ask("DELETE", f"/v1/tournaments/{hall.id}/directors/{director.id}").status_code == 200
    carry(app)
    assert receiver.heard == []
    shown = told(director, hook)
    assert (shown["off_because"], shown["waiting"]) == ("no_access", 0)
    assert problem(director.post(f"/v1/webhooks/{hook['id']}/on", status=404)) == "not_there"


def test_webhook_ends_with_the_token_that_created_it(app: Flask, client: FlaskClient, receiver: Receiver) -> None:
    anna = somebody(client)
    lasting, brief = anna.token, anna.post("/v1/tokens", {"label": "", "scopes": ["play"], "seconds": 60})["token"]
    anna.token = brief
    hook = hook_with_test(anna, receiver.url)
    assert hook["expires"] is not None
    anna.token = lasting
    send_due(app, 61)
    assert receiver.heard == []
    assert (told(anna, hook)["off_because"], told(anna, hook)["dropped"]) == ("expired", 1)
    assert anna.post(f"/v1/webhooks/{hook['id']}/on", status=200)["expires"] is None
    anna.post(f"/v1/webhooks/{hook['id']}/test", status=202)
    send_due(app, 61)
    assert len(receiver.heard) == 1


@pytest.fixture
def stuck_resolver(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A resolver of names whose name server does not answer."""
    answered, real = threading.Event(), socket.getaddrinfo

    def resolve(host: Any, *arguments: Any, **more: Any) -> Any:
        if host == "tarpit.example":
            answered.wait()
            raise OSError
        return real(host, *arguments, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(addresses, "RESOLVE_SECONDS", 0.5)
    yield
    answered.set()


@pytest.mark.usefixtures("stuck_resolver")
def test_name_that_is_not_resolved_in_time_is_refused(app: Flask, client: FlaskClient) -> None:
    anna = somebody(client)
    refused = anna.post("/v1/webhooks", {"url": "http://tarpit.example/"}, 422)
    assert (problem(refused), refused["reason"]) == ("webhook_refused", "slow_name")


@pytest.mark.usefixtures("stuck_resolver")
def test_names_that_are_resolved_at_once_are_bounded(monkeypatch: pytest.MonkeyPatch, client: FlaskClient) -> None:
    monkeypatch.setattr(addresses, "_resolving", threading.BoundedSemaphore(1))
    anna = somebody(client)
    reasons = [anna.post("/v1/webhooks", {"url": "http://tarpit.example/"}, 422)["reason"] for _ in range(2)]
    assert reasons == ["slow_name", "resolver_busy"]

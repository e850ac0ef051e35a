"""Webhooks: news arrive signed, again until they arrive, and never at an address that is not everybody's."""

import base64
import hashlib
import hmac
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from flask import Flask
from flask.testing import FlaskClient

from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.read_models.registry import advance_all
from service import settings
from service.app import create_app
from service.webhooks.commands import MOST_TESTS
from service.webhooks.slots import PAUSES
from tests.service.conftest import Environ
from tests.service.live.test_streams import two_at_a_table
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.players import Person, answer, problem, somebody
from tests.support.service.tournament_fixture import Hall
from tests.support.service.webhook_receiver import Receiver, carry, receiving, send_due, working
from workers.keeper.duty_context import KeeperContext
from workers.keeper.webhooks import QueueWebhookMessages


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver that listens."""
    with receiving() as server:
        yield server


@pytest.fixture
def environ(environ: Environ) -> Environ:
    """A service that calls any address, because the receivers of these tests are local."""
    return {**environ, "CABILDO_WEBHOOKS": "anywhere"}


def named(person: Person, url: str, **more: Any) -> dict[str, Any]:
    """A player's webhook."""
    return person.post("/v1/webhooks", {"url": url, **more})


def told(person: Person, hook: dict[str, Any]) -> dict[str, Any]:
    """How a webhook stands."""
    return answer(person.ask("GET", f"/v1/webhooks/{hook['id']}"), 200)


def test_a_player_gets_signed_messages_of_start_turn_and_end(
    app: Flask, client: FlaskClient, receiver: Receiver
) -> None:
    anna, birgir = somebody(client), somebody(client)
    hook = named(anna, f"http://127.0.0.1:{receiver.port}/news?of=anna")
    assert hook["secret"].startswith("whsec_")
    game = anna.create("me", "open", start_player=0, leaver="forfeit")["id"]
    birgir.join(game)
    assert carry(app) == 1
    birgir.post(f"/v1/games/{game}/resign")
    assert (carry(app), carry(app)) == (1, 0)
    assert [(said["type"], said["game"]) for said in receiver.bodies()] == [
        ("game_started", game),
        ("your_turn", game),
        ("game_over", game),
    ]
    secret = base64.b64decode(hook["secret"].removeprefix("whsec_"))
    for path, headers, body in receiver.heard:
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        mac = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
        assert (path, headers["webhook-signature"]) == ("/news?of=anna", f"v1,{mac}")
    assert len({headers["webhook-id"] for _, headers, _ in receiver.heard}) == 3
    assert told(anna, hook)["delivered"]


def test_undelivered_messages_are_retried_with_back_off(app: Flask, client: FlaskClient, receiver: Receiver) -> None:
    anna = somebody(client)
    hook = named(anna, f"http://127.0.0.1:{receiver.port}/")
    receiver.statuses = [500, 302]
    anna.post(f"/v1/webhooks/{hook['id']}/test", status=202)
    assert (carry(app), carry(app), carry(app, PAUSES[0] - 1)) == (1, 0, 0)
    assert told(anna, hook)["error"] == "test, attempt 1: the answer was 500"
    assert (carry(app, PAUSES[0] + 1), carry(app, PAUSES[0] + 1)) == (1, 0)
    assert told(anna, hook)["error"] == "test, attempt 2: the answer was 302"
    assert told(anna, hook)["waiting"] == 1
    assert carry(app, PAUSES[0] + PAUSES[1] + 2) == 1
    shown = told(anna, hook)
    assert (shown["waiting"], shown["delivered"] is not None) == (0, True)
    assert [path for path, _, _ in receiver.heard] == ["/"] * 3  # redirections are not followed
    assert len({headers["webhook-id"] for _, headers, _ in receiver.heard}) == 1


def test_a_player_has_a_bounded_number_of_webhooks_and_of_tests_that_wait(client: FlaskClient) -> None:
    anna = somebody(client)
    most = answer(anna.ask("GET", "/v1/me"), 200)["quotas"]["webhooks"]["limit"]
    for _ in range(most):
        hook = named(anna, "http://127.0.0.1:9/")
    assert problem(anna.post("/v1/webhooks", {"url": "http://127.0.0.1:9/"}, 422)) == "quota_reached"
    for _ in range(MOST_TESTS):
        anna.post(f"/v1/webhooks/{hook['id']}/test", status=202)
    assert anna.post(f"/v1/webhooks/{hook['id']}/test", status=422)["reason"] == "too_many"


def test_a_webhook_that_is_sent_for_twice_or_late_is_told_once(
    app: Flask, client: FlaskClient, receiver: Receiver
) -> None:
    anna = somebody(client)
    hook = named(anna, receiver.url)
    anna.post(f"/v1/webhooks/{hook['id']}/test", status=202)
    assert [send_due(app) for _ in range(3)] == [1, 0, 0]
    assert len(receiver.heard) == 1


def test_an_absent_address_is_tried_once_then_gets_all_in_order(
    app: Flask, client: FlaskClient, receiver: Receiver
) -> None:
    game, first, second = two_at_a_table(client)
    carry(app)
    hook = named(second, f"http://127.0.0.1:{receiver.port}/")
    receiver.statuses = [503]
    for number in range(3):
        first.move(game, ("play create_2", "rest", "play create_2")[number])
        assert carry(app) == (0 if number else 1)
        second.move(game, ("play create_2", "rest", "play create_2")[number])
    assert (len(receiver.heard), told(second, hook)["waiting"]) == (1, 3)
    assert carry(app, PAUSES[0] + 1) == 1
    versions = [said["version"] for said in receiver.bodies()]
    assert versions[0] == versions[1]
    assert versions[1:] == sorted(set(versions))
    assert told(second, hook)["waiting"] == 0


def test_keeper_and_worker_carry_it_together(
    client: FlaskClient, environ: Environ, receiver: Receiver, tmp_path: Path
) -> None:
    game, first, second = two_at_a_table(client)
    named(second, receiver.url)
    first.move(game, "play create_2")
    with connect(environ["DATABASE_URL"]) as connection:
        while sequence_once(connection) or advance_all(connection):
            pass
        duty = QueueWebhookMessages(KeeperContext(settings.load(environ), environ))
        assert duty(connection) is False
    duty.container.close()
    with working(environ) as worker:
        assert eventually(lambda: {("your_turn", game)} <= {(said["type"], said["game"]) for said in receiver.bodies()})
        worker.terminate()
        assert worker.wait(PATIENCE) == 0


def test_a_tournament_is_followed_event_by_event_by_who_may_know_of_it(app: Flask, receiver: Receiver) -> None:
    hall = Hall(app, [{"format": "swiss", "rounds": 1, "sizes": [3]}])
    url = f"http://127.0.0.1:{receiver.port}/"
    stranger = somebody(hall.client)
    refused = stranger.post("/v1/webhooks", {"url": url, "tournament": hall.id}, 404)  # a draft is its directors'
    assert problem(refused) == "not_there"
    carry(app)
    named(hall.host, url, tournament=hall.id)
    hall.open(people=1)
    carry(app)
    said = receiver.bodies()
    assert {body["tournament"] for body in said} == {hall.id}
    assert [body["version"] for body in said] == sorted(body["version"] for body in said)
    assert said[0]["type"] == "tournament_published"
    assert len(said) > 1


def test_a_game_is_followed_event_by_event_by_who_may_know_of_it(app: Flask, receiver: Receiver) -> None:
    client, url = app.test_client(), f"http://127.0.0.1:{receiver.port}/"
    host, stranger = somebody(client), somebody(client)
    hidden = host.create("me", "open", visibility="private")["id"]
    delayed = host.create("me", "bot:random", spectator_delay=5)["id"]
    game = host.create("me", "open")["id"]
    assert problem(stranger.post("/v1/webhooks", {"url": url, "game": hidden}, 404)) == "not_there"
    assert problem(stranger.post("/v1/webhooks", {"url": url, "game": delayed}, 403)) == "not_allowed"
    both = stranger.post("/v1/webhooks", {"url": url, "game": game, "tournament": game}, 422)
    assert "game" in both["errors"]["json"]
    carry(app)
    assert named(stranger, url, game=game)["game"] == game
    host.post(f"/v1/games/{game}/abort")
    carry(app)
    said = receiver.bodies()
    assert {body["game"] for body in said} == {game}
    assert [body["version"] for body in said] == sorted(body["version"] for body in said)
    assert "game_aborted" in {body["type"] for body in said}


def test_players_of_a_tournament_are_told_that_their_table_waits(app: Flask, receiver: Receiver) -> None:
    no_show = {"minutes": 10, "then": "leaver"}
    hall = Hall(app, [{"format": "swiss", "rounds": 1, "sizes": [3]}], no_show=no_show).open(people=3)
    for person in hall.people:
        named(person, f"http://127.0.0.1:{receiver.port}/")
    hall.direct("stages")
    hall.start()
    assert carry(app) == 3
    game = str(hall.games()[0])
    assert [(said["type"], said["game"]) for said in receiver.bodies()] == [("seat_kept", game)] * 3
    for person in hall.people:
        person.join(game)
    while carry(app):
        pass
    assert [said["type"] for said in receiver.bodies()[3:]].count("game_started") == 3
    assert receiver.bodies()[-1]["game"] == game


def test_a_webhook_secret_is_shown_once_and_deleted_with_its_owner(
    app: Flask, client: FlaskClient, environ: Environ, receiver: Receiver
) -> None:
    anna, birgir = somebody(client), somebody(client)
    hook = named(anna, f"http://127.0.0.1:{receiver.port}/")
    assert "secret" not in told(anna, hook)
    assert birgir.ask("GET", f"/v1/webhooks/{hook['id']}").status_code == 404
    assert birgir.ask("DELETE", f"/v1/webhooks/{hook['id']}").status_code == 404
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        row = database.execute("SELECT secret FROM webhooks").fetchone()
    assert row is not None
    assert base64.b64decode(hook["secret"].removeprefix("whsec_")) not in bytes(row[0])
    other = named(anna, f"http://127.0.0.1:{receiver.port}/")
    assert anna.ask("DELETE", f"/v1/webhooks/{other['id']}").status_code == 204
    (left,) = answer(anna.ask("GET", "/v1/webhooks"), 200)["webhooks"]
    assert left["id"] == hook["id"]
    assert anna.ask("DELETE", "/v1/me").status_code == 204
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        assert database.execute("SELECT count(*) FROM webhooks").fetchone() == (0,)


def test_a_service_left_as_it_is_refuses_them_over_http(client: FlaskClient, environ: Environ) -> None:
    app = create_app(settings.load({**environ, "CABILDO_WEBHOOKS": "public"}))
    anna = somebody(app.test_client())
    assert problem(anna.post("/v1/webhooks", {"url": "https://127.0.0.1/"}, 422)) == "webhook_refused"
    app.extensions["cabildo"].close()


def resolving(monkeypatch: pytest.MonkeyPatch, name: str, *addresses: str) -> None:
    """Let a name stand for one address after the other."""
    left, real = list(addresses), socket.getaddrinfo

    def resolve(host: Any, port: Any, *arguments: Any, **more: Any) -> Any:
        return real(left.pop(0) if host == name else host, port, *arguments, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)


def test_a_name_that_turns_to_a_private_address_is_not_called(
    app: Flask, client: FlaskClient, environ: Environ, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = create_app(settings.load({**environ, "CABILDO_WEBHOOKS": "public"}))
    anna = somebody(strict.test_client())
    resolving(monkeypatch, "hook.example", "8.8.8.8", "127.0.0.1")
    hook = named(anna, f"https://hook.example:{receiver.port}/")
    anna.post(f"/v1/webhooks/{hook['id']}/test", status=202)
    carry(strict)
    assert "not an address that everybody can reach" in told(anna, hook)["error"]
    assert receiver.heard == []
    strict.extensions["cabildo"].close()


def test_the_address_that_was_judged_is_the_one_that_is_called(
    app: Flask, client: FlaskClient, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolving(monkeypatch, "hook.example", "127.0.0.1", "127.0.0.1")  # asked a third time, it would fail
    anna = somebody(client)
    hook = named(anna, f"http://hook.example:{receiver.port}/")
    anna.post(f"/v1/webhooks/{hook['id']}/test", status=202)
    carry(app)
    assert [headers["host"] for _, headers, _ in receiver.heard] == [f"hook.example:{receiver.port}"]


def test_who_cannot_prove_to_be_the_host_is_told_nothing(
    app: Flask, client: FlaskClient, receiver: Receiver, tmp_path: Path
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own_certificate(tmp_path))
    receiver.socket = context.wrap_socket(receiver.socket, server_side=True)
    anna = somebody(client)
    hook = named(anna, f"https://localhost:{receiver.port}/")
    anna.post(f"/v1/webhooks/{hook['id']}/test", status=202)
    carry(app)
    assert "CERTIFICATE_VERIFY_FAILED" in told(anna, hook)["error"]
    assert receiver.heard == []


def own_certificate(place: Path) -> Path:
    """Returns a self-signed certificate with its key."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(x509.OID_COMMON_NAME, "x")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(1))
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    file = place / "certificate.pem"
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    file.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(pem) + secret)
    return file

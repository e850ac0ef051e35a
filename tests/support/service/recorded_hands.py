"""Does what the reader of the reference does by hand: gives a password, enters a code, consents, brings a signature."""

import base64
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, NamedTuple
from uuid import UUID

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask

from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.games.signed_moves import key_statement
from service import settings
from service.container import Container
from service.mail.outbox import claim_mail, content_of
from service.players.commands.tokens import store_token
from service.players.identity import SCOPES
from tests.support.projections.newer_rules import newer_rules
from tests.support.service.authenticators import AuthenticatorApp, ticket_of
from tests.support.service.oauth_programs import DEVICE_GRANT, AskingProgram, Consenter
from tests.support.service.players import Person, answer
from tests.support.service.sent_trials import ENTROPY, TrialSender, session_of
from workers.keeper.duty_context import KeeperContext
from workers.keeper.log import PublishLog, SealLog
from workers.keeper.log_duties import SequenceLog

PASSWORD: Final = "correct horse"
RECEIVER: Final = "https://192.0.2.1"  # kept for documentation (RFC 5737): nobody has it


class Entered(NamedTuple):
    """What a reader enters, and the client that sends it."""

    sender: TrialSender
    values: Mapping[str, Any]
    meanwhile: AbstractContextManager[object] = nullcontext()


class Hands:
    """One application, on which each operation that needs a hand gets an account of its own."""

    def __init__(self, app: Flask, environ: Mapping[str, str]) -> None:
        self.app = app
        self.environ = environ
        self.here: Container = app.extensions["cabildo"]
        self._accounts = 0
        with self.here.stores.pool.connection() as connection:
            person = Person(app.test_client(), "Olof")
            token = store_token(connection, self.here.now(), UUID(person.id), "operator", SCOPES, None)[1]
        self.administrator = TrialSender(app, {"Authorization": f"Bearer {token}"})

    def account(self) -> tuple[TrialSender, Person]:
        """Returns a new player with a session whose password was just given."""
        self._accounts += 1
        person = Person(self.app.test_client(), f"Dagny {'I' * self._accounts}", password=PASSWORD)
        client, headers = session_of(self.app, person.name, PASSWORD)
        sender = TrialSender(self.app, headers, client)
        sender.asked("POST", "/v1/session/confirmation", {"password": PASSWORD})
        return sender, person

    def enter(self, operation: str) -> Entered:
        """Returns what the operation needs of its reader."""
        return HANDS[operation](self)

    def publish(self) -> None:
        """Numbers, seals and publishes what happened."""
        config = settings.load(self.environ)
        with connect(config.database_url) as connection:
            SequenceLog(KeeperContext(config, self.environ))(connection)
            SealLog(config, self.environ)(connection)
            PublishLog(config, self.environ)(connection)

    def newest_code(self) -> str:
        """Returns the code of the newest mail that waits to be sent."""
        with connect(self.environ["DATABASE_URL"]) as connection:
            found = None
            while (claimed := claim_mail(connection, self.here.now())) is not None:
                found = content_of(self.here.vault, claimed)
        assert found is not None
        return str(found.values["code"])


def _key(hands: Hands) -> Entered:
    sender, person = hands.account()
    key = Ed25519PrivateKey.from_private_bytes(ENTROPY)
    proof = key.sign(key_statement(person.id)).hex()
    return Entered(sender, {"key": key.public_key().public_bytes_raw().hex(), "proof": proof})


def _password(hands: Hands) -> Entered:
    sender, person = hands.account()
    return Entered(sender, {"name": person.name, "password": PASSWORD})


def _recovery_code(hands: Hands) -> Entered:
    sender, person = hands.account()
    code = answer(sender.asked("POST", "/v1/me/recovery-codes"), 201)["codes"][0]
    return Entered(sender, {"name": person.name, "code": code, "password": "another horse"})


def _enrolled(hands: Hands) -> tuple[TrialSender, Person, AuthenticatorApp]:
    sender, person = hands.account()
    app = AuthenticatorApp(answer(sender.asked("POST", "/v1/me/second-factor"), 201)["uri"])
    return sender, person, app


def _first_code(hands: Hands) -> Entered:
    sender, _, app = _enrolled(hands)
    return Entered(sender, {"code": app.code()})


def _confirmed(hands: Hands) -> tuple[TrialSender, Person, AuthenticatorApp]:
    sender, person, app = _enrolled(hands)
    sender.asked("POST", "/v1/me/second-factor/confirmation", {"code": app.code(-1)})
    return sender, person, app


def _login_code(hands: Hands) -> Entered:
    sender, person, app = _confirmed(hands)
    return Entered(sender, {"ticket": ticket_of(hands.app, person.name, PASSWORD), "code": app.code()})


def _removal_code(hands: Hands) -> Entered:
    sender, _, app = _confirmed(hands)
    return Entered(sender, {"code": app.code()})


def _device_code(hands: Hands) -> Entered:
    consenter = Consenter(hands.app)
    program = AskingProgram(hands.app, consenter.register("https://example.org/back"))
    device = answer(program.post("/oauth/device_authorization", scope="read play"), 200)
    allowed = consenter.post("/oauth/device/answer", user_code=device["user_code"], answer="allow")
    assert allowed.status_code in (200, 303), allowed.text
    entered = {"grant_type": DEVICE_GRANT, "device_code": device["device_code"], "client_id": program.id}
    return Entered(TrialSender(hands.app, {}), entered)


def _address(hands: Hands) -> Entered:
    sender, _ = hands.account()
    return Entered(sender, {"address": "dagny@example.org"})


def _mailed(hands: Hands) -> tuple[TrialSender, str]:
    sender, _ = hands.account()
    sender.asked("PUT", "/v1/me/email", {"address": "dagny@example.org"})
    return sender, hands.newest_code()


def _mailed_code(hands: Hands) -> Entered:
    sender, code = _mailed(hands)
    return Entered(sender, {"code": code})


def _account_name(hands: Hands) -> Entered:
    sender, person = hands.account()
    return Entered(sender, {"account": person.name})


def _subscription(hands: Hands) -> Entered:
    form = (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    key = ec.derive_private_key(1, ec.SECP256R1()).public_key().public_bytes(*form)
    values = {
        name: base64.urlsafe_b64encode(of).decode().rstrip("=") for name, of in (("p256dh", key), ("auth", bytes(16)))
    }
    return Entered(hands.account()[0], {"endpoint": f"{RECEIVER}/push", **values})


def _receiver(hands: Hands) -> Entered:
    return Entered(hands.account()[0], {"url": f"{RECEIVER}/cabildo"})


def _webhook(hands: Hands) -> Entered:
    sender, _ = hands.account()
    game = sender.prepared(["practice_game"])["game"]
    answer(sender.asked("POST", "/v1/webhooks", {"url": f"{RECEIVER}/cabildo", "game": game}), 201)
    return Entered(sender, {})


def _entropy(hands: Hands) -> Entered:
    sender, _ = hands.account()
    committed = sender.prepared(["committed"])
    with connect(hands.environ["DATABASE_URL"]) as connection:
        sequence_once(connection)
        SealLog(settings.load(hands.environ), hands.environ)(connection)
    return Entered(sender, {name: committed[name] for name in ("game", "entropy")})


def _newer_rules(hands: Hands) -> Entered:
    game = hands.administrator.prepared(["practice_game"])["game"]  # by the rules of before
    return Entered(hands.administrator, {"game": game, "reason": "a mended rule"}, newer_rules())


def _log(hands: Hands) -> Entered:
    hands.publish()
    return Entered(TrialSender(hands.app, {}), {})


HANDS: Final[Mapping[str, Callable[[Hands], Entered]]] = {
    "PUT /v1/me/key": _key,
    "POST /v1/session": _password,
    "POST /v1/session/confirmation": _password,
    "POST /v1/recovery": _recovery_code,
    "POST /v1/session/second-factor": _login_code,
    "POST /v1/me/second-factor/confirmation": _first_code,
    "POST /v1/me/second-factor/removal": _removal_code,
    "POST /oauth/token": _device_code,
    "PUT /v1/me/email": _address,
    "POST /v1/me/email/confirmation": _mailed_code,
    "POST /v1/recovery/mail": _account_name,
    "POST /v1/me/push": _subscription,
    "POST /v1/games/{game}/entropy": _entropy,
    "GET /log/{path}": _log,
    "POST /v1/webhooks": _receiver,
    "GET /v1/webhooks/{hook}": _webhook,
    "DELETE /v1/webhooks/{hook}": _webhook,
    "POST /v1/webhooks/{hook}/test": _webhook,
    "POST /v1/webhooks/{hook}/on": _webhook,
    "POST /v1/games/{game}/rules": _newer_rules,
}

"""Players and browsers that take notices, and the duties of the keeper that tell them."""

import base64
import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import uuid4

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from flask import Flask

from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.read_models.registry import advance_all
from tests.service.conftest import Environ
from tests.support.service.authenticators import LoggedInBrowser
from tests.support.service.mail_duty import code_in, run_duty, send_mails
from tests.support.service.mail_server import TakenMails
from tests.support.service.players import Person, answer
from workers.keeper.notices import CollectNotices, SendPushes

PASSWORD: Final = "over the hills"
PUSH: Final = "/v1/me/push"


class Phone:
    """A browser that takes notices."""

    def __init__(self, endpoint: str) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        form = (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        keys = {"p256dh": self.key.public_key().public_bytes(*form), "auth": self.secret}
        self.body = {
            "endpoint": endpoint,
            **{name: base64.urlsafe_b64encode(value).decode().rstrip("=") for name, value in keys.items()},
        }

    def read(self, message: bytes) -> Mapping[str, str]:
        """Decrypts a message as the browser does."""
        told: Mapping[str, str] = json.loads(
            http_ece.decrypt(message, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        )
        return told


class Player:
    """A player with a token and a browser that is logged in."""

    def __init__(self, app: Flask, name: str) -> None:
        self.person = Person(app.test_client(), f"{name} {uuid4().hex[:10]}", password=PASSWORD)
        self.browser = LoggedInBrowser(app, self.person.name, PASSWORD)

    def wants(self, **changes: object) -> None:
        """Changes settings."""
        answer(self.browser.ask("PATCH", "/v1/me/settings", changes), 200)

    def stores(self, environ: Environ, mails: TakenMails) -> None:
        """Stores and confirms an address."""
        before = len(mails.mails)
        address = f"{uuid4().hex[:10]}@example.org"
        answer(self.browser.ask("PUT", "/v1/me/email", {"address": address}), 202)
        send_mails(environ)
        code = code_in(mails.wait(before + 1)[-1])
        answer(self.browser.ask("POST", "/v1/me/email/confirmation", {"code": code}), 200)


def pass_time(environ: Environ) -> None:
    """Brings the read models level with the log, lets the grace of turns pass, and tells what is due."""
    for _ in range(2):
        with connect(environ["DATABASE_URL"]) as connection:
            while sequence_once(connection) or advance_all(connection):
                pass
        run_duty(environ, CollectNotices)
        with connect(environ["DATABASE_URL"]) as connection:
            connection.execute("UPDATE notices SET due = 0 WHERE told IS NULL AND due < %s", (in_an_hour(),))
    run_duty(environ, SendPushes)


def in_an_hour() -> int:
    return int((datetime.now(UTC) + timedelta(hours=1)).timestamp() * 1_000_000)


def begun(app: Flask, anna: Player) -> tuple[str, Person]:
    """A game in which Anna waits for her turn, and her opponent."""
    birgir = Person(app.test_client(), f"Birgir {uuid4().hex[:10]}")
    game = anna.person.create("me", "open", chance=0, start_player=1, leaver="forfeit")["id"]
    birgir.join(game)
    return game, birgir

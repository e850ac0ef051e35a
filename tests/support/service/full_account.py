"""A player with one of everything that the service stores, and another player whose secrets are close to it."""

from typing import Final
from uuid import UUID, uuid4

from flask import Flask

from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.read_models.registry import advance_all
from service.mail.outbox import Mail, put_mail
from service.mail.texts import CONFIRM
from service.moderation.record import OPERATOR, AdministrativeAct, record_act
from service.notices.push_queue import Subscription, put_subscription, queue_push
from service.players.email.storage import NewAddress, confirm_waiting, put_waiting
from service.players.identity import Identity
from service.players.recovery_codes import code_hash
from service.web.auth import CSRF_HEADER
from tests.service.games.test_written_records import record
from tests.support.service.annotators import Study, begin
from tests.support.service.authenticators import AuthenticatorApp, send_login
from tests.support.service.players import Person, answer
from tests.support.service.tournament_fixture import Hall

PASSWORD: Final = "correct horse"
AGENT: Final = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"
ADDRESS: Final = "198.51.100.7"
HIDDEN: Final = {"hand_visibility": "owner_only"}
OVER: Final = "INSERT INTO blocks (player, since, until, reason, by) VALUES (%s, 1, 2, 'spam', 'operator')"
STAGE: Final = {"format": "swiss", "rounds": 1, "sizes": [2]}


class FullAccount:
    """Anna, who did everything once, and Birgir beside her."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.client = app.test_client()
        self.anna = Person(app.test_client(), "Anna Fullmakt", password=PASSWORD)
        self.birgir = Person(app.test_client(), "Birgir Granni", password=PASSWORD)
        self.token = self.anna.post("/v1/tokens", {"label": "the laptop", "scopes": ["read"]})
        self.bot = self.anna.post("/v1/bots", {"name": "Annabot", "engine": "own 7"})
        self.hook = self.anna.post("/v1/webhooks", {"url": "https://93.184.215.14/annas-hook"})
        self.anna.post(f"/v1/webhooks/{self.hook['id']}/test", status=202)
        self.anna.ask("PATCH", "/v1/me/settings", {"theme": "dark", "time_zone": "Europe/Prague"})
        answer(self.anna.ask("PUT", "/v1/me/vacation", {"days": 3}), 200)
        self.at_screen = self.anna.create("me", "here:Anna's sister")["id"]
        self._log_in()
        self._secure()
        self._store_email()
        self._play()
        for person in (self.anna, self.birgir):
            person.post(f"/v1/games/{self.hidden}/answers", {"move": "claim 5", "until": "last_round"})
        self._talk()
        self._write()
        self._compete()
        self._report()
        self.follow()

    def _log_in(self) -> None:
        body = {"name": self.anna.name, "password": PASSWORD}
        asked = {"headers": {"User-Agent": AGENT}, "environ_base": {"REMOTE_ADDR": ADDRESS}}
        session = answer(self.client.post("/v1/session", json=body, **asked), 201)
        self.csrf = {CSRF_HEADER: session["csrf"]}
        self.confirm()
        program = {"name": "Annas board", "redirects": ["https://anna.example/back"]}
        answer(self.client.post("/v1/programs", json=program, headers=self.csrf), 201)
        made = self.client.post("/v1/me/recovery-codes", headers=self.csrf)
        self.codes: list[str] = answer(made, 201)["codes"]

    def _secure(self) -> None:
        made = answer(self.client.post("/v1/me/second-factor", headers=self.csrf), 201)
        self.factor_secret: str = made["secret"]
        code = {"code": AuthenticatorApp(made["uri"]).code()}
        assert self.client.post("/v1/me/second-factor/confirmation", json=code, headers=self.csrf).status_code == 204
        assert send_login(self.app, self.anna.name, PASSWORD).status_code == 401  # a login that waits for a code

    def _store_email(self) -> None:
        container = self.app.extensions["cabildo"]
        player, at, vault = UUID(self.anna.id), container.now(), container.vault
        with container.stores.pool.connection() as connection, connection.transaction():
            for name in ("anna", "fullmakt"):
                address = f"{name}@example.org"
                put_waiting(connection, vault, at, NewAddress(player, address, "is", code_hash(name), at + 1))
                put_mail(connection, vault, at, Mail(player, CONFIRM, address, "is", {}, at + 1))
                confirm_waiting(connection, at, player, code_hash("anna"))
            found = connection.execute("SELECT id FROM sessions WHERE player = %s", (player,)).fetchone()
            assert found is not None
            phone = Subscription("https://93.184.215.14/phone", "", "")
            put_subscription(connection, vault, at, Identity(player, frozenset(), session=found[0]), "is", phone)
            queue_push(connection, at, at + 1, player, lambda _language: {"title": "It is your turn", "path": "/mine"})
            connection.execute("INSERT INTO notices VALUES (%s, %s, 'turn', %s)", (player, uuid4(), at))

    def _talk(self) -> None:
        for person in (self.anna, self.birgir):
            person.post(f"/v1/games/{self.hidden}/talk", {"text": f"{person.name} says hello"})
        self.anna.ask("PUT", f"/v1/games/{self.hidden}/talk/read", {"number": 2})
        self.anna.ask("PUT", "/v1/me/talk", {"covers": True, "about": "player", "id": self.birgir.id})
        self.birgir.ask("PUT", "/v1/me/talk", {"covers": True, "about": "player", "id": self.anna.id})

    def _report(self) -> None:
        body = {"about": "player", "id": self.birgir.id, "kind": "abuse", "text": "Anna thinks that he is rude"}
        self.anna.post("/v1/reports", body)
        self.birgir.post("/v1/reports", {**body, "id": self.anna.id, "text": "Birgir thinks that she is rude"})
        container = self.app.extensions["cabildo"]
        with container.stores.pool.connection() as connection, connection.transaction():
            connection.execute(OVER, (self.anna.id,))
            record_act(connection, container.now(), AdministrativeAct(OPERATOR, "token_issued", self.anna.id, "asked"))

    def confirm(self) -> None:
        """Gives the password again."""
        given = self.client.post("/v1/session/confirmation", json={"password": PASSWORD}, headers=self.csrf)
        assert given.status_code == 204, given.text

    def _play(self) -> None:
        anna, birgir = self.anna, self.birgir
        self.open_table = anna.post(
            "/v1/games", {"game": "spice_road", "seats": ["me", "open"]}, Idempotency_Key="Annas own key"
        )["id"]
        private = birgir.create("me", "invite", "open", visibility="private")
        self.left_table = private["id"]
        anna.join(self.left_table, invite=private["invites"]["1"])
        assert anna.ask("DELETE", f"/v1/games/{self.left_table}/seats/mine").status_code == 200
        self.kept = birgir.create("me", anna.id, "open")["id"]
        self.hidden = birgir.create("me", "open", options=HIDDEN, start_player=0)["id"]
        anna.join(self.hidden)  # which starts the game: the event deals the hands of both
        birgir.move(self.hidden, "play create_2")
        anna.move(self.hidden, "play upgrade_2")
        self.rated = anna.create("me", birgir.id, rated=True, leaver="forfeit")["id"]
        birgir.join(self.rated)
        birgir.post(f"/v1/games/{self.rated}/resign")
        self.analysis = anna.post(f"/v1/games/{self.rated}/analyses", {}, 202)["id"]
        self.offered = self._offer()
        self.imported = anna.post("/v1/games/import", {"record": record()})["id"]

    def _offer(self) -> str:
        game: str = self.anna.create("me", self.birgir.id, start_player=0)["id"]
        self.birgir.join(game)
        for person in (self.anna, self.birgir):
            person.move(game, "play create_2")
        self.anna.post(f"/v1/games/{game}/abort")
        return game

    def _write(self) -> None:
        anna, birgir = self.anna, self.birgir
        self.study: Study = begin(anna, self.rated, title="Annas openings")
        self.study.say("4", "Anna likes this move")
        self.study.edit("member", player=birgir.id, role="writer")
        self.study.by(birgir).say("4", "Birgir does not")
        self.secret_study = begin(birgir, title="Birgirs secret study")
        self.left_study = begin(birgir, self.rated, title="Birgirs study")
        self.left_study.edit("member", player=anna.id, role="writer")
        self.left_study.by(anna).say("4", "Anna was here once")
        self.left_study.edit("member", player=anna.id, role=None)

    def _compete(self) -> None:
        self.own_tournament = Hall(self.app, [STAGE], self.anna)
        self.entered = Hall(self.app, [STAGE], self.birgir)
        self.entered.direct("publication")
        self.anna.post(f"{self.entered.path}/entrants")
        self.directed = Hall(self.app, [STAGE], self.birgir)
        self.directed.direct("directors", {"player": self.anna.id})
        self.anna.post(f"{self.directed.path}/publication")

    def follow(self) -> None:
        """Brings the read models level with the log."""
        with connect(self.app.extensions["cabildo"].settings.database_url) as connection:
            while sequence_once(connection):
                pass
            while advance_all(connection):
                pass

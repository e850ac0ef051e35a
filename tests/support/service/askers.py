"""Clients of every kind, and things of every kind for them to ask for: what the matrix of rights is made of."""

from typing import Final
from uuid import UUID, uuid4

from flask import Flask
from flask.testing import FlaskClient

from service.moderation.administrators import AppointAdministrator, appoint_administrator
from service.web.auth import CSRF_HEADER, SESSION_COOKIE
from tests.service.games.test_written_records import record
from tests.support.service.administrators import admin_token
from tests.support.service.opened_sessions import open_session
from tests.support.service.players import Person, somebody
from tests.support.service.tournament_fixture import Hall

ASKERS: Final = (
    *("anonymous", "revoked", "stranger", "spectator", "bot", "player", "host", "director", "administrator"),
    "session",  # of the host's browser, whose password was just given
    "blocked",  # the host, blocked by an administrator
)
VISITORS: Final = (  # of pages
    *("anonymous", "stranger", "spectator", "player", "host", "director", "blocked"),
    "administrator",  # appointed by the operator
)
PRIVATE: Final = frozenset(
    {"stranger", "bot", "player", "host", "administrator", "session", "blocked"}
)  # ask for private
DRAFT: Final = frozenset({"stranger", "administrator"})  # ask for a tournament that is not published
HOSTS: Final = frozenset({"session", "blocked"})
UNBLOCK: Final = "DELETE FROM blocks"
BLOCK: Final = "INSERT INTO blocks (player, since, until, reason, by) VALUES (%s, 0, %s, 'spam', 'operator')"
STAGE: Final = {"format": "swiss", "rounds": 2, "sizes": [2]}


class Things:
    """One host with a thing of each kind, private or public, and clients in every relation to them."""

    def __init__(self, app: Flask) -> None:
        self.app, self._container = app, app.extensions["cabildo"]
        self.renew()

    def renew(self) -> None:
        """Begins anew with other clients and things, after a request that may have changed one of them."""
        client = self.app.test_client()
        people = ("stranger", "spectator", "player", "host", "director", "administrator")
        self.people: dict[str, Person] = {kind: somebody(client) for kind in people}
        self.host = self.people["host"]
        self.bot_id, bot_token = self._register_bot()
        self.tokens: dict[str, str | None] = {kind: person.token for kind, person in self.people.items()}
        self.tokens |= {
            "anonymous": None,
            "bot": bot_token,
            "revoked": self._revoked(),
            "administrator": admin_token(self._container, self.people["administrator"]),
        }
        self.tokens["blocked"] = self.host.token
        self._made: dict[tuple[str, bool], dict[str, str]] = {}

    def ids(self, kind: str, asker: str) -> dict[str, str]:
        """Returns the values of a route's parameters: the id of a thing of a kind, private or public by the asker."""
        private = asker in (DRAFT if kind == "tournament" else PRIVATE)
        if (kind, private) not in self._made:
            self._block_host("")  # things are made by the host
            self._made[kind, private] = getattr(self, f"_make_{kind}")("private" if private else "public")
        self._block_host(asker)
        return self._made[kind, private]

    def client(self, asker: str) -> tuple[FlaskClient, dict[str, str]]:
        """Returns a client of the API, and the headers that authenticate its requests."""
        self._block_host(asker)
        if asker == "session":
            browser, csrf = self.browser(asker)
            return browser, {CSRF_HEADER: csrf}
        token = self.tokens[asker]
        return self.app.test_client(), {} if token is None else {"Authorization": f"Bearer {token}"}

    def browser(self, visitor: str) -> tuple[FlaskClient, str]:
        """Returns a browser with a session of the visitor, and the CSRF value of its forms."""
        client = self.app.test_client()
        self._block_host(visitor)
        if visitor == "anonymous":
            return client, ""
        if visitor == "administrator":
            appoint_administrator(self._container, AppointAdministrator(UUID(self.people[visitor].id)))
        secret, csrf, _ = open_session(self._container, self.people["host" if visitor in HOSTS else visitor].id)
        client.set_cookie(SESSION_COOKIE, secret)
        return client, csrf

    def _make_game(self, visibility: str) -> dict[str, str]:
        seats = ("me", self.people["player"].id, self.bot_id)
        game = self.host.create(*seats, visibility=visibility)["id"]
        self.people["player"].join(game)
        joined = self.app.test_client().post(
            f"/v1/games/{game}/seats", json={}, headers={"Authorization": f"Bearer {self.tokens['bot']}"}
        )
        assert joined.status_code == 201, joined.text
        return {"game": game}

    def _make_finished(self, visibility: str) -> dict[str, str]:
        game = self._make_game(visibility)["game"]
        self.host.post(f"/v1/games/{game}/abort")
        return {"game": game}

    def _make_imported(self, visibility: str) -> dict[str, str]:
        body = {"record": record(), "visibility": visibility}
        return {"game": self.host.post("/v1/games/import", body)["id"]}

    def _make_analysis(self, visibility: str) -> dict[str, str]:
        game = self._make_finished(visibility)["game"]
        return {"analysis": self.host.post(f"/v1/games/{game}/analyses", {}, 202)["id"]}

    def _make_study(self, visibility: str) -> dict[str, str]:
        body = {"title": "Notes", "visibility": visibility, "games": [self._make_imported("public")["game"]]}
        study = self.host.post("/v1/studies", body)["study"]
        members = [
            {"do": "member", "player": self.people["player"].id, "role": "reader"},
            {"do": "member", "player": self.bot_id, "role": "writer"},
        ]
        self.host.post(f"/v1/studies/{study}/edits", {"saw": 2, "edits": members})
        return {"study": study, "chapter": "1"}

    def _make_tournament(self, visibility: str) -> dict[str, str]:
        hall = Hall(self.app, [STAGE], self.host)
        hall.direct("directors", {"player": self.people["director"].id})
        if visibility == "public":
            hall.open(1)
            self.people["player"].post(f"{hall.path}/entrants")
            hall.direct("stages")
            hall.start()
        one = dict.fromkeys(("entrant", "number", "stage", "round", "table"), "1")
        return {"tournament": hall.id, "player": self.people["director"].id, **one}

    def _make_hook(self, visibility: str) -> dict[str, str]:
        return {"hook": self.host.post("/v1/webhooks", {"url": "https://93.184.215.14/hook"})["id"]}

    def _make_token(self, visibility: str) -> dict[str, str]:
        return {"token": self.host.post("/v1/tokens", {"scopes": ["read"]})["id"]}

    def _make_bot(self, visibility: str) -> dict[str, str]:
        return {"bot": self._register_bot()[0]}

    def _register_bot(self) -> tuple[str, str]:
        made = self.host.post("/v1/bots", {"name": f"bot {uuid4().hex[:8]}", "engine": "greedy 2"})
        return made["player"]["id"], made["token"]

    def _make_session(self, visibility: str) -> dict[str, str]:
        return {"session": open_session(self._container, self.host.id).id}

    def _revoked(self) -> str:
        made = self.host.post("/v1/tokens", {"scopes": ["read", "play", "annotate", "host"]})
        assert self.host.ask("DELETE", f"/v1/tokens/{made['id']}").status_code in (200, 204)
        return str(made["token"])

    def _block_host(self, asker: str) -> None:
        """Blocks the host while the asker is the blocked one, and no longer."""
        with self._container.stores.pool.connection() as connection:
            connection.execute(UNBLOCK)
            if asker == "blocked":
                connection.execute(BLOCK, (self.host.id, 2**53))

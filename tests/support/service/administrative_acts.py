"""Every administrative act, done for real: by each route and each command that takes the right of an administrator."""

import base64
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple
from uuid import UUID, uuid4

from click.testing import CliRunner, Result
from flask import Flask
from freezegun import freeze_time

from deploy.cli import main
from events.store.connections import connect
from service import settings as config
from service.container import Container
from service.moderation.administrators import AppointAdministrator, appoint_administrator
from service.web.auth import SESSION_COOKIE
from tests.support.projections.newer_rules import SECOND as NEWER
from tests.support.projections.newer_rules import newer_rules
from tests.support.service.administrators import admin_token, administrator, block
from tests.support.service.authenticators import LoggedInBrowser
from tests.support.service.opened_sessions import open_session
from tests.support.service.players import Person, answer, somebody
from workers.keeper.duty_context import KeeperContext
from workers.keeper.log import PublishLog, SealLog
from workers.keeper.log_duties import SequenceLog

WHY: Final = "spam"
PASSWORD: Final = "correct horse"
LONG_AGO: Final = "2024-05-01 12:00:00"


class Installation:
    """A service with an administrator, and its command line."""

    def __init__(self, app: Flask, environ: Mapping[str, str]) -> None:
        key = base64.b64encode(bytes(range(32))).decode()
        self.app, self.environ = app, {**environ, "CABILDO_LOG_KEY": key}
        self.here: Container = app.extensions["cabildo"]
        self.admin = administrator(app)
        appoint_administrator(self.here, AppointAdministrator(UUID(self.admin.id)))

    def player(self) -> Person:
        """Returns a new player."""
        return somebody(self.app.test_client())

    def run(self, *arguments: str, **environ: str) -> Result:
        """Runs a command of `cabildo`."""
        place = ("--data-dir", self.environ["CABILDO_DATA_DIR"])
        done = CliRunner(env={**self.environ, **environ}).invoke(main, [*place, *arguments])
        assert done.exit_code == 0, done.output
        return done

    def ask(self, method: str, path: str, body: object, status: int = 200) -> None:
        """Sends a request of the administrator."""
        answered = self.admin.ask(method, path, body)
        assert answered.status_code == status, answered.text


class Deed(NamedTuple):
    """An act: its kind in the record, and how it is done."""

    act: str
    perform: Callable[[Installation], object]


def _game(at: Installation) -> str:
    return str(at.player().create("me", "bot:random")["id"])


def _end(at: Installation) -> None:
    at.ask("POST", f"/v1/games/{_game(at)}/end", {"reason": WHY}, 201)


def _move_on(at: Installation) -> None:
    game = _game(at)
    with newer_rules():
        at.ask("POST", f"/v1/games/{game}/rules", {"to": NEWER, "reason": WHY}, 201)


def _block(at: Installation) -> None:
    block(at.admin, at.player().id)


def _unblock(at: Installation) -> None:
    player = at.player().id
    block(at.admin, player)
    at.ask("POST", f"/v1/admin/players/{player}/unblocking", {"reason": WHY}, 204)


def _rename(at: Installation) -> None:
    at.ask("PUT", f"/v1/admin/players/{at.player().id}/name", {"reason": WHY})


def _old_table(at: Installation) -> str:
    with freeze_time(LONG_AGO, tick=True):
        return str(at.player().create("me", "open")["id"])


def _end_stale(at: Installation) -> None:
    at.ask("POST", "/v1/admin/stale-games/end", {"games": [_old_table(at)], "reason": WHY})


def _settle_report(at: Installation) -> None:
    body = {"about": "player", "id": at.player().id, "kind": "abuse", "text": "rude"}
    report = at.player().post("/v1/reports", body)["report"]
    at.ask("POST", "/v1/admin/reports/settlements", {"reports": [report], "outcome": "dismissed"}, 201)


def _text(at: Installation) -> dict[str, str]:
    """Returns a study's title as a text, and the reason."""
    return {"about": "study", "id": at.player().post("/v1/studies", {"title": "Rude"})["study"], "reason": WHY}


def _hide(at: Installation) -> None:
    at.ask("POST", "/v1/admin/hidden-texts", _text(at), 201)


def _show(at: Installation) -> None:
    text = _text(at)
    at.ask("POST", "/v1/admin/hidden-texts", text, 201)
    at.ask("POST", "/v1/admin/shown-texts", text, 201)


def _issue(at: Installation) -> None:
    at.ask("POST", "/v1/tokens", {"label": "", "scopes": ["admin"]}, 201)


def _issue_for_bot(at: Installation) -> None:
    bot = at.admin.post("/v1/bots", {"name": f"bot {uuid4().hex[:8]}", "engine": "x"})["player"]["id"]
    at.ask("POST", f"/v1/bots/{bot}/tokens", {"label": "", "scopes": ["admin"]}, 201)


def _revoke(at: Installation) -> None:
    token = at.admin.post("/v1/tokens", {"label": "", "scopes": ["admin"]})["id"]
    at.ask("DELETE", f"/v1/tokens/{token}", None, 204)


def _promoted(at: Installation, **account: str) -> Person:
    """Returns a player who has a token for everything, and authenticates with another one."""
    person = Person(at.app.test_client(), f"somebody {uuid4().hex[:8]}", **account)
    admin_token(at.here, person)
    return person


def _erase(at: Installation) -> None:
    assert _promoted(at).ask("DELETE", "/v1/me").status_code == 204


def _change_password(at: Installation) -> None:
    changed = _promoted(at).ask("PATCH", "/v1/me", {"password": PASSWORD, "revoke_tokens": True})
    assert changed.status_code == 200, changed.text


def _recover(at: Installation) -> None:
    person = _promoted(at, password=PASSWORD)
    code = at.run("player", "reset", person.name).stdout.strip()
    body = {"name": person.name, "code": code, "password": PASSWORD, "revoke_tokens": True}
    answer(at.app.test_client().post("/v1/recovery", json=body), 200)


ROUTES: Final[Mapping[str, Deed]] = {  # those that take the scope `admin`
    "POST /v1/games/<uuid:game>/end": Deed("game_ended", _end),
    "POST /v1/games/<uuid:game>/rules": Deed("rules_changed", _move_on),
    "PUT /v1/admin/players/<uuid:player>/block": Deed("player_blocked", _block),
    "POST /v1/admin/players/<uuid:player>/unblocking": Deed("player_unblocked", _unblock),
    "PUT /v1/admin/players/<uuid:player>/name": Deed("player_renamed", _rename),
    "POST /v1/admin/stale-games/end": Deed("game_ended", _end_stale),
    "POST /v1/admin/reports/settlements": Deed("reports_settled", _settle_report),
    "POST /v1/admin/hidden-texts": Deed("text_hidden", _hide),
    "POST /v1/admin/shown-texts": Deed("text_shown", _show),
}
RIGHTS: Final[Mapping[str, Deed]] = {  # requests that give or take the scope `admin`
    "POST /v1/tokens": Deed("token_issued", _issue),
    "POST /v1/bots/<uuid:bot>/tokens": Deed("token_issued", _issue_for_bot),
    "DELETE /v1/tokens/<uuid:token>": Deed("token_revoked", _revoke),
    "DELETE /v1/me": Deed("token_revoked", _erase),
    "PATCH /v1/me": Deed("token_revoked", _change_password),
    "POST /v1/recovery": Deed("token_revoked", _recover),
}


def _sent(at: Installation, path: str, **fields: str) -> None:
    """Sends a form of the administrator, in a new session."""
    session, browser = open_session(at.here, at.admin.id), at.app.test_client()
    browser.set_cookie(SESSION_COOKIE, session.secret)
    sent = browser.post(path, data={"csrf": session.csrf, "reason": WHY, **fields})
    assert sent.status_code == 303, sent.text


def _settle_by_form(at: Installation) -> None:
    body = {"about": "player", "id": at.player().id, "kind": "abuse", "text": "rude"}
    _sent(at, "/admin/reports", report=at.player().post("/v1/reports", body)["report"], outcome="acted")


def _unblock_by_form(at: Installation) -> None:
    player = at.player().id
    block(at.admin, player)
    _sent(at, f"/admin/players/{player}/unblocking")


def _hide_by_form(at: Installation) -> str:
    study = str(_text(at)["id"])
    _sent(at, "/admin/texts/hidden", id=study, thing="study:0")
    return study


FORMS: Final[Mapping[str, Deed]] = {  # of the pages below /admin
    "POST /admin/reports": Deed("reports_settled", _settle_by_form),
    "POST /admin/texts/hidden": Deed("text_hidden", _hide_by_form),
    "POST /admin/texts/shown": Deed(
        "text_shown", lambda at: _sent(at, "/admin/texts/shown", id=_hide_by_form(at), thing="study:0")
    ),
    "POST /admin/games/end": Deed("game_ended", lambda at: _sent(at, "/admin/games/end", game=_game(at))),
    "POST /admin/games/stale": Deed("game_ended", lambda at: _sent(at, "/admin/games/stale", game=_old_table(at))),
    "POST /admin/players/<uuid:player>/block": Deed(
        "player_blocked", lambda at: _sent(at, f"/admin/players/{at.player().id}/block", days="1")
    ),
    "POST /admin/players/<uuid:player>/unblocking": Deed("player_unblocked", _unblock_by_form),
    "POST /admin/players/<uuid:player>/name": Deed(
        "player_renamed", lambda at: _sent(at, f"/admin/players/{at.player().id}/name", name="")
    ),
}


def _named(*command: str, before: str = "", after: tuple[str, ...] = ()) -> Callable[[Installation], object]:
    """Returns a function that runs a command on a new player, after another command."""

    def perform(at: Installation) -> None:
        name = at.player().name
        if before:
            at.run(*before.split(), name, *DAYS, *REASON)
        at.run(*command, name, *after)

    return perform


def _revoke_by_command(at: Installation) -> None:
    name = at.player().name
    at.run("token", "issue", name)
    token = at.run("token", "list", name).stdout.split("\n")[1].split()[0]
    at.run("token", "revoke", name, token)


def _end_by_command(at: Installation) -> None:
    at.run("admin", "end", _game(at), *REASON)


def _dismiss(at: Installation) -> None:
    name = at.player().name
    at.run("admin", "appoint", name)
    at.run("admin", "dismiss", name)


def _settle_by_command(at: Installation) -> None:
    body = {"about": "player", "id": at.player().id, "kind": "abuse", "text": "rude"}
    report = at.player().post("/v1/reports", body)["report"]
    at.run("admin", "settle", report, "--outcome", "acted")


def _hide_by_command(at: Installation) -> str:
    study = str(_text(at)["id"])
    at.run("admin", "hide", "study", study, *REASON)
    return study


def _end_stale_by_command(at: Installation) -> None:
    _old_table(at)
    at.run("admin", "stale", "--end", *REASON)


def _move_on_by_command(at: Installation) -> None:
    game = _game(at)
    with newer_rules():
        at.run("move-rules", game, "--to", NEWER, *REASON)


def _take_factor_off(at: Installation) -> None:
    person = Person(at.app.test_client(), f"somebody {uuid4().hex[:8]}", password=PASSWORD)
    LoggedInBrowser(at.app, person.name, PASSWORD).enrol()
    at.run("player", "reset", person.name, "--second-factor")


def _publish(at: Installation) -> None:
    """Lets the keeper number, seal and publish what happened."""
    settings = config.load(at.environ)
    numbering = SequenceLog(KeeperContext(settings, at.environ))
    with connect(settings.database_url) as connection:
        numbering(connection)
        SealLog(settings, at.environ)(connection)
        PublishLog(settings, at.environ)(connection)


def _with_log(*command: str) -> Callable[[Installation], object]:
    """Returns a function that runs a command on a log that is published."""

    def perform(at: Installation) -> None:
        _game(at)
        _publish(at)
        at.run("log", *command)

    return perform


def _rotate_key(at: Installation) -> None:
    other = base64.b64encode(bytes(reversed(range(32)))).decode()
    at.run("key", "rotate", CABILDO_MASTER_KEY_PREVIOUS=other)


DAYS, REASON = ("--days", "7"), ("--reason", WHY)
COMMANDS: Final[Mapping[str, Deed]] = {  # of the command line
    "token issue": Deed("token_issued", _named("token", "issue")),
    "token revoke": Deed("token_revoked", _revoke_by_command),
    "player reset": Deed("password_reset", _named("player", "reset")),
    "player reset --second-factor": Deed("second_factor_removed", _take_factor_off),
    "admin block": Deed("player_blocked", _named("admin", "block", after=(*DAYS, *REASON))),
    "admin unblock": Deed("player_unblocked", _named("admin", "unblock", before="admin block", after=REASON)),
    "admin rename": Deed("player_renamed", _named("admin", "rename", after=REASON)),
    "admin appoint": Deed("administrator_appointed", _named("admin", "appoint")),
    "admin dismiss": Deed("administrator_dismissed", _dismiss),
    "admin settle": Deed("reports_settled", _settle_by_command),
    "admin hide": Deed("text_hidden", _hide_by_command),
    "admin show": Deed("text_shown", lambda at: at.run("admin", "show", "study", _hide_by_command(at))),
    "admin end": Deed("game_ended", _end_by_command),
    "admin stale": Deed("game_ended", _end_stale_by_command),
    "move-rules": Deed("rules_changed", _move_on_by_command),
    "key rotate": Deed("key_rotated", _rotate_key),
    "log open": Deed("log_opened", _with_log("open", *REASON)),
    "log rename": Deed("log_renamed", _with_log("rename", "second", *REASON)),
    "log recover": Deed("log_recovered", _with_log("recover")),
}
NO_ACT: Final[Mapping[str, str]] = {  # commands that leave no row, and why
    **dict.fromkeys(("status", "settings", "events", "token list", "log status", "key status"), "reads"),
    **dict.fromkeys(
        ("admin record", "admin blocks", "archive", "audit", "replay-all"),
        "reads",
    ),
    **dict.fromkeys(("admin administrators", "admin reports"), "reads"),
    **dict.fromkeys(("verify", "monitor", "bot explain", "openapi", "whoami"), "reads"),
    **dict.fromkeys(("login", "logout"), "a player's own token, asked for and revoked at the service"),
    **dict.fromkeys(("up", "web", "worker", "keeper", "witness", "bot run"), "runs a process"),
    **dict.fromkeys(("rebuild", "resume"), "derived rows only; events stay as they are"),
    **dict.fromkeys(("key new", "key retire"), "keys of this machine; the record has the act when the new key is used"),
    **dict.fromkeys(("months list", "months verify"), "reads"),
    **dict.fromkeys(
        ("months archive", "months restore", "months moved"), "events stay as they are; another table tells their place"
    ),
    "migrate": "the table of migrations records it",
    "distribute": "moves rows to other servers as they are",
    "compile": "changes a copy of the program",
}
MEASURES: Final = "bench "  # commands on databases of their own

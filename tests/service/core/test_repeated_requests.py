"""Every writing operation takes an Idempotency-Key, or says why not; a repeated request gets the stored answer."""

from typing import Any, Final
from uuid import uuid4

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from deploy.cli import main
from service.web.blueprints import ROUTES
from tests.service.games.test_chance_levels import careful_table, sealed
from tests.service.games.test_change_rules import first_at
from tests.service.games.test_written_records import record
from tests.support.projections.newer_rules import SECOND, newer_rules
from tests.support.service.annotators import begin
from tests.support.service.players import problem, running, somebody
from tests.support.service.tournament_fixture import SPICE, Hall

__all__ = ["sealed"]  # a fixture of this module, too
WRITES: Final = frozenset(("POST", "PUT", "PATCH", "DELETE"))
SECRET: Final = "the answer has a secret, which is not stored"
AGAIN: Final = "a repetition has no further effect"
PURE: Final = "writes nothing"
WITHOUT_KEY: Final = {
    "POST /v1/players": SECRET,
    "POST /v1/bots": SECRET,
    "POST /v1/bots/<uuid:bot>/tokens": SECRET,
    "POST /v1/tokens": SECRET,
    "POST /v1/session": SECRET,
    "POST /v1/webhooks": SECRET,
    "PATCH /v1/me": AGAIN,
    "PUT /v1/me/key": AGAIN,
    "DELETE /v1/me/key": AGAIN,
    "DELETE /v1/me": AGAIN,
    "DELETE /v1/tokens/<uuid:token>": AGAIN,
    "DELETE /v1/session": AGAIN,
    "POST /v1/session/confirmation": AGAIN,
    "POST /v1/me/recovery-codes": SECRET,
    "PUT /v1/me/email": AGAIN,
    "DELETE /v1/me/email": AGAIN,
    "POST /v1/me/email/confirmation": "a code is valid once",
    "POST /v1/recovery/mail": "each request sends a mail; their number is bounded",
    "POST /v1/me/second-factor": SECRET,
    "POST /v1/me/second-factor/confirmation": "a code is valid once",
    "POST /v1/me/second-factor/removal": "a code is valid once",
    "POST /v1/session/second-factor": SECRET,
    "POST /v1/recovery": "a code is valid once; the client logs in with the new password",
    "DELETE /v1/sessions": AGAIN,
    "DELETE /v1/sessions/<uuid:session>": AGAIN,
    "DELETE /v1/webhooks/<uuid:hook>": AGAIN,
    "POST /v1/webhooks/<uuid:hook>/on": AGAIN,
    "DELETE /v1/analyses/<uuid:analysis>": AGAIN,
    "POST /v1/games/<uuid:game>/analyses": "an equal analysis is returned, not computed again",
    "POST /v1/webhooks/<uuid:hook>/test": "each request sends a test; their number is bounded",
    "POST /v1/reports": "a repetition returns the open report about the thing",
    "POST /v1/admin/reports/settlements": AGAIN,
    "PUT /v1/admin/players/<uuid:player>/block": AGAIN,
    "POST /v1/admin/players/<uuid:player>/unblocking": AGAIN,
    "PUT /v1/admin/players/<uuid:player>/name": "a stated name is set again; each generated one is told, and recorded",
    "POST /v1/admin/stale-games/end": "a game ends once; another request lists it as left",
    "POST /v1/admin/hidden-texts": AGAIN,
    "POST /v1/admin/shown-texts": AGAIN,
    "DELETE /v1/games/<uuid:game>/talk/<int:number>": AGAIN,
    "DELETE /v1/tournaments/<uuid:tournament>/talk/<int:number>": AGAIN,
    "DELETE /v1/games/<uuid:game>/answers": AGAIN,
    "DELETE /v1/games/<uuid:game>/answers/<uuid:answer>": AGAIN,
    "PUT /v1/games/<uuid:game>/talk/read": AGAIN,
    "PUT /v1/games/<uuid:game>/talk/rooms": AGAIN,
    "PUT /v1/tournaments/<uuid:tournament>/talk/read": AGAIN,
    "PUT /v1/tournaments/<uuid:tournament>/talk/rooms": AGAIN,
    "PUT /v1/me/talk": AGAIN,
    "PATCH /v1/me/settings": AGAIN,
    "PUT /v1/me/vacation": "a player is away once at a time: a repetition is refused",
    "DELETE /v1/me/vacation": "days away end once: a repetition is refused",
    "POST /v1/me/push": AGAIN,
    "DELETE /v1/me/push": AGAIN,
    "POST /v1/programs": "their number is bounded, and a list names them",
    "DELETE /v1/programs/<program>": AGAIN,
    "POST /oauth/device_authorization": SECRET,
    "POST /oauth/token": SECRET,
    "POST /oauth/revoke": AGAIN,
    "POST /v1/analysis": PURE,
    "POST /v1/verify": PURE,
    "POST /v1/studies/<uuid:study>/chapters/<int:chapter>/answers": PURE,
}
OF_AN_ANALYSIS: Final = "POST /v1/studies/<uuid:study>/chapters/<int:chapter>/estimates"  # an edit of a study
OPERATIONS: Final = {
    f"{one.method} {one.rule}": one for subject in ROUTES for one in subject.operations if one.method in WRITES
}
SWISS: Final = {"format": "swiss", "rounds": 1, "sizes": [3]}
CHOSEN: Final = {"format": "heats", "rounds": 1, "sizes": [3], "seats": "choice"}
BY_INVITATION: Final = {"entry": "invited", "check_in": True, "most": 3}
WHY: Final = {"reason": "The lamp went out"}
TABLE: Final = {"round": 1, "table": 1, **WHY}


class RepeatingClient(FlaskClient):
    """A client that sends each keyed request twice and gets the same answer, though the stream has gone on."""

    repeated: set[str]

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        method, path = kwargs.get("method", "GET"), str(args[0])
        if method not in WRITES:
            return super().open(*args, **kwargs)
        router = self.application.url_map.bind("localhost")
        rule, _ = router.match(path.partition("?")[0], method=method, return_rule=True)
        name = f"{method} {rule.rule}"
        if not OPERATIONS[name].keyed:
            return super().open(*args, **kwargs)
        kwargs["headers"] = {**kwargs.get("headers", {}), "Idempotency-Key": uuid4().hex}
        first = super().open(*args, **kwargs)
        if first.status_code < 300:
            again = super().open(*args, **kwargs)
            assert (again.status_code, again.data) == (first.status_code, first.data), name
            self.application.extensions["repeated"].add(name)
        return first


@pytest.fixture
def repeated(app: Flask) -> set[str]:
    """The operations that were repeated; every client of the application repeats its requests."""
    app.test_client_class = RepeatingClient
    found: set[str] = set()
    app.extensions["repeated"] = found
    return found


def keyed(*areas: str) -> set[str]:
    return {
        name
        for name, one in OPERATIONS.items()
        if one.keyed and one.rule.startswith(tuple(f"/v1/{area}" for area in areas))
    }


def test_every_writing_operation_takes_a_key_or_says_why_not() -> None:
    assert {name for name, one in OPERATIONS.items() if not one.keyed} == set(WITHOUT_KEY)


def open_and_change_seats(client: FlaskClient) -> None:
    host, guest = somebody(client), somebody(client)
    game = host.create("me", "open")["id"]
    guest.join(game)
    host, guest = somebody(client), somebody(client)
    game = host.create("me", "open", "open")["id"]
    guest.join(game)
    assert guest.ask("DELETE", f"/v1/games/{game}/seats/mine").status_code == 200


def play_offer_and_end(client: FlaskClient) -> None:
    game, (first, second) = running(client, "Edda", "Finn")
    path = f"/v1/games/{game}"
    version = first.move(game, "play upgrade_2")["version"]
    first.post(f"{path}/talk", {"text": "a good start"})
    first.post(f"{path}/answers", {"move": "claim 5"})
    first.post(f"{path}/undo")
    first.move(game, "play create_2")
    second.post(f"{path}/take-back", {"to": version - 1})
    first.post(f"{path}/offer", {"agrees": False})
    second.post(f"{path}/take-back", {"to": version - 1})
    second.post(f"{path}/offer/withdrawal")
    second.post(f"{path}/abort")
    first.post(f"{path}/rematch")
    game, (first, second) = running(client, "Carl", "Dora", clock={"kind": "per_move", "seconds": 86_400})
    first.post(f"/v1/games/{game}/pause", {"seconds": 3600})
    second.post(f"/v1/games/{game}/offer", {"agrees": True})
    second.post(f"/v1/games/{game}/pause/end")
    first.post(f"/v1/games/{game}/resign")


def reveal_entropies(client: FlaskClient, seal: Any) -> None:
    game, people, secrets = careful_table(client, 2)
    seal()
    for person, secret in zip(people, secrets, strict=True):
        person.post(f"/v1/games/{game['id']}/entropy", {"entropy": secret.entropy.hex()})


def enter_a_record(client: FlaskClient) -> None:
    scribe = somebody(client)
    game = scribe.post("/v1/games/import", {"record": record()})
    scribe.post(f"/v1/games/{game['id']}/record", {"lines": "; and drank"})


def move_to_newer_rules_and_end(app: Flask, environ: dict[str, str]) -> None:
    host = somebody(app.test_client())
    game, admin = host.create("me", "bot:random")["id"], somebody(app.test_client())
    program = CliRunner(env=environ)
    arguments = ["--data-dir", environ["CABILDO_DATA_DIR"], "token", "issue", admin.name]
    admin.token = program.invoke(main, arguments).stdout.strip()
    with newer_rules(**first_at(2)):
        admin.post(f"/v1/games/{game}/rules", {"to": SECOND, **WHY})
        admin.post(f"/v1/games/{game}/end", WHY)


def test_repeated_requests_on_games_get_the_stored_answer(
    app: Flask, environ: dict[str, str], repeated: set[str], sealed: Any
) -> None:
    client = app.test_client()
    open_and_change_seats(client)
    reveal_entropies(client, sealed)
    enter_a_record(client)
    play_offer_and_end(client)
    move_to_newer_rules_and_end(app, environ)
    assert repeated == keyed("games")


def enter_and_leave(app: Flask) -> None:
    hall = Hall(app, [SWISS], **BY_INVITATION)
    director = somebody(hall.client)
    hall.direct("directors", {"player": director.id})
    assert hall.host.ask("DELETE", f"{hall.path}/directors/{director.id}").status_code == 200
    draft = {"title": "The open of spring", "regulations": {**SPICE, **BY_INVITATION, "stages": [SWISS]}}
    assert hall.host.ask("PUT", f"{hall.path}/draft", draft).status_code == 200
    hall.open()
    guests = [somebody(hall.client) for _ in range(4)]
    for number, guest in enumerate(guests, 1):
        hall.direct("invitations", {"player": guest.id})
        guest.post(f"{hall.path}/entrants")
        if number < 4:
            guest.post(f"{hall.path}/entrants/{number}/check-in")
    guests[0].post(f"{hall.path}/entrants/1/absences", {"round": 1})
    guests[1].post(f"{hall.path}/entrants/2/withdrawal")
    hall.direct("cancellation", WHY)


def rule_and_close(app: Flask) -> None:
    hall = Hall(app, [SWISS], most=3, clock={"kind": "bank", "seconds": 600, "increment": 5}).open(people=5)
    hall.direct("stages")
    hall.direct("rounds")
    hall.direct("rounds/current/publication")
    hall.direct("rounds/current/start")
    hall.keep()
    seats = hall.read("rounds/1")["tables"][0]["seats"]
    hall.direct("rulings/time", {**TABLE, "entrant": seats[0]["entrant"], "seconds": 60})
    hall.direct("rulings/substitution", {**TABLE, "entrant": seats[0]["entrant"], "by": 4})
    hall.direct("rulings/disqualification", {"entrant": seats[1]["entrant"], **WHY})
    hall.keep()
    hall.direct("rulings/result", {**TABLE, "points": [30, 20, 10], "places": [1, 2, 3]})
    hall.keep()
    hall.direct("rulings/void", TABLE)
    hall.direct("rounds/current/closing")
    hall.direct("stages/current/closing")
    hall.direct("closing")


def wish_and_admit(app: Flask) -> None:
    hall = Hall(app, [CHOSEN]).open(people=3)
    hall.direct("stages")
    hall.direct("rounds")
    hall.direct("rounds/current/publication")
    hall.host.post(f"{hall.path}/talk", {"text": "Welcome"})
    for person in hall.people:
        person.post(f"{hall.path}/rounds/current/wishes", {"wish": [0, 1, 2]})
    hall = Hall(app, [{**SWISS, "rounds": 2}], most=3, late_join=2).open(people=4)
    hall.direct("stages")
    hall.direct("entrants/1/withdrawal")
    hall.direct("entrants/4/admission")


def test_repeated_requests_on_tournaments_get_the_stored_answer(app: Flask, repeated: set[str]) -> None:
    enter_and_leave(app)
    rule_and_close(app)
    wish_and_admit(app)
    assert repeated >= keyed("tournaments")


def test_closed_round_is_not_closed_again_by_another_request(app: Flask) -> None:
    hall = Hall(app, [SWISS], bots="random").open(bots=3)
    hall.direct("stages")
    hall.round()
    assert problem(hall.direct("rounds/current/closing", status=409)) == "not_at_this_stage"


def test_repeated_requests_on_studies_get_the_stored_answer(app: Flask, repeated: set[str]) -> None:
    client = app.test_client()
    game, (host, _) = running(client)
    host.post(f"/v1/games/{game}/abort")
    study = begin(host, game, visibility="public")
    study.edit("settle", title="Another title")
    host.post(f"{study.path}/clones", {})
    host.post("/v1/studies/import", {"script": study.read("/export")})
    assert host.ask("DELETE", f"{study.path}?saw=1000").status_code == 200
    assert repeated >= keyed("studies") - {OF_AN_ANALYSIS}

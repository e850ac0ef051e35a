"""Regulations are declared as a draft, frozen under their hash, and then nobody changes them."""

from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from projections.tournaments.pairing.seeds import regulations_hash
from tests.support.service.players import answer, problem, somebody
from tests.support.service.tournament_fixture import SPICE, Hall

HEATS = {"format": "heats", "rounds": 2, "sizes": [4, 3]}


def test_a_draft_is_for_its_directors_alone(app: Flask) -> None:
    hall = Hall(app, [HEATS])
    stranger = somebody(hall.client)
    assert problem(answer(stranger.ask("GET", hall.path), 404)) == "not_there"
    assert answer(hall.host.ask("GET", hall.path), 200)["status"] == "draft"
    hall.direct("publication")
    assert answer(stranger.ask("GET", hall.path), 200)["status"] == "open"


def test_published_regulations_have_their_hash_and_do_not_change(app: Flask) -> None:
    hall = Hall(app, [HEATS])
    draft = {"title": "Another", "regulations": {**SPICE, "stages": [HEATS], "least": 6}}
    answer(hall.host.ask("PUT", f"{hall.path}/draft", draft), 200)
    published = hall.direct("publication")
    assert published["title"] == "Another"
    assert published["hash"] == regulations_hash(published["regulations"]).hex()
    refused = answer(hall.host.ask("PUT", f"{hall.path}/draft", draft), 409)
    assert problem(refused) == "not_at_this_stage"
    assert problem(hall.direct("publication", status=409)) == "not_at_this_stage"


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"stages": [{"format": "arena"}]}, "bad_regulations"),
    ({"stages": [{"format": "heats", "sizes": [9]}]}, "bad_regulations"),
    ({"stages": [HEATS, HEATS]}, "bad_regulations"),  # no entrant advances from the first
    ({"leaver": "bot:genius"}, "bad_regulations"),
    ({"bots": "genius"}, "bad_regulations"),
    ({"time_zone": "Atlantis/Poseidonis"}, "bad_regulations"),
    ({"time_zone": "../../etc/passwd"}, "bad_regulations"),
    ({"time_zone": "Atlantic"}, "bad_regulations"),
    ({"duplicate": True, "chance": 1}, "bad_regulations"),
    ({"rated": True, "chance": 0}, "bad_regulations"),
    ({"rated": True, "duplicate": True, "chance": None}, "bad_regulations"),
    ({"pace": "automatic"}, "bad_regulations"),
    ({"starts": 5, "ends": 5}, "bad_regulations"),
    ({"least": 9, "most": 8}, "bad_regulations"),
    ({"options": {"no_such": 1}}, "bad_options"),
    ({"options": {"text": "Free text, with spaces"}}, "bad_options"),
    ({"forbidden": [["a", "not an id!"]]}, "invalid_request"),
    ({"stages": []}, "invalid_request"),
    ({"game": "chess"}, "invalid_request"),
    ({"no_show": {"minutes": 0}}, "invalid_request"),
    ({"more": 1}, "invalid_request"),
]


def test_a_title_turns_no_text_behind_it_around(app: Flask, client: FlaskClient) -> None:
    host = somebody(client)
    body = {"title": "The \u2067\u202eopen", "regulations": {**SPICE, "stages": [HEATS]}}
    assert host.post("/v1/tournaments", body)["title"] == "The open"
    nothing = {**body, "title": "\u202e\u2066"}
    assert problem(host.post("/v1/tournaments", nothing, 422)) == "invalid_request"
    study = host.post("/v1/studies", {"title": "\u202aNotes\u202c"})
    assert answer(host.ask("GET", f"/v1/studies/{study['study']}"), 200)["title"] == "Notes"


def test_regulations_that_do_not_fit_together_are_refused(app: Flask) -> None:
    host = somebody(app.test_client())
    for change, type_ in REFUSED:
        body = {"title": "The open", "regulations": {**SPICE, "stages": [HEATS], **change}}
        assert problem(host.post("/v1/tournaments", body, 422)) == type_, change


def test_a_list_of_tie_breaks_that_may_not_separate_is_pointed_out(app: Flask) -> None:
    hall = Hall(app, [{**HEATS, "criteria": ["points"]}])
    (doubt,) = hall.direct("publication")["doubts"]
    assert doubt["code"] == "may_not_separate"


def test_times_are_told_by_the_clocks_of_the_place_too(app: Flask) -> None:
    noon = 1_795_003_200_000_000  # 2026-11-18T12:00 UTC
    hall = Hall(app, [HEATS], starts=noon, ends=noon + 3_600_000_000, time_zone="America/Puerto_Rico")
    told = answer(hall.host.ask("GET", hall.path), 200)
    assert told["starts"] == "2026-11-18T12:00:00.000000Z"
    assert told["local"] == {"starts": "2026-11-18T08:00:00-04:00", "ends": "2026-11-18T09:00:00-04:00"}


def test_only_directors_direct_and_only_the_host_names_them(app: Flask) -> None:
    hall = Hall(app, [HEATS]).open(people=3)
    helper, other, _ = hall.people
    for what, body in (("stages", {}), ("rounds", {}), ("invitations", {"player": other.id}), ("publication", {})):
        assert problem(helper.post(f"{hall.path}/{what}", body, 403)) == "not_allowed"
    assert problem(helper.post(f"{hall.path}/directors", {"player": helper.id}, 403)) == "not_allowed"
    hall.direct("directors", {"player": helper.id})
    helper.post(f"{hall.path}/stages")
    answer(hall.host.ask("DELETE", f"{hall.path}/directors/{helper.id}"), 200)
    assert problem(helper.post(f"{hall.path}/rounds", {}, 403)) == "not_allowed"


def test_a_tournament_that_is_called_off_shows_the_seed_of_its_pairings(app: Flask) -> None:
    hall = Hall(app, [HEATS]).open(people=1)
    closed = hall.direct("cancellation", {"reason": "Rain"})
    assert (closed["status"], len(closed["seed"])) == ("cancelled", 64)
    assert problem(hall.people[0].post(f"{hall.path}/entrants", {}, 409)) == "not_at_this_stage"


def test_lists_show_what_is_public_page_by_page(app: Flask) -> None:
    halls = [Hall(app, [HEATS]).open() for _ in range(3)]
    draft = Hall(app, [HEATS])
    client = halls[0].client
    first = answer(client.get("/v1/tournaments?limit=2"), 200)
    second = answer(client.get("/v1/tournaments", query_string={"limit": 2, "after": first["next"]}), 200)
    seen = [row["id"] for page in (first, second) for row in page["tournaments"]]
    assert seen[:3] == [hall.id for hall in reversed(halls)]
    assert answer(client.get("/v1/tournaments?limit=200"), 200)["next"] is None
    own = answer(draft.host.ask("GET", "/v1/tournaments"), 200)["tournaments"]
    assert own[0]["id"] == draft.id
    assert problem(answer(client.get("/v1/tournaments?after=!!"), 422)) == "invalid_request"


def test_the_same_key_declares_one_tournament(app: Flask) -> None:
    host = somebody(app.test_client())
    body = {"title": "The open", "regulations": {**SPICE, "stages": [HEATS]}}
    first, second = (host.post("/v1/tournaments", body, Idempotency_Key="one") for _ in range(2))
    assert first == second


def test_every_template_can_be_declared_as_it_is(app: Flask) -> None:
    offered = answer(app.test_client().get("/v1/tournaments/templates"), 200)
    assert {"swiss", "knock_out"} <= set(offered["words"]["formats"])
    host = Hall(app, offered["templates"][0]["stages"]).host
    for template in offered["templates"]:
        body = {"title": template["name"], "regulations": {**SPICE, "stages": template["stages"]}}
        assert host.post("/v1/tournaments", body)["regulations"]["stages"] == template["stages"]


def test_silent_regulations_make_every_table_silent(app: Flask) -> None:
    hall = Hall(app, [HEATS], silent=True, rated=True).open(people=4)
    assert answer(hall.host.ask("GET", hall.path), 200)["regulations"]["silent"] is True
    hall.direct("stages")
    hall.start()
    (game,) = hall.games()
    assert answer(hall.client.get(f"/v1/games/{game}"), 200)["silent"] is True
    refused = answer(hall.people[0].ask("POST", f"/v1/games/{game}/talk", {"text": "Hello"}), 409)
    assert (problem(refused), refused["reason"]) == ("talk_refused", "silent")

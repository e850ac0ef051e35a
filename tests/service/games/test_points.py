"""Points of finished games by the API: known records, running games, names of bots."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from projections.games.imports.transcript import parse
from tests.projections.rules.puerto_rico.test_playthroughs import FOLDER, numbers
from tests.support.service.players import answer, somebody

KINDS = ("vp_chips", "vp_noted", "buildings", "nobles")


@pytest.mark.parametrize("name", ["five_and_a_shared_victory", "four_with_both_expansions", "three_equal_scores"])
def test_a_known_record_is_told_item_by_item(client: FlaskClient, name: str) -> None:
    text = Path(FOLDER / f"{name}.txt").read_text("utf-8")
    known = parse(text)
    game = somebody(client).post("/v1/games/import", {"record": text})["id"]
    told = answer(client.get(f"/v1/games/{game}/points"), 200)
    made = [{part["kind"]: part["points"] for part in seat["parts"]} for seat in told["seats"]]
    for kind in KINDS:
        assert [parts.get(kind, 0) for parts in made] == numbers(known, kind)
    bonuses = [sum(n for kind, n in parts.items() if kind.startswith("bonus.")) for parts in made]
    assert bonuses == numbers(known, "bonuses")
    result = answer(client.get(f"/v1/games/{game}"), 200)["result"]
    assert [seat["total"] for seat in told["seats"]] == [seat["result"] for seat in told["seats"]] == result["points"]
    assert [seat["place"] for seat in told["seats"]] == result["places"]
    shared = result["places"].count(1) > 1
    level = sorted(result["points"])[-1] == sorted(result["points"])[-2]
    assert told["decision"]["by"] == ("shared" if shared else "tie_break" if level else "points")
    assert told["curve"][-1]["totals"] == result["points"]


def test_a_running_game_tells_no_points(client: FlaskClient) -> None:
    host = somebody(client)
    game = host.create("me", "bot:random")["id"]
    problem = answer(host.ask("GET", f"/v1/games/{game}/points"), 409)
    assert problem["type"].endswith("#game_runs")
    answer(client.get(f"/v1/games/{host.create('me', 'bot:random', visibility='private')['id']}/points"), 404)


def test_an_aborted_game_has_no_points(client: FlaskClient) -> None:
    host = somebody(client)
    game = host.create("me", "bot:random")["id"]
    host.post(f"/v1/games/{game}/abort")
    problem = answer(host.ask("GET", f"/v1/games/{game}/points"), 404)
    assert problem["detail"] == f"there is no result of the aborted game {game}"


def test_a_bot_has_the_same_name_in_summary_and_lists(client: FlaskClient) -> None:
    host = somebody(client)
    made = host.create("me", "bot:greedy", "bot:search", "bot:greedy")
    names = {seat["chair"]: seat["name"] for seat in made["seats"]}
    assert names == {0: None, 1: "Gunnar (greedy)", 2: "Selma (searching)", 3: "Gustav (greedy)"}
    (listed,) = answer(host.ask("GET", "/v1/games"), 200)["games"]
    assert {seat["chair"]: seat["name"] for seat in listed["seats"]} == names
    record = host.ask("GET", f"/v1/games/{made['id']}/record").text
    seated = [seat["name"] or host.name for seat in sorted(made["seats"], key=lambda seat: seat["seat"])]
    assert f"seats: {', '.join(seated)}" in record
    swedish = host.ask("GET", f"/v1/games/{made['id']}", Accept_Language="sv").get_json()
    assert {seat["name"] for seat in swedish["seats"]} == {None, "Gunnar (girig)", "Selma (sökande)", "Gustav (girig)"}

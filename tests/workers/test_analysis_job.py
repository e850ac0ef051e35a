"""Computer analysis: reproducible estimates of a finished game, cancelled and resumed, never in a study unasked."""

import gc
import os
import subprocess
import sys
from itertools import islice
from typing import Any
from uuid import UUID

import psutil
import pytest
from flask import Flask
from flask.testing import FlaskClient

from projections.rules.registry import GAMES
from service.analyses import queries
from service.container import Container
from service.core.queues import ANALYSES, BOT_GAMES
from service.studies.markdown import flat
from tests.service.conftest import Environ
from tests.support.lifelines import bound
from tests.support.running_program import PATIENCE, PROJECT, eventually
from tests.support.service.annotators import a_finished_game, a_running_game, begin
from tests.support.service.players import Person, answer, problem, somebody
from tests.support.service.shared_fixtures import client, environ
from tests.support.service.worked_queue import work
from workers import analysis_job
from workers.analysis_job import RequeueAnalyses, decisions
from workers.bots.evaluate_decision import WHOLE, PlayedDecision, evaluate, seeded_source, shares
from workers.keeper.duty_context import KeeperContext

__all__ = ["client", "environ"]  # shared by the tests of this module
STEPS = 24


@pytest.fixture(scope="module")
def app(client: FlaskClient) -> Flask:
    return client.application


@pytest.fixture(scope="module")
def container(app: Flask) -> Container:
    container: Container = app.extensions["cabildo"]
    return container


@pytest.fixture(scope="module")
def game(client: FlaskClient, container: Container, environ: Environ) -> str:
    """A finished game between bots."""
    host = somebody(client)
    seed = "42" * 32
    made = host.post(
        "/v1/games", {"game": "spice_road", "seats": ["bot:greedy", "bot:greedy"], "chance": 0, "seed": seed}
    )
    work(container, environ, BOT_GAMES)
    return str(made["id"])


@pytest.fixture(scope="module")
def blunders(client: FlaskClient, container: Container, environ: Environ) -> str:
    """A finished game in which one seat played whatever came first to its mind."""
    made = somebody(client).post("/v1/games", {"game": "spice_road", "seats": ["bot:greedy", "bot:random"]})
    work(container, environ, BOT_GAMES)
    return str(made["id"])


@pytest.fixture(scope="module")
def short(client: FlaskClient) -> str:
    """Returns a game with a resignation after six moves."""
    return a_finished_game(client)[0]


@pytest.fixture(scope="module")
def harvest(client: FlaskClient, container: Container, environ: Environ) -> str:
    """A finished game of Puerto Rico between bots."""
    seats = ["bot:greedy"] * 3
    made = somebody(client).post("/v1/games", {"game": "puerto_rico", "seats": seats, "chance": 0, "seed": "42" * 32})
    work(container, environ, BOT_GAMES)
    return str(made["id"])


def ask(person: Person, game: str, **more: Any) -> dict[str, Any]:
    return person.post(f"/v1/games/{game}/analyses", {"steps": STEPS, **more}, 202)


def read(client: FlaskClient, id: str) -> dict[str, Any]:
    return answer(client.get(f"/v1/analyses/{id}"), 200)


def places(client: FlaskClient, game: str) -> list[int]:
    """The places of a game that is over, by seat."""
    found: list[int] = answer(client.get(f"/v1/games/{game}"), 200)["result"]["places"]
    return found


def test_every_decision_is_evaluated_the_same_for_a_seed(
    client: FlaskClient, container: Container, environ: Environ, game: str
) -> None:
    one, other = somebody(client), somebody(client)
    first, same = ask(one, game, seed="01" * 8), ask(other, game, seed="01" * 8)
    assert (first["id"], first["yours"], same["yours"]) == (same["id"], True, False)
    work(container, environ, ANALYSES)
    told = read(client, first["id"])
    assert (told["status"], told["done"]) == ("done", told["total"])
    assert told["bot"] == {"level": "search", "version": told["bot"]["version"], "steps": STEPS, "seed": "01" * 8}
    assert "estimate" in told["estimate"]
    icelandic = client.get(f"/v1/analyses/{first['id']}", headers={"Accept-Language": "is"}).get_json()
    assert icelandic["estimate"].startswith("Mat botta, ekki sannleikurinn")
    report = client.get(
        f"/v1/analyses/{first['id']}", headers={"Accept": "text/markdown", "Accept-Language": "is"}
    ).text
    assert report.startswith("# Tölvugreining\n")
    rows = [line.split(" | ") for line in report.splitlines() if line.startswith("| [")]
    assert "Mat botta, ekki sannleikurinn" in report
    table, history = container.game_commands.settle_time(UUID(game)), container.games.history(UUID(game))
    moves = list(decisions(table, history))
    assert [found["version"] for found in told["decisions"]] == [move.event.seq for move in moves]
    for found, move in zip(told["decisions"], moves, strict=True):
        assert found["move"] == move.event.data["move"]
        assert sum(found["shares"]) == WHOLE
        assert all(sum(other["shares"]) == WHOLE for other in found["alternatives"])
        assert (found["loss"] == 0) or (found["best"] != found["move"])
    number = len(moves) // 2
    played = GAMES["spice_road"].parse(str(moves[number].event.data["move"]))
    moment = PlayedDecision(moves[number].position, played, moves[number].progress)
    again = evaluate(GAMES["spice_road"], moment, STEPS, seeded_source("01" * 8, moves[number].event.seq))
    found = told["decisions"][number]
    assert again["shares"] == found["shares"]
    labels = [one.pop("label") for one in (found, *found["alternatives"])]
    assert again["alternatives"] == found["alternatives"]
    assert labels[0] == GAMES["spice_road"].label(moves[number].position, played, "en")
    assert len(rows) == told["done"]
    assert f": {flat(icelandic['decisions'][number]['label'])} `{found['move']}`" in rows[number][1]


def test_puerto_rico_is_weighed_too_and_the_same_figures_are_had_again(
    client: FlaskClient, container: Container, harvest: str
) -> None:
    asked = ask(somebody(client), harvest, seed="0a" * 8)
    id = UUID(asked["id"])
    assert not analysis_job.review(container, id, PATIENCE)
    told = read(client, asked["id"])
    assert (told["status"], told["done"]) == ("done", told["total"])
    table = container.game_commands.settle_time(UUID(harvest))
    with container.stores.pool.connection() as connection:
        analysis = queries.get(connection, id)
    moves = list(decisions(table, container.games.history(UUID(harvest))))
    last = told["decisions"][-1]["shares"]
    assert places(client, harvest)[last.index(max(last))] == 1  # points that were hidden are counted
    for found, move in list(zip(told["decisions"], moves, strict=True))[::12]:
        again = analysis_job.evaluated(table, analysis, move)
        assert (found["version"], found["move"]) == (move.event.seq, move.event.data["move"])
        assert (sum(found["shares"]), len(found["shares"])) == (WHOLE, 3)
        assert [again[name] for name in ("shares", "best", "loss")] == [
            found[name] for name in ("shares", "best", "loss")
        ]


def test_an_analysis_goes_on_where_a_killed_worker_left_it(
    client: FlaskClient, container: Container, game: str
) -> None:
    asked = ask(somebody(client), game, seed="02" * 8)
    id = UUID(asked["id"])
    while not (began := read(client, asked["id"]))["done"]:
        assert analysis_job.review(container, id, 0.05)
    assert began["status"] == "running"
    assert 0 < began["done"] < began["total"]
    assert not analysis_job.review(container, id, PATIENCE)
    ended = read(client, asked["id"])
    assert (ended["status"], ended["done"]) == ("done", ended["total"])
    assert ended["decisions"][: began["done"]] == began["decisions"]


def test_another_worker_completes_the_analysis_of_a_killed_one(
    client: FlaskClient, container: Container, environ: Environ, game: str
) -> None:
    asked = ask(somebody(client), game, seed="09" * 8, steps=1000)
    command = bound((sys.executable, "-m", "deploy.cli", "worker", ANALYSES))
    worker = subprocess.Popen(command, cwd=PROJECT, env={**os.environ, **environ}, stderr=subprocess.DEVNULL)
    try:
        assert eventually(lambda: read(client, asked["id"])["done"] > 0)
    finally:
        for job in psutil.Process(worker.pid).children(recursive=True):
            job.kill()
        worker.kill()
        worker.wait(PATIENCE)
    began = read(client, asked["id"])
    assert began["done"] < began["total"]
    with container.stores.pool.connection() as connection:
        connection.execute("UPDATE analyses SET steps = 8 WHERE id = %s", (asked["id"],))  # the rest shall be quick
    assert not analysis_job.review(container, UUID(asked["id"]), PATIENCE)
    ended = read(client, asked["id"])
    assert (ended["status"], ended["done"]) == ("done", ended["total"])
    assert ended["decisions"][: began["done"]] == began["decisions"]


def test_a_lost_job_is_called_again(client: FlaskClient, container: Container, environ: Environ, short: str) -> None:
    asked = ask(somebody(client), short, seed="03" * 8)
    container.stores.redis.flushdb()
    with container.stores.pool.connection() as connection:
        connection.execute("UPDATE analyses SET changed = changed - 70000000 WHERE id = %s", (asked["id"],))
        recalling = RequeueAnalyses(KeeperContext(container.settings, {}))
        assert not recalling(connection)
    work(container, environ, ANALYSES)
    assert read(client, asked["id"])["status"] == "done"
    recalling.container.close()


def test_who_asked_cancels_and_may_ask_again(
    client: FlaskClient, container: Container, environ: Environ, short: str
) -> None:
    one = somebody(client)
    asked = ask(one, short, seed="04" * 8)
    path = f"/v1/analyses/{asked['id']}"
    assert somebody(client).ask("DELETE", path).get_json()["reason"] == "not_yours"
    assert answer(one.ask("DELETE", path), 200)["status"] == "cancelled"
    work(container, environ, ANALYSES)
    assert read(client, asked["id"])["done"] == 0
    assert ask(one, short, seed="04" * 8)["status"] == "waiting"
    work(container, environ, ANALYSES)
    assert read(client, asked["id"])["status"] == "done"
    assert problem(answer(client.get(f"/v1/analyses/{short}"), 404)) == "not_there"


def test_nobody_keeps_all_workers_busy(client: FlaskClient, container: Container, environ: Environ, game: str) -> None:
    one = somebody(client)
    for seed in ("05", "06"):
        ask(one, game, seed=seed * 8)
    refused = one.post(f"/v1/games/{game}/analyses", {"steps": STEPS, "seed": "07" * 8}, 422)
    assert (problem(refused), refused["limit"]) == ("limit_reached", 2)
    for listed in answer(client.get(f"/v1/games/{game}/analyses"), 200)["analyses"]:
        one.ask("DELETE", f"/v1/analyses/{listed['id']}")
    work(container, environ, ANALYSES)


def test_a_running_game_gets_no_help(client: FlaskClient) -> None:
    running, first, _ = a_running_game(client)
    assert problem(first.post(f"/v1/games/{running}/analyses", {}, 409)) == "game_runs"
    assert problem(answer(client.get(f"/v1/games/{running}/analyses"), 409)) == "game_runs"


def test_a_study_takes_estimates_over_only_when_asked(
    client: FlaskClient, container: Container, environ: Environ, blunders: str
) -> None:
    author = somebody(client)
    study = begin(author, blunders)
    asked = ask(author, blunders)
    work(container, environ, ANALYSES)
    losses = [found["loss"] for found in read(client, asked["id"])["decisions"]]
    worst = max(losses)
    assert worst > 0
    assert study.chapter()["notes"] == {}
    taken = {"analysis": asked["id"], "least": worst}
    author.post(f"{study.path}/chapters/1/estimates", taken, Accept_Language="cs")
    told = study.chapter()
    assert len(told["notes"]) == losses.count(worst)
    for note in told["notes"].values():
        assert note["comments"][0]["text"].startswith("Odhad (search ")
        assert note["marks"][0]["glyphs"]
    assert [node["rank"] for node in told["nodes"]] == [0] * losses.count(worst)
    other, _, _ = a_running_game(client)
    elsewhere = begin(author, other)
    refused = author.post(f"{elsewhere.path}/chapters/1/estimates", {"analysis": asked["id"]}, 409)
    assert problem(refused) == "game_runs"


@pytest.mark.parametrize("standings", [[0.0, 0.0, 0.0], [50.0, -3.0], [1.0, 1.0, 1.0, 1.1], [-400.0, 400.0]])
def test_shares_add_up_and_who_stands_better_is_more_likely_to_win(standings: list[float]) -> None:
    found = shares(standings, 4.0)
    assert sum(found) == WHOLE
    ahead = max(range(len(found)), key=standings.__getitem__)
    assert found[ahead] == max(found)


def test_too_small_a_budget_ranks_nothing_and_says_so(client: FlaskClient, container: Container, game: str) -> None:
    asked = ask(somebody(client), game, seed="0b" * 8, steps=8)
    assert not analysis_job.review(container, UUID(asked["id"]), PATIENCE)
    told = read(client, asked["id"])
    thin = [one for one in told["decisions"] if not one["enough"]]
    assert thin
    assert {(one["best"], one["loss"], one["swing"], len(one["alternatives"])) for one in thin} == {(None, 0, None, 0)}
    assert all(one["best"] for one in told["decisions"] if one["enough"])
    said = f"8 steps are too few to compare the moves of {len(thin)} out of {told['done']} decisions"
    assert told["advice"].startswith(said)
    wanted = {"Accept": "text/markdown", "Accept-Language": "sv"}
    report = client.get(f"/v1/analyses/{asked['id']}", headers=wanted).text
    assert "8 steg" in report


def test_an_analysis_with_steps_enough_gives_no_advice(client: FlaskClient, container: Container, short: str) -> None:
    asked = ask(somebody(client), short, seed="0c" * 8, steps=100)
    assert not analysis_job.review(container, UUID(asked["id"]), PATIENCE)
    told = read(client, asked["id"])
    assert (told["advice"], all(one["enough"] for one in told["decisions"])) == (None, True)


def test_each_seed_is_a_job_and_a_player_has_few_of_a_game(client: FlaskClient, short: str) -> None:
    one, other = somebody(client), somebody(client)
    for number in range(4):
        asked = ask(one, short, seed=f"f{number}" * 8)
        answer(one.ask("DELETE", f"/v1/analyses/{asked['id']}"), 200)
    refused = one.post(f"/v1/games/{short}/analyses", {"steps": STEPS, "seed": "f4" * 8}, 422)
    assert (problem(refused), "4" in refused["detail"]) == ("limit_reached", True)
    again = ask(one, short, seed="f0" * 8)  # one of the four
    assert ask(other, short, seed="f0" * 8)["id"] == again["id"]


def boards(kind: type) -> int:
    """Returns the number of boards in memory."""
    return sum(type(one) is kind for one in gc.get_objects())


def test_review_keeps_two_boards_of_a_game_at_a_time(container: Container, harvest: str) -> None:
    table, history = container.games.load(UUID(harvest)), container.games.history(UUID(harvest))
    before = boards(type(table.board))
    kept = [boards(type(table.board)) - before for _ in islice(decisions(table, history), 0, None, 20)]
    assert len(kept) > 5
    assert max(kept) <= 4

"""Verification for strangers: bounded, in processes of its own, and nobody else waits for it."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import httpx
import psutil
import pytest

from events.log.bundle import Bundle
from projections.verify.archive import pack
from service.proof.judgement import AT_ONCE
from tests.service.conftest import Environ, opened_app
from tests.service.web.test_gunicorn import answers, serving
from tests.support.projections.bundles import GAME
from tests.support.projections.long_games import long_bundle
from tests.support.projections.played_games import played
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.players import problem

ARCHIVES = 24
ZIP = {"Content-Type": "application/zip"}


def archive(moves: int) -> bytes:
    """An archive of one long game."""
    return pack([(GAME, long_bundle(moves))])


def judging(server: psutil.Process) -> int:
    """The number of processes that verify now."""
    found = 0
    for process in server.children(recursive=True):
        try:
            found += "service.proof.judge_process" in process.cmdline()
        except psutil.NoSuchProcess:
            continue
    return found


def test_24_archives_at_once_leave_room_for_everybody(environ: Environ, tmp_path: Path) -> None:
    data, over = archive(1_500), Event()
    most = [0]

    def watched(server: psutil.Process) -> None:
        while not over.wait(0.02):
            most[0] = max(most[0], judging(server))

    small = {**environ, "CABILDO_POOL_SIZE": "2", "CABILDO_VERIFY_SECONDS": "600"}
    with serving(small, "service.app:create_app()", tmp_path / "log") as (process, url), ThreadPoolExecutor(30) as pool:
        assert eventually(lambda: answers(url))
        watching = pool.submit(watched, psutil.Process(process.pid))
        asked = [
            pool.submit(httpx.post, f"{url}/v1/verify", content=data, headers=ZIP, timeout=PATIENCE)
            for _ in range(ARCHIVES)
        ]
        meanwhile = []
        while not all(one.done() for one in asked) and not over.wait(0.05):
            meanwhile.append(httpx.get(f"{url}/v1/games", timeout=PATIENCE).status_code)
        told = [one.result() for one in asked]
        over.set()
        watching.result()
    assert set(meanwhile) == {200}
    assert len(meanwhile) > AT_ONCE  # ordinary requests did not wait for archives
    judged = [answer for answer in told if answer.status_code == 200]
    busy = [answer for answer in told if answer.status_code == 503]
    assert len(judged) + len(busy) == ARCHIVES
    assert len(judged) >= AT_ONCE
    assert all(len(answer.json()["games"]) == 1 for answer in judged)
    assert [problem(answer.json()) for answer in busy] == ["service_busy"] * len(busy)
    assert all(int(answer.headers["Retry-After"]) >= 1 for answer in busy)
    assert 1 <= most[0] <= AT_ONCE


def test_a_verification_ends_with_its_time(environ: Environ) -> None:
    with opened_app(environ, CABILDO_VERIFY_SECONDS="1") as app:
        refused = app.test_client().post("/v1/verify", data=archive(15_000), headers=ZIP)
        assert (refused.status_code, problem(refused.get_json())) == (422, "verification_stopped")
        assert (refused.get_json()["lacks"], refused.get_json()["seconds"]) == ("time", 1)
        assert not judging(psutil.Process())


def test_a_verification_holds_no_connection(environ: Environ) -> None:
    with opened_app(environ, CABILDO_VERIFY_SECONDS="600") as app:
        stores = app.extensions["cabildo"].stores
        stores.pool.resize(1, 1)
        with ThreadPoolExecutor(1) as thread:
            asked = thread.submit(app.test_client().post, "/v1/verify", data=archive(15_000), headers=ZIP)
            assert eventually(lambda: judging(psutil.Process()) == 1)
            with stores.pool.connection(PATIENCE) as connection:
                connection.execute("SELECT 1")
                assert not asked.done()
            assert asked.result().get_json()["games"]


@pytest.fixture
def without_redis(environ: Environ) -> Environ:
    """The variables of a service whose Redis is away."""
    return {**environ, "REDIS_URL": "unix:///nowhere/redis.sock"}


def test_verification_goes_on_while_redis_is_away(without_redis: Environ) -> None:
    data = Bundle(GAME, tuple(event.body for event in played(most=4))).encode()
    with opened_app(without_redis) as app:
        told = app.test_client().post("/v1/verify", data=data, content_type="application/json")
        assert json.loads(told.data)["failure"] is None

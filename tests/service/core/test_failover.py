"""A frozen primary and a promoted standby: 503 soon, moves soon after the promotion, every duty led again."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

from service import settings as config
from tests.service.conftest import Environ, opened_app, variables
from tests.support.events.stalling_proxy import stalling_proxy
from tests.support.replication import Replicated, frozen, replicated
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.players import Person
from tests.support.service.running_service import LOG_KEY
from workers.keeper.duties import DUTIES
from workers.keeper.keeper import Keeper

SLOW_MACHINE = 30.0  # seconds, in which a test on a slow machine gets what takes 4 on others


@pytest.fixture
def pair(server_directory: Path, tmp_path: Path) -> Iterator[Replicated]:
    """A primary with a standby."""
    with replicated(server_directory / tmp_path.name) as pair:
        yield pair


@pytest.fixture
def environ(pair: Replicated, redis_url: str, tmp_path: Path) -> Environ:
    """The variables of processes that find the primary by themselves."""
    return variables(pair.url, redis_url, tmp_path) | LOG_KEY


@contextmanager
def keeping(environ: Environ) -> Iterator[Keeper]:
    """A keeper with all its duties."""
    settings = config.load({name: value for name, value in environ.items() if name not in LOG_KEY})
    keeper = Keeper(settings, environ, DUTIES)
    thread = threading.Thread(target=keeper.run, args=("first",))
    thread.start()
    try:
        yield keeper
    finally:
        keeper.stopping.set()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def leads_all(keeper: Keeper) -> bool:
    """Whether the keeper leads every duty."""
    return all(watch.leading for watch in keeper.watches.values())


def creates(person: Person) -> bool:
    """Whether a game is created."""
    return person.ask("POST", "/v1/games", {"game": "spice_road", "seats": ["me", "open"]}).status_code == 201


def seconds_until_refused(person: Person) -> float:
    """How long a write waits for its refusal."""
    begun = monotonic()
    assert person.ask("POST", "/v1/games", {"game": "spice_road", "seats": ["me", "open"]}).status_code == 503
    return monotonic() - begun


def test_every_request_is_refused_soon_while_the_server_is_silent(
    database: str, redis_url: str, tmp_path: Path
) -> None:
    with stalling_proxy(database) as proxy, opened_app(variables(proxy.url, redis_url, tmp_path)) as app:
        person = Person(app.test_client(), "Nina")
        game = person.create("me", "bot:random")["id"]
        requests = (
            *(("POST", path) for path in (f"/v1/games/{game}/resign", "/v1/studies", "/v1/tokens")),
            *(("GET", path) for path in ("/", "/lobby", "/readyz", "/v1/me", "/v1/games", f"/v1/games/{game}/replay")),
        )
        proxy.stall()

        def ask(asked: tuple[str, str]) -> tuple[int, float]:
            begun = monotonic()
            status = person.ask(*asked, {"title": "x"} if asked[0] == "POST" else None).status_code
            return status, monotonic() - begun

        with ThreadPoolExecutor(len(requests)) as threads:
            answered = dict(zip(requests, threads.map(ask, requests), strict=True))
        late = {asked: answer for asked, answer in answered.items() if answer[0] < 400 or answer[1] > SLOW_MACHINE}
        assert late == {}
        assert ask(("GET", "/healthz"))[0] == 200
        proxy.flow()
        assert eventually(lambda: creates(person))


def test_moves_and_duties_go_on_soon_after_a_promotion(environ: Environ, pair: Replicated) -> None:
    with opened_app(environ) as app, keeping(environ) as keeper:
        person = Person(app.test_client(), "Nina")
        assert eventually(lambda: leads_all(keeper))
        assert eventually(lambda: creates(person))
        pair.wait_until_level()
        with frozen(pair.primary):
            for _ in range(3):
                assert seconds_until_refused(person) < SLOW_MACHINE
            assert eventually(lambda: not any(watch.leading for watch in keeper.watches.values()))
            pair.promote()
            promoted = monotonic()
            assert eventually(lambda: creates(person))
            assert eventually(lambda: leads_all(keeper))
            assert monotonic() - promoted < SLOW_MACHINE

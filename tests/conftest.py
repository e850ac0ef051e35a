"""Real stores for tests: one PostgreSQL and one Redis per test process, an empty database for each test."""

import asyncio
import gc
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, groupby, zip_longest
from pathlib import Path
from random import Random

import psutil
import pytest
import redis
from hypothesis import settings

from deploy.local.processes import Process, ServerProgram, stop_leftovers, write_record
from deploy.local.stores import EmbeddedPostgres, EmbeddedRedis
from tests.support.databases import Databases
from tests.support.lasting_locks import locks_last
from tests.support.lifelines import bound

DIRECTORIES = f"cabildo-test-{os.geteuid()}-"
FAST = {"fsync": "off", "shared_buffers": "32MB"}  # the cluster lives no longer than the tests; durability has its own
LONGEST = "test_every_page.py"  # takes a minute by itself: begun late, it would leave the other cores idle in the end
# The same examples in every run, and none too slow: `--hypothesis-profile=default` looks for new ones.
settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds what a run may ask for."""
    parser.addoption("--shuffle", type=int, metavar="SEED", help="tests in another order, modules in turns")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Runs the longest tests first."""
    if (seed := config.getoption("shuffle")) is not None:
        items[:] = list(shuffled(items, Random(seed)))
    items.sort(key=lambda item: item.path.name != LONGEST)


def shuffled(items: Iterable[pytest.Item], random: Random) -> Iterator[pytest.Item]:
    """Puts tests of a module in any order, and halves of two modules in turns: processes come back to modules."""
    modules = [list(module) for _, module in groupby(items, key=lambda item: item.path)]
    for module in modules:
        random.shuffle(module)
    nothing: list[pytest.Item] = []
    for pair in zip_longest(modules[::2], modules[1::2], fillvalue=nothing):
        yield from chain.from_iterable(module[: len(module) // 2] for module in pair)
        yield from chain.from_iterable(module[len(module) // 2 :] for module in pair)


def pytest_collection_finish() -> None:
    """Collects garbage seldom and among new objects only: full collections took a third of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def lasting_locks() -> Iterator[None]:
    """Finds locks that hold nothing back, in all that runs in the process of the tests."""
    with locks_last():
        yield


@pytest.fixture(autouse=True)
def no_loop_of_the_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    """Lets a test run event loops: the browser of an earlier one has left its own as that of this thread."""
    left = None if "opened" in request.fixturenames else asyncio._get_running_loop()
    if left:
        asyncio._set_running_loop(None)
    yield
    if left:
        asyncio._set_running_loop(left)


@pytest.fixture(scope="session")
def session_directory() -> Iterator[Path]:
    """A directory with a short name for all that runs beside the tests; leftovers of killed test runs are removed."""
    root = Path(tempfile.gettempdir())
    for old in root.glob(f"{DIRECTORIES}*"):
        if not psutil.pid_exists(int(old.name.removeprefix(DIRECTORIES).split("-")[0])):
            for record in (*old.glob("*.json"), *old.glob("*/*.json")):
                stop_leftovers(record)
            shutil.rmtree(old, ignore_errors=True)
    directory = Path(tempfile.mkdtemp(prefix=f"{DIRECTORIES}{os.getpid()}-", dir=root))
    directory.chmod(0o711)
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@contextmanager
def new_directory(parent: Path) -> Iterator[Path]:
    """Makes a directory that servers of other users can reach, and removes it in the end."""
    directory = Path(tempfile.mkdtemp(dir=parent, prefix=""))
    directory.chmod(0o711)
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture
def server_directory(session_directory: Path) -> Iterator[Path]:
    """An empty directory with a short name for the servers of this test alone."""
    with new_directory(session_directory) as directory:
        yield directory


@pytest.fixture(scope="module")
def module_directory(session_directory: Path) -> Iterator[Path]:
    """An empty directory for the servers of a module: a new one each time a test process comes back to the module."""
    with new_directory(session_directory) as directory:
        yield directory


@contextmanager
def running(program: ServerProgram, directory: Path) -> Iterator[None]:
    """Run a server for a while, on record so that it never outlives two test runs."""
    process = Process(replace(program, command=bound(program.command, program.stop_signal)))
    write_record(directory / f"{program.name}.json", {program.name: process.pid})
    try:
        process.wait_ready()
        yield
    finally:
        process.stop()


@pytest.fixture(scope="session")
def postgres_server(session_directory: Path) -> Iterator[EmbeddedPostgres]:
    """A PostgreSQL of this test process."""
    server = EmbeddedPostgres(session_directory / "postgresql", FAST)
    with running(server.prepare(), session_directory):
        yield server


@pytest.fixture(scope="session")
def databases(postgres_server: EmbeddedPostgres) -> Databases:
    """The databases of that server."""
    return Databases(postgres_server)


@pytest.fixture
def database(databases: Databases) -> Iterator[str]:
    """The address of a migrated database of this test alone."""
    with databases.migrated() as url:
        yield url


@pytest.fixture(scope="module")
def module_database(databases: Databases) -> Iterator[str]:
    """The address of a migrated database that the tests of one module share."""
    with databases.migrated() as url:
        yield url


@pytest.fixture
def empty_database(databases: Databases) -> Iterator[str]:
    """The address of a database without any migration."""
    with databases.bare() as url:
        yield url


@pytest.fixture(scope="session")
def redis_server(session_directory: Path) -> Iterator[EmbeddedRedis]:
    """A Redis of this test process."""
    server = EmbeddedRedis(session_directory / "redis")
    with running(server.prepare(), session_directory):
        yield server


@pytest.fixture
def redis_url(redis_server: EmbeddedRedis) -> str:
    """The address of an empty Redis."""
    url = redis_server.url()
    with redis.Redis.from_url(url) as client:
        client.flushdb()
    return url

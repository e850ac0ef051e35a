"""A failover by Patroni and etcd over Debian's PostgreSQL: nothing that was acknowledged is lost."""

import json
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

import httpx
import psutil
import psycopg
import pytest

from deploy.cluster_drills import find_program
from deploy.local.identity import server_identity
from deploy.local.processes import ServerProgram
from deploy.local.stores import answers_sql
from events.store.connections import connect_as_given
from events.store.migrations import migrate
from tests.conftest import running
from tests.service.conftest import Environ, opened_app, variables
from tests.service.core.test_failover import keeping, leads_all
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.mail_server import free_port
from tests.support.service.players import Person
from tests.support.service.running_service import LOG_KEY

MOVES_WITHIN, LED_WITHIN = 10.0, 30.0  # seconds after the promotion: the aims
TABLE: Final = {"game": "spice_road", "seats": ["me", "open"]}
TRUST: Final = ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
MANY: Final = {"CABILDO_MOST_GAMES": "1000000", "CABILDO_MOST_OPEN_TABLES": "1000000"}
DCS: Final = {
    "ttl": 20,
    "loop_wait": 2,
    "retry_timeout": 3,
    "synchronous_mode": True,
    "postgresql": {"use_pg_rewind": True, "parameters": {"fsync": "off"}},
}


class Node(NamedTuple):
    """A PostgreSQL that Patroni looks after."""

    name: str
    port: int
    api: int
    directory: Path

    @property
    def url(self) -> str:
        """The address of this node alone."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def role(self) -> str:
        """Returns the role that Patroni tells of the node; empty while it does not answer."""
        try:
            told: str = httpx.get(f"http://127.0.0.1:{self.api}/patroni", timeout=2).json().get("role", "")
        except httpx.TransportError:
            return ""
        return told

    def program(self, etcd: int) -> ServerProgram:
        """Returns the program of the node."""
        identity = server_identity(self.directory)
        identity.own(self.directory)
        at = f"127.0.0.1:{self.port}"
        login = {"username": "postgres"}
        settings = {
            "scope": "cabildo",
            "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self.api}", "connect_address": f"127.0.0.1:{self.api}"},
            "etcd3": {"hosts": f"127.0.0.1:{etcd}"},
            "bootstrap": {"dcs": DCS, "initdb": [{"encoding": "UTF8"}, {"auth": "trust"}], "pg_hba": TRUST},
            "postgresql": {
                "listen": at,
                "connect_address": at,
                "data_dir": str(self.directory / "data"),
                "bin_dir": str(installed("postgres").parent),
                "pgpass": str(self.directory / "pgpass"),
                "authentication": {"superuser": login, "replication": login, "rewind": login},
                "parameters": {"unix_socket_directories": str(self.directory)},
                "pg_hba": TRUST,
            },
        }
        file = self.directory / "patroni.yml"
        file.write_text(json.dumps(settings))  # JSON is YAML
        file.chmod(0o644)
        return ServerProgram(
            name=self.name,
            command=(str(installed("patroni")), str(file)),
            log=self.directory / "log",
            ready=partial(answers_sql, self.url),
            identity=identity,
            stop_signal=signal.SIGTERM,
            stop_seconds=30.0,
        )


def installed(name: str) -> Path:
    """Returns where a program is."""
    found = find_program(name)
    assert found is not None, f"install {name}"
    return found


@pytest.fixture
def nodes(server_directory: Path) -> Iterator[list[Node]]:
    """Two nodes, the first of which is the primary and the other its synchronous standby."""
    directory = server_directory / "etcd"
    identity = server_identity(directory)
    identity.own(directory)
    client, peer = (f"http://127.0.0.1:{free_port()}" for _ in range(2))
    etcd = ServerProgram(
        name="etcd",
        command=(
            *(str(installed("etcd")), "--data-dir", str(directory / "data"), "--name", "one"),
            *("--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer),
            *("--initial-advertise-peer-urls", peer, "--initial-cluster", f"one={peer}"),
        ),
        log=directory / "log",
        ready=lambda: answers(f"{client}/health"),
        identity=identity,
    )
    with ExitStack() as stack:
        stack.enter_context(running(etcd, server_directory))
        found = []
        for name in ("node-a", "node-b"):
            node = Node(name, free_port(), free_port(), server_directory / name)
            stack.enter_context(running(node.program(int(client.rpartition(":")[2])), server_directory))
            found.append(node)
        assert eventually(lambda: [node.role() for node in found] in (["master", "replica"], ["primary", "replica"]))
        yield found


def answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=2).status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


@contextmanager
def frozen(node: Node) -> Iterator[None]:
    """Freeze Patroni and PostgreSQL of a node: their kernel still acknowledges packets."""
    watcher = next(p for p in psutil.process_iter() if str(node.directory / "patroni.yml") in " ".join(command_of(p)))
    server = psutil.Process(int((node.directory / "data" / "postmaster.pid").read_text().splitlines()[0]))
    stopped = [watcher, server, *server.children(recursive=True)]
    for process in stopped:
        process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for process in stopped:
            if process.is_running():
                process.send_signal(signal.SIGCONT)


def command_of(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


def test_patroni_fails_over_without_losing_a_move(
    nodes: list[Node], redis_url: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    hosts = ",".join(f"127.0.0.1:{node.port}" for node in nodes)
    url = f"postgresql://postgres@{hosts}/postgres?target_session_attrs=read-write"
    with connect_as_given(url) as admin:
        migrate(admin)
        synchronous = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        assert eventually(lambda: admin.execute(synchronous).fetchone() == (1,))
    environ: Environ = variables(url, redis_url, tmp_path) | LOG_KEY | MANY
    acknowledged: list[str] = []
    stopping = threading.Event()
    with opened_app(environ) as app, keeping(environ) as keeper:
        assert eventually(lambda: leads_all(keeper))
        person = Person(app.test_client(), "Nina")

        def write() -> None:
            while not stopping.wait(0.02):
                answer = person.ask("POST", "/v1/games", TABLE)
                if answer.status_code == 201:
                    acknowledged.append(answer.get_json()["id"])

        writer = threading.Thread(target=write)
        writer.start()
        try:
            assert eventually(lambda: len(acknowledged) > 50)
            with frozen(nodes[0]):
                begun = monotonic()
                assert eventually(lambda: nodes[1].role() in ("master", "primary"))
                promoted, before = monotonic(), len(acknowledged)
                assert eventually(lambda: len(acknowledged) > before)
                again = monotonic()
                assert eventually(lambda: leads_all(keeper))
                led = monotonic()
            waits = {"promoted": promoted - begun, "moves": again - promoted, "duties": led - promoted}
        finally:
            stopping.set()
            writer.join(PATIENCE)
    with psycopg.connect(nodes[1].url) as admin:
        stored = {str(id) for (id,) in admin.execute("SELECT id FROM games")}
    assert set(acknowledged) - stored == set()
    said = ", ".join(f"{what} after {seconds:.1f} s" for what, seconds in waits.items())
    with connect_as_given(nodes[1].url) as admin:
        version = admin.info.server_version // 10_000
    record_property("told", f"PostgreSQL {version}: {len(acknowledged)} acknowledged, 0 lost; {said}")
    assert waits["moves"] < MOVES_WITHIN
    assert waits["duties"] < LED_WITHIN

"""Runs the whole service on this machine: stores, web server, workers and keeper."""

import ipaddress
import secrets
import shutil
import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial

import psutil
import redis

from deploy.errors import PortTaken
from deploy.local.compiled_rules import BackgroundBuild, compiled_environment
from deploy.local.data_folder import PROJECT, DataFolder, process_environment, without_secrets
from deploy.local.forking import FORK_SERVER, ForkServer, adopt_orphans
from deploy.local.on_demand import ON_DEMAND, Demand
from deploy.local.processes import ServerProgram, stop_leftovers
from deploy.local.readiness import fault_of_signing, is_ready
from deploy.local.stores import is_unused
from deploy.local.supervisor import Recipe, Supervisor, Wanted
from deploy.local.versions import check_versions
from events.store.connections import connect_as_given
from events.store.migrations import migrate
from service import settings
from service.core.keeper_heartbeats import keeper_key
from service.core.queues import WEBHOOKS, WORKERS, worker_key
from service.core.redis_connections import open_redis
from service.key_settings import KEEPER_ALONE

Say = Callable[[str], None]
BACKLOG = 1024
STOPPING_SPARE = 5.0
SAMPLES_WITHIN = 30.0


def run(folder: DataFolder, environ: Mapping[str, str], say: Say, *, serves: bool = True) -> None:
    """Runs the service, or its stores alone, until Ctrl-C or SIGTERM. Raises CannotRun or BadSettings."""
    with folder.locked():
        for name in stop_leftovers(folder.record):
            say(f"stopped {name}, left over from a killed run")
        copy = LocalService(folder, environ)
        supervisor = Supervisor(folder.record, say, copy.fork_server.start)
        with copy.listening() if serves else nullcontext(), supervisor.handling_signals():
            try:
                if serves and adopt_orphans():
                    supervisor.start([copy.fork_server.prepare])  # its imports go on beside the start of the stores
                fresh = copy.start_stores(supervisor, say)
                if serves:
                    copy.serve(supervisor, say, fresh=fresh)
                else:
                    say("only the stores run here")
                with copy.beside(supervisor, say) if serves else nullcontext():
                    supervisor.watch(copy.read_settings_again if serves else None)
            finally:
                say("stopping; running requests and jobs are finished first")
                supervisor.stop()
                copy.fork_server.close()
    say("stopped")


class LocalService:
    """An installation of the service: its settings, its listening socket and its programs."""

    def __init__(self, folder: DataFolder, environ: Mapping[str, str]) -> None:
        self._folder = folder
        self._given = environ
        self._embedded = [
            recipe
            for variable, recipe in (
                ("DATABASE_URL", folder.postgresql.prepare),
                ("REDIS_URL", folder.redis.prepare),
            )
            if not environ.get(variable)
        ]
        self._environ = process_environment(folder, environ)
        self._settings = settings.load(self._environ, seals=True)
        self._demand = Demand(self._settings)
        self.fork_server = ForkServer(folder.log(FORK_SERVER), PROJECT, self._compiled)
        self._listener: socket.socket | None = None
        self._metrics_listener: socket.socket | None = None

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Binds the ports before any program starts, so that a restart loses no connection. Raises PortTaken."""
        self._listener = _bound(self._settings.host, self._settings.port, "--port")
        with self._listener:
            self._metrics_listener = _bound(
                self._settings.metrics_host, self._settings.metrics_port, "CABILDO_METRICS_PORT"
            )
            with self._metrics_listener:
                self._environ.setdefault("CABILDO_PUBLIC_URL", self.url)
                yield

    def read_settings_again(self) -> None:
        """Reads the keys again, before the programs are restarted. Raises BadSettings."""
        fresh = process_environment(self._folder, self._given)
        settings.load(fresh, seals=True)
        self._environ = {**fresh, "CABILDO_PUBLIC_URL": self._environ["CABILDO_PUBLIC_URL"]}

    @property
    def url(self) -> str:
        """The address of the service for a browser on this machine."""
        assert self._listener is not None
        return _url(self._listener)

    @property
    def metrics_url(self) -> str:
        """The address of the metrics for a monitor on this machine."""
        assert self._metrics_listener is not None
        return f"{_url(self._metrics_listener)}/metrics"

    def start_stores(self, supervisor: Supervisor, say: Say) -> bool:
        """Starts the stores and migrates the schema. Returns whether the database is unused."""
        if self._embedded:
            say("starting the stores")
        supervisor.start(self._embedded)
        if supervisor.stopping.is_set():
            return False
        versions = check_versions(self._settings.database_url, self._settings.redis_url)
        say(f"PostgreSQL {versions.postgresql} and Redis {versions.redis} are ready")
        with connect_as_given(self._settings.direct().database_url) as connection:
            for step in migrate(connection):
                say(f"migrated: {step.component} {step.name}")
            return is_unused(connection)

    def serve(self, supervisor: Supervisor, say: Say, *, fresh: bool) -> None:
        """Starts web server, workers and keeper and prints the addresses; creates sample games in a fresh database."""
        if supervisor.stopping.is_set():
            return
        say("starting web server, workers and keeper")
        supervisor.start(self._serving(), self._on_demand())
        if not supervisor.stopping.is_set():
            places = {
                "page": f"{self.url}/",
                "API docs": f"{self.url}/docs",
                "metrics": self.metrics_url,
                "logs": self._folder.log("web").parent,
            }
            say("\n".join(("ready", *(f"  {what:<9} {where}" for what, where in places.items()))))
            if shut := fault_of_signing(self.url):
                say(f"{shut}; see: cabildo log status")
            elif fresh and self._settings.samples == "on":
                self._lay_out_samples(say)

    @contextmanager
    def beside(self, supervisor: Supervisor, say: Say) -> Iterator[None]:
        """Looks for work of the workers on demand, compiles the rules, and plays demo games after sample games."""
        with self._demand.watched(), self._compiling(supervisor, say), self._demo_games():
            yield

    def _compiling(self, supervisor: Supervisor, say: Say) -> AbstractContextManager[None]:
        """Returns the context that compiles the rules; once they are, workers start again with them."""
        if self._settings.compiled == "off":
            return nullcontext()
        return BackgroundBuild(say, partial(supervisor.ask_to_renew, self._takes_compiled_rules)).running()

    def _takes_compiled_rules(self, name: str) -> bool:
        """Whether a program is started again when the rules are compiled: what runs bots, and what forks it."""
        return name == FORK_SERVER or (name.startswith("worker ") and WEBHOOKS not in name)

    def _compiled(self) -> Mapping[str, str]:
        """Returns the variable of the compiled rules, for a program that starts now."""
        return {} if self._settings.compiled == "off" else compiled_environment()

    def _demo_games(self) -> AbstractContextManager[object]:
        from deploy.local.demo_games import DemoGames  # a client and a bot, which most services do without

        plays = self._settings.samples == "on" and self._folder.demo_games.exists()
        return DemoGames(self.url, self._folder.demo_games) if plays else nullcontext()

    def _lay_out_samples(self, say: Say) -> None:
        import httpx

        from deploy.local import sample_games

        with (
            httpx.Client(base_url=self.url, timeout=SAMPLES_WITHIN) as client,
            connect_as_given(self._settings.direct().database_url) as connection,
        ):
            games = sample_games.create_sample_games(client, connection, self._folder.demo_games)
        say(f"bots play {len(games)} games, so that there is something to look at (CABILDO_SAMPLES=off: none)")

    def _serving(self) -> list[Recipe]:
        workers = (partial(self._worker, *one) for one in self._workers() if one[0] not in ON_DEMAND)
        return [self._web, self._keeper, *workers]

    def _on_demand(self) -> list[tuple[Recipe, Wanted]]:
        one_by_one = [one for one in self._workers() if one[0] in ON_DEMAND]
        return [(partial(self._worker, *one), partial(self._demand.is_wanted, *one)) for one in one_by_one]

    def _workers(self) -> Sequence[tuple[str, int]]:
        """Returns the queue and the number of each worker; one that sends webhooks has many receivers at once."""
        return [
            (queue, number)
            for queue in WORKERS
            for number in range(1, 2 if queue == WEBHOOKS else self._settings.workers + 1)
        ]

    def _web(self) -> ServerProgram:
        assert self._listener is not None
        assert self._metrics_listener is not None
        metrics = self._folder.data_dir / "metrics"
        shutil.rmtree(metrics, ignore_errors=True)
        metrics.mkdir()
        listeners = (self._listener.fileno(), self._metrics_listener.fileno())
        return ServerProgram(
            name="web",
            command=_python(
                *("-m", "gunicorn", "-c", "python:service.gunicorn_conf"),
                *(part for listener in listeners for part in ("--bind", f"fd://{listener}")),
                "service.app:create_app()",
            ),
            log=self._folder.log("web"),
            ready=partial(is_ready, self.url),
            environment=without_secrets(
                KEEPER_ALONE, {**self._environ, **self._compiled(), "PROMETHEUS_MULTIPROC_DIR": str(metrics)}
            ),
            descriptors=listeners,
            directory=PROJECT,
            stop_seconds=self._settings.grace_seconds + STOPPING_SPARE,
            forks=True,
        )

    def _worker(self, queue: str, number: int) -> ServerProgram:
        name = f"{queue}-{socket.gethostname()}-{secrets.token_hex(4)}"
        return ServerProgram(
            name=f"worker {queue} {number}",
            command=_python("-m", "deploy.cli", "worker", queue, "--name", name),
            log=self._folder.log(f"worker {queue} {number}"),
            ready=partial(_has_key, self._settings.redis_url, worker_key(queue, name)),
            environment=without_secrets(KEEPER_ALONE, {**self._environ, **self._compiled()}),
            directory=PROJECT,
            stop_seconds=self._settings.grace_seconds + STOPPING_SPARE,
            forks=True,
        )

    def _keeper(self) -> ServerProgram:
        name = f"{socket.gethostname()}-{secrets.token_hex(4)}"
        return ServerProgram(
            name="keeper",
            command=_python("-m", "deploy.cli", "keeper", "--name", name),
            log=self._folder.log("keeper"),
            ready=partial(_has_key, self._settings.redis_url, keeper_key(name)),
            environment={**self._environ, **self._compiled()},
            directory=PROJECT,
            forks=True,
        )


def _bound(host: str, port: int, option: str) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except OSError as problem:
        raise PortTaken(host, port, problem.strerror or str(problem), _holder(port), option) from problem


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    address = ipaddress.ip_address(host)
    if address.is_unspecified:
        address = ipaddress.ip_address("::1" if address.version == 6 else "127.0.0.1")
    return f"http://{f'[{address}]' if address.version == 6 else address}:{port}"


def _python(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, *arguments)


def _has_key(redis_url: str, key: str) -> bool:
    try:
        with open_redis(redis_url, retry=None) as client:
            return bool(client.exists(key))
    except redis.RedisError:
        return False


def _holder(port: int) -> str:
    """Returns a description of the process that listens on a port; empty when it is unknown."""
    try:
        for one in psutil.net_connections("tcp"):
            if one.status == psutil.CONN_LISTEN and one.laddr and one.laddr.port == port and one.pid:
                return f" by process {one.pid} ({psutil.Process(one.pid).name()})"
    except psutil.Error:
        pass  # needs more rights than an ordinary user has on some systems
    return ""

"""How gunicorn serves the application: `gunicorn -c python:service.gunicorn_conf 'service.app:create_app()'`."""

import os
import shutil
import signal
import tempfile
import threading
from importlib import import_module
from pathlib import Path
from typing import Any

from projections.rules.registry import load_all
from service.core import logs
from service.core.open_files import warn_of_few_files
from service.core.stores import check_start
from service.settings import load
from service.web import fastpath
from service.web.server.memory import limit_arenas

settings = load(os.environ)
shared_memory = Path("/dev", "shm")
COUNTERS = "PROMETHEUS_MULTIPROC_DIR"  # where web processes share their counters; set before any metric is made
own_counters: list[str] = []

bind = [f"{settings.host}:{settings.port}", f"{settings.metrics_host}:{settings.metrics_port}"]  # the metrics last
workers = settings.workers
worker_class = "service.web.server.worker.ReceivingWorker"
sendfile = False  # files are sent as other answers are, with a deadline
threads = settings.web_threads  # started when they are needed
worker_connections = settings.streams + threads + 1_000  # those beyond are kept open between requests
forwarded_allow_ips = ""  # which proxies are believed is for CABILDO_TRUSTED_PROXIES alone
graceful_timeout = settings.grace_seconds
timeout = 60
keepalive = 15
worker_tmp_dir = str(shared_memory) if shared_memory.is_dir() else None  # heartbeats never wait for a disk
control_socket_disable = True  # several copies on one machine would share its path
logconfig_dict = logs.as_dict(settings.log_level, settings.log_format)
proc_name = "cabildo web"


def on_starting(server: Any) -> None:
    """Checks the database and imports the application before any web process starts."""
    check_start(settings)
    warn_of_few_files(settings.streams, settings.workers)
    if COUNTERS not in os.environ:
        own_counters.append(tempfile.mkdtemp(prefix="cabildo-metrics-"))
        os.environ[COUNTERS] = own_counters[0]
    from service.web.browsers.security_headers import (
        of_every_answer,  # only now: metrics must find their directory first
    )
    from service.web.server import gunicorn_errors

    gunicorn_errors.install(of_every_answer(settings.public_url))
    load_all()
    import_module(server.app.app_uri.partition(":")[0])  # an application is made by each process for itself


def post_worker_init(worker: Any) -> None:
    """Prepares a web process before its first request."""
    limit_arenas()
    end_streams_on_sigterm(worker)
    fastpath.disable_unread_access_log(worker)
    fastpath.collect_garbage_rarely()


def end_streams_on_sigterm(worker: Any) -> None:
    """Ends streams as soon as the process receives SIGTERM."""
    stop = signal.getsignal(signal.SIGTERM)

    def take_leave(*received: Any) -> None:
        container = container_of(worker)
        if container is not None:
            threading.Thread(target=container.end_streams).start()  # takes locks, which a signal's handler must not
        if callable(stop):
            stop(*received)

    signal.signal(signal.SIGTERM, take_leave)


def worker_exit(_server: Any, worker: Any) -> None:
    """Publishes pending announcements and closes the stores."""
    container = container_of(worker)
    if container is not None:
        container.close()


def container_of(worker: Any) -> Any:
    """Returns the container of a web process; None without an application of the service."""
    application = getattr(worker, "application", None)
    return None if application is None else application.extensions.get("cabildo")


def on_exit(_server: Any) -> None:
    """Removes the directory of counters that this server created."""
    for directory in own_counters:
        shutil.rmtree(directory, ignore_errors=True)


def child_exit(_server: Any, worker: Any) -> None:
    """Removes the live gauges of a web process that ended."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)

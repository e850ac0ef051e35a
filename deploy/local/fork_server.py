"""A process that has imported the service and forks its programs, so that they share the memory of the code.

It runs as `python -m deploy.local.fork_server SOCKET`. It has one thread, no connection, no setting and no secret: each
program reads its own environment from a pipe after the fork. A program is started by a process that ends at once, and
so becomes a child of the supervisor, which adopts orphans.
"""

import fcntl
import gc
import os
import runpy
import socket
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final, NamedTuple

from deploy.local.fork_protocol import NUMBER, READY, ForkedProgram, receive_all

PRELOADED: Final = (  # what the programs import; not what reads settings or opens something while it is imported
    "service.app",
    "service.web.server.worker",
    "workers.queue_worker",
    "workers.webhook_worker",
    "workers.keeper.duties",
    "workers.keeper.keeper",
    "deploy.commands.processes",
    "gunicorn.app.wsgiapp",
    "gunicorn.arbiter",
)
COUNTERS: Final = "PROMETHEUS_MULTIPROC_DIR"  # the metrics' library asks for it when it is imported
MOST_DESCRIPTORS: Final = 16
STANDARD: Final = 3  # descriptors
OUT_OF_THE_WAY: Final = 200  # no program knows a descriptor by this number or a higher one


class Received(NamedTuple):
    """The descriptors of a program: its description, its log, and what it inherits."""

    description: int
    log: int
    inherited: Sequence[int]


def preload() -> None:
    """Imports the modules of all programs, and keeps the collector away from the objects that they share."""
    gc.disable()
    os.environ[COUNTERS] = os.devnull  # several processes will count; each program names its own directory
    for name in PRELOADED:
        import_module(name)
    import_module("projections.rules.registry").load_all()
    gc.collect()
    gc.freeze()


def serve(requests: socket.socket) -> Received | None:
    """Forks a program for each request. Returns its descriptors in the program, and None when the supervisor ended."""
    requests.sendall(READY)
    while True:
        asked, descriptors, _, _ = socket.recv_fds(requests, 1, MOST_DESCRIPTORS)
        if not asked:
            return None
        number = fork_orphan()
        if number is None:
            return Received(descriptors[0], descriptors[1], descriptors[2:])
        for descriptor in descriptors:
            os.close(descriptor)
        requests.sendall(str(number).encode().ljust(NUMBER))


def fork_orphan() -> int | None:
    """Forks an orphan in a session of its own. Returns its number; None in the orphan."""
    hear, tell = os.pipe()
    if (between := os.fork()) == 0:
        try:
            is_orphan = os.fork() == 0
        except OSError:
            is_orphan = False
        if not is_orphan:
            os._exit(0)
        os.setsid()
        os.write(tell, str(os.getpid()).encode())
        os.close(hear)
        os.close(tell)
        return None
    os.close(tell)
    os.waitpid(between, 0)
    return int(receive_all(hear))  # fails, and ends this process, when no further one could be made


def become(received: Received) -> ForkedProgram:
    """Gives this process the environment, the descriptors and the directory of its program. Returns the program."""
    program = ForkedProgram.parse(receive_all(received.description))
    log, *inherited = (_moved(descriptor) for descriptor in (received.log, *received.inherited))
    nothing = _moved(os.open(os.devnull, os.O_RDONLY))
    os.closerange(STANDARD, OUT_OF_THE_WAY)
    for descriptor, number in ((nothing, 0), (log, 1), (log, 2), *zip(inherited, program.descriptors, strict=True)):
        os.dup2(descriptor, number)
    os.closerange(OUT_OF_THE_WAY, OUT_OF_THE_WAY + MOST_DESCRIPTORS)
    os.environ.clear()
    os.environ.update(program.environment)
    os.chdir(program.directory)
    sys.argv = ["", *program.arguments]
    gc.enable()
    return program


def _moved(descriptor: int) -> int:
    """Returns a copy of a descriptor, out of the way of those that the program knows by number."""
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, OUT_OF_THE_WAY)


def main() -> None:
    """Serves the supervisor; in a forked process, runs its program."""
    requests = socket.socket(fileno=int(sys.argv[1]))
    preload()
    received = serve(requests)
    requests.close()
    if received is not None:
        program = become(received)
        runpy.run_module(program.module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()

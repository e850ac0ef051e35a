"""How many files, and with them connections, a process may have open."""

import resource
from typing import Final

import structlog

SPARE: Final = 128  # files of a process that are no connections of clients
UNLIMITED: Final = 2**20
log = structlog.get_logger("service.core.open_files")


def raise_file_limit() -> None:
    """Lets the process open as many files as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def most_connections() -> int:
    """Returns how many connections of clients this process can have."""
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(2, (UNLIMITED if most == resource.RLIM_INFINITY else most) - SPARE)


def warn_of_few_files(streams: int, processes: int) -> None:
    """Warns when the system lets the web processes open fewer files than there may be streams."""
    raise_file_limit()
    room = processes * most_connections()
    if room < streams:
        log.warning("few open files: raise the hard limit (ulimit -Hn)", streams=streams, room=room)

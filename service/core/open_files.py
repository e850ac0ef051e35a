"""How many files, and with them connections, a process may have open."""

import resource
from typing import Final

SPARE: Final = 128  # files of a process that are no connections of clients
UNLIMITED: Final = 2**20


def raise_file_limit() -> None:
    """Lets the process open as many files as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def most_connections() -> int:
    """Returns how many connections of clients this process can have."""
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(2, (UNLIMITED if most == resource.RLIM_INFINITY else most) - SPARE)

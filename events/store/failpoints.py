"""Named points at which a test kills the process or drops the answer of a commit."""

import os
import signal
from collections.abc import Callable, Mapping
from itertools import count

from events.errors import OutcomeUnknown

VARIABLE = "CABILDO_FAILPOINTS"  # append.after_commit=kill,sequence.before_commit=lost
NAMES: set[str] = set()


def failpoint(name: str) -> Callable[[], None]:
    """Returns the function to call at this point; it does nothing unless the environment enables it."""
    NAMES.add(name)
    return ACTIONS[switched_on(os.environ.get(VARIABLE, "")).get(name, "pass")]()


def switched_on(setting: str) -> Mapping[str, str]:
    """Parses the setting; returns the action of each enabled point."""
    return dict(part.strip().split("=", 1) for part in setting.split(",") if part.strip())


def _kill() -> Callable[[], None]:
    return lambda: os.kill(os.getpid(), signal.SIGKILL)


def _lose_once() -> Callable[[], None]:
    passes = count()

    def lose() -> None:
        if next(passes) == 0:
            raise OutcomeUnknown("the answer was lost")

    return lose


def _pass() -> Callable[[], None]:
    return lambda: None


ACTIONS: Mapping[str, Callable[[], Callable[[], None]]] = {"kill": _kill, "lost": _lose_once, "pass": _pass}

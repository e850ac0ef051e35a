"""Which sentences of the rules have a test: tests say what they are about, and one test looks for what is missing."""

from collections import defaultdict
from collections.abc import Callable
from typing import Final, TypeVar

Test = TypeVar("Test", bound=Callable[..., None])

CITED: Final[defaultdict[str, list[str]]] = defaultdict(list)  # id of the rules -> tests about it


def cites(*ids: str) -> Callable[[Test], Test]:
    """Say which examples (E-n), rulings (R-n), combinations or buildings a test is about."""

    def mark(test: Test) -> Test:
        for cited in ids:
            CITED[cited].append(test.__name__)
        return test

    return mark

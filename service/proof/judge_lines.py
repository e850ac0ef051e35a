"""The lines of JSON that a process writes while it verifies an upload."""

from typing import Final

ASKS: Final = "asks"  # how many editions of this tournament the service knows
REPORT: Final = "report"

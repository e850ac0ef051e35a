"""How many exports are made at once, how long one part takes, and how much it holds."""

from typing import Final

from events.messages import Message
from service.core.work_gate import Capacity

MOST_ROWS: Final = 100_000  # of a part
MOST_SECONDS: Final = 20.0  # for a part
EXPORTS: Final = Capacity(Message("exports"), at_once=2, waiting=8, wait_seconds=15.0, longest=2 * MOST_SECONDS)

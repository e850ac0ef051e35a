"""Refusals of reports."""

from events.errors import CabildoError
from service.core.clock import SECOND


class TooManyReports(CabildoError):
    """The account has reported as much as it may in a day."""

    def __init__(self, limit: int, wait: int) -> None:
        super().__init__(
            "your account may report {limit} things in 24 hours; try again later, or write to the operator", limit=limit
        )
        self.limit = limit
        self.retry_after = max(1, -(-wait // SECOND))


class ReportsFull(CabildoError):
    """As many reports wait for the administrators as the service keeps."""

    def __init__(self) -> None:
        super().__init__("too many reports wait for the administrators; try again later, or write to the operator")
        self.retry_after = 3_600

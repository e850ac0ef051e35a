"""Refusals of table talk."""

from events.errors import CabildoError
from service.core.errors import Refusal


class TalkRefused(Refusal):
    """The player may not write here, or not now."""


class TooManyMessages(CabildoError):
    """The account wrote as many messages as it may in a minute or a day."""

    def __init__(self, most: int, retry_after: int) -> None:
        super().__init__(
            "your account has written {most} messages in a short time; write again in {seconds} seconds",
            most=most,
            seconds=retry_after,
        )
        self.most = most
        self.retry_after = retry_after

"""The duties of the keeper for notices: collects what players are told of, tells them, sends pushes."""

from typing import Final

from psycopg import Connection

from service.notices.collect import collect
from service.notices.notice_keys import vapid_key
from service.notices.tell import tell_next
from service.notices.web_push import send_due_pushes
from workers.keeper.duty_context import ContainerDuty, KeeperContext

TOLD_AT_ONCE: Final = 50  # players in one step


class CollectNotices(ContainerDuty):
    """Follows news, clocks and rounds, and tells some players in each step."""

    def __call__(self, connection: Connection) -> bool:
        more = collect(connection, self.container.now())
        told = 0
        while told < TOLD_AT_ONCE and tell_next(connection, self.container):
            told += 1
        return more or told == TOLD_AT_ONCE


class SendPushes(ContainerDuty):
    """Makes the key of pushes at the first start, and sends some messages to browsers in each step."""

    def __init__(self, context: KeeperContext) -> None:
        super().__init__(context)
        self._has_key = False

    def __call__(self, connection: Connection) -> bool:
        if not self._has_key:
            vapid_key(connection, self.container.vault, self.container.now())
            self._has_key = True
        return send_due_pushes(connection, self.container)

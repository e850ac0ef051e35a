"""A duty of the keeper: to lay out what webhooks are to be told, and to ring for all that is due."""

from typing import Any

from psycopg import Connection

from service.webhooks import deliveries
from workers.keeper.duty_context import DutyContext


class Notifying(DutyContext):
    """Follows the log for webhooks; what a worker lost is due again and rung for again."""

    def __call__(self, connection: Connection[Any]) -> bool:
        now = self.container.now()
        deliveries.queue_deliveries(connection, now)
        for hook, number, attempts in deliveries.due_deliveries(connection, now):
            self.container.announcer.call_courier(hook, number, attempts)
        return False

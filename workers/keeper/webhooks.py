"""A duty of the keeper: to lay out what webhooks are to be told, and to ring for all that is due."""

from psycopg import Connection

from service.webhooks import deliveries
from workers.keeper.duty_context import ContainerDuty


class NotifyWebhooks(ContainerDuty):
    """Follows the log for webhooks; what a worker lost is due again and rung for again."""

    def __call__(self, connection: Connection) -> bool:
        now = self.container.now()
        deliveries.queue_deliveries(connection, now)
        for hook, number, attempts in deliveries.due_deliveries(connection, now):
            self.container.announcer.call_courier(hook, number, attempts)
        return False

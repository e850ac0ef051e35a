"""The duty of the keeper for webhooks: records deliveries from the log and queues those that are due."""

from psycopg import Connection

from service.webhooks import deliveries
from workers.keeper.duty_context import ContainerDuty


class NotifyWebhooks(ContainerDuty):
    """Follows the log for webhooks; queues a delivery again when a worker lost it."""

    def __call__(self, connection: Connection) -> bool:
        now = self.container.now()
        deliveries.queue_deliveries(connection, now)
        for hook, number, attempts in deliveries.due_deliveries(connection, now):
            self.container.announcer.call_courier(hook, number, attempts)
        return False

"""The duty of the keeper for webhooks: queues messages from the log."""

from psycopg import Connection

from service.webhooks.deliveries import queue_messages
from workers.keeper.duty_context import ContainerDuty


class QueueWebhookMessages(ContainerDuty):
    """Follows the log for webhooks; their senders poll what is due."""

    def __call__(self, connection: Connection) -> bool:
        return queue_messages(connection, self.container.now())

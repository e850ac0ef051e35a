"""The duty of the keeper for table talk: deletes the messages of games and tournaments that ended long ago."""

from psycopg import Connection

from service.talk.commands import DeleteOldTalk, delete_old_talk
from workers.keeper.duty_context import ContainerDuty


class SweepOldTalk(ContainerDuty):
    """Deletes old messages, a batch in each step."""

    def __call__(self, _connection: Connection) -> bool:
        return delete_old_talk(self.container, DeleteOldTalk())

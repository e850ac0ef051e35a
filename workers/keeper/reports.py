"""The duty of the keeper for reports: deletes those that were settled long ago."""

from psycopg import Connection

from service.moderation.reports.commands import ForgetReports, forget_reports
from workers.keeper.duty_context import ContainerDuty


class DeleteOldReports(ContainerDuty):
    """Deletes old settled reports, all in one step."""

    def __call__(self, _connection: Connection) -> bool:
        forget_reports(self.container, ForgetReports())
        return False

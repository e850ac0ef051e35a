"""The duty of the keeper for mails: looks up who asked for a recovery code, and hands mails over to the server."""

from collections.abc import Mapping
from contextlib import suppress

from psycopg import Connection

from service.core.errors import ServiceBusy
from service.key_settings import smtp_password
from service.mail.delivery import send_due_mail
from service.mail.outbox import remove_expired
from service.mail.smtp import MailServer
from service.players.commands.mailed_recovery import MailRecoveryCodes, drop_old_requests, mail_recovery_codes
from service.players.email.storage import drop_expired
from workers.keeper.duty_context import ContainerDuty, KeeperContext


def _password(environ: Mapping[str, str]) -> str | None:
    secret = smtp_password(environ)
    return None if secret is None else bytes(secret).decode()


class SendMails(ContainerDuty):
    """Sends one mail in each step, where the operator set a server up."""

    def __init__(self, context: KeeperContext) -> None:
        super().__init__(context)
        server = context.settings.smtp_server
        self._server = None if server is None else MailServer(server, _password(context.environ))

    def __call__(self, connection: Connection) -> bool:
        if self._server is None:
            return False
        here = self.container
        asked = False
        with suppress(ServiceBusy):  # too many mails wait: the request, too
            asked = mail_recovery_codes(here, MailRecoveryCodes())
        sent = send_due_mail(connection, here.vault, here.now(), self._server, here.settings.mail_from)
        return asked or sent


class DeleteExpiredMail(ContainerDuty):
    """Deletes addresses that nobody confirmed, and requests and mails that are too old, also without a server."""

    def __call__(self, connection: Connection) -> bool:
        at = self.container.now()
        drop_expired(connection, at)
        drop_old_requests(connection, at)
        remove_expired(connection, at)
        return False

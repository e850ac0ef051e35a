"""Sends the mails that are due, one in each step."""

import structlog
from psycopg import Connection

from events.sealing.vault import SealedSecretLost, Vault
from events.store.failpoints import failpoint
from service.mail.outbox import ClaimedMail, claim_mail, content_of, note_fault, remove_expired, remove_mail
from service.mail.smtp import MailFault, MailServer
from service.mail.texts import mail_text

after_send = failpoint("mail.after_send")
UNREADABLE = MailFault("the mail cannot be opened", final=True, of_server=False)
log = structlog.get_logger("service.mail.delivery")


def send_due_mail(connection: Connection, vault: Vault, at: int, server: MailServer, sender: str) -> bool:
    """Sends a mail that is due. Returns whether there was one. A mail that fails is tried again after a pause."""
    if late := remove_expired(connection, at):
        log.warning("mails dropped, not sent in time", mails=late)
    claimed = claim_mail(connection, at)
    if claimed is None:
        return False
    fault = _send(vault, claimed, server, sender)
    after_send()
    if fault is None or fault.final:
        remove_mail(connection, claimed.id)
    else:
        note_fault(connection, claimed.id, fault.reason if fault.of_server else None)
    named = {"mail": str(claimed.id), "kind": claimed.kind, "player": str(claimed.player), "attempt": claimed.attempts}
    if fault is None:
        log.info("mail sent", **named)
    else:
        log.warning("mail not sent", **named, reason=fault.reason, given_up=fault.final)
    return True


def _send(vault: Vault, claimed: ClaimedMail, server: MailServer, sender: str) -> MailFault | None:
    try:
        content = content_of(vault, claimed)
    except SealedSecretLost:
        return UNREADABLE
    return server.send(mail_text(claimed.kind, sender, content))

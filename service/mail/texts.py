"""Puts mails into words, in the language of the player."""

from collections.abc import Mapping
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid, parseaddr
from typing import Final

from projections.rules.catalogue import fill
from service.i18n.catalogue import MAILS, rows
from service.mail.outbox import NOTICE, MailContent

CONFIRM: Final = "confirm"
RECOVER: Final = "recover"
CHANGED: Final = "changed"
SUBJECTS: Final[Mapping[str, str]] = {NOTICE: "notices"}  # of the catalogue, by kind; the others are in accounts
UNSUBSCRIBE: Final = "unsubscribe"  # the value with the link that ends mails of this kind
NO_REPLIES: Final[Mapping[str, str]] = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}


def mail_text(kind: str, sender: str, content: MailContent) -> EmailMessage:
    """Returns the message of a mail: its subject holds nothing that a player wrote."""
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = content.to
    message["Subject"] = _words(kind, f"{kind}_subject", content)
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=parseaddr(sender)[1].rpartition("@")[2])
    for header, value in NO_REPLIES.items():
        message[header] = value
    if (link := content.values.get(UNSUBSCRIBE)) is not None:  # RFC 8058
        message["List-Unsubscribe"] = f"<{link}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(_words(kind, kind, content))
    return message


def _words(kind: str, name: str, content: MailContent) -> str:
    row = rows(MAILS, SUBJECTS.get(kind, "accounts"))[name]
    return fill(content.language, row[content.language], content.values)

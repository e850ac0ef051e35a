"""Puts mails into words, in the language of the player."""

from collections.abc import Mapping
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
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
LINKS: Final = ("List-Unsubscribe",)  # headers that hold a link
NO_REPLIES: Final[Mapping[str, str]] = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}


class UnbrokenLinks(EmailPolicy):
    """Writes a link in a header on one line as it is: mail programs read no link that is broken or encoded."""

    def fold_binary(self, name: str, value: str) -> bytes:
        """Returns the lines of a header."""
        if name in LINKS and value.isascii():
            return f"{name}: {value}{self.linesep}".encode()
        return super().fold_binary(name, value)


POLICY: Final = UnbrokenLinks(linesep=SMTP.linesep)


def mail_text(kind: str, sender: str, content: MailContent) -> EmailMessage:
    """Returns the message of a mail: its subject holds nothing that a player wrote."""
    message = EmailMessage(policy=POLICY)
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

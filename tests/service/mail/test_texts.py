"""Mails in five languages: each kind has a subject and a text with its values, and a header holds no other line."""

import pytest

from projections.rules.catalogue import LANGUAGES
from service.i18n.catalogue import MAILS, rows
from service.mail.outbox import NOTICE, MailContent
from service.mail.texts import CHANGED, CONFIRM, RECOVER, mail_text

SENDER = "Cabildo <no-reply@example.org>"
CODE, URL, PAGE = "abcde-fghjk-mnpqr-stvwx", "https://cabildo.example.org", "https://cabildo.example.org/recovery"
VALUES = {
    CONFIRM: {"code": CODE, "minutes": "30", "url": URL},
    RECOVER: {"name": "Þórdís Ægisdóttir", "code": CODE, "minutes": "30", "url": URL, "page": PAGE},
    CHANGED: {"name": "Þórdís Ægisdóttir", "url": URL},
}


def test_every_kind_has_its_texts_and_no_other() -> None:
    assert sorted(rows(MAILS, "accounts")) == sorted(f"{kind}{end}" for kind in VALUES for end in ("", "_subject"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", VALUES)
def test_a_mail_says_everything_in_each_language(kind: str, language: str) -> None:
    message = mail_text(kind, SENDER, MailContent("anna@example.org", language, VALUES[kind]))
    text = message.get_content()
    assert [value for value in VALUES[kind].values() if value not in text] == []
    assert message["Subject"] == rows(MAILS, "accounts")[f"{kind}_subject"][language]
    assert (message["Auto-Submitted"], message["Message-ID"].endswith("@example.org>")) == ("auto-generated", True)
    assert "{" not in text


def test_subjects_differ_in_every_language() -> None:
    for kind in VALUES:
        row = rows(MAILS, "accounts")[f"{kind}_subject"]
        assert len(set(map(str, row.values()))) == len(LANGUAGES)


def test_the_link_that_ends_mails_stands_in_its_header_as_it_is() -> None:
    link = f"{URL}/unsubscribe/01a1f77e-7468-764b-87c0-8d23910d1f67/{32 * 'a'}"
    values = {"lead": "Your turn", "lines": "", "settings": PAGE, "unsubscribe": link}
    sent = mail_text(NOTICE, SENDER, MailContent("anna@example.org", "en", values)).as_bytes()
    assert f"\r\nList-Unsubscribe: <{link}>\r\n".encode() in sent  # encoded or broken, no program reads it
    forged = {**values, "unsubscribe": f"{link}\r\nBcc: eve@example.org"}
    with pytest.raises(ValueError, match="linefeed"):
        mail_text(NOTICE, SENDER, MailContent("anna@example.org", "en", forged))

"""The check of mail: does the server take mails?"""

from collections.abc import Iterator
from typing import Final

from service.operations.checks.check import CheckResult, HealthSources, failing, ok

ATTEMPTS: Final = 3  # with a fault of the server, before it counts as down
WAITING: Final = """
SELECT count(*), (array_agg(fault ORDER BY attempts DESC) FILTER (WHERE fault IS NOT NULL AND attempts >= %s))[1]
FROM outgoing_mails
"""


def check_mail(sources: HealthSources) -> Iterator[CheckResult]:
    """Does the mail server take mails, where the operator set one up?"""
    if sources.settings.smtp_server is None:
        yield ok("mail", "no mail server is set up")
        return
    waiting, fault = sources.connection.execute(WAITING, (ATTEMPTS,)).fetchone() or (0, None)
    if fault is None:
        yield ok("mail", f"{waiting} mails wait")
    else:
        found = f"the mail server takes no mail ({fault}); {waiting} mails wait"
        yield failing("mail", found, "look at CABILDO_SMTP and its password, and at the mail server")

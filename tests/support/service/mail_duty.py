"""The keeper's duty for mails, run by a test until nothing is due, also in a process that dies; and what mails say."""

import os
import re
import signal
import subprocess
import sys
from email.message import EmailMessage

from events.store.connections import connect
from events.store.failpoints import VARIABLE
from service import settings
from tests.service.conftest import Environ
from tests.support.running_program import PATIENCE
from tests.support.source_tree import PROJECT
from workers.keeper.duty_context import ContainerDuty, KeeperContext
from workers.keeper.mails import DeleteExpiredMail, SendMails

CODE = re.compile(r"\b[0-9a-z]{5}(?:-[0-9a-z]{5}){3}\b")


def smtp_environ(environ: Environ, port: int) -> Environ:
    """Returns the variables of a service that sends mail over a server on this machine."""
    return {**environ, "CABILDO_SMTP": f"smtp://127.0.0.1:{port}", "CABILDO_MAIL_FROM": "Cabildo <cabildo@example.org>"}


def send_mails(environ: Environ) -> None:
    """Runs the duty until nothing is due."""
    run_duty(environ, SendMails)


def delete_expired_mail(environ: Environ) -> None:
    """Runs the duty that deletes what is too old."""
    run_duty(environ, DeleteExpiredMail)


def run_duty(environ: Environ, prepare: type[ContainerDuty]) -> None:
    """Runs a duty until it has no more work."""
    context = KeeperContext(settings.load(environ), environ)
    duty = prepare(context)
    try:
        with connect(environ["DATABASE_URL"]) as connection:
            while duty(connection):
                pass
    finally:
        context.close()


def send_and_die(environ: Environ, point: str) -> None:
    """Runs the duty in a process that is killed at a fail point."""
    command, env = [sys.executable, "-m", __name__], {**os.environ, **environ, VARIABLE: f"{point}=kill"}
    ended = subprocess.run(command, env=env, cwd=PROJECT, timeout=PATIENCE)
    assert ended.returncode == -signal.SIGKILL


def due_now(environ: Environ) -> None:
    """Lets the pauses before further attempts pass."""
    with connect(environ["DATABASE_URL"]) as connection:
        connection.execute("UPDATE outgoing_mails SET due = 0")


def code_in(mail: EmailMessage) -> str:
    """Returns the code that a mail brings."""
    found = CODE.search(str(mail.get_content()))
    assert found is not None, mail.get_content()
    return found[0]


if __name__ == "__main__":
    send_mails(dict(os.environ))

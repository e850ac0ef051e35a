"""`cabildo web`, `worker` and `keeper`: single processes of the service, for a supervisor such as systemd."""

import os
import secrets
import socket
import sys

import click

from deploy.local.data_folder import PROJECT, DataFolder, process_environment, settings_of
from service.core.queues import WEBHOOKS, WORKERS
from service.core.stores import check_start


def any_name(_context: click.Context, _option: click.Parameter, given: str | None) -> str:
    """Returns the given name, or a unique one."""
    return given or f"{socket.gethostname()}-{secrets.token_hex(4)}"


@click.command()
@click.pass_obj
def web(folder: DataFolder) -> None:
    """Serve HTTP with gunicorn in the foreground; SIGTERM finishes running requests."""
    command = ("-m", "gunicorn", "-c", "python:service.gunicorn_conf", "service.app:create_app()")
    os.chdir(PROJECT)
    os.execve(sys.executable, (sys.executable, *command), process_environment(folder, os.environ))


@click.command()
@click.argument("queue", type=click.Choice(WORKERS))
@click.option("--name", callback=any_name, help="The name of this worker in lists.  [host name and a random part]")
@click.pass_obj
def worker(folder: DataFolder, queue: str, name: str) -> None:
    """Run the jobs of QUEUE, one at a time, or send webhooks; SIGTERM finishes what is running."""
    from workers import queue_worker, webhook_worker

    settings, _ = settings_of(folder)
    check_start(settings)
    if queue == WEBHOOKS:
        webhook_worker.send(settings, name)
    else:
        queue_worker.work(settings, queue, name)


@click.command()
@click.option("--name", callback=any_name, help="The name of this keeper in lists.  [host name and a random part]")
@click.pass_obj
def keeper(folder: DataFolder, name: str) -> None:
    """Run the keeper's duties; of several keepers, one leads each duty."""
    from workers.keeper.duties import DUTIES
    from workers.keeper.keeper import keep

    settings, environ = settings_of(folder)
    keep(settings, environ, name, DUTIES)

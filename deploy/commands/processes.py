"""`cabildo web`, `worker`, `keeper`: one process of the service, for a supervisor such as systemd."""

import os
import secrets
import socket
import sys

import click

from deploy.local.data_folder import PROJECT, DataFolder, process_environment
from service import settings as config
from service.core import logs
from service.core.queues import QUEUES


def settings_of(place: DataFolder) -> tuple[config.Settings, dict[str, str]]:
    """The checked settings of a process and its environment."""
    environ = process_environment(place, os.environ)
    settings = config.load(environ)
    logs.configure(settings.log_level, settings.log_format)
    return settings, environ


def any_name(_context: click.Context, _option: click.Parameter, given: str | None) -> str:
    """The given name, or one that nobody else has."""
    return given or f"{socket.gethostname()}-{secrets.token_hex(4)}"


@click.command()
@click.pass_obj
def web(place: DataFolder) -> None:
    """Serve HTTP with gunicorn in the foreground; SIGTERM finishes running requests."""
    command = ("-m", "gunicorn", "-c", "python:service.gunicorn_conf", "service.app:create_app()")
    os.chdir(PROJECT)
    os.execve(sys.executable, (sys.executable, *command), process_environment(place, os.environ))


@click.command()
@click.argument("queue", type=click.Choice(QUEUES))
@click.option("--name", callback=any_name, help="How others see this worker.  [host name and a random part]")
@click.pass_obj
def worker(place: DataFolder, queue: str, name: str) -> None:
    """Take the jobs of QUEUE, one at a time; SIGTERM finishes the running one."""
    from workers.queue_worker import work

    settings, _ = settings_of(place)
    work(settings, queue, name)


@click.command()
@click.option("--name", callback=any_name, help="How others see this keeper.  [host name and a random part]")
@click.pass_obj
def keeper(place: DataFolder, name: str) -> None:
    """Do what the database says is due: run as many as you like, one leads each duty."""
    from workers.keeper.duties import DUTIES
    from workers.keeper.keeper import keep

    settings, environ = settings_of(place)
    keep(settings, environ, name, DUTIES)

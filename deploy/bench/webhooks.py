"""`cabildo bench webhooks`: messages a second with a backlog, beside a receiver that is called without the service."""

import asyncio
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from typing import Final, NamedTuple

import click
import httpx

from deploy.bench.temporary_service import temporary_stores
from events.event import new_stream
from service import settings
from service.container import Container, open_container
from service.players.commands.accounts import CreatePlayer, create_player
from service.webhooks.commands import CreateWebhook, create_webhook
from service.webhooks.slots import Followed
from workers.webhook_worker import webhook_sender

QUEUE: Final = """
INSERT INTO deliveries (hook, number, what, stream, seq)
SELECT %s, number, 'your_turn', %s, number FROM generate_series(1, %s) AS number
"""
DUE: Final = "UPDATE webhooks SET waiting = %s, due = %s WHERE id = %s"
LEFT: Final = "SELECT count(*) FROM deliveries"
ANSWER: Final = b"HTTP/1.1 204 No Content\r\n\r\n"
END_OF_HEADER: Final = b"\r\n\r\n"
LENGTH: Final = b"content-length: "
KILOBYTE: Final = 1024


class SendingRate(NamedTuple):
    """The result of a measurement."""

    messages: int
    seconds: float
    kilobytes: int  # by which memory grew


@click.command()
@click.option("--messages", default=20_000, show_default=True, help="How many wait.")
@click.option("--owners", default=2, show_default=True, help="How many players they belong to.")
@click.option("--seconds", default=30.0, show_default=True, help="The longest time to measure.")
def webhooks(messages: int, owners: int, seconds: float) -> None:
    """Send waiting messages to a receiver on this machine."""
    with receiver() as port, temporary_stores() as stores:
        bare = asyncio.run(_bare(port, seconds / 10))
        environ = {**stores.environ, "CABILDO_WEBHOOKS": "anywhere"}
        here = open_container(settings.load(environ), "bench")
        try:
            queue(here, port, messages, owners)
            sent = asyncio.run(measure(here, messages, seconds))
        finally:
            here.close()
    rate = sent.messages / sent.seconds
    click.echo(f"calls without the service  {bare:10.0f} /s")
    click.echo(f"messages                   {rate:10.0f} /s  ({sent.messages} of {messages} in {sent.seconds:.1f} s)")
    click.echo(f"ratio                      {rate / bare:10.2f}")
    click.echo(f"memory grew by             {sent.kilobytes / KILOBYTE:10.1f} MB")


def queue(here: Container, port: int, messages: int, owners: int) -> None:
    """Creates a webhook for each owner and lets messages wait in it."""
    for number in range(owners):
        player, _ = create_player(here, CreatePlayer(f"owner {number}"))
        hook, _ = create_webhook(here, CreateWebhook(f"http://127.0.0.1:{port}/", Followed()), player.id)
        waiting = messages // owners
        with here.stores.pool.connection() as connection:
            connection.execute(QUEUE, (hook.id, new_stream(here.now()), waiting))
            connection.execute(DUE, (waiting, here.now(), hook.id))


async def measure(here: Container, messages: int, seconds: float) -> SendingRate:
    """Sends for some seconds, or until nothing waits."""
    sender, began, before = webhook_sender(here), time.monotonic(), _kilobytes()
    running = asyncio.create_task(sender.run())
    left = messages
    while left and time.monotonic() - began < seconds:
        await asyncio.sleep(0.1)
        left = await asyncio.to_thread(_left, here)
    spent = time.monotonic() - began
    sender.stop()
    await running
    return SendingRate(messages - left, spent, _kilobytes() - before)


def _left(here: Container) -> int:
    with here.stores.pool.connection() as connection:
        row = connection.execute(LEFT).fetchone()
    return int(row[0]) if row else 0


def _kilobytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


async def _bare(port: int, seconds: float) -> float:
    """Returns how many calls a second one client makes on one connection."""
    calls, began = 0, time.monotonic()
    async with httpx.AsyncClient(trust_env=False) as client:
        while time.monotonic() - began < seconds:
            await client.post(f"http://127.0.0.1:{port}/", content=b"{}")
            calls += 1
    return calls / (time.monotonic() - began)


@contextmanager
def receiver() -> Iterator[int]:
    """Runs a receiver in a process of its own; yields its port."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_receive, args=(theirs,), daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        process.terminate()
        process.join()


def _receive(pipe: Pipe) -> None:
    asyncio.run(_listen(pipe))


async def _listen(pipe: Pipe) -> None:
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    pipe.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers every request of a connection at once."""
    try:
        while True:
            header = (await reader.readuntil(END_OF_HEADER)).lower()
            length = header.partition(LENGTH)[2].partition(b"\r\n")[0]
            await reader.readexactly(int(length))
            writer.write(ANSWER)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()

"""`cabildo monitor`: monitors a public log from outside."""

import time
from contextlib import closing, suppress
from pathlib import Path

import click
import httpx
from cabildo_client.bots.signals import interrupted_by_signals

from deploy.console import say
from events.log.monitor import FileMissing, LogMisbehaves, Monitor
from events.merkle.policy import Policy
from events.merkle.witness import origin_hash

TIMEOUT = 10.0
MISBEHAVED = 10


@click.command()
@click.argument("url")
@click.option(
    "--policy",
    type=click.Path(path_type=Path, exists=True),
    required=True,
    help="The policy with the trusted keys (C2SP).",
)
@click.option(
    "--memory",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="The folder of the checkpoints seen so far.",
)
@click.option("--every", type=click.FloatRange(1), default=60, show_default=True, help="Seconds between two checks.")
@click.option("--once", is_flag=True, help="Check once and exit.")
def monitor(url: str, policy: Path, memory: Path, every: float, once: bool) -> None:
    """Monitor the log at URL, such as https://cabildo.example/log.

    Checks that the log only grows, that every stream counts 1, 2, 3, ..., and that the witnesses of the policy that
    have an address saw the same log. Exits with 10 when the log misbehaves; the notes that prove it are stored in the
    memory. An unreachable log is retried; with --once the command exits with 1. Ctrl-C and SIGTERM end it with 0.
    """
    trusted = Policy.parse(policy.read_bytes())
    memory.mkdir(parents=True, exist_ok=True)
    with closing(Monitor(memory / "seen.sqlite", trusted)) as watching:
        with interrupted_by_signals(), suppress(KeyboardInterrupt):
            _check(watching, url.rstrip("/"), trusted, memory, once)
            while not once:
                time.sleep(every)
                _check(watching, url.rstrip("/"), trusted, memory, once)
            return
        say("stopped")


def _check(watching: Monitor, url: str, trusted: Policy, memory: Path, once: bool) -> None:
    with httpx.Client(timeout=TIMEOUT, follow_redirects=True) as client:

        def fetch(path: str) -> bytes:
            answer = client.get(f"{url}/{path}")
            if answer.status_code == httpx.codes.NOT_FOUND:
                raise FileMissing(f"there is no {answer.url}; the address of a log mostly ends in /log")
            return answer.raise_for_status().content

        try:
            seen = watching.check(fetch, _shown_to_witnesses(client, trusted))
        except (httpx.HTTPError, FileMissing) as away:
            reason = str(away) if isinstance(away, FileMissing) else f"{url} was not reached: {away}"
            if once:
                raise click.ClickException(reason) from away
            say(reason)
        except LogMisbehaves as caught:
            for number, note in enumerate(caught.evidence, 1):
                (memory / f"evidence-{number}.note").write_bytes(note)
            say(f"MISBEHAVES ({caught.reason}): {caught}")
            raise SystemExit(MISBEHAVED) from caught
        else:
            witnessed = "witnessed" if seen.witnessed else "not witnessed"
            say(f"{seen.checkpoint.origin}: {seen.checkpoint.size} events, {seen.new} new, {witnessed}")


def _shown_to_witnesses(client: httpx.Client, trusted: Policy) -> dict[str, bytes]:
    """Returns the newest checkpoint that each witness with an address saw; skips witnesses that do not answer."""
    found = {}
    for name, party in trusted.witnesses.items():
        for log in trusted.logs if party.url else ():
            try:
                answer = client.get(f"{party.url}/{origin_hash(log.key.name)}/checkpoint")
            except httpx.HTTPError as away:
                say(f"witness {name} not reached: {away}")
                continue
            if answer.status_code == httpx.codes.OK:
                found[name] = answer.content
    return found

"""`cabildo witness`: cosigns the checkpoints of other logs, so that none of them can show two histories."""

import os
from pathlib import Path

import click

from deploy.console import say
from events.merkle.notes import COSIGNATURE, SigningKey, VerifierKey
from events.merkle.policy import Policy
from service.core import logs
from service.proof.witness import Witness, serve


@click.command()
@click.argument("name")
@click.option(
    "--dir",
    "directory",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="The folder of its key and its memory.",
)
@click.option(
    "--policy", type=click.Path(path_type=Path, exists=True), required=True, help="The policy that names its logs."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address it listens on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8090, show_default=True, help="Its port.")
def witness(name: str, directory: Path, policy: Path, host: str, port: int) -> None:
    """Run a witness called NAME, such as witness.example.org.

    It cosigns checkpoints of the logs that the policy file names. Its key is made at the first start and kept in the
    directory. Without that directory the witness is lost: it would forget the checkpoints it has cosigned.
    """
    logs.configure("info", "text")
    key = key_in(directory, name)
    watched: dict[str, list[VerifierKey]] = {}
    for party in Policy.parse(policy.read_bytes()).logs:
        watched.setdefault(party.key.name, []).append(party.key)
    with serve(Witness(directory, key, watched), host, port) as server:
        say(f"for policies: witness {name} {key.verifier} http://{host}:{server.server_address[1]}")
        server.serve_forever()


def key_in(directory: Path, name: str) -> SigningKey:
    """Returns the witness's key; generates it when there is none, readable by its owner only. Raises ClickException."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "key"
    if not path.exists():
        fresh = directory / "key.new"
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(SigningKey.generate(name, COSIGNATURE).secret())
            file.flush()
            os.fsync(file.fileno())
        fresh.rename(path)
    key = SigningKey.parse(path.read_text())
    if key.name != name or key.kind != COSIGNATURE:
        raise click.ClickException(f"{path} is the key of {key.name}, not of the witness {name}")
    return key

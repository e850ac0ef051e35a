"""`cabildo audit`: hold the whole database against its own published log."""

import json
from pathlib import Path

import click
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from deploy.commands.processes import settings_of
from deploy.console import OUT, say
from deploy.place import Place
from deploy.versions import postgresql_version
from events.connections import connect
from events.fsck import BEGINNING, Audit, Fault, Mark, gravest
from events.merkle.policy import Policy
from service.config import Settings
from service.public_log import files_of, origin_of

COLUMNS = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())


@click.command()
@click.option("--policy", type=click.Path(path_type=Path, exists=True), help="Whose keys count.  [the published one]")
@click.option("--afresh", is_flag=True, help="Begin at the first event, not where an audit was stopped.")
@click.pass_obj
def audit(place: Place, policy: Path | None, afresh: bool) -> None:
    """Read every stored event, hash it again, and hold it against the published tiles and checkpoints.

    An audit that was stopped goes on where it was. Ends with 0 when nothing is wrong; else with the gravest class:
    11 an event, 12 the log index, 13 a checkpoint, 14 a published file, 15 an event that never reached the log.
    """
    settings, _ = settings_of(place)
    postgresql_version(settings.database_url)
    found = _run(settings, policy, afresh)
    for fault in found:
        OUT.print(f"[red]{fault.kind}[/]: {escape(fault.sentence)}")
    say("nothing is wrong" if not found else f"{len(found)} faults")
    raise SystemExit(gravest(found))


def _run(settings: Settings, policy: Path | None, afresh: bool) -> list[Fault]:
    memory = settings.data_dir / "audit.json"
    found: list[Fault] = []
    with connect(settings.database_url) as connection, Progress(*COLUMNS, console=OUT) as progress:
        origin = origin_of(connection, settings)
        files = files_of(settings, origin)
        trusted = policy.read_bytes() if policy else files.read("policy") or b"quorum none\n"
        keys = [log.key for log in Policy.parse(trusted).logs]
        mark, earlier = (BEGINNING, []) if afresh else _remembered(memory, origin)
        found += earlier
        task = progress.add_task("auditing", total=None)
        for step in Audit(connection, origin, files, keys).run(mark):
            found += step.faults
            progress.update(task, completed=step.mark.size, total=step.total)
            _remember(memory, origin, step.mark, found)
    memory.unlink()
    return found


def _remembered(memory: Path, origin: str) -> tuple[Mark, list[Fault]]:
    if not memory.exists():
        return BEGINNING, []
    kept = json.loads(memory.read_text())
    if kept["origin"] != origin:
        return BEGINNING, []
    return Mark(kept["size"], tuple(map(bytes.fromhex, kept["edge"]))), [Fault(*fault) for fault in kept["faults"]]


def _remember(memory: Path, origin: str, mark: Mark, found: list[Fault]) -> None:
    kept = {"origin": origin, "size": mark.size, "edge": [each.hex() for each in mark.edge], "faults": found}
    fresh = memory.with_suffix(".new")
    fresh.write_text(json.dumps(kept))
    fresh.replace(memory)

"""`cabildo audit`: compares the whole database with its published log."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click
from psycopg import Connection
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from deploy.console import OUT, say
from deploy.local.data_folder import DataFolder, settings_of
from deploy.local.versions import postgresql_version
from events.log.file_integrity import ArchivedFiles, PublishedFiles
from events.log.integrity import Audit, Fault, Part, gravest
from events.log.sealer import origins
from events.merkle.notes import VerifierKey
from events.merkle.policy import Policy
from events.sealing.vault import Vault
from events.store.connections import connect
from service.operations.integrity import Games, Texts
from service.operations.tournament_integrity import Tournaments
from service.proof.public_log import archive_of, files_of, origin_of, policy_of, shown_in
from service.settings import Settings

COLUMNS = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())


@click.command()
@click.option(
    "--policy",
    type=click.Path(path_type=Path, exists=True),
    help="The policy with the trusted keys.  [the published one]",
)
@click.option("--afresh", is_flag=True, help="Start at the first event; do not resume a stopped audit.")
@click.pass_obj
def audit(folder: DataFolder, policy: Path | None, afresh: bool) -> None:
    """Read and hash every stored byte of the database and compare it with the published log.

    Covers events, log index, checkpoints, cosignatures and the outbox; every published file; the archive of events;
    boards, rows of the lobby and seeds of all games; texts. A stopped audit resumes where it was. Exits with 0 when it
    finds no fault; else with the gravest class: 11 an event, 12 the log index, 13 a checkpoint, 14 a published file,
    15 an event that never reached the log, 16 the archive, 17 a board or row of the lobby, 18 a text, 19 a seed. With 2
    when no policy names a key of the log, so that its signatures cannot be checked.
    """
    settings = settings_of(folder)[0].direct()
    postgresql_version(settings.database_url)
    found = _run(settings, policy, afresh)
    for fault in found:
        OUT.print(f"[red]{fault.kind}[/]: {escape(fault.sentence)}")
    say("no fault found" if not found else f"{len(found)} faults")
    raise SystemExit(gravest(found))


def _run(settings: Settings, policy: Path | None, afresh: bool) -> list[Fault]:
    memory = settings.data_dir / "audit.json"
    with connect(settings.database_url) as connection, Progress(*COLUMNS, console=OUT) as progress:
        origin = origin_of(connection, settings)
        so_far = AuditProgress(origin) if afresh else _load_progress(memory, origin)
        found = list(so_far.faults)
        parts = _parts(connection, settings, policy)
        begun = so_far.part if so_far.part in parts else next(iter(parts))
        for name in [*parts][[*parts].index(begun) :]:
            task = progress.add_task(name, total=None)
            for stretch in parts[name](so_far.after if name == so_far.part else ""):
                found += stretch.faults
                progress.update(task, completed=stretch.done, total=stretch.total)
                _save_progress(memory, AuditProgress(origin, name, stretch.after, tuple(found)))
    memory.unlink(missing_ok=True)
    return found


def _parts(connection: Connection, settings: Settings, policy: Path | None) -> Mapping[str, Part]:
    """Returns the parts of an audit, in the order of the progress bars."""
    origin = origin_of(connection, settings)
    files, keys = files_of(settings, origin), list(_keys(connection, settings, policy))
    _check_policy(keys, origins(connection), policy)
    box = Vault(settings.master_keys)
    known = {other: files_of(settings, other) for other in (*origins(connection), origin)}
    published = {f"files of {other}": PublishedFiles(connection, other, its).part for other, its in known.items()}
    return {
        "events": Audit(connection, origin, files, keys).part,
        **published,
        "archive": ArchivedFiles(connection, archive_of(settings), shown_in(files)).part,
        "games": Games(connection, box).part,
        "tournaments": Tournaments(connection, box).part,
        "texts": Texts(connection).part,
    }


class PolicyMissing(click.ClickException):
    """No policy names a key of a log whose signatures are checked."""

    exit_code = 2


def _check_policy(keys: Sequence[VerifierKey], sealed: Iterable[str], policy: Path | None) -> None:
    """Raises PolicyMissing when no key of a log is known: its checkpoints would be called forged."""
    for origin in sealed:
        if any(key.name == origin for key in keys):
            continue
        where = f"{policy} names" if policy else "its published policy is missing, and no other one names"
        raise PolicyMissing(
            f"the log {origin}: {where} none of its keys, so that its signatures cannot be checked. "
            "Nothing was audited. Give the policy that the log was published with: --policy FILE"
        )


def _keys(connection: Connection, settings: Settings, policy: Path | None) -> Iterator[VerifierKey]:
    """Yields the keys of all logs and witnesses: of the given policy, or of the published ones and the operator's."""
    published = (files_of(settings, origin).read("policy") for origin in origins(connection))
    trusted = [policy.read_bytes()] if policy else [data for data in published if data is not None]
    for one in (*map(Policy.parse, trusted), _own_policy(settings)):
        for party in (*one.logs, *one.witnesses.values()):
            yield party.key


def _own_policy(settings: Settings) -> Policy:
    """Returns the operator's policy. Raises PolicyMissing when its file cannot be read."""
    try:
        return policy_of(settings)
    except OSError as problem:
        raise PolicyMissing(f"the policy {problem.filename} cannot be read: {problem.strerror}") from problem


class AuditProgress(NamedTuple):
    """The progress of an audit and the faults found so far."""

    origin: str
    part: str = ""
    after: str = ""
    faults: tuple[Fault, ...] = ()


def _load_progress(memory: Path, origin: str) -> AuditProgress:
    if not memory.exists():
        return AuditProgress(origin)
    kept = AuditProgress(**json.loads(memory.read_text()))
    if kept.origin != origin:
        return AuditProgress(origin)
    return kept._replace(faults=tuple(Fault(*fault) for fault in kept.faults))


def _save_progress(memory: Path, now: AuditProgress) -> None:
    fresh = memory.with_suffix(".new")
    fresh.write_text(json.dumps(now._asdict()))
    fresh.replace(memory)

"""`cabildo status` and `settings`: the health of the service, and its environment variables."""

import base64
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import click
import psycopg
import redis
from psycopg import Connection
from rich.markup import escape
from rich.table import Table

from deploy.console import OUT
from deploy.errors import CannotRun
from deploy.local.data_folder import DataFolder, with_stores, without_secrets
from deploy.local.versions import postgresql_version, redis_version
from events.errors import GuardsMissing, SchemaMismatch
from events.store.connections import connect_as_given
from events.store.migrations import pending
from projections.read_models.projector import Status, statuses
from projections.read_models.registry import READ_MODELS
from service import settings as config
from service.core.clock import iso_time, now
from service.core.keeper_heartbeats import live_keepers
from service.core.logs import SECRET_VALUES
from service.core.queues import failed_jobs, waiting_jobs
from service.core.redis_connections import open_redis
from service.core.stores import ANSWER_WITHIN, STORES, check_database
from service.core.stuck_streams import stuck_streams
from service.key_settings import MASTER_KEY, SECRETS
from service.operations.checks.check import CheckResult, HealthSources, HealthState
from service.operations.checks.table import is_healthy, run_checks
from service.operations.queries import check_documents, store_result
from service.secret_files import KEY_BYTES
from service.version import VERSION
from service.webhooks.deliveries import backlog

UNUSED_KEY = base64.b64encode(bytes(KEY_BYTES)).decode()  # nothing here is sealed or opened
COLOURS = {HealthState.OK: "green", HealthState.UNKNOWN: "yellow", HealthState.FAILING: "red"}
ALARMING = 3  # failures: fewer may be a lock that another process held
WAITING_FOR_PEOPLE = frozenset(("tournaments",))  # most blocked tournaments wait for their director
LOG = "SELECT (SELECT coalesce(max(idx) + 1, 0) FROM log), (SELECT count(*) FROM outbox)"


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def status(folder: DataFolder, as_json: bool) -> None:
    """Print the health of the service: every check, versions, stores, log, read models, queues, keepers.

    Exits with 1 when a check is failing or the schema is not this program's, a read model has stopped (parked by
    an event, or with rows of another version of the program), or a game is stuck: the keeper failed to settle its time.
    """
    stores = with_stores(folder, os.environ)
    postgresql, log, models, stuck = _postgresql(stores["DATABASE_URL"])
    redis_, queues, alive = _redis(stores["REDIS_URL"])
    checks = _checks(
        stores, [name for name, store in (("postgresql", postgresql), ("redis", redis_)) if "fault" in store]
    )
    found = {
        "version": VERSION,
        "postgresql": postgresql,
        "redis": redis_,
        "log": log,
        "read_models": models,
        "stuck": stuck,
        "queues": queues,
        "webhooks": {} if "fault" in postgresql else _webhooks(stores["DATABASE_URL"]),
        "keepers": alive,
        "checks": check_documents(checks),
    }
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        OUT.print(_table(found))
    stopped = any(model["stands"] for model in models.values()) or any(one["alarming"] for one in stuck)
    if "fault" in postgresql or stopped or not is_healthy(checks):
        raise SystemExit(1)


@click.command()
def settings() -> None:
    """List the environment variables that a process reads, with defaults."""
    rows = Table("variable", "default", "meaning", box=None)
    rows.columns[0].no_wrap = True  # a name must not be cut
    for name, default, meaning in config.documented_settings():
        rows.add_row(name, default, meaning)
    OUT.print(rows)


def masked(address: str) -> str:
    """Returns an address with its password redacted."""
    return SECRET_VALUES.sub("***", address)


def _postgresql(url: str) -> tuple[dict[str, Any], dict[str, int], dict[str, Any], list[dict[str, Any]]]:
    """Returns the status of PostgreSQL, of the log, of the read models, and the stuck streams."""
    found: dict[str, Any] = {"address": masked(url)}
    try:
        found["version"] = postgresql_version(url)
        with connect_as_given(url) as connection:
            missing = [f"{step.component} {step.name}" for step in pending(connection)]
            if missing:
                return found | {"fault": f"migrations missing: {', '.join(missing)}"}, {}, {}, []
            check_database(url)
            return found, _log(connection), _read_models(connection), _stuck(connection)
    except (CannotRun, SchemaMismatch, GuardsMissing, psycopg.OperationalError) as problem:
        return found | {"fault": str(problem)}, {}, {}, []


def _checks(stores: Mapping[str, str], missing: Sequence[str]) -> list[CheckResult]:
    """Returns every check; those that ask the database only while it is in order."""
    results = [store_result(store, missing) for store in STORES]
    if "postgresql" in missing:
        return results
    settings = config.load({**without_secrets(SECRETS, stores), MASTER_KEY: UNUSED_KEY})
    with (
        connect_as_given(settings.database_url) as connection,
        open_redis(settings.redis_url, retry=None, socket_timeout=ANSWER_WITHIN) as client,
    ):
        return results + run_checks(HealthSources(connection, client, settings, now()))


def _webhooks(url: str) -> dict[str, int]:
    """Returns the number of waiting messages of webhooks, and of webhooks that are switched off."""
    with connect_as_given(url) as connection:
        return backlog(connection)


def _log(connection: Connection) -> dict[str, int]:
    row = connection.execute(LOG).fetchone()
    assert row is not None
    return {"events": row[0], "waiting_for_an_index": row[1]}


def _read_models(connection: Connection) -> dict[str, Any]:
    """Returns each read model's version, its lag in entries and seconds, and the error that parked it."""
    return {
        status.name: {
            "version": status.version,
            "behind": status.behind,
            "seconds": round(status.seconds, 3),
            "parked": status.poison,
            "stands": _why_it_stands(status),
            "seen": status.seen.isoformat(),
        }
        for status in statuses(connection)
        if not status.shadow
    }


def _stuck(connection: Connection) -> list[dict[str, Any]]:
    """Returns the streams that the keeper could not handle, those that are stuck longest first."""
    return [
        {
            "duty": stuck.duty,
            "stream": str(stuck.stream),
            "since": iso_time(stuck.since),
            "failures": stuck.failures,
            "again": iso_time(stuck.due),
            "reason": stuck.reason,
            "alarming": stuck.failures >= ALARMING and stuck.duty not in WAITING_FOR_PEOPLE,
        }
        for stuck in stuck_streams(connection)
    ]


def _why_it_stands(status: Status) -> str | None:
    """Returns the reason why a read model has stopped; None when it follows the log."""
    model = READ_MODELS.get(status.name)
    if model is not None and model.version != status.version:
        return f"rows of version {status.version}, and this is {model.version}: cabildo rebuild {status.name}"
    return None if status.poison is None else f"parked: {status.poison}"


def _redis(url: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Returns the status of Redis, of the queues, and of the running keepers."""
    found: dict[str, Any] = {"address": masked(url)}
    try:
        found["version"] = redis_version(url)
        with open_redis(url, retry=None) as client:
            failed = failed_jobs(client)
            queues = {name: {"waiting": jobs, "failed": failed[name]} for name, jobs in waiting_jobs(client).items()}
            return found, queues, live_keepers(client)
    except (CannotRun, redis.RedisError) as problem:
        return found | {"fault": str(problem)}, {}, {}


def _table(found: dict[str, Any]) -> Table:
    rows = Table(show_header=False, box=None)
    rows.add_row("Cabildo", found["version"])
    for name, store in (("PostgreSQL", found["postgresql"]), ("Redis", found["redis"])):
        state = f"[red]{store['fault']}[/]" if "fault" in store else "[green]answers[/]"
        rows.add_row(name, f"{store.get('version', '')} {state} {store['address']}")
    for check in found["checks"]:
        advice = f" ({escape(check['advice'])})" if check["advice"] else ""
        state = f"[{COLOURS[check['state']]}]{check['state']}[/]"
        rows.add_row(f"check {check['name']}", f"{state} {escape(check['found'])}{advice}")
    if found["log"]:
        rows.add_row("log", f"{found['log']['events']} events, {found['log']['waiting_for_an_index']} without an index")
    for name, model in found["read_models"].items():
        stands = f" [red]{escape(model['stands'])}[/]" if model["stands"] else ""
        rows.add_row(f"read model {name}", f"{model['behind']} entries, {model['seconds']} s behind{stands}")
    for one in found["stuck"]:
        tries = f"{one['failures']} failures since {one['since']}, again {one['again']}"
        rows.add_row(f"stuck in {one['duty']}", f"{one['stream']}: [red]{escape(one['reason'])}[/], {tries}")
    for queue, jobs in found["queues"].items():
        failed = f" [red]{jobs['failed']} failed lately[/]" if jobs["failed"] else ""
        rows.add_row(f"queue {queue}", f"{jobs['waiting']} waiting{failed}")
    if found["webhooks"]:
        waiting, off = found["webhooks"]["waiting"], found["webhooks"]["off"]
        rows.add_row("webhooks", f"{waiting} messages waiting, {off} webhooks switched off")
    for keeper, left in found["keepers"].items():
        for duty, watch in left["duties"].items():
            leads = "leads" if watch["leading"] else "stands by"
            rows.add_row(f"keeper {keeper}", f"{duty}: {leads}, {watch['steps']} steps {watch['fault']}")
    return rows

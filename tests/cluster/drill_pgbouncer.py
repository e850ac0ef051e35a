"""The tests of poolers with a real PgBouncer: `deploy/test --cluster` runs them where one is installed."""

import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from deploy.cluster_drills import find_program
from deploy.local.identity import server_identity
from deploy.local.processes import ServerProgram
from deploy.local.stores import answers_sql
from service.core.stores import check_database
from tests.conftest import running
from tests.service.conftest import environ
from tests.service.core.test_pooler import (
    LIMITS,
    login,
    test_a_keeper_behind_a_pooler_is_refused_by_name,
    test_a_pooler_with_the_role_serves_a_web_server,
    test_no_transaction_behind_a_pooler_has_another_role,
)
from tests.support.service.mail_server import free_port

__all__ = [
    "environ",
    "login",
    "test_a_keeper_behind_a_pooler_is_refused_by_name",
    "test_a_pooler_with_the_role_serves_a_web_server",
    "test_no_transaction_behind_a_pooler_has_another_role",
]
SETTINGS = """
[databases]
{database} = host={sockets} dbname={database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {users}
pool_mode = transaction
default_pool_size = 4
"""


@pytest.fixture
def pooled(database: str, login: str, server_directory: Path) -> Iterator[str]:
    """The address of a PgBouncer in transaction mode, whose login has the service's role for good."""
    with psycopg.connect(database, autocommit=True) as admin:
        for limit in LIMITS:
            admin.execute(sql.SQL("ALTER ROLE {} SET " + limit).format(sql.Identifier(login)))
    program = find_program("pgbouncer")
    assert program is not None, "install pgbouncer"
    given, port, directory = conninfo_to_dict(database), free_port(), server_directory / "pgbouncer"
    identity = server_identity(directory)
    identity.own(directory)
    users, settings = directory / "users", directory / "pgbouncer.ini"
    users.write_text(f'"{login}" ""\n')
    settings.write_text(SETTINGS.format(database=given["dbname"], sockets=given["host"], port=port, users=users))
    for file in (users, settings):
        file.chmod(0o644)
    url = f"postgresql://{login}@127.0.0.1:{port}/{given['dbname']}"
    with running(
        ServerProgram(
            name="pgbouncer",
            command=(str(program), str(settings)),
            log=directory / "log",
            ready=partial(answers_sql, url),
            identity=identity,
        ),
        server_directory,
    ):
        yield url


def test_the_login_reaches_the_service_role_through_pgbouncer(
    pooled: str, record_property: Callable[[str, object], None]
) -> None:
    check_database(pooled)
    told = subprocess.run([str(find_program("pgbouncer")), "--version"], capture_output=True, text=True, check=True)
    version = told.stdout.splitlines()[0]
    record_property("told", f"{version}: 300 transactions of 8 threads, each in the role of the service")

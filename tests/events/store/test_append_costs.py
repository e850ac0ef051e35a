"""What keeps an append cheap: one plan for all events, and a gate that asks once in a session what lasts as long."""

import pytest

from events.log.signing_gate import cluster, is_open, set_gate
from events.store.connections import connect, connect_as_given

CLUSTER = """
SELECT concat_ws('/',
    (SELECT system_identifier FROM pg_control_system()),
    left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
    (SELECT oid FROM pg_database WHERE datname = current_database()),
    (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint
)
"""


def test_one_plan_serves_all_appends_whatever_the_partitions(database: str) -> None:
    with connect(database) as service:
        (configured,) = service.execute("SELECT proconfig FROM pg_proc WHERE proname = 'append'").fetchall()
    assert configured == (["plan_cache_mode=force_generic_plan"],)


def test_a_session_names_its_cluster_as_a_fresh_look_does(database: str) -> None:
    with connect(database) as service, connect_as_given(database) as admin:
        named = [cluster(service) for _ in range(3)]
        assert [(name,) for name in named] == admin.execute(CLUSTER).fetchall() * 3


@pytest.mark.parametrize("remembered", ["", "RESET"], ids=["emptied", "reset"])
def test_what_a_session_forgot_is_looked_up_again(database: str, remembered: str) -> None:
    with connect(database) as service:
        before = cluster(service)
        service.execute("RESET ALL" if remembered else "SET cabildo.running_cluster = ''")
        assert cluster(service) == before


def test_a_rolled_back_transaction_leaves_the_gate_as_it_is(database: str) -> None:
    with connect(database) as service:
        service.execute("BEGIN")
        assert is_open(service)
        service.execute("ROLLBACK")
        assert is_open(service)


def test_every_session_sees_at_once_that_the_gate_is_shut(database: str) -> None:
    with connect(database) as service, connect(database) as keeper:
        assert is_open(service)
        set_gate(keeper, is_open=False, reason="shut by a test")
        assert not is_open(service)

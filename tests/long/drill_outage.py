"""A real keeper that was stopped for a while: it stores the outage once, and no flag falls for the time of it."""

from pathlib import Path

from deploy.bench.outage import measure
from events.store.connections import connect
from tests.service.conftest import environ

__all__ = ["environ"]
GRACE = 3
PAUSE = 6.0
GAMES = 300
# A flag falls no earlier than the time of a move and the outage after the start.
TOO_EARLY = """
SELECT stream FROM events AS fallen WHERE kind = 'flag_fell' AND at < (
    SELECT events.at + 3600000000 + (SELECT max(until - since) FROM outages)
    FROM events WHERE events.stream = fallen.stream AND kind = 'game_started'
)
"""


def test_paused_keeper_stores_one_outage_and_states_it_where_flags_are_due(
    environ: dict[str, str], tmp_path: Path
) -> None:
    variables = {
        **environ,
        "CABILDO_KEEPER_GRACE": str(GRACE),
        "CABILDO_LOG_KEY": environ["CABILDO_MASTER_KEY"],
    }
    found = measure(variables, tmp_path, GAMES, PAUSE)
    assert found.outages == 1
    assert found.flags == GAMES // 2
    assert found.stated == found.stated_once >= GAMES // 2
    assert found.stated_in_running == 0
    with connect(environ["DATABASE_URL"]) as connection:
        assert connection.execute(TOO_EARLY).fetchall() == []

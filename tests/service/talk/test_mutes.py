"""Mutes of table talk: bounded, also for requests that come at once."""

from typing import Final
from uuid import uuid4

import psycopg
from flask.testing import FlaskClient

from service.talk.commands import MOST_MUTES
from tests.service.conftest import Environ
from tests.support.service.held_accounts import asked_meanwhile
from tests.support.service.players import answer, problem, somebody

MUTE: Final = "INSERT INTO talk_mutes (player, about, muted) SELECT %s, 'player', gen_random_uuid() "
MANY: Final = MUTE + "FROM generate_series(1, %s)"


def test_mutes_at_once_are_no_more_than_a_player_may_have(client: FlaskClient, environ: Environ) -> None:
    player = somebody(client)
    with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as database:
        database.execute(MANY, (player.id, MOST_MUTES - 1))
    one_more = {"about": "player", "id": str(uuid4())}
    refused = asked_meanwhile(
        environ, player.id, MUTE, (player.id,), lambda: player.ask("PUT", "/v1/me/talk", one_more)
    )
    assert refused.status_code == 409
    assert problem(refused.get_json()) == "talk_refused"
    assert len(answer(player.ask("GET", "/v1/me/talk"), 200)["mutes"]) == MOST_MUTES

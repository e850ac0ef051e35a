"""The export of a player tells nothing of a table with a shared deal that is closed to the player."""

import io
import json
import zipfile
from typing import Any

from flask import Flask

from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.read_models.registry import advance_all
from tests.service.tournaments.test_shared_deals import Round, begin_round, resign_at
from tests.support.service.players import Person
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]  # shared by the tests of this module


def test_the_export_of_a_replaced_player_tells_nothing_of_a_closed_table(app: Flask) -> None:
    round = begin_round(app, people=5)
    game, out = str(round.games[0]), round.players[0][0]
    out.move(game, "play create_2")
    acts = {act["kind"]: act["data"] for act in exported(round, out)["acts"] if act["stream"] == game}
    assert acts["moved"]["move"] == "play create_2"
    playing = [person for players in round.players for person in players]
    (extra,) = (person for person in round.hall.people if person not in playing)
    numbers = {one["player"]: one["entrant"] for one in round.hall.read("entrants")["entrants"]}
    (table,) = (table["table"] for table in round.hall.read("rounds/1")["tables"] if table["game"] == game)
    swap = {"round": 1, "reason": "Ill", "table": table, "entrant": numbers[out.id], "by": numbers[extra.id]}
    round.hall.direct("rulings/substitution", swap)
    round.hall.keep()
    extra.post(f"/v1/games/{game}/resign")
    closed = exported(round, out)
    acts = {act["kind"]: act["data"] for act in closed["acts"] if act["stream"] == game}
    assert (acts["moved"], [row["result"] for row in closed["games"] if row["id"] == game]) == (None, [])
    resign_at(round, 1)
    opened = {act["kind"]: act["data"] for act in exported(round, out)["acts"] if act["stream"] == game}
    assert opened["moved"]["move"] == "play create_2"


def exported(round: Round, person: Person) -> dict[str, list[dict[str, Any]]]:
    """Returns the rows of the files in the export of a player."""
    with connect(round.hall.container.settings.database_url) as connection:
        while sequence_once(connection):
            pass
        while advance_all(connection):
            pass
    with zipfile.ZipFile(io.BytesIO(person.ask("GET", "/v1/me/export").data)) as archive:
        return {name: json.loads(archive.read(f"{name}.json")) for name in ("acts", "games")}

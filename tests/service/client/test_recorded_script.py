"""The script of the client's fake server: recorded from this service, whose answers still have its form."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from projections.rules.legal_moves import legal_moves_document
from projections.rules.registry import GAMES, rules_of
from tests.support.service.record_script import FRESH, ScriptRecorder, stored, write
from tests.support.service.shared_fixtures import client, environ

__all__ = ["client", "environ"]  # shared by the tests of this module
COMPARED = 12  # decisions


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_service_still_answers_all_that_the_script_has(client: FlaskClient, game: str) -> None:
    fresh = ScriptRecorder(client, game).record()
    write(game, fresh, FRESH)
    answered = forms(fresh)
    gone = {kind: names - answered[kind] for kind, names in forms(stored(game)).items()}
    assert not any(gone.values()), f"record it anew: copy {FRESH}/{game}.json to the client's testing/; gone: {gone}"


def forms(script: dict[str, Any]) -> dict[str, set[str]]:
    """Returns the names of the members of each document that the fake server answers with."""
    legal, events = [turn["legal"] for turn in script["turns"]], [turn["events"] for turn in script["turns"]]
    return {
        "game": {*script["overview"]},
        "seat": {*script["overview"]["seats"][0]},
        "clock": {*script["overview"]["clock"]},
        "legal": set().union(*legal),
        "move": {*listed(legal[0])[0]},
        "event": {*events[-1][-1]},
        "position": {*script["turns"][0]["position"]},
    }


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_script_is_a_game_by_the_rules(game: str) -> None:
    script = stored(game)
    rules = rules_of(game, script["overview"]["rules"])
    for turn in script["turns"]:
        document = {name: value for name, value in turn["position"].items() if name not in ("version", "viewer")}
        if document["hides"] == []:
            board = rules.restore({name: value for name, value in document.items() if name != "hides"})
            offered: dict[str, Any] = {**legal_moves_document(rules, board)}
            assert [one["move"] for one in listed(offered)] == [one["move"] for one in listed(turn["legal"])]
    assert script["end"]["changes"]["status"] == "finished"
    assert len(script["turns"]) > COMPARED


def listed(legal: dict[str, Any]) -> list[dict[str, Any]]:
    """The moves that an answer lists."""
    moves: list[dict[str, Any]] = legal["moves"]
    return moves

"""A game keeps the rules it started with, whatever newer ones there are: played on, replayed, shown and audited."""

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient

from projections.games.chance import ChanceLevel
from projections.games.record import RUNNING
from projections.games.replay import position_at
from projections.rules.errors import UnknownRules
from projections.rules.registry import GAMES, VERSIONS, rules_of
from projections.rules.spice_road import rulings
from projections.verify.bundle import verify
from projections.verify.compatibility import differences
from service import settings
from service.app import create_app
from service.games.decisions import undo
from service.games.game_state import setting
from tests.service.games.test_house_bots import work_all
from tests.support.projections.bundles import POLICY
from tests.support.projections.newer_rules import FIRST, SECOND, newer_rules
from tests.support.projections.played_games import NO_CLOCK, SEATED, Evening, seated
from tests.support.projections.rewritten_history import bundle
from tests.support.running_program import PATIENCE
from tests.support.service.players import Person, answer, problem
from workers import jobs

ONE_CARD_ENDS_IT: Mapping[str, Any] = {
    "thresholds": dict.fromkeys(rulings.SEATS, 1),
    "starting_cubes": ((9, 0, 0, 0),) * 5,
}


def play_out(evening: Evening) -> None:
    while evening.table.known.status == RUNNING:
        evening.move()


def take_back_one(evening: Evening) -> None:
    """Move until a move drew nothing, and undo it."""
    evening.move()
    while evening.events[-1].data["drew"]:
        evening.move()
    seat = int(str(evening.events[-1].data["seat"]))
    evening.let(SEATED[evening.table.known.order[seat]], partial(undo.undo, seat=seat))


def claimed(evening: Evening) -> int:
    """Returns the largest number of point cards of a seat."""
    document: Mapping[str, Any] = evening.table.game.document(evening.table.board)
    return max(len(player["point_cards"]) for player in document["players"])


def check(evening: Evening, version: str) -> None:
    """Every event, the replay and the audit are of this version."""
    assert {event.rules for event in evening.events} == {version}
    replayed = position_at(setting(evening.table.known), evening.events)
    assert evening.table.game.document(replayed) == evening.table.game.document(evening.table.board)
    assert differences(evening.events) == []
    report = verify(bundle(evening.events).encode(), POLICY)
    assert report.failure is None
    assert "rules_unknown" not in {remark.reason for remark in report.remarks}


def test_a_game_begun_before_newer_rules_is_played_to_its_end_by_its_own() -> None:
    old = seated(ChanceLevel.OPEN, NO_CLOCK)
    for _ in range(3):
        old.move()
    with newer_rules(**ONE_CARD_ENDS_IT):
        take_back_one(old)
        play_out(old)
        assert claimed(old) == rulings.VERSIONS[FIRST].thresholds[2]
        check(old, FIRST)


def test_a_game_begun_after_it_is_played_by_the_newer_rules() -> None:
    with newer_rules(**ONE_CARD_ENDS_IT):
        new = seated(ChanceLevel.OPEN, NO_CLOCK)
        play_out(new)
        assert claimed(new) == 1
        check(new, SECOND)


@pytest.mark.parametrize("game", GAMES)
def test_new_games_take_the_newest_rules_and_every_version_is_found(game: str) -> None:
    assert GAMES[game].rules == [*VERSIONS[game]][-1] == type(GAMES[game])().rules
    assert [rules_of(game, version).rules for version in VERSIONS[game]] == [*VERSIONS[game]]


@pytest.mark.parametrize(("game", "version"), [("spice_road", "0"), ("puerto_rico", ""), ("halma", "1")])
def test_unknown_rules_are_refused_by_name(game: str, version: str) -> None:
    with pytest.raises(UnknownRules, match=f"unknown version '{version}' of '{game}'") as refused:
        rules_of(game, version)
    assert refused.value.option == "rules"


def shown(host: Person, game: str) -> dict[str, object]:
    return answer(host.ask("GET", f"/v1/games/{game}/position"), 200)


def test_a_process_with_newer_rules_plays_old_games_by_old_rules(
    app: Flask, client: FlaskClient, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    host = Person(client, "Anna")
    game = host.create("bot:random", "bot:random")["id"]
    before = shown(host, game)
    assert app.extensions["cabildo"].announcer.flush(PATIENCE)  # the bots are called before the other process looks
    with newer_rules(**ONE_CARD_ENDS_IT):
        jobs.container.cache_clear()
        newer = create_app(settings.load(environ))
        host.client = newer.test_client()
        assert shown(host, game) == before
        work_all(newer)
        table = newer.extensions["cabildo"].games.load(UUID(game))
        assert (table.known.status, table.known.rules, table.board.rulings.version) == ("finished", FIRST, FIRST)
        assert differences(tuple(newer.extensions["cabildo"].games.history(UUID(game)))) == []
        jobs.container().close()
        jobs.container.cache_clear()
        newer.extensions["cabildo"].close()


def test_a_game_under_unknown_rules_is_refused_with_a_problem(client: FlaskClient, environ: dict[str, str]) -> None:
    host = Person(client, "Anna")
    with newer_rules(**ONE_CARD_ENDS_IT):
        game = host.create("me", "bot:random")["id"]
        assert shown(host, game)["rules"] == SECOND
    older = create_app(settings.load(environ))
    host.client = older.test_client()
    refused = answer(host.ask("GET", f"/v1/games/{game}/position"), 500)
    assert (problem(refused), "unknown version '2'" in refused["detail"]) == ("unknown_rules", True)
    older.extensions["cabildo"].close()

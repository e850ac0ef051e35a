"""Notices of rounds; messages that cannot be sent, and keepers that stop in the middle."""

import json
from contextlib import closing

import pytest
from flask import Flask

from events.store.connections import connect
from service.notices import tell, web_push
from tests.service.conftest import Environ
from tests.support.service.noticed_players import PUSH, Phone, Player, begun, pass_time
from tests.support.service.push_fixtures import app, phones
from tests.support.service.shared_fixtures import environ
from tests.support.service.tournament_fixture import Hall
from tests.support.service.webhook_receiver import Receiver

__all__ = ["app", "environ", "phones"]
STAGE = {"format": "swiss", "rounds": 2, "sizes": [2]}


def told_of(app: Flask, name: str, endpoint: str, **ways: list[str]) -> Player:
    """A player whose browser takes notices."""
    player = Player(app, name)
    player.wants(notify=ways)
    assert player.browser.ask("POST", PUSH, Phone(endpoint).body).status_code == 204
    return player


def test_entrants_are_told_once_that_a_round_is_published(environ: Environ, app: Flask, phones: Receiver) -> None:
    entered = [told_of(app, name, f"{phones.url}{name}", round=["push"]) for name in ("anna", "birgir", "gone")]
    silent = [told_of(app, name, f"{phones.url}{name}", turn=["push"]) for name in ("carla", "dora")]
    told_of(app, "stranger", f"{phones.url}stranger", round=["push"])
    hall = Hall(app, [STAGE])
    hall.direct("publication")
    for player in (*entered, *silent):
        player.person.post(f"{hall.path}/entrants")
    entered[-1].person.post(f"{hall.path}/entrants/3/withdrawal")
    hall.direct("stages")
    pass_time(environ)
    hall.direct("rounds")
    pass_time(environ)
    assert phones.heard == []  # the pairing is a draft
    hall.direct("rounds/current/publication")
    for _ in range(2):
        pass_time(environ)
    assert sorted(path for path, _, _ in phones.heard) == ["/anna", "/birgir"]


def test_the_own_stream_tells_of_rounds_once_to_who_chose_it(environ: Environ, app: Flask) -> None:
    anna, birgir = Player(app, "Anna"), Player(app, "Birgir")
    anna.wants(notify={"round": ["tab"]})
    hall = Hall(app, [STAGE])
    hall.direct("publication")
    for player in (anna, birgir):
        player.person.post(f"{hall.path}/entrants")
    hall.direct("stages")
    pass_time(environ)
    hall.direct("rounds")
    followed = app.extensions["cabildo"].followed_players
    with (
        closing(followed.enter(anna.person.id, waiting=False)) as told,
        closing(followed.enter(birgir.person.id, waiting=False)) as silent,
    ):
        assert [*told.after(0), *silent.after(0)] == []
        hall.direct("rounds/current/publication")
        for _ in range(2):
            pass_time(environ)
        items = [json.loads(item.document) for item in told.after(0) if item.kind == "round_published"]
        assert [item["tournament"] for item in items] == [hall.id]
        assert [item.kind for item in (*told.after(0), *silent.after(0)) if item.kind == "round_published"] == []


def test_a_message_that_cannot_be_signed_stops_no_other(environ: Environ, app: Flask, phones: Receiver) -> None:
    mallory = told_of(app, "mallory", "http://localhost:/poison", over=["push"])  # signatures name no empty port
    anna = told_of(app, "anna", f"{phones.url}anna", over=["push"])
    pass_time(environ)
    for player in (mallory, anna):
        game, _ = begun(app, player)
        player.person.post(f"/v1/games/{game}/resign")
    pass_time(environ)
    assert [path for path, _, _ in phones.heard] == ["/anna"]


def test_pushes_are_signed_for_a_service_at_a_port_of_its_own(app: Flask, environ: Environ, phones: Receiver) -> None:
    anna = told_of(app, "anna", f"{phones.url}anna", over=["push"])
    pass_time(environ)
    game, _ = begun(app, anna)
    anna.person.post(f"/v1/games/{game}/resign")
    pass_time({**environ, "CABILDO_PUBLIC_URL": "https://games.example:8443"})
    assert len(phones.heard) == 1


def test_a_keeper_that_stops_in_the_middle_tells_all_the_same(
    environ: Environ, app: Flask, phones: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = told_of(app, "anna", f"{phones.url}anna", over=["push"])
    pass_time(environ)
    game, _ = begun(app, anna)
    anna.person.post(f"/v1/games/{game}/resign")
    for module, name in ((tell, "queue_push"), (web_push, "_send_all")):

        def stop(*_given: object, **_more: object) -> None:
            raise SystemExit

        with monkeypatch.context() as stopping:
            stopping.setattr(module, name, stop)
            with pytest.raises(SystemExit):
                pass_time(environ)
        assert phones.heard == []
    with connect(environ["DATABASE_URL"]) as connection:
        connection.execute("UPDATE push_messages SET due = 0")
    pass_time(environ)
    pass_time(environ)
    assert [path for path, _, _ in phones.heard] == ["/anna"]

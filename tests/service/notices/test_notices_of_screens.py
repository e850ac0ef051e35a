"""The host of a screen is told of the turns of the people at it: once for the screen, by push and on the own stream."""

from collections.abc import Sequence
from contextlib import closing
from typing import Any

from flask import Flask

from events.store.connections import connect
from service.live.player_source import newest_news
from tests.service.conftest import Environ
from tests.support.service.noticed_players import PUSH, Phone, Player, pass_time
from tests.support.service.players import somebody
from tests.support.service.push_fixtures import app, phones
from tests.support.service.shared_fixtures import environ
from tests.support.service.webhook_receiver import Receiver

__all__ = ["app", "environ", "phones"]  # shared by the tests of this module
SEAT = "X-Seat-Of"


def host_of_a_screen(app: Flask, phones: Receiver) -> Player:
    """A player who is told of turns and ends by push."""
    host = Player(app, "Host")
    host.wants(notify={"turn": ["push"], "over": ["push"]})
    assert host.browser.ask("POST", PUSH, Phone(f"{phones.url}host").body).status_code == 204
    return host


def people_of(made: dict[str, Any]) -> Sequence[str]:
    """Returns the ids of the people at the screen, by seat."""
    return [seat["player"]["id"] for seat in made["seats"]]


def told(environ: Environ, host: Player) -> Sequence[str]:
    """Returns what the host was told of and what is still to be answered."""
    with connect(environ["DATABASE_URL"]) as connection:
        rows = connection.execute("SELECT what FROM notices WHERE player = %s ORDER BY what", (host.person.id,))
        return [what for (what,) in rows]


def test_a_screen_is_told_once_of_a_turn_and_of_the_end(environ: Environ, app: Flask, phones: Receiver) -> None:
    host = host_of_a_screen(app, phones)
    pass_time(environ)
    made = host.person.create("here:Anna", "here:Birgir", start_player=0, leaver="forfeit")
    pass_time(environ)
    assert len(phones.heard) == 1
    anna, birgir = people_of(made)
    host.person.post(f"/v1/games/{made['id']}/moves", {"move": "play create_2"}, 201, **{SEAT: anna})
    pass_time(environ)
    assert len(phones.heard) == 1  # the next of them sits at the same screen
    host.person.post(f"/v1/games/{made['id']}/resign", None, 201, **{SEAT: birgir})
    pass_time(environ)
    assert len(phones.heard) == 2  # one notice of the end, not one for each seat


def test_a_turn_that_was_answered_is_told_of_no_more(environ: Environ, app: Flask, phones: Receiver) -> None:
    host, birgir = host_of_a_screen(app, phones), somebody(app.test_client())
    pass_time(environ)
    made = host.person.create("here:Anna", "open", start_player=0)
    birgir.join(made["id"])
    pass_time(environ)
    assert told(environ, host) == ["turn"]
    anna = made["seats"][0]["player"]["id"]
    host.person.post(f"/v1/games/{made['id']}/moves", {"move": "play create_2"}, 201, **{SEAT: anna})
    pass_time(environ)
    assert told(environ, host) == []


def test_the_stream_of_the_host_tells_of_each_turn_once(environ: Environ, app: Flask) -> None:
    host = Player(app, "Host")
    made = host.person.create("me", "here:Anna", start_player=1)
    pass_time(environ)
    game, players = made["id"], app.extensions["cabildo"].followed_players
    with closing(players.enter(host.person.id, waiting=True)) as source:
        assert [item.kind for item in source.after(0) if game in item.document] == ["your_turn"]  # that waits
        assert [item.kind for item in source.after(0) if game in item.document] == ["game_started", "your_turn"]
    with connect(environ["DATABASE_URL"]) as connection:
        number = newest_news(connection, host.person.id)
    with closing(players.enter(host.person.id, waiting=False)) as source:
        assert list(source.after(number)) == []
        anna = next(seat["player"]["id"] for seat in made["seats"] if seat["chair"] == 1)
        host.person.post(f"/v1/games/{game}/moves", {"move": "play create_2"}, 201, **{SEAT: anna})
        pass_time(environ)
        assert [item.kind for item in source.after(number)] == ["your_turn"]

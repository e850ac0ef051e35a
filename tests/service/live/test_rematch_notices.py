"""Players of a game that is over are told of its rematch on the stream that they follow; spectators are not."""

from functools import partial
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.live.delivery.follower import Following
from service.live.talk_source import talk_step_source
from tests.support.service.followed_streams import FollowedStream, followed
from tests.support.service.players import Person, running


def over(client: FlaskClient) -> tuple[str, Person, Person, int]:
    """A game that is over, its two players, and its version."""
    game, (first, second) = running(client, leaver="forfeit")
    first.post(f"/v1/games/{game}/resign")
    return game, first, second, client.get(f"/v1/games/{game}").get_json()["version"]


def following(app: Flask, game: str, player: str | None) -> Following:
    """How a client follows a game with what is told beside its steps."""
    here = app.extensions["cabildo"]
    seen = here.followed_talks, here.event_cache, here.games, here.deals, UUID(game), player
    return Following(player, partial(talk_step_source, *seen, "en"))


def told(stream: FollowedStream, *, rematch: bool) -> Any:
    """Waits for a notice with or without a rematch; returns the rematch."""
    while True:
        document = stream.next()
        if "talk" in document and ("rematch" in document) == rematch:
            return document.get("rematch")


def test_the_others_are_told_of_a_rematch_until_it_is_aborted(app: Flask, client: FlaskClient) -> None:
    game, first, second, version = over(client)
    with followed(app.extensions["cabildo"], following(app, game, second.id), version) as stream:
        told(stream, rematch=False)
        again = first.post(f"/v1/games/{game}/rematch")["id"]
        assert told(stream, rematch=True) == {"game": again, "by": first.id}
        with followed(app.extensions["cabildo"], following(app, game, second.id), version) as late:
            assert told(late, rematch=True) == {"game": again, "by": first.id}
        first.post(f"/v1/games/{again}/abort")
        told(stream, rematch=False)


def test_spectators_are_not_told_of_a_rematch(app: Flask, client: FlaskClient) -> None:
    game, first, second, version = over(client)
    watcher = Person(client, "A watcher of the rematch")
    here = app.extensions["cabildo"]
    for player in (watcher.id, None):
        with (
            followed(here, following(app, game, player), version) as stream,
            followed(here, following(app, game, second.id), version) as of_player,
        ):
            told(stream, rematch=False)
            first.post(f"/v1/games/{game}/rematch")
            told(of_player, rematch=True)
            first.post(f"/v1/games/{game}/talk", {"text": "Once more?"})
            document = stream.next()
            assert document.keys() == {"talk"}


def test_a_rematch_whose_wake_up_was_lost_is_told_of(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = app.extensions["cabildo"]
    game, first, second, version = over(client)
    with followed(here, following(app, game, second.id), version) as stream:
        told(stream, rematch=False)
        monkeypatch.setattr(here.announcer, "announce", lambda _news: None)
        again = first.post(f"/v1/games/{game}/rematch")["id"]
        assert told(stream, rematch=True)["game"] == again

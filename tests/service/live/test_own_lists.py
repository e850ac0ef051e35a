"""The player's stream tells that lists of own games show something else, also of a turn that wakes nobody."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from flask import Flask

from service.container import Container
from service.live import player_source
from service.live.player_source import ListedPlayerSource
from tests.support.service.players import Person, running, somebody


@contextmanager
def followed(here: Container, person: Person) -> Iterator[ListedPlayerSource]:
    """The stream of a player, with changes of lists."""
    with closing(here.followed_players.enter(person.id, waiting=False, lists=True)) as source:
        assert isinstance(source, ListedPlayerSource)
        yield source


def state(source: ListedPlayerSource) -> str:
    """What the stream tells of the lists."""
    told = json.loads(source.notice(1).document)
    assert told["event"] == "games"
    return str(told["state"])


def test_each_change_of_own_games_is_told_and_nothing_else(app: Flask) -> None:
    here, client = app.extensions["cabildo"], app.test_client()
    anna, birgir, other = somebody(client), somebody(client), somebody(client)
    with followed(here, anna) as source:
        told = [state(source)]

        def changes() -> bool:
            told.append(state(source))
            return told[-1] != told[-2]

        game = anna.create("me", "open", "open", start_player=0, leaver="forfeit")["id"]
        assert changes()  # a table
        birgir.join(game)
        assert changes()  # which fills
        other.join(game)
        assert changes()  # begins, and waits
        running(client, "Ada", "Bo")
        birgir.post(f"/v1/games/{game}/talk", {"text": "Good luck"})
        assert not changes()
        anna.move(game, "play create_2")
        assert changes()  # waits for another player
        birgir.move(game, "play create_2")
        assert changes()  # for yet another one
        for person in (birgir, other):
            person.post(f"/v1/games/{game}/resign")
        assert changes()  # ends
        kept = birgir.create("me", anna.id)["id"]
        assert changes()
        birgir.post(f"/v1/games/{kept}/abort")
        assert changes()
    assert told[0] == told[-1]


def test_two_people_at_one_screen_are_told_apart(app: Flask) -> None:
    host, guest = somebody(app.test_client()), somebody(app.test_client())
    with followed(app.extensions["cabildo"], host) as source:
        before = state(source)
        game = host.create("me", "here:Nina", "open")["id"]
        begun = state(source)
        guest.join(game)
        assert len({before, begun, state(source)}) == 3


def test_a_turn_that_passes_on_is_found_by_the_sweep(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    here = app.extensions["cabildo"]
    monkeypatch.setattr(here.pubsub, "sweep", lambda: None)  # the test's own sweep alone
    game, (first, _second) = running(app.test_client(), "Anna of the sweep", "Birgir of the sweep")
    with followed(here, first) as source:
        before = state(source)
        first.move(game, "play create_2")
        rung = source.topic.count
        here.followed_players.sweep()
        assert source.topic.count > rung
        assert state(source) != before


def test_a_sweep_looks_at_few_lists_and_then_at_others(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    here, client = app.extensions["cabildo"], app.test_client()
    monkeypatch.setattr(player_source, "LISTS_LOOKED_AT", 1)
    monkeypatch.setattr(here.pubsub, "sweep", lambda: None)  # the test's own sweeps alone
    people = [somebody(client) for _ in range(3)]
    with followed(here, people[0]) as one, followed(here, people[1]) as other, followed(here, people[2]) as third:
        sources, known = (one, other, third), list[list[float]]()
        for _ in range(3):
            here.followed_players.sweep()
            known.append([source.looked for source in sources])
    assert [sum(looked > 0 for looked in row) for row in known] == [1, 2, 3]

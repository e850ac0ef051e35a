"""The order of running games: people before bots, close before decided, moving before standing still."""

import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time

from events.log.sequencer import sequence_once
from service.games.lists import watch_list
from service.games.lists.watch_list import watched_games
from service.games.lists.worth_watching import DAY, HOUR, Standing, worth
from tests.support.service.players import running, somebody

EVEN, DECIDED, HIDDEN = (20, 19, 3), (40, 10, 5), (None, None, None)
LEVEL, LOST = (20, 20), (40, 0)  # as close, and as decided, as a game can be
# The better game, and the worse one.
PAIRS = {
    "people before bots": (Standing(1, 3, HOUR, DECIDED), Standing(0, 3, 1, EVEN)),
    "many people before few": (Standing(3, 3, HOUR, EVEN), Standing(1, 3, HOUR, EVEN)),
    "moving before standing": (Standing(2, 3, 5, DECIDED), Standing(2, 3, 3 * HOUR, EVEN)),
    "moved lately before close": (Standing(2, 3, 10 * 60, LOST), Standing(2, 3, 30 * 60, LEVEL)),
    "moved this hour before close": (Standing(2, 3, HOUR, LOST), Standing(2, 3, 2 * HOUR, LEVEL)),
    "standing people before bots that move": (Standing(1, 5, DAY, LOST), Standing(0, 5, 5, LEVEL)),
    "close before decided": (Standing(2, 3, 5, EVEN), Standing(2, 3, 5, DECIDED)),
    "close before hidden": (Standing(2, 3, 5, EVEN), Standing(2, 3, 5, HIDDEN)),
    "hidden before decided": (Standing(2, 3, 5, HIDDEN), Standing(2, 3, 5, DECIDED)),
    "bots that move before people who stand for days": (Standing(0, 3, 5, HIDDEN), Standing(3, 3, 2 * DAY, EVEN)),
}


@pytest.mark.parametrize("order", PAIRS)
def test_one_game_is_more_worth_watching_than_another(order: str) -> None:
    better, worse = PAIRS[order]
    assert worth(better) > worth(worse)


def test_a_lead_that_is_hidden_is_not_told() -> None:
    assert Standing(2, 2, 0, (12, 9)).lead == 3
    assert Standing(2, 2, 0, (12, None)).lead is None


def test_the_page_shows_what_a_spectator_may_see(app: Flask, client: FlaskClient) -> None:
    bots = somebody(client).create("bot:greedy", "bot:greedy")["id"]  # no worker lets them move
    played, (first, _) = running(client, "Ada", "Bo", start_player=0)
    private = somebody(client).create("me", "bot:greedy", visibility="private")["id"]
    first.move(played, "play create_2")
    page = client.get("/watch").text
    assert private not in page
    assert page.index(f'href="/games/{played}"') < page.index(f'data-game="{bots}"')
    assert "Ada, Bo" in page
    assert "moving now" in page
    assert client.get("/watch", headers={"Accept-Language": "hu"}).text.count("most lépnek") > 0


def test_a_delayed_game_tells_no_lead_that_spectators_do_not_see(app: Flask, client: FlaskClient) -> None:
    game, people = running(client, "Ed", "Flo", spectator_delay=2, start_player=0)
    for number in range(2):
        people[number].move(game, "play create_2")
    (found,) = [one for one in watched_games(app.extensions["cabildo"], "en", 24) if one.entry["id"] == game]
    seen = client.get(f"/v1/games/{game}").get_json()
    assert (found.entry["version"], found.entry["turn"], found.standing.lead) == (seen["version"], None, None)


@pytest.fixture(autouse=True)
def looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more games are looked at than are shown, so that few make a crowd."""
    monkeypatch.setattr(watch_list, "LOOKED_AT", 1)
    monkeypatch.setattr(watch_list, "NEWEST", 1)
    monkeypatch.setattr(watch_list, "LATELY", 1)


def test_an_old_game_of_people_who_move_comes_before_new_ones_of_bots(app: Flask, client: FlaskClient) -> None:
    old, (first, _) = running(client, "Gro", "Hal", start_player=0)
    for _ in range(3):
        somebody(client).create("bot:greedy", "bot:greedy")  # no worker lets them move
    first.move(old, "play create_2")
    assert shown(app, 1) == [old]


def test_what_moved_last_is_found_however_many_games_are_newer(app: Flask, client: FlaskClient) -> None:
    with freeze_time() as clock:
        old, (first, _) = running(client, "Una", "Vik", start_player=0)
        for number in range(3):
            clock.tick(HOUR)
            running(client, f"Wes {number}", f"Xia {number}", start_player=0)
        clock.tick(HOUR)
        number_all(app)
        first.move(old, "play create_2")
        number_all(app)
        assert shown(app, 1) == [old]
        assert len(shown(app, 3)) == 3


def test_the_newest_of_people_are_found_however_many_bots_move(app: Flask, client: FlaskClient) -> None:
    new, _ = running(client, "Yrsa", "Zoe", start_player=0)
    for _ in range(3):
        somebody(client).create("bot:greedy", "bot:greedy")
    number_all(app)
    assert shown(app, 1) == [new]


def number_all(app: Flask) -> None:
    """Give every event its place in the log, as a keeper does."""
    with app.extensions["cabildo"].stores.pool.connection() as connection:
        while sequence_once(connection):
            continue


def shown(app: Flask, limit: int) -> list[str]:
    """The games that are most worth watching."""
    return [game.entry["id"] for game in watched_games(app.extensions["cabildo"], "en", limit)]

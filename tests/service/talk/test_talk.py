"""Table talk: who reads and writes what, beside the log, and within bounds."""

from functools import partial
from typing import Any, Final
from uuid import UUID

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient

from service import settings
from service.core.clock import SECOND
from service.live.delivery.follower import Following
from service.live.talk_source import talk_step_source
from service.talk import texts
from tests.service.conftest import Environ, opened_app
from tests.support.service.administrators import administrator
from tests.support.service.followed_streams import FollowedStream, followed
from tests.support.service.players import Person, answer, problem, running, two_at_a_table
from tests.support.service.tournament_fixture import Hall
from workers.keeper.duty_context import KeeperContext
from workers.keeper.talk import SweepOldTalk

STAGE: Final = {"format": "swiss", "rounds": 1, "sizes": [2]}
DAY: Final = 86_400 * SECOND
DAYS: Final = 181  # more than CABILDO_TALK_DAYS


def say(person: Person, game: str, text: str, status: int = 201, of: str = "games", **more: Any) -> dict[str, Any]:
    """Writes a message."""
    return person.post(f"/v1/{of}/{game}/talk", {"text": text}, status, **more)


def read(person: Person | FlaskClient, game: str, of: str = "games", **query: Any) -> dict[str, Any]:
    """What a client reads."""
    path = f"/v1/{of}/{game}/talk?" + "&".join(f"{name}={value}" for name, value in query.items())
    return answer(person.ask("GET", path) if isinstance(person, Person) else person.get(path), 200)


def heard(person: Person | FlaskClient, game: str, **query: Any) -> list[str | None]:
    """The texts that a client reads."""
    return [message["text"] for message in read(person, game, **query)["messages"]]


def resign(game: str, person: Person) -> None:
    """Ends a game of two."""
    person.post(f"/v1/games/{game}/resign")


def test_players_and_spectators_have_rooms_of_their_own(client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client, leaver="forfeit")
    watcher, visitor = Person(client, "Carla"), client
    said = say(first, game, "Good luck!")
    assert (said["room"], said["by"]["name"], said["state"], said["number"]) == ("players", first.name, "shown", 1)
    assert said["by"]["seat"] in (0, 1)
    assert say(watcher, game, "He holds the caravan")["room"] == "spectators"
    assert heard(second, game) == ["Good luck!"]
    assert read(second, game)["newest"] == {"players": 1}
    assert heard(watcher, game) == heard(visitor, game) == ["Good luck!", "He holds the caravan"]
    resign(game, first)
    assert heard(second, game) == ["Good luck!", "He holds the caravan"]
    assert say(second, game, "Thank you")["room"] == "players"


def test_what_players_say_reaches_spectators_with_the_delay_of_their_view(client: FlaskClient) -> None:
    game, people = running(client, "Anna", "Birgir", spectator_delay=2)
    watcher = Person(client, "Carla")
    people[0].move(game, "play create_2")
    say(people[0], game, "I take the caravan now")
    say(watcher, game, "What a start")
    assert heard(watcher, game) == heard(client, game) == ["What a start"]
    assert read(watcher, game)["newest"] == {"players": 0, "spectators": 2}
    file = {"about": "message", "id": game, "number": 1, "kind": "abuse", "text": "x"}
    assert watcher.ask("POST", "/v1/reports", file).status_code == 404  # nor does a report tell that it exists
    people[1].move(game, "play create_2")
    assert heard(watcher, game) == ["What a start"]
    people[0].move(game, "rest")
    assert heard(watcher, game) == heard(client, game) == ["I take the caravan now", "What a start"]
    assert heard(people[1], game) == ["I take the caravan now"]


def test_an_account_that_plays_is_no_spectator(client: FlaskClient) -> None:
    owner, friend, other = Person(client, "Anna"), Person(client, "Birgir"), Person(client, "Carla")
    bot = owner.post("/v1/bots", {"name": "Annabot", "engine": "own 7"})
    game = friend.create("me", bot["player"]["id"] if "player" in bot else bot["id"])["id"]
    answer(client.post(f"/v1/games/{game}/seats", json={}, headers={"Authorization": f"Bearer {bot['token']}"}), 201)
    say(other, game, "She has a weak hand")
    assert heard(owner, game) == []
    refused = say(owner, game, "Really?", 409)
    assert (problem(refused), refused["reason"]) == ("talk_refused", "own_bot_plays")


def test_players_who_agreed_on_silence_write_when_the_game_is_over(client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client, leaver="forfeit", silent=True, rated=True, chance=1)
    assert answer(first.ask("GET", f"/v1/games/{game}"), 200)["silent"] is True
    told = read(first, game)
    assert (told["writes"], told["reason"], told["silent"]) == (None, "silent", True)
    assert problem(say(first, game, "Hello?", 409)) == "talk_refused"
    assert say(Person(client, "Carla"), game, "They are quiet")["room"] == "spectators"
    resign(game, first)
    say(second, game, "Well played")
    assert heard(first, game) == ["They are quiet", "Well played"]
    rematch = second.post(f"/v1/games/{game}/rematch")["id"]
    assert answer(second.ask("GET", f"/v1/games/{rematch}"), 200)["silent"] is True


def test_a_writer_erases_a_message_for_all(app: Flask, client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    say(first, game, "My address is Main Street 5")
    changes = read(second, game)["changes"]
    assert second.ask("DELETE", f"/v1/games/{game}/talk/1").status_code == 404
    for _ in range(2):
        assert first.ask("DELETE", f"/v1/games/{game}/talk/1").status_code == 204
    (message,) = read(second, game)["messages"]
    assert (message["state"], message["text"], read(second, game)["changes"]) == ("erased", None, changes + 1)
    with app.extensions["cabildo"].stores.pool.connection() as connection:
        assert connection.execute("SELECT text FROM talk_messages").fetchall() == [(None,)]


def test_nothing_of_the_talk_is_in_the_log_or_the_bundle(client: FlaskClient) -> None:
    game, first, _ = two_at_a_table(client, leaver="forfeit")
    before = first.ask("GET", f"/v1/games/{game}/events").get_json()
    say(first, game, "zanzibar")
    assert first.ask("GET", f"/v1/games/{game}/events").get_json() == before
    resign(game, first)
    for door in ("events", "bundle", "replay"):
        assert "zanzibar" not in first.ask("GET", f"/v1/games/{game}/{door}").text


def test_an_administrator_hides_a_reported_message(app: Flask, client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    admin = administrator(app)
    say(first, game, "You fool")
    say(first, game, "Sorry")
    thing = {"about": "message", "id": game, "number": 1}
    second.post("/v1/reports", {**thing, "kind": "abuse", "text": "rude"})
    assert second.post("/v1/reports", {**thing, "number": 9, "kind": "abuse", "text": "rude"}, 404)
    admin.post("/v1/admin/hidden-texts", {**thing, "reason": "abuse"})
    for reader in (first, second, client):
        assert [m["state"] for m in read(reader, game)["messages"]] == ["hidden", "shown"]
        assert heard(reader, game) == [None, "Sorry"]
    (hidden,) = answer(admin.ask("GET", "/v1/admin/hidden-texts"), 200)["texts"]
    assert (hidden["about"], hidden["number"], hidden["texts"]) == ("message", 1, ["You fool"])
    admin.post("/v1/admin/shown-texts", {**thing, "reason": "a mistake"})
    assert heard(second, game) == ["You fool", "Sorry"]


def test_the_host_closes_a_room_and_opens_it(client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    host, guest = (first, second) if read(first, game)["may_close"] else (second, first)
    room = f"/v1/games/{game}/talk/rooms"
    body = {"room": "players", "closed": True}
    assert guest.ask("PUT", room, body).status_code == 403
    assert answer(host.ask("PUT", room, body), 200) == body
    assert say(guest, game, "Hello", 409)["reason"] == "closed"
    assert read(guest, game)["closed"] == ["players"]
    assert host.ask("PUT", room, {"room": "tournament", "closed": True}).status_code == 404
    answer(host.ask("PUT", room, {**body, "closed": False}), 200)
    say(guest, game, "Hello")


def test_muted_players_are_not_heard_and_not_counted(client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    say(first, game, "one")
    say(first, game, "two")
    assert (read(second, game)["unread"], read(first, game)["unread"]) == (2, 0)
    assert answer(second.ask("GET", "/v1/me/talk"), 200)["unread"] == [{"game": game, "unread": 2}]
    told = answer(second.ask("PUT", "/v1/me/talk", {"about": "player", "id": first.id}), 200)
    assert told["mutes"] == [{"about": "player", "id": first.id, "name": first.name}]
    assert (heard(second, game), read(second, game)["unread"], told["unread"]) == ([None, None], 0, [])
    second.ask("PUT", "/v1/me/talk", {"about": "player", "id": first.id, "mutes": False})
    assert heard(second, game) == ["one", "two"]
    second.ask("PUT", "/v1/me/talk", {"about": "game", "id": game})
    assert (read(second, game)["muted"], read(second, game)["unread"]) == (True, 0)
    second.ask("PUT", "/v1/me/talk", {"about": "game", "id": game, "mutes": False})
    assert second.ask("PUT", f"/v1/games/{game}/talk/read", {"number": 2**40}).status_code == 204
    assert (read(second, game)["read"], read(second, game)["unread"]) == (2, 0)
    assert second.ask("PUT", "/v1/me/talk", {"about": "player"}).status_code == 422


def test_rough_words_are_named_in_every_message_and_covered_for_who_asks(client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    said = say(first, game, "What the FUCK, Scunthorpe")
    assert said["rough"] == [[9, 13]]
    assert read(second, game)["covers"] is False
    second.ask("PUT", "/v1/me/talk", {"covers": True})
    assert read(second, game)["covers"] is True
    assert texts.rough_spans("slut på spelet, kurva", "sv") == []  # "end" and "curve" there
    assert texts.rough_spans("slut på spelet, kurva", "cs") == [(0, 4), (16, 21)]
    assert texts.rough_spans("fúck", "en") == texts.rough_spans("fuсk", "en") == [(0, 4)]  # another c


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("a\u202eb\u2066c\u200bd\ufeff", "abcd"),
        ("  two \n lines\t ", "two lines"),
        ("👩\u200d🌾 x\u200dy", "👩\u200d🌾 xy"),
        ("e" + "\u0301" * 9, "é\u0301\u0301\u0301"),
        ("<b>&amp;</b>", "<b>&amp;</b>"),
        ("tag\U000e0041", "tag"),
    ],
    ids=["turning", "lines", "joined", "heaped", "markup", "tags"],
)
def test_texts_are_normalised(client: FlaskClient, given: str, stored: str) -> None:
    game, first, _ = two_at_a_table(client)
    assert say(first, game, given)["text"] == stored


def test_empty_and_long_texts_are_refused(client: FlaskClient) -> None:
    game, first, _ = two_at_a_table(client)
    for text in ("", "  ", "\u200b\u3164", "\u0301", "x" * (texts.LONGEST + 1), "a\x00b"):
        say(first, game, text, 422)
    assert read(first, game)["messages"] == []


def test_a_repeated_request_writes_once(client: FlaskClient) -> None:
    game, first, _ = two_at_a_table(client)
    key: Any = {"Idempotency_Key": "same"}
    assert say(first, game, "once", **key)["number"] == say(first, game, "once", **key)["number"] == 1
    assert problem(say(first, game, "other", 422, **key)) == "key_reused"
    assert heard(first, game) == ["once"]


def test_writing_is_bounded_in_a_minute_and_at_a_table(environ: Environ) -> None:
    bounds = {"CABILDO_TALK_PER_MINUTE": "3", "CABILDO_TALK_PER_TABLE": "4"}
    with opened_app({**environ, **bounds}) as app:
        game, first, second = two_at_a_table(app.test_client())
        for text in "abc":
            say(first, game, text)
        refused = first.ask("POST", f"/v1/games/{game}/talk", {"text": "d"})
        assert problem(answer(refused, 429)) == "too_many_messages"
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
        say(second, game, "e")
        assert say(second, game, "f", 409)["reason"] == "full"
        watcher = Person(app.test_client(), "Carla")
        say(watcher, game, "from the other room")


def test_guests_and_blocked_accounts_only_read(app: Flask, client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    say(first, game, "Hello")
    told = read(client, game)
    assert (told["writes"], told["reason"], len(told["messages"])) == (None, "anonymous", 1)
    assert client.post(f"/v1/games/{game}/talk", json={"text": "x"}).status_code == 401
    until = "2030-01-01T00:00:00Z"
    block = {"until": until, "reason": "spam"}
    assert administrator(app).ask("PUT", f"/v1/admin/players/{second.id}/block", block).status_code < 300
    assert problem(say(second, game, "Hi", 403)) == "blocked"
    assert heard(second, game) == ["Hello"]


def test_private_games_have_private_talk(client: FlaskClient) -> None:
    game, first, _ = _private(client)
    say(first, game, "Hello")
    stranger = Person(client, "Dora")
    assert stranger.ask("GET", f"/v1/games/{game}/talk").status_code == 404
    assert client.get(f"/v1/games/{game}/talk").status_code == 404
    say(stranger, game, "x", 404)


def _private(client: FlaskClient) -> tuple[str, Person, Person]:
    first, second = Person(client, "Anna"), Person(client, "Birgir")
    made = first.create("me", "invite", visibility="private")
    second.join(made["id"], invite=made["invites"]["1"])
    return made["id"], first, second


def test_entrants_and_directors_talk_in_a_tournament(app: Flask, client: FlaskClient) -> None:
    anna, birgir, other = Person(client, "Anna"), Person(client, "Birgir"), Person(client, "Carla")
    hall = Hall(app, [STAGE], anna)
    hall.direct("publication")
    talk = partial(say, of="tournaments")
    talk(anna, hall.id, "Welcome")
    assert talk(birgir, hall.id, "Hi", 409)["reason"] == "not_an_entrant"
    birgir.post(f"/v1/tournaments/{hall.id}/entrants")
    talk(birgir, hall.id, "Thanks")
    assert [m["text"] for m in read(other, hall.id, "tournaments")["messages"]] == ["Welcome", "Thanks"]
    room = f"/v1/tournaments/{hall.id}/talk/rooms"
    assert birgir.ask("PUT", room, {"room": "tournament", "closed": True}).status_code == 403
    answer(anna.ask("PUT", room, {"room": "tournament", "closed": True}), 200)
    assert talk(birgir, hall.id, "?", 409)["reason"] == "closed"
    assert birgir.ask("DELETE", f"/v1/tournaments/{hall.id}/talk/2").status_code == 204
    assert birgir.ask("PUT", f"/v1/tournaments/{hall.id}/talk/read", {"number": 2}).status_code == 204


def test_pages_of_messages(client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    for text in "abcde":
        say(first, game, text)
    newest = read(second, game, limit=2)
    assert ([m["text"] for m in newest["messages"]], newest["more"]) == (["d", "e"], True)
    assert heard(second, game, limit=2, before=4) == ["b", "c"]
    assert heard(second, game, after=3) == ["d", "e"]


def test_old_talk_is_swept(client: FlaskClient, environ: Environ) -> None:
    game, first, second = two_at_a_table(client, leaver="forfeit")
    say(first, game, "Hello")
    second.ask("PUT", f"/v1/games/{game}/talk/read", {"number": 1})
    resign(game, first)
    context = KeeperContext(settings.load(environ), environ)
    counted = "SELECT (SELECT count(*) FROM talks) + (SELECT count(*) FROM talk_messages)"
    try:
        with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as database:
            sweep = SweepOldTalk(context)
            assert (sweep(database), database.execute(counted).fetchone()) == (False, (2,))
            database.execute("UPDATE games SET changed = changed - %s", (DAYS * DAY,))
            assert (sweep(database), database.execute(counted).fetchone()) == (False, (0,))
            assert database.execute("SELECT count(*) FROM talk_read").fetchone() == (0,)
    finally:
        context.close()


def followed_talk(app: Flask, game: str, player: str | None) -> Following:
    """How a client follows a game with its talk."""
    here = app.extensions["cabildo"]
    seen = here.followed_talks, here.event_cache, here.games, here.deals, UUID(game), player
    return Following(player, partial(talk_step_source, *seen, "en"))


def newest(stream: FollowedStream, room: str, number: int) -> dict[str, int]:
    """Waits for a notice."""
    while True:
        told = stream.next().get("talk")
        if told is not None and told["newest"].get(room) == number:
            rooms: dict[str, int] = told["newest"]
            return rooms


def test_a_message_whose_wake_up_was_lost_is_told_of(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = app.extensions["cabildo"]
    game, people = running(client, "Anna", "Birgir")
    version = answer(people[0].ask("GET", f"/v1/games/{game}"), 200)["version"]
    with followed(here, followed_talk(app, game, people[1].id), version) as player:
        assert newest(player, "players", 0) == {"players": 0}
        monkeypatch.setattr(here.announcer, "announce", lambda _news: None)
        for number in (1, 2):
            say(people[0], game, "Hello")
            assert newest(player, "players", number) == {"players": number}


def test_a_stream_tells_of_the_talk_that_a_viewer_may_read(app: Flask, client: FlaskClient) -> None:
    here = app.extensions["cabildo"]
    game, people = running(client, "Anna", "Birgir", spectator_delay=1, leaver="forfeit")
    version = answer(people[0].ask("GET", f"/v1/games/{game}"), 200)["version"]

    def stream(player: str | None) -> Following:
        return followed_talk(app, game, player)

    with followed(here, stream(people[1].id), version) as player, followed(here, stream(None), version - 1) as guest:
        assert newest(player, "players", 0) == {"players": 0}
        assert newest(guest, "players", 0) == {"players": 0, "spectators": 0}
        people[0].move(game, "play create_2")
        say(people[0], game, "There")
        say(Person(client, "Carla"), game, "Here")
        assert newest(player, "players", 1) == {"players": 1}
        assert newest(guest, "spectators", 2) == {"players": 0, "spectators": 2}
        people[0].post(f"/v1/games/{game}/resign")
        assert newest(guest, "players", 1) == newest(player, "spectators", 2) == {"players": 1, "spectators": 2}
        say(people[0], game, "That was it")  # the stream goes on after the end
        assert newest(guest, "players", 3) == {"players": 3, "spectators": 2}


def test_nothing_is_noted_as_read_where_nothing_was_said(client: FlaskClient, environ: Environ) -> None:
    game = Person(client, "Anna").create("me", "open")["id"]
    reader = Person(client, "Birgir")
    for number in (0, 5):
        assert reader.ask("PUT", f"/v1/games/{game}/talk/read", {"number": number}).status_code == 204
    with psycopg.connect(environ["DATABASE_URL"]) as connection:
        assert connection.execute("SELECT FROM talk_read WHERE player = %s", (reader.id,)).rowcount == 0

"""The lists of the first pages: made once for all visitors, anew when games change, and never with secrets of one."""

from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.core.announce import LISTS, LISTS_CHANGED, Announcement
from service.games import search
from service.games.lists.public_lists import KEPT_SECONDS, MOST, NewestGames, PlacedGame, PublicLists
from tests.service.conftest import Environ, opened_app
from tests.support.running_program import eventually
from tests.support.service.players import Person, answer


class Counted:
    """Counts the lists that are read from the store, by what is asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.public: list[str] = []
        find = search.find

        def counting(connection: Any, asked: Any, asker: str | None, limit: int) -> Any:
            if asker is None:
                self.public.append(asked["status"])
            return find(connection, asked, asker, limit)

        monkeypatch.setattr(search, "find", counting)


@pytest.fixture
def counted(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Counted:
    """The lists that the application reads for everybody, where no time passes and no other process is heard."""
    monkeypatch.setattr(app.extensions["cabildo"].public_lists, "_clock", lambda: 0.0)
    monkeypatch.setattr(app.extensions["cabildo"].public_lists, "_heard", lambda: 0)
    return Counted(monkeypatch)


@pytest.fixture
def visitor(app: Flask) -> FlaskClient:
    """A browser of nobody."""
    return app.test_client()


def logged_in(app: Flask, name: str) -> Person:
    """Returns a player whose browser has a session."""
    person = Person(app.test_client(), name=name, password="correct horse")
    answer(person.client.post("/v1/session", json={"name": name, "password": "correct horse"}), 201)
    return person


def test_visitors_share_a_list_until_a_game_changes(app: Flask, visitor: FlaskClient, counted: Counted) -> None:
    anna = logged_in(app, "Anna")
    first = anna.create("me", "open")["id"]
    for page in ("/lobby", "/", "/lobby", "/"):
        assert (first in visitor.get(page).text) == (page == "/lobby")
    assert counted.public == ["open", "running", "finished", "running", "finished"]  # of two lengths
    second = anna.create("me", "open")["id"]
    assert second in visitor.get("/lobby").text
    assert counted.public[5:] == ["open", "running", "finished"]


def test_a_move_makes_no_list_anew(app: Flask, visitor: FlaskClient, counted: Counted) -> None:
    anna, birgir = logged_in(app, "Anna"), logged_in(app, "Birgir")
    game = anna.create("me", "open", start_player=0)["id"]
    birgir.join(game)
    assert game in visitor.get("/").text
    made = len(counted.public)
    anna.move(game, "play create_2")
    assert game in visitor.get("/").text
    assert len(counted.public) == made


def test_a_reader_sees_own_private_games_and_own_turns_and_others_do_not(
    app: Flask, visitor: FlaskClient, counted: Counted
) -> None:
    anna, birgir = logged_in(app, "Anna"), logged_in(app, "Birgir")
    private = anna.create("me", "open", visibility="private")["id"]
    public = anna.create("me", "open", start_player=0)["id"]
    birgir.join(public)
    for client, sees_private, waits in ((anna.client, True, 1), (birgir.client, False, 0), (visitor, False, 0)):
        page = client.get("/lobby").text
        assert (private in page) == sees_private
        assert public in page
        assert page.count('class="listed waits"') == waits
    assert counted.public == ["open", "running", "finished"]
    own, public_address = anna.client.get("/").text, f'href="/games/{public}"'
    assert f'href="/games/{public}/play"' in own
    assert (
        public_address in birgir.client.get("/").text or f'href="/games/{public}/play"' in birgir.client.get("/").text
    )
    assert public_address in visitor.get("/").text


def test_an_erased_or_renamed_player_is_shown_so_at_once(app: Flask, visitor: FlaskClient, counted: Counted) -> None:
    anna = logged_in(app, "Anna")
    anna.create("me", "open")
    assert "Anna" in visitor.get("/lobby").text
    answer(anna.ask("PATCH", "/v1/me", {"name": "Annette"}), 200)
    assert "Annette" in visitor.get("/lobby").text


def test_a_change_in_another_process_is_heard(environ: Environ, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened_app(environ) as here, opened_app(environ) as there:
        monkeypatch.setattr(here.extensions["cabildo"].public_lists, "_clock", lambda: 0.0)
        visitor = here.test_client()
        visitor.get("/lobby")
        game = Person(there.test_client(), "Anna").create("me", "open")["id"]
        assert eventually(lambda: game in visitor.get("/lobby").text)


class Silent:
    """A subscription that hears nothing."""

    count = 0

    def on(self, name: str) -> "Silent":
        assert name == LISTS
        return self

    def __enter__(self) -> "Silent":
        return self

    def __exit__(self, *_: object) -> None:
        return None


def test_a_list_is_kept_for_a_short_time_and_few_are() -> None:
    now, made = [0.0], list[tuple[str, int]]()

    def make(status: str, limit: int) -> NewestGames:
        made.append((status, limit))
        return NewestGames([], more=False)

    lists = PublicLists(Silent(), make, lambda: now[0])  # type: ignore[arg-type]  # hears nothing
    for now[0] in (0.0, KEPT_SECONDS, KEPT_SECONDS + 1):
        lists.newest("open", 1)
    assert len(made) == 2
    lists.note(Announcement(("a game",)))
    lists.newest("open", 1)
    assert len(made) == 2
    lists.note(LISTS_CHANGED)
    lists.newest("open", 1)
    assert len(made) == 3
    for limit in range(2 * MOST):
        lists.newest("open", limit)
    assert len(lists._kept) == MOST


def test_own_games_replace_those_of_everybody_in_their_order() -> None:
    def listed(at: int, **entry: Any) -> PlacedGame:
        return PlacedGame(at, UUID(int=at), entry)  # type: ignore[arg-type]  # a part of an entry

    shared = NewestGames([listed(5), listed(3), listed(1)], more=False)
    own = NewestGames([listed(4, own=True), listed(3, own=True)], more=False)
    merged = shared.merged(own, 3)
    assert [(game.at, bool(game.entry)) for game in merged.games] == [(5, False), (4, True), (3, True)]
    assert merged.more
    assert merged.next is not None
    assert shared.merged(NewestGames([], more=False), 3) == shared
    assert shared.next is None

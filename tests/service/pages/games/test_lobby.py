"""The lobby in a browser without scripts: tables are opened with all options, joined, left, found and watched."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from projections.read_models.move_search import LANDMARKS
from projections.rules.catalogue import LANGUAGES
from projections.rules.registry import GAMES
from service.i18n import phrases
from service.pages.games import search_names
from service.pages.games.new_game import CHAIRS, text_of
from tests.support.service.players import Person, running, somebody
from tests.support.service.scriptless_browser import BROWSER, Visitor
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]  # shared by the tests of this module
HOSTILE = "<script>alert('x')</script>"
PAGES = (
    "/",
    "/lobby",
    "/lobby?game=spice_road",
    "/mine",
    "/games/new",
    "/games/new?game=spice_road",
    "/account",
    "/webhooks",
    "/ratings",
)


@pytest.fixture
def ada(app: Flask) -> Visitor:
    """A player with a browser."""
    return Visitor(app.test_client(), f"Ada {uuid4().hex[:12]}")


@pytest.fixture
def bob(app: Flask) -> Visitor:
    """Another player with a browser."""
    return Visitor(app.test_client(), f"Bob {uuid4().hex[:12]}")


def made(client: FlaskClient, address: str) -> dict[str, Any]:
    """Returns the game of an address from the API."""
    found = re.search(r"/games/([0-9a-f-]{36})", address)
    assert found is not None
    document = client.get(f"/v1/games/{found.group(1)}").get_json()
    assert isinstance(document, dict)
    return document


def test_a_table_is_opened_joined_and_then_waits_for_whose_turn_it_is(ada: Visitor, bob: Visitor) -> None:
    address = ada.sent("/games/new", game="spice_road", seat0="me", seat1="open")
    assert address.endswith("/play")
    assert address in ada.open("/mine")
    game = address.removesuffix("/play")
    assert f'action="{game}/join"' in bob.open("/lobby")
    assert bob.sent(f"{game}/join") == address
    waiting = [visitor for visitor in (ada, bob) if 'class="listed waits"' in visitor.open("/mine")]
    assert len(waiting) == 1
    assert made(ada.client, address)["status"] == "running"


def test_who_gets_up_again_leaves_the_chair_open(ada: Visitor, bob: Visitor) -> None:
    address = ada.sent("/games/new", game="spice_road", seat0="me", seat1="open", seat2="open")
    game = address.removesuffix("/play")
    bob.sent(f"{game}/join")
    assert bob.sent(f"{game}/leave") == "/lobby"
    assert f'action="{game}/join"' in bob.open("/lobby")


def test_an_invitation_lets_in_who_has_its_code(ada: Visitor, bob: Visitor, app: Flask) -> None:
    address = ada.sent("/games/new", game="spice_road", seat0="me", seat1="invite", visibility="unlisted")
    game = address.removesuffix("/play")
    assert bob.send(f"{game}/join").status_code == 409
    code = ada.client.get(f"/v1{game}").get_json()["invites"]["1"]
    assert bob.sent(f"{game}/join", invite=code) == address


def test_nobody_sits_down_at_a_silent_table_untold(ada: Visitor, bob: Visitor) -> None:
    address = ada.sent("/games/new", game="spice_road", seat0="me", seat1="open", visibility="public", silent="on")
    game = address.removesuffix("/play")
    assert f'action="{game}/join"' in bob.open("/lobby")
    assert bob.sent(f"{game}/join") == address  # to the page that says so
    assert made(bob.client, address)["status"] == "open"
    assert bob.sent(f"{game}/join", silent="true") == address
    assert made(bob.client, address)["status"] == "running"


BANK = {"clock": "bank", "minutes": "15", "increment": "30"}
TERMS = {  # what lists tell of open tables: with a bank, rated and silent; without a clock, not rated
    "en": (["rated", "15:00 + 0:30 for each turn", "silent"], ["not rated", "no clock"]),
    "is": (["til stiga", "15:00 + 0:30 fyrir hvern leik", "þögult"], ["ekki til stiga", "engin klukka"]),
    "sv": (["rankat", "15:00 + 0:30 för varje tur", "tyst"], ["inte rankat", "ingen klocka"]),
    "cs": (["hodnocená", "15:00 + 0:30 za každý tah", "tichá"], ["nehodnocená", "bez hodin"]),
    "hu": (["értékelt", "15:00 + 0:30 körönként", "csendes"], ["nem értékelt", "óra nélkül"]),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lobby_tells_the_terms_of_an_open_table(ada: Visitor, bob: Visitor, language: str) -> None:
    fields = {"game": "spice_road", "seat0": "me", "seat1": "open", "visibility": "public"}
    agreed = ada.sent("/games/new", **fields, **BANK, rated="on", silent="on")
    usual = ada.sent("/games/new", **fields)
    person = made(ada.client, usual)["host"]["id"]
    for reader in (bob.client, ada.client.application.test_client()):
        for path in ("/lobby", f"/players/{person}"):
            page = reader.get(path, headers=BROWSER | {"Accept-Language": language}).text
            assert tuple(terms_of(page, address) for address in (agreed, usual)) == TERMS[language]


def terms_of(page: str, address: str) -> list[str]:
    """Returns the marks of a table in a list."""
    (card,) = (card for card in page.split('<li class="listed')[1:] if f'href="{address}"' in card)
    found = re.search(r'<ul class="marks".*?</ul>', card)
    return re.findall(r'<li class="mark">([^<]+)</li>', found.group()) if found else []


def test_who_sits_down_from_the_lobby_was_told_of_the_silence(ada: Visitor, bob: Visitor) -> None:
    address = ada.sent("/games/new", game="spice_road", seat0="me", seat1="open", visibility="public", silent="on")
    card = bob.open("/lobby").split(f'action="{address.removesuffix("/play")}/join"')[1].split("</form>")[0]
    assert "the players write nothing until the game ends" in card
    assert 'name="silent" value="true"' in card


def test_an_invitation_tells_the_clock(ada: Visitor, bob: Visitor) -> None:
    address = ada.sent("/games/new", game="spice_road", seat0="me", seat1="invite", visibility="private", **BANK)
    code = made(ada.client, address)["invites"]["1"]
    assert "Clock: 15:00 + 0:30 for each turn" in bob.open(f"{address}?invite={code}")


def test_an_invitation_to_a_silent_table_says_so(ada: Visitor, bob: Visitor) -> None:
    address = ada.sent("/games/new", game="spice_road", seat0="me", seat1="invite", visibility="private", silent="on")
    game, code = address.removesuffix("/play"), made(ada.client, address)["invites"]["1"]
    page = bob.open(f"{address}?invite={code}")
    assert "the players write nothing until the game ends" in page
    assert 'name="silent"' in page
    assert bob.sent(f"{game}/join", invite=code) == f"{address}?invite={code}"
    assert bob.sent(f"{game}/join", invite=code, silent="true") == address


def test_a_private_table_is_shown_to_who_has_the_code_of_a_chair(ada: Visitor, bob: Visitor) -> None:
    address = ada.sent("/games/new", game="spice_road", seat0="me", seat1="invite", seat2="open", visibility="private")
    code = made(ada.client, address)["invites"]["1"]
    for wrong in ("", "?invite=abcdefghijklmnop"):
        bob.open(f"{address}{wrong}", 404)
    assert f'value="{code}"' in bob.open(f"{address}?invite={code}")
    assert bob.sent(f"{address.removesuffix('/play')}/join", invite=code) == address
    assert made(bob.client, address)["seats"][1]["player"]["name"] == bob.name


@pytest.mark.parametrize(
    ("fields", "level", "brought"),
    [
        ({"chance": "2", "commits": "true"}, 2, {"promised": True, "entropy": None}),
        ({"rated": "on", "commits": "true"}, 2, {"promised": True, "entropy": None}),
        ({"rated": "on"}, 1, {"promised": False, "entropy": None}),
        ({"commits": "true", "entropy": "a0" * 32}, 1, {"promised": False, "entropy": "a0" * 32}),
        ({"chance": "0", "commits": "true", "entropy": "a0" * 32}, 0, {"promised": False, "entropy": None}),
    ],
)
def test_a_browser_brings_to_the_deal_what_its_level_asks(
    ada: Visitor, bob: Visitor, fields: dict[str, str], level: int, brought: dict[str, object]
) -> None:
    address = ada.sent("/games/new", game="spice_road", seat0="me", seat1="open", seat2="open", **fields)
    bob.sent(f"{address.removesuffix('/play')}/join", **fields)
    game = made(ada.client, address)
    assert game["chance"]["level"] == level
    assert [{name: seat[name] for name in brought} for seat in game["seats"][:2]] == [brought, brought]


def test_everything_the_form_offers_reaches_the_game(ada: Visitor) -> None:
    named = somebody(ada.client)
    address = ada.sent(
        "/games/new",
        game="puerto_rico",
        seat0="me",
        seat1="bot:greedy",
        seat2="person",
        name2=named.name.upper(),
        seat3="open",
        expansions=["new_buildings", "nobles"],
        variant="balanced",
        forest_mode="tile_stack",
        hospice_ship_fallback="false",
        clock="bank",
        minutes="30",
        increment="20",
        rated="on",
        visibility="unlisted",
        leaver="forfeit",
        spectator_delay="5",
        chance="1",
    )
    game = made(ada.client, address)
    options, clock, seats = game["options"], game["clock"], game["seats"]
    assert isinstance(options, dict)
    assert isinstance(clock, dict)
    assert isinstance(seats, list)
    assert options["expansions"] == ["new_buildings", "nobles"]
    assert (options["variant"], options["forest_mode"], options["hospice_ship_fallback"]) == (
        "balanced",
        "tile_stack",
        False,
    )
    assert (clock["kind"], clock["seconds"], clock["increment"]) == ("bank", 1800, 20)
    assert [seat["kept_for"] for seat in seats][1:] == ["bot:greedy", f"player:{named.id}", "open"]
    assert (game["rated"], game["visibility"], game["leaver"], game["spectator_delay"]) == (
        True,
        "unlisted",
        "forfeit",
        5,
    )


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"seat1": ""}, "seats"),
        ({"seat1": "person", "name1": "nobody of this name"}, "nobody of this name"),
        ({"seed": "abc"}, "seed"),
        ({"clock": "per_move", "minutes": "0"}, "clock"),
        ({"clock": "per_move", "minutes": "soon"}, "minutes"),
        ({"coin_taking": "twice"}, 'href="/rules/spice_road?language=en#opt-coin_taking"'),
    ],
)
def test_what_is_wrong_with_a_table_is_said_beside_the_form(ada: Visitor, wrong: dict[str, str], says: str) -> None:
    fields = {"game": "spice_road", "seat0": "me", "seat1": "bot:random", "visibility": "private", **wrong}
    answer = ada.send("/games/new", **fields)
    assert answer.status_code == 422
    assert says in answer.text
    assert '<option value="private" selected>' in answer.text


def options_and_values() -> Iterator[str]:
    for game in GAMES.values():
        for name, choice in game.choices.items():
            yield name
            if name != "violet_buildings":  # they have the names of the rule books
                values = [value for value in choice.values if not isinstance(value, bool | int)]
                yield from (f"{name}_{text_of(value)}" for value in values)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_and_chair_and_fact_has_its_words(language: str) -> None:
    assert set(options_and_values()) <= phrases.phrases("options", language).keys()
    lobby = phrases.phrases("lobby", language).keys()
    assert {f"chair_{chair or 'none'}" for chair in CHAIRS if not chair.startswith("bot:")} <= lobby
    assert {f"fact_{fact}" for fact in LANDMARKS} <= lobby


def test_games_are_found_by_everything_the_search_knows(ada: Visitor, app: Flask) -> None:
    game, people = running(app.test_client(), f"Anna {ada.name}", f"Birgir {ada.name}")
    host = people[0].name.upper()
    for question in (
        f"who={host}",
        "game=spice_road&status=running",
        "option=coin_taking:automatic",
        "option=Coins+are+taken:+always",
        "since=2020-01-01",
    ):
        assert game in ada.open(f"/lobby?{question}"), question
    for question in ("who=nobody", "game=puerto_rico", "option=coin_taking:optional", "until=2020-01-01"):
        assert game not in ada.open(f"/lobby?{question}"), question
    assert people[0].name in ada.open("/lobby?status=running")


def test_what_happened_is_asked_for_in_the_readers_own_words() -> None:
    assert (
        search_names.id_named("höfn", search_names.subjects("is"))
        == search_names.id_named("harbor", search_names.subjects("is"))
        == "harbor"
    )
    assert search_names.id_named("Expansioner: Adeln", search_names.options("sv")) == "expansions:nobles"
    for language in LANGUAGES:
        assert len(search_names.subjects(language)) == len(search_names.subjects("en"))
        assert set(search_names.options(language).values()) == set(search_names.options("en").values())


@pytest.mark.parametrize("question", ["place=1", "seat=9&fact=role_taken", "option=what", "since=yesterday", "nth=1"])
def test_what_cannot_be_asked_is_said(ada: Visitor, question: str) -> None:
    assert 'class="refused"' in ada.open(f"/lobby?{question}")


def test_more_games_are_on_the_next_page(ada: Visitor) -> None:
    host = somebody(ada.client)
    games = {host.create("me", "open")["id"] for _ in range(25)}
    first = ada.open(f"/lobby?status=open&who={host.name}")
    more = re.search(r'rel="next" href="([^"]+)"', first)
    assert more is not None
    second = ada.open(more.group(1).replace("&amp;", "&"))
    listed = [set(re.findall(r'action="/games/([0-9a-f-]{36})/join"', page)) & games for page in (first, second)]
    assert [len(found) for found in listed] == [24, 1]
    assert listed[0] | listed[1] == games


def test_a_player_has_a_page_with_results(ada: Visitor, app: Flask) -> None:
    game, (first, second) = running(app.test_client(), f"Anna {ada.name}", f"Birgir {ada.name}", leaver="forfeit")
    first.post(f"/v1/games/{game}/resign")
    page = ada.open(f"/players/{second.id}")
    assert game in page
    assert "1 (100%)" in page
    assert "0 (0%)" in ada.open(f"/players/{first.id}")
    assert ada.client.get(f"/players?name={second.name.lower()}").headers["Location"] == f"/players/{second.id}"
    assert ada.client.get("/players?name=nobody").status_code == 404


def test_a_bot_says_what_it_is_and_whose(ada: Visitor, app: Flask) -> None:
    owner = somebody(app.test_client())
    bot = owner.post("/v1/bots", {"name": f"Deep {ada.name}", "engine": "corn 1.0"})["player"]["id"]
    page = ada.open(f"/players/{bot}")
    assert "corn 1.0" in page
    assert owner.name in page
    assert f"Deep {ada.name}" in ada.open(f"/players/{owner.id}")


def test_a_token_is_made_shown_once_used_and_revoked(ada: Visitor) -> None:
    page = ada.open("/account?scopes=read,host&label=Deep+Corn")
    checked = re.findall(r'value="([a-z]+)" checked', page)
    assert (checked, 'value="Deep Corn"' in page) == (["read", "host"], True)
    shown = ada.send("/account/tokens", label="Deep Corn", scopes=["read"], days="7").text
    secret = re.search(r"cab_[A-Za-z0-9_-]+", shown)
    assert secret is not None
    assert secret.group(0) not in ada.open("/account")
    bearer = {"Authorization": f"Bearer {secret.group(0)}"}
    other = ada.client.application.test_client()
    assert other.get("/v1/me", headers=bearer).get_json()["name"] == ada.name
    assert (
        other.post("/v1/games", headers=bearer, json={"game": "spice_road", "seats": ["me", "open"]}).status_code == 403
    )
    revoke = re.search(r'action="(/account/tokens/[0-9a-f-]+/revoke)"', ada.open("/account"))
    assert revoke is not None
    ada.sent(revoke.group(1))
    assert other.get("/v1/me", headers=bearer).status_code == 401


@pytest.mark.parametrize("fields", [{"scopes": []}, {"scopes": ["admin"]}, {"scopes": ["read"], "days": "9999"}])
def test_no_token_is_made_beyond_what_the_form_offers(ada: Visitor, fields: dict[str, str | list[str]]) -> None:
    assert ada.send("/account/tokens", **fields).status_code in (403, 422)
    assert "cab_" not in ada.open("/account")


@pytest.mark.parametrize("path", ["/games/new", "/mine", "/account"])
def test_who_is_not_logged_in_is_asked_to_and_led_back(client: FlaskClient, path: str) -> None:
    asked = client.get(path, headers=BROWSER)
    assert (asked.status_code, asked.headers["Location"]) == (303, f"/login?next=%2F{path[1:].replace('/', '%2F')}")


@pytest.mark.parametrize("path", ["/games/new", "/account/tokens"])
def test_a_form_of_another_site_does_nothing(ada: Visitor, path: str) -> None:
    fields = {"csrf": "guessed", "game": "spice_road", "seat0": "me", "seat1": "open", "scopes": "read"}
    assert ada.client.post(path, data=fields, headers=BROWSER).status_code == 403
    assert "/games/01" not in ada.open("/mine")
    assert "/revoke" not in ada.open("/account")


def test_a_hostile_name_is_nothing_but_a_name_on_every_page(app: Flask) -> None:
    eve, host = Visitor(app.test_client(), HOSTILE), Person(app.test_client(), HOSTILE + "2")
    host.create("me", "open")
    for path in PAGES:
        page = eve.open(path)
        assert HOSTILE not in page
        assert "&lt;script&gt;" in page
        assert "script-src 'self'" in eve.client.get(path).headers["Content-Security-Policy"]
        assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)|\son[a-z]+=|style=", page)


def test_every_page_speaks_every_language(ada: Visitor) -> None:
    for language in LANGUAGES:
        for path in PAGES:
            assert ada.sent("/language", language=language, back=path) == path
            assert f'<html lang="{language}">' in ada.open(path)

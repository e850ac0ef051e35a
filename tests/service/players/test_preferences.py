"""Own settings: typed, bounded, merged, on all devices of an account and on no other account."""

from flask import Flask
from flask.testing import FlaskClient

from service.players.commands.erasure import ErasePlayer, erase_player
from service.players.preferences.stored_settings import settings_of
from service.players.preferences.values import Appearance, appearance_of, telling_of
from tests.support.service.players import Person, answer, somebody
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]
SETTINGS = "/v1/me/settings"
USUAL = {
    "theme": "system",
    "motion": "system",
    "colours": "usual",
    "sounds": "off",
    "volume": 50,
    "confirm": "final",
    "time_zone": "UTC",
    "quiet_hours": None,
    "notify": {"turn": [], "time": [], "expires": [], "over": [], "round": []},
}
NIGHT = {"from": "22:30", "until": "07:00"}
BAD: list[dict[str, object]] = [
    {"theme": "pink"},
    {"volume": 101},
    {"volume": "loud"},
    {"time_zone": "Europe/Atlantis"},
    {"time_zone": "../../etc/passwd"},
    {"quiet_hours": {"from": "25:00", "until": "07:00"}},
    {"quiet_hours": {"from": "22:00"}},
    {"notify": {"turn": ["pigeon"]}},
    {"notify": {"rain": ["mail"]}},
    {"notify": {"turn": ["mail", "mail", "push"]}},
    {"colour": "safe"},
]


def patched(person: Person, changes: object, status: int = 200) -> dict[str, object]:
    document: dict[str, object] = answer(person.ask("PATCH", SETTINGS, changes), status)
    return document


def test_settings_are_the_usual_ones_until_they_are_changed_one_by_one(client: FlaskClient) -> None:
    anna, birgir = somebody(client), somebody(client)
    assert answer(anna.ask("GET", SETTINGS), 200) == USUAL
    patched(anna, {"theme": "dark", "notify": {"turn": ["mail"]}})
    later = {"quiet_hours": NIGHT, "time_zone": "Europe/Prague", "volume": 0}
    notify = {"turn": ["mail"], "time": [], "expires": [], "over": [], "round": []}
    known = {**USUAL, "theme": "dark", **later, "notify": notify}
    assert patched(anna, later) == known
    assert answer(anna.ask("GET", SETTINGS), 200) == known
    assert patched(anna, {"quiet_hours": None})["quiet_hours"] is None
    assert answer(birgir.ask("GET", SETTINGS), 200) == USUAL


def test_what_is_not_a_setting_is_refused_and_changes_nothing(client: FlaskClient) -> None:
    anna = somebody(client)
    for bad in BAD:
        patched(anna, {"sounds": "all", **bad}, 422)
    assert answer(anna.ask("GET", SETTINGS), 200) == USUAL


def test_an_erased_account_keeps_no_settings_and_gets_none(app: Flask, client: FlaskClient) -> None:
    anna = somebody(client)
    patched(anna, {"theme": "dark"})
    here = app.extensions["cabildo"]
    identity = here.authenticator.bearer(anna.token)
    erase_player(here, ErasePlayer(identity))
    anna.ask("PATCH", SETTINGS, {"theme": "light"})  # by the cached credential of another process at most
    with here.stores.pool.connection() as connection:
        assert settings_of(connection, identity.player) is None


def test_what_another_version_stored_has_its_usual_value() -> None:
    assert appearance_of({"theme": "pink", "volume": True, "sounds": "all"}) == Appearance(sounds="all")
    odd = telling_of({"quiet_hours": {"from": "late"}, "notify": {"turn": ["pigeon", "mail"], "rain": ["mail"]}})
    assert (odd.quiet, odd.ways["turn"], odd.ways["over"]) == (None, ("mail",), ())

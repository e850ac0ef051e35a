"""No new name can be taken for another player's or for the service's own; names that stand keep working."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final
from uuid import UUID

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient

from projections.rules.catalogue import LANGUAGES
from service.players import lookalikes
from service.players.lookalikes import looks_of, refuse_service_name
from tests.support.service.players import Person, answer, problem

CYRILLIC_ANNA: Final = "\u0410nna"
OLD_PLAYER: Final = "INSERT INTO players (id, name, folded, created) VALUES (%s, %s, %s, 0)"


def registered(client: FlaskClient, name: str, language: str = "en") -> tuple[int, Any]:
    """Status and document of a registration."""
    told = client.post("/v1/players", json={"name": name}, headers={"Accept-Language": language})
    return told.status_code, told.get_json()


@pytest.mark.parametrize(
    ("standing", "wanted"),
    [
        ("Anna", CYRILLIC_ANNA),
        ("Anna", "\u0391\u039d\u039d\u0391".replace("\u039d", "N")),  # with Greek alphas
        ("Modern", "M\u043edern"),
        ("Modern", "Modem"),
        ("Paul", "Pau1"),
        ("Bill O", "Bi||\u00a00"),
        ("\u0410нна", "Aнна"),
        ("ian", "\u0399an"),
    ],
)
def test_a_name_that_looks_like_another_players_is_refused(client: FlaskClient, standing: str, wanted: str) -> None:
    assert registered(client, standing)[0] == 201
    status, refused = registered(client, wanted)
    assert (status, problem(refused)) == (409, "name_confusable")


@pytest.mark.parametrize("other", ["Ánna", "Hanna", "Anne", "Anna B", "Ana"])
def test_a_name_that_only_resembles_another_is_free(client: FlaskClient, other: str) -> None:
    assert registered(client, "Anna")[0] == 201
    assert registered(client, other)[0] == 201


def test_the_same_name_is_taken_and_not_merely_confusable(client: FlaskClient) -> None:
    registered(client, "Anna")
    assert problem(registered(client, "ANNA")[1]) == "name_taken"


def test_renaming_and_bots_keep_to_the_same_rule(client: FlaskClient) -> None:
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    for told in (
        birgir.ask("PATCH", "/v1/me", {"name": CYRILLIC_ANNA}),
        birgir.ask("POST", "/v1/bots", {"name": CYRILLIC_ANNA, "engine": "x"}),
    ):
        assert problem(answer(told, 409)) == "name_confusable"
    for told in (
        birgir.ask("PATCH", "/v1/me", {"name": "Admin"}),
        birgir.ask("POST", "/v1/bots", {"name": "Cabildo", "engine": "x"}),
    ):
        assert problem(answer(told, 422)) == "name_reserved"
    assert answer(anna.ask("PATCH", "/v1/me", {"name": CYRILLIC_ANNA}), 200)["name"] == CYRILLIC_ANNA  # her own look
    assert problem(registered(client, "Anna")[1]) == "name_confusable"
    anna.ask("PATCH", "/v1/me", {"name": "Hanna"})
    assert registered(client, "Anna")[0] == 201


def test_an_erased_name_leaves_nothing_of_its_look(client: FlaskClient, database: str) -> None:
    anna = Person(client, "Anna")
    assert anna.ask("DELETE", "/v1/me").status_code < 300
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT looks FROM players WHERE id = %s", (anna.id,)).fetchone() == (None,)


def test_names_from_before_the_rule_keep_working(client: FlaskClient, database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        for number, name in enumerate(("Anna", CYRILLIC_ANNA, "Admin")):
            connection.execute(OLD_PLAYER, (UUID(int=number + 1), name, name.casefold()))
    assert problem(registered(client, "\u0410NN\u0410")[1]) == "name_confusable"
    for number, name in enumerate(("Anna", CYRILLIC_ANNA, "Admin")):
        assert answer(client.get(f"/v1/players/{UUID(int=number + 1)}"), 200)["name"] == name
    assert registered(client, "Birgir")[0] == 201


def test_all_names_from_before_the_rule_are_compared(
    client: FlaskClient, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookalikes, "WITHOUT_LOOKS", lookalikes.WITHOUT_LOOKS.replace("1000", "7"))
    with psycopg.connect(database, autocommit=True) as connection:
        for number in range(50):
            connection.execute(OLD_PLAYER, (UUID(int=number + 1), f"Old {number}x", f"old {number}x"))
    assert problem(registered(client, "\u041eld 49x")[1]) == "name_confusable"


def test_two_who_register_alike_at_once_do_not_both_get_the_name(app: Flask) -> None:
    names = ["Anna", CYRILLIC_ANNA, "Ann\u0430", "\u0410nn\u0430"]
    for round_ in range(5):
        with ThreadPoolExecutor(len(names)) as threads:
            told = [threads.submit(registered, app.test_client(), f"{name} {round_}x") for name in names]
            assert sorted(one.result()[0] for one in told) == [201, 409, 409, 409]


@pytest.mark.parametrize(
    "name",
    [
        "admin", "ADMIN", "\u0410dmin", "Admin 1", "a-d-m-i-n", "Cabildo", "Cabildo Support", "support", "Moderator",
        "Moderátor", "modérator", "rnoderator", "stjórnandi", "Stjornandi", "administratör", "administrator", "správce",
        "rendszergazda", "erased player", "eyddur leikmaður", "Raderad  spelare",
        "smazaný hráč", "törölt játékos", "\uff41\uff44\uff4d\uff49\uff4e",
    ],
)  # fmt: skip
def test_a_name_that_speaks_for_the_service_is_refused(client: FlaskClient, name: str) -> None:
    status, refused = registered(client, name)
    assert (status, problem(refused)) == (422, "name_reserved")


def test_words_of_the_service_may_stand_in_a_name() -> None:
    for name in (
        "Cabildo fan",
        "Helpful Anna",
        "Rooty",
        "System Shock",
        "somebody 4711471147114711",
        "1234",
        "Team Ísland",
    ):
        refuse_service_name(name)


def test_refusals_of_names_are_told_in_every_language(client: FlaskClient) -> None:
    registered(client, "Anna")
    told = {registered(client, CYRILLIC_ANNA, language)[1]["detail"] for language in LANGUAGES}
    told |= {registered(client, "Admin", language)[1]["detail"] for language in LANGUAGES}
    assert len(told) == 2 * len(LANGUAGES)


def test_the_form_of_a_page_shows_the_refusal(client: FlaskClient) -> None:
    page = client.get("/register").text
    value = page.partition('name="csrf" value="')[2].partition('"')[0]
    told = client.post("/register", data={"name": "Admin", "password": "over the hills", "csrf": value})
    assert told.status_code == 422
    assert "reserved for the service" in told.text


def test_the_looks_of_a_name_are_stable() -> None:
    assert looks_of("Anna") == looks_of(CYRILLIC_ANNA) == ["anna"]
    assert looks_of("ian") == ["ian"]
    assert looks_of("Ian") == ["ian", "lan"]

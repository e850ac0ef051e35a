"""Problems have their title and detail in the language of the client."""

import pytest
from flask.testing import FlaskClient

from service.i18n.catalogue import MESSAGES, rows
from service.web.problem_types import PROBLEMS
from tests.support.service.players import Person, in_turn


def test_every_problem_has_a_title_in_the_catalogue() -> None:
    assert {problem.title for problem in PROBLEMS.values()} == rows(MESSAGES, "problems").keys()


@pytest.mark.parametrize(
    ("language", "title", "sentence"),
    [
        ("en", "The rules do not allow the move now", "There are no played cards to take back."),
        ("is", "Reglurnar leyfa leikinn ekki núna", "Engin útlögð spil eru til að taka aftur upp."),
    ],
)
def test_a_refused_move_is_explained_in_the_language_asked_for(
    client: FlaskClient, language: str, title: str, sentence: str
) -> None:
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    game = anna.create("me", "open")["id"]
    first, _ = in_turn(birgir.join(game), anna, birgir)
    response = first.ask("POST", f"/v1/games/{game}/moves", {"move": "rest"}, Accept_Language=language)
    assert response.status_code == 422
    told = response.get_json()
    assert (told["title"], told["detail"], told["sentence"]) == (title, sentence, sentence)


def test_not_your_turn_is_translated(client: FlaskClient) -> None:
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    game = anna.create("me", "open")["id"]
    _, second = in_turn(birgir.join(game), anna, birgir)
    response = second.ask("POST", f"/v1/games/{game}/moves", {"move": "rest"}, Accept_Language="hu")
    assert response.get_json()["detail"] == "A soron következő hely: 1."

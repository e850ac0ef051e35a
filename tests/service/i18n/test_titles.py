"""Problems are told in the language of who asked."""

import pytest
from flask.testing import FlaskClient

from service.i18n.titles import read
from service.web.problem_types import PROBLEMS
from service.web.responses import LANGUAGES
from tests.support.service.players import Person, in_turn


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_problem_has_a_title_in_every_language(language: str) -> None:
    assert {*read(language)} == {problem.name for problem in PROBLEMS.values()}


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


def test_who_is_not_to_act_is_told_in_hungarian(client: FlaskClient) -> None:
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    game = anna.create("me", "open")["id"]
    _, second = in_turn(birgir.join(game), anna, birgir)
    response = second.ask("POST", f"/v1/games/{game}/moves", {"move": "rest"}, Accept_Language="hu")
    assert response.get_json()["detail"] == "A soron következő hely: 0."

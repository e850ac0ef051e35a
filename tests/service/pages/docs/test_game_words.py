"""The pages on notation and options, and the documents of the API, tell all of both games in five languages."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from projections.rules.catalogue import LANGUAGES
from projections.rules.registry import GAMES
from service.pages.games.decision_names import decision_names
from service.rulebook.paragraphs import rulebook


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_on_notation_has_every_form_of_a_move(client: FlaskClient, language: str) -> None:
    page = client.get(f"/docs/notation?language={language}").text
    for name, game in GAMES.items():
        names = decision_names(name, language)
        assert f'id="{name}"' in page
        for form in game.examples:
            assert f"<td><code>{escape(form.move)}</code></td><td>{form.meaning[language]}</td>" in page
            assert names[form.decision] in page
    assert page.count('href="/docs/notation"') == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_options_are_told_with_values_and_defaults_of_the_code(client: FlaskClient, language: str) -> None:
    page = client.get(f"/docs/options?language={language}").text
    for name, game in GAMES.items():
        document: Any = client.get(f"/v1/rules/{name}?language={language}").get_json()
        assert document["language"] == language
        told = {option["name"]: option for option in document["options"]}
        assert [*told] == [*game.choices]
        for option, choice in game.choices.items():
            assert told[option]["values"] == [*choice.values]
            assert told[option]["default"] == ([] if choice.several else choice.values[0])
            assert len(told[option]["value_titles"]) == len(choice.values)
            assert told[option]["rule_page"].partition("#")[2] in rulebook(name, language).anchors
            assert f'<div id="opt-{option}">' in page
            assert str(escape(told[option]["about"])) in page
            for title in (told[option]["title"], *told[option]["value_titles"]):
                assert str(escape(title)) in page


def test_names_and_sentences_of_options_differ_between_languages(client: FlaskClient) -> None:
    for name in GAMES:
        documents = [client.get(f"/v1/rules/{name}?language={language}").get_json() for language in LANGUAGES]
        for rows in zip(*(document["options"] for document in documents), strict=True):
            assert len({row["about"] for row in rows}) == len(LANGUAGES)
        for forms in zip(*(document["notation"] for document in documents), strict=True):
            assert len({form["move"] for form in forms}) == 1
            assert len({form["meaning"] for form in forms}) == len(LANGUAGES)


def test_moves_and_options_are_found_and_linked(client: FlaskClient) -> None:
    addresses = {entry[0] for entry in client.get("/docs/search.json").get_json()}
    assert {"/docs/notation#D-BLD", "/docs/notation#caravan_limit", "/docs/options#opt-short_ship"} <= addresses
    docs = client.get("/docs").text
    assert docs.count('href="/docs/notation"') == docs.count('href="/docs/options"') == 2

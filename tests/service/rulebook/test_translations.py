"""The translations of the rules: built as the English text is, and made from the English text as it is now."""

import pytest
from flask.testing import FlaskClient

from projections.rules.catalogue import ENGLISH, LANGUAGES
from service.rulebook.paragraphs import rulebook
from service.rulebook.texts import NAMES, source
from tests.support.service.rules_translations import TRANSLATED, differences, made_from, of_sections, to_translate

SMALL = """\
## 1. Aim

The most points win (R-1). See [Setup](#2-setup).

- 3 doubloons
- `corn`

## 2. Setup

| Good | Number |
|---|---|
| corn | 10 |
"""


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("game", NAMES)
def test_translation_has_the_structure_of_the_english_text(game: str, language: str) -> None:
    english, translation = (source(game, one).read_text("utf-8") for one in (ENGLISH, language))
    assert differences(english, translation) == []


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("game", NAMES)
def test_translation_is_made_from_the_english_text_of_today(game: str, language: str) -> None:
    anew = to_translate(source(game, ENGLISH).read_text("utf-8"), made_from(game, language))
    assert anew == [], f"translate anew, then: python -m tests.support.service.rules_translations {language}"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            "(R-1)",
            "(R-2)",
            {"line 3: number or label R-1 is missing", "line 3: number or label R-2 is not in the English text"},
        ),
        (
            "- 3 doubloons\n",
            "",
            {"line 5: code_inline corn is not in the English text", "line 5: number or label 3 is missing"},
        ),
        (
            "`corn`",
            "`maize`",
            {"line 6: code_inline corn is missing", "line 6: code_inline maize is not in the English text"},
        ),
        ("#2-setup", "#1-aim", {"line 3: link to 1 is missing", "line 3: link to 0 is not in the English text"}),
        ("| corn | 10 |\n", "", {"line 10: another kind of block than in the English text"}),
    ],
    ids=["label", "item", "code", "link", "row"],
)
def test_another_structure_is_found(before: str, after: str, told: set[str]) -> None:
    assert differences(SMALL, SMALL) == []
    assert set(differences(SMALL, SMALL.replace(before, after))) >= told


def test_a_changed_english_paragraph_is_named() -> None:
    known = of_sections(SMALL)
    assert to_translate(SMALL.replace("The most points win", "The most\npoints win"), known) == []
    changed = SMALL.replace("| 10 |", "| 11 |").replace("- `corn`\n", "- `corn`\n- 5 quarries\n")
    assert to_translate(changed, known) == [
        "1. Aim, line 7: '- 5 quarries'",
        "2. Setup, line 13: '| corn | 11 |'",
    ]
    assert to_translate(SMALL.replace("- 3 doubloons\n", ""), known) == ["1. Aim: a block is gone"]
    assert to_translate(SMALL.partition("## 2")[0], known) == ["2. Setup: gone"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_wholly_in_the_readers_language(client: FlaskClient, language: str) -> None:
    page = client.get(f"/rules/puerto_rico?language={language}").text
    article = page.partition('<article id="book"')[2]
    assert f'<html lang="{language}"' in page
    assert article.startswith(' class="written">')
    chapter = next(heading for heading in rulebook("puerto_rico", language).headings if heading.anchor == "4.2")
    assert f'<h3 id="4.2">4.2 {chapter.words}</h3>' in article
    assert '<td lang="hu">telepes</td>' in article
    sentences = {
        "en": "the English text decides",
        "is": "gildir enski textinn",
        "sv": "gäller den engelska texten",
        "cs": "rozhoduje anglické znění",
        "hu": "az angol szöveg a mérvadó",
    }
    assert sentences[language] in page
    assert ('href="/rules/puerto_rico?language=en"' in page) == (language != "en")

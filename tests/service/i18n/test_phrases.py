"""What the pages say is said in five languages, with the same places to fill in; and one can switch between them."""

import re
import string
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from projections.rules.registry import GAMES
from projections.verify.bundle import CHECKS
from service import pages as pages_package
from service.i18n import phrases
from service.i18n.phrases import Phrase
from service.i18n.titles import read as titles
from service.pages.site.language import NAMES
from service.web.responses import LANGUAGES

PAGES = Path(pages_package.__file__).parent
KINDS = ("*.html", "*.js", "*.py")
SUBJECTS = sorted(file.stem for file in phrases.FOLDER.glob("*.json"))
FORMS = {"cs": {"one", "few", "other"}, "hu": {"other"}}  # Czech counts in three ways, Hungarian in one
SAID = re.compile(r"""\bsay\(\s*["']([a-z_]+\.[a-z_0-9]+)["']\s*[,)]""")


MARKUP = re.compile(r'(?:class|id|name|for|data-[a-z]+)="[^"{]*"')
NAMED = re.compile(r"""(?<=["'`])\w+(?=["'`])|\b\w+(?=:)""")
BUILT = re.compile(r"""["'`]([a-z]+)\.([a-z_]*)(?:(?<=_)["']|["'] ~ [^"')]+(?:["']([a-z_]*))?|\$?\{[^}]*\}([a-z_]*))""")


def forms(phrase: Phrase) -> list[str]:
    return [phrase] if isinstance(phrase, str) else list(phrase.values())


def places(phrase: Phrase) -> set[str]:
    return {name for form in forms(phrase) for _, name, _, _ in string.Formatter().parse(form) if name}


def said() -> Iterator[tuple[str, str]]:
    """The keys that stand in templates and scripts, each with where it stands."""
    pages = PAGES
    for file in chain.from_iterable(map(pages.rglob, KINDS)):
        for key in SAID.findall(file.read_text()):
            yield key, file.name


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_phrase_is_said_in_every_language(subject: str) -> None:
    rows = phrases.read(subject).items()
    wrong = [name for name, row in rows if [*row] != [*LANGUAGES] or not all(map(all, map(forms, row.values())))]
    assert wrong == []


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_phrase_has_the_same_places_in_every_language(subject: str) -> None:
    table = phrases.read(subject)
    assert [name for name, row in table.items() if len({frozenset(places(said)) for said in row.values()}) > 1] == []


@pytest.mark.parametrize("subject", SUBJECTS)
def test_numbers_have_the_forms_of_their_language(subject: str) -> None:
    counted = [
        (language, set(phrase))
        for row in phrases.read(subject).values()
        for language, phrase in row.items()
        if not isinstance(phrase, str)
    ]
    assert [one for one in counted if "other" not in one[1] or not one[1] <= FORMS.get(one[0], {"one", "other"})] == []


def test_whatever_is_said_can_be_said() -> None:
    known = {f"{subject}.{name}" for subject in SUBJECTS for name in phrases.read(subject)}
    assert [(key, where) for key, where in said() if key not in known] == []


def test_no_phrase_is_left_over() -> None:
    """Each is named in the pages, or built there of a beginning, a word that they name too, and an end."""
    pages = PAGES
    text = MARKUP.sub("", "\n".join(file.read_text() for kind in KINDS for file in pages.rglob(kind)))
    built = {(subject, begins, one or other) for subject, begins, one, other in BUILT.findall(text)}
    named = {*NAMED.findall(text), *(row.code for row in CHECKS)}
    offered = {f"options.{name}" for game in GAMES.values() for name in game.choices}

    def is_said(subject: str, name: str) -> bool:
        ways = [
            begins or name.removesuffix(ends) in named
            for known, begins, ends in built
            if known == subject and name.startswith(begins) and name.endswith(ends)
        ]
        return any(ways) or f"{subject}.{name}" in text or f"{subject}.{name}".startswith(tuple(offered))

    assert [
        f"{subject}.{name}" for subject in SUBJECTS for name in phrases.read(subject) if not is_said(subject, name)
    ] == []


def test_a_phrase_is_filled_in_and_english_stands_in_for_other_languages() -> None:
    assert phrases.phrase("cs", "chrome.lobby") == "Lobby"
    assert phrases.phrase("fi", "chrome.log_in") == "Log in"
    assert phrases.phrases("chrome", "is")["my_games"] == "Spilin mín"


@pytest.mark.parametrize(("n", "czech"), [(1, "1 bod"), (3, "3 body"), (5, "5 bodů")])
def test_a_number_chooses_the_form(n: int, czech: str) -> None:
    assert phrases.phrase("cs", "common.points", n=n) == czech


def test_every_language_can_be_chosen_by_its_own_name(client: FlaskClient) -> None:
    assert tuple(NAMES) == LANGUAGES
    page = client.get("/").text
    assert all(f'lang="{code}"' in page and name in page for code, name in NAMES.items())


def test_the_language_of_the_browser_holds_until_another_is_chosen(client: FlaskClient) -> None:
    like = {"Accept-Language": "sv,en;q=0.5"}
    assert client.get("/v1/rules/nothing", headers=like).get_json()["title"] == titles("sv")["not_there"]
    client.post("/language", data={"language": "cs", "back": "/"})
    assert client.get("/v1/rules/nothing", headers=like).get_json()["title"] == titles("cs")["not_there"]
    assert '<html lang="cs">' in client.get("/", headers=like).text


@pytest.mark.parametrize(
    ("back", "to"),
    [
        ("/games/1?a=b#41", "/games/1?a=b#41"),
        ("https://evil.example/", "/"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("", "/"),
    ],
)
def test_the_switch_leads_back_and_nowhere_else(client: FlaskClient, back: str, to: str) -> None:
    switched = client.post("/language", data={"language": "is", "back": back})
    assert (switched.status_code, switched.headers["Location"]) == (303, to)


def test_a_language_that_nobody_speaks_changes_nothing(client: FlaskClient) -> None:
    assert "Set-Cookie" not in client.post("/language", data={"language": "xx", "back": "/"}).headers

"""The pages have a phrase for each text they show; a player switches between five languages."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from projections.rules.catalogue import LANGUAGES
from projections.rules.registry import GAMES
from projections.verify.bundle import CHECKS
from service import pages as pages_package
from service.core.errors import NotThere
from service.i18n import messages, phrases
from service.i18n.catalogue import PHRASES, rows, subjects
from service.pages.site.language import NAMES
from service.web.problem_types import PROBLEMS

PAGES = Path(pages_package.__file__).parent
KINDS = ("*.html", "*.js", "*.py")
SAID = re.compile(r"""\bsay\(\s*["']([a-z_]+\.[a-z_0-9]+)["']\s*[,)]""")


MARKUP = re.compile(r'(?:class|id|name|for|data-[a-z]+)="[^"{]*"')
NAMED = re.compile(r"""(?<=["'`])\w+(?=["'`])|\b\w+(?=:)""")
BUILT = re.compile(r"""["'`]([a-z]+)\.([a-z_]*)(?:(?<=_)["']|["'] ~ [^"')]+(?:["']([a-z_]*))?|\$?\{[^}]*\}([a-z_]*))""")


def said() -> Iterator[tuple[str, str]]:
    """The keys that stand in templates and scripts, each with where it stands."""
    pages = PAGES
    for file in chain.from_iterable(map(pages.rglob, KINDS)):
        for key in SAID.findall(file.read_text()):
            yield key, file.name


def test_every_phrase_of_the_pages_is_in_the_catalogue() -> None:
    known = {f"{subject}.{name}" for subject in subjects(PHRASES) for name in rows(PHRASES, subject)}
    assert [(key, where) for key, where in said() if key not in known] == []


def test_the_catalogue_has_no_unused_phrase() -> None:
    """Each is named in the pages, or built there of a beginning, a word that they name too, and an end."""
    pages = PAGES
    text = MARKUP.sub("", "\n".join(file.read_text() for kind in KINDS for file in pages.rglob(kind)))
    built = {(subject, begins, one or other) for subject, begins, one, other in BUILT.findall(text)}
    named = {*NAMED.findall(text), *(row.code for row in CHECKS)}
    choices = [name for game in GAMES.values() for name in game.choices]
    offered = {f"{subject}.{name}" for subject in ("options", "option_notes") for name in choices}

    def is_said(subject: str, name: str) -> bool:
        ways = [
            begins or name.removesuffix(ends) in named
            for known, begins, ends in built
            if known == subject and name.startswith(begins) and name.endswith(ends)
        ]
        return any(ways) or f"{subject}.{name}" in text or f"{subject}.{name}".startswith(tuple(offered))

    assert [
        f"{subject}.{name}"
        for subject in subjects(PHRASES)
        for name in rows(PHRASES, subject)
        if not is_said(subject, name)
    ] == []


def test_a_phrase_is_filled_in_english_replaces_unknown_languages() -> None:
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


def test_the_browsers_language_holds_until_another_is_chosen(client: FlaskClient) -> None:
    like = {"Accept-Language": "sv,en;q=0.5"}
    assert client.get("/v1/rules/nothing", headers=like).get_json()["title"] == messages.translate(
        PROBLEMS[NotThere].title, "sv"
    )
    client.post("/language", data={"language": "cs", "back": "/"})
    assert client.get("/v1/rules/nothing", headers=like).get_json()["title"] == messages.translate(
        PROBLEMS[NotThere].title, "cs"
    )
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
def test_the_language_switch_redirects_to_the_own_site_only(client: FlaskClient, back: str, to: str) -> None:
    switched = client.post("/language", data={"language": "is", "back": back})
    assert (switched.status_code, switched.headers["Location"]) == (303, to)


def test_an_unknown_language_sets_no_cookie(client: FlaskClient) -> None:
    assert "Set-Cookie" not in client.post("/language", data={"language": "xx", "back": "/"}).headers


def test_the_switch_takes_the_language_out_of_the_address(client: FlaskClient) -> None:
    back = "/rules/puerto_rico?language=hu"
    switched = client.post("/language", data={"language": "is", "back": back})
    assert switched.location == "/rules/puerto_rico"
    assert '<html lang="is"' in client.get(switched.location).text

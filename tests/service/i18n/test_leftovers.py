"""No text of another language is English by mistake: neither a row of a catalogue, nor what a page shows."""

import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from flask import Flask
from flask.testing import FlaskClient

from projections.rules.catalogue import ENGLISH, LANGUAGES, Text
from projections.rules.puerto_rico.text.labels import CATALOGUE as PUERTO_RICO
from projections.rules.spice_road.text.labels import CATALOGUE as SPICE_ROAD
from service.container import Container
from service.i18n.catalogue import GUIDES, MAILS, MESSAGES, PHRASES, rows, subjects
from service.moderation.administrators import AppointAdministrator, appoint_administrator
from service.notices.unsubscribe import unsubscribe_url
from service.rulebook.paragraphs import WORDS
from service.web.auth import SESSION_COOKIE
from service.web.responses import LANGUAGE_COOKIE
from tests.support.catalogues import forms
from tests.support.service.annotators import a_finished_game, begin
from tests.support.service.oauth_programs import consent_address
from tests.support.service.opened_sessions import open_session
from tests.support.service.page_tour import SEED, STAGES, addresses
from tests.support.service.players import Person, somebody
from tests.support.service.tournament_fixture import Hall

OTHERS: Final = tuple(language for language in LANGUAGES if language != ENGLISH)
SAME: Final[Mapping[str, str]] = {  # texts that are rightly the same as in English -> in these languages
    "Administration": "sv",
    "E-mail": "cs hu",
    "Guide": "sv",
    "Hand": "sv",
    "Hardware": "cs",
    "Id (client_id)": "sv cs",
    "Lobby": "sv cs",
    "Person": "sv",
    "Program": "sv cs hu",
    "Role": "cs",
    "San Juan": "is sv cs hu",
    "Sent": "is",
    "Text": "sv cs",
    "Variant": "sv",
    "bank": "sv cs hu",
    "bonus: {building}": "sv cs",
    "bot": "sv cs hu",
    "deluxe": "sv cs hu",
    "engine": "cs",
    "guide": "sv",
    "hand": "sv",
    "indigo": "sv cs",
    "program": "sv cs hu",
    "schema": "sv",
    "session": "sv",
    "token": "cs hu",
    "version": "sv",
    "webhook": "sv cs hu",
    "{count} silver": "sv",
    "{level} bot": "sv hu",
}
LETTERS: Final = re.compile(r"[^\W\d_]{2}")
PLACE: Final = re.compile(r"\{\w+\}")
ENGLISH_WORDS: Final = re.compile(r"\b(?:the|of|and|this|your|with|from|which)\b", re.IGNORECASE)
ICELANDIC_OF: Final = re.compile(r"\bof\b", re.IGNORECASE)  # too (many)
NOT_READ: Final = frozenset(("script", "style", "code", "pre", "template", "textarea"))
VOID: Final = frozenset(("area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))
SAID: Final = ("aria-label", "title", "placeholder", "alt")  # attributes that readers meet


def catalogue_rows() -> Iterator[tuple[str, Mapping[str, Text]]]:
    """Yields all rows of all catalogues; a message is its own English text."""
    for kind in (MESSAGES, PHRASES, MAILS, GUIDES):
        for subject in subjects(kind):
            for name, row in rows(kind, subject).items():
                yield f"{kind} {subject}.{name}", row if ENGLISH in row else {ENGLISH: name, **row}
    for catalogue in (PUERTO_RICO, SPICE_ROAD, WORDS):
        for subject in catalogue.subjects():
            for name, row in catalogue.rows(subject).items():
                yield f"{subject}.{name}", row


def test_no_text_equals_the_english_one_where_it_should_not() -> None:
    same = dict[str, set[str]]()
    for _, row in catalogue_rows():
        for language in OTHERS:
            if row[language] == row[ENGLISH] and LETTERS.search(PLACE.sub("", " ".join(forms(row[ENGLISH])))):
                same.setdefault(" ".join(forms(row[ENGLISH])), set()).add(language)
    assert same == {text: {*languages.split()} for text, languages in SAME.items()}


class VisibleText(HTMLParser):
    """What a page says in its own language: texts and attributes, without code and parts in another language."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language
        self._open: list[tuple[str, bool]] = [("", True)]  # tag, whether it is read
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Opens an element."""
        given = dict(attrs)
        read = self._open[-1][1] and tag not in NOT_READ
        if "lang" in given:
            read = given["lang"] == self._language and tag not in NOT_READ
        if read:
            self.texts += [str(given[name]) for name in SAID if given.get(name)]
        if tag not in VOID:
            self._open.append((tag, read))

    def handle_endtag(self, tag: str) -> None:
        """Closes an element, and those inside it whose end was left out."""
        if any(opened == tag for opened, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        """Reads a text."""
        if self._open[-1][1]:
            self.texts.append(data)


def leftovers(page: str, language: str) -> list[str]:
    """Returns the texts of a page that hold English words."""
    seen = VisibleText(language)
    seen.feed(page)
    texts = [" ".join(ICELANDIC_OF.sub("", text).split() if language == "is" else text.split()) for text in seen.texts]
    return [text[:120] for text in texts if ENGLISH_WORDS.search(text)]


def test_leftovers_are_found() -> None:
    page = (
        '<html lang="sv"><p title="of it">Ett <b>drag</b><img alt="and so on"><p>with<pre>the</pre><p lang="en">the</p>'
    )
    assert leftovers(page, "sv") == ["of it", "and so on", "with"]
    assert leftovers('<html lang="is">of margir', "is") == []


def things(app: Flask, client: FlaskClient, me: Person) -> dict[str, object]:
    """Makes a thing for every page."""
    here: Container = app.extensions["cabildo"]
    appoint_administrator(here, AppointAdministrator(UUID(me.id)))
    finished, _, _ = a_finished_game(client)
    with here.stores.pool.connection() as connection:
        unsubscribe = urlsplit(unsubscribe_url(connection, here, UUID(me.id))).path
    study = begin(me, finished, visibility="public")
    study.say("4", "?")
    hall = Hall(app, STAGES, host=me, title="Ponce 2026", bots="random").open(bots=4)
    hall.direct("stages")
    hall.start()
    draft = Hall(app, STAGES, host=me, title="Ponce 2027")
    running = me.post("/v1/games", {"game": "puerto_rico", "seats": ["me", "bot:greedy", "bot:greedy"], **SEED})
    return {
        "player": me.id,
        "study": study.id,
        "tournament": hall.id,
        "game": running["id"],
        "/unsubscribe/<uuid:player>/<mark>": unsubscribe,
        "/rules/<string:name>": "/rules/puerto_rico",
        "/tournaments/<uuid:tournament>/draft": f"/tournaments/{draft.id}/draft",
        "/oauth/authorize": consent_address(app),
        "/games/<uuid:game>": f"/games/{finished}",
        "/games/<uuid:game>/embed": f"/games/{finished}/embed",
    }


def test_no_page_in_another_language_holds_english_words(app: Flask, client: FlaskClient) -> None:
    me = somebody(client)
    given = things(app, client, me)
    browser = app.test_client()
    browser.set_cookie(SESSION_COOKIE, open_session(app.extensions["cabildo"], me.id).secret)
    found, read = list[str](), 0
    for language in OTHERS:
        browser.set_cookie(LANGUAGE_COOKIE, language)
        for path in addresses(app, given):
            answer = browser.get(path)
            if "text/html" in answer.content_type:
                read += answer.status_code == 200
                found += [f"{language} {path}: {text}" for text in leftovers(answer.text, language)]
    assert read > 40 * len(OTHERS)
    assert found == [], "\n".join(found)

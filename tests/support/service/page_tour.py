"""A tour of all pages: every route of the application that shows one, about things that a director has made."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from flask import Flask
from playwright.sync_api import Page

from projections.rules.registry import GAMES
from service.moderation.administrators import AppointAdministrator, appoint_administrator
from service.notices.unsubscribe import unsubscribe_url
from service.pages.docs.contents import GUIDES
from service.web.responses import LANGUAGE_COOKIE
from tests.support.service.annotators import begin
from tests.support.service.browser_players import come_in
from tests.support.service.oauth_programs import consent_address
from tests.support.service.players import somebody
from tests.support.service.running_service import House
from tests.support.service.tournament_fixture import keep, play

# Routes without a page of their own: documents, files to keep, pictures, where a form leads.
DOCUMENTS: Final = {
    "docs.openapi_json",
    "static",
    "study_pages.report",
    "study_pages.text",
    "study_pages.markdown",
    "study_pages.analysed",
    "tournament_pages.sheet",
    "lobby.player_by_name",
    "share.picture_of",
    "invitations.picture",
    "oauth.about",
    "operations.alive",
    "operations.ready",
    "changelog.feed",
    "docs.problem_types",
    "docs.json_schema",
    "docs.markdown",
    "docs.picture",
    "docs.index",
    "docs.llms",
    "docs.llms_full",
}
OTHERS: Final = ("/v1/", "/log")  # the API, and files of the log
WORDS: Final = {  # values of parts of addresses
    **dict.fromkeys(("round", "number", "table", "entrant"), 1),
    "what": "email",
    "name": "spice_road",
    "guide": "playing",
    "subject": "moves",
}
CHOICE: Final = re.compile(r"<any\('?([\w-]+)[^)]*\):\w+>")
SEED: Final = {"chance": 0, "seed": "42" * 32}
STAGES: Final = [{"format": "swiss", "rounds": 2, "sizes": [4, 3]}]
SEND: Final = """async ([path, body]) => {
  const headers = {"Content-Type": "application/json", "X-CSRF-Token": document.querySelector("[name=csrf]").value};
  const answer = await fetch(path, {method: "POST", headers, body: JSON.stringify(body)});
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}"""
BOARD_SECONDS: Final = 20  # until the board of a page stands, on a busy machine
READY: Final = "() => document.readyState === 'complete' && !document.querySelector('#board[aria-busy]')"
FOLDED: Final = "details:not(.site-menu)"  # the menu of the site would lie over the page
UNFOLD: Final = f"() => {{ for (const folded of document.querySelectorAll('{FOLDED}')) folded.open = true; }}"
CLOSED: Final = (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)  # what a page answers those who may not see it
FEWEST_SUBJECTS: Final = 10


def speak(shown: Page, url: str, language: str) -> None:
    """Chooses the language of the pages, as the switch at their foot does."""
    shown.context.add_cookies([{"name": LANGUAGE_COOKIE, "value": language, "url": url}])


def send(shown: Page, path: str, body: Any = None) -> dict[str, Any]:
    """Send something with the session of the page."""
    answer: dict[str, Any] = shown.evaluate(SEND, [path, body or {}])
    return answer


def declared(shown: Page) -> str:
    """A tournament as it is declared; its id."""
    regulations = {"game": "spice_road", "chance": 0, "bots": "random", "stages": STAGES}
    return str(send(shown, "/v1/tournaments", {"title": "The open of Ponce", "regulations": regulations})["id"])


def played(shown: Page, house: House) -> str:
    """A tournament of which a round has been played and the next is to be paired; its id."""
    tournament, container = declared(shown), house.app.extensions["cabildo"]
    path = f"/v1/tournaments/{tournament}"
    send(shown, f"{path}/publication")
    for _ in range(4):
        send(shown, f"{path}/entrants", {"bot": True})
    for step in ("stages", "rounds", "rounds/current/publication", "rounds/current/start"):
        send(shown, f"{path}/{step}")
    keep(container)
    for _, table in container.tournaments.load(UUID(tournament)).known.games():
        play(container, UUID(table.game))
    keep(container)
    send(shown, f"{path}/rounds/current/closing")
    return tournament


def addresses(app: Flask, given: Mapping[str, object]) -> Iterator[str]:
    """Yields the address of every page. A new route whose parts are not given fails the tour."""
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.rule.startswith(OTHERS) or rule.endpoint in DOCUMENTS:
            continue
        path = str(given.get(rule.rule, CHOICE.sub(r"\1", rule.rule)))
        for name, value in {**WORDS, **given}.items():
            path = re.sub(rf"<(?:[^<>]*:)?{name}>", str(value), path)
        assert "<" not in path, f"say in PageTour what {rule.rule} is about, or that it is no page"
        yield path


class PageTour:
    """A director, who is an administrator too, with a thing for every page."""

    def __init__(self, shown: Page, house: House) -> None:
        self.shown, self._house = shown, house
        come_in(shown, house.url)
        me = str(shown.locator(".who").first.get_attribute("href")).rsplit("/", 1)[1]
        appoint_administrator(house.app.extensions["cabildo"], AppointAdministrator(UUID(me)))
        container = house.app.extensions["cabildo"]
        with container.stores.pool.connection() as connection:
            unsubscribe = urlsplit(unsubscribe_url(connection, container, UUID(me))).path
        study = begin(
            somebody(house.app.test_client()), house.games["five"], house.games["caravans"], visibility="public"
        )
        study.say("41", "Why here?")
        seats = ["me", "bot:greedy", "bot:greedy"]
        self.given: dict[str, object] = {
            "player": me,
            "/unsubscribe/<uuid:player>/<mark>": unsubscribe,
            "study": study.id,
            "tournament": played(shown, house),
            "game": send(shown, "/v1/games", {"game": "puerto_rico", "seats": seats, **SEED})["id"],
            "/rules/<string:name>": "/rules/puerto_rico",
            "/tournaments/<uuid:tournament>/draft": f"/tournaments/{declared(shown)}/draft",
            "/oauth/authorize": consent_address(house.app),
            "/games/<uuid:game>": f"/games/{house.games['expansions']}",
            "/games/<uuid:game>/embed": f"/games/{house.games['spice_road']}/embed?at=20",
        }

    def pages(self, paths: Iterable[str] | None = None, visitor: Page | None = None) -> Iterator[str]:
        """Opens one page after the other, with all its folded parts; yields its path.

        Without paths, that is all pages. Another visitor also sees pages that say why they are closed.
        """
        closed = CLOSED if visitor else ()
        for path in addresses(self._house.app, self.given) if paths is None else paths:
            if _opened(visitor or self.shown, self._house.url, path, closed):
                yield path

    def documents(self) -> list[str]:
        """Returns the pages of which the tour opens one of each kind: guides, formats, subjects, rules, lessons."""
        self.shown.goto(f"{self._house.url}/docs/reference")
        linked = self.shown.locator("main a[href^='/docs/reference/']")
        subjects = {str(link.get_attribute("href")).partition("#")[0] for link in linked.all()}
        assert len(subjects) > FEWEST_SUBJECTS
        lessons = [f"/{kind}/{game}" for kind in ("rules", "learn") for game in GAMES]
        return [*(guide.path for guide in GUIDES.values()), *sorted(subjects), *lessons]


def _opened(shown: Page, url: str, path: str, closed: Collection[int] = ()) -> int:
    """Opens a page with all its folded parts. Returns its status, or 0 for a document of another kind."""
    answered = shown.goto(url + path)
    assert answered is not None
    assert answered.status == HTTPStatus.OK or answered.status in closed, f"{answered.status} {path}"
    if "text/html" not in str(answered.header_value("content-type")):
        return 0
    shown.wait_for_function(READY, timeout=BOARD_SECONDS * 1_000)
    shown.evaluate(UNFOLD)
    return answered.status

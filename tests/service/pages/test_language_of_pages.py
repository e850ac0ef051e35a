"""A page is in one language: what its scripts ask for comes in the language of the page, not in the browser's."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, Request, Response, expect

from tests.support.running_program import PROJECT
from tests.support.service.annotators import a_finished_game
from tests.support.service.browser import DESKTOP, PHONE, page
from tests.support.service.browser_players import asked, come_in, sit_down
from tests.support.service.page_tour import PageTour, addresses, speak
from tests.support.service.players import somebody
from tests.support.service.running_service import House
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]

STATIC: Final = PROJECT / "service" / "pages" / "static"
LIBRARY: Final = "client"  # of the TypeScript client; scripts hand it their own addresses
SENT: Final = re.compile(r"(?<![.\w])(?:fetch|sendUntilAnswered)\((?!inLanguage\()([^,)]*)")
WITHOUT_WORDS: Final = {
    '"/docs/search.json"',  # the documentation is in English
    '"/log/policy"',
    '"/account/settings"',  # nobody reads the answer
}


class Asked:
    """What the scripts of a page have asked for, and in which languages they were answered."""

    def __init__(self, shown: Page) -> None:
        self.paths: set[str] = set()
        self.wrong: list[str] = []
        self._language = ""
        shown.on("request", self._note)
        shown.on("response", self._compare)

    def expect(self, language: str) -> None:
        """From now on the page is in this language."""
        self._language = language

    def _note(self, request: Request) -> None:
        if not self._is_of_script(request):
            return
        url = urlsplit(request.url)
        self.paths.add(url.path)
        if parse_qs(url.query).get("language") != [self._language]:
            self.wrong.append(f"{request.frame.url} asks {request.method} {request.url}")

    def _compare(self, response: Response) -> None:
        told = response.headers.get("content-language")
        if self._is_of_script(response.request) and told not in (None, self._language):
            self.wrong.append(f"{response.url} is answered in {told}")

    def _is_of_script(self, request: Request) -> bool:
        return bool(self._language) and request.resource_type in ("fetch", "xhr", "eventsource")


def in_language(paths: Iterator[str], language: str) -> Iterator[str]:
    """Yields the addresses of pages in a language."""
    for path in paths:
        address, _, place = path.partition("#")
        yield f"{address}{'&' if '?' in address else '?'}language={language}{place and f'#{place}'}"


@pytest.mark.timeout(300)
def test_scripts_of_every_page_ask_in_its_language(house: House, opened: Browser) -> None:
    with page(opened, PHONE, forgiving=("404",)) as shown:
        tour = PageTour(shown, house)
        speak(shown, house.url, "en")
        told = Asked(shown)
        told.expect("is")
        seen = 0
        for _ in tour.pages(in_language(addresses(house.app, tour.given), "is")):
            seen += 1
            assert shown.locator("html").get_attribute("lang") == "is", shown.url
        assert seen > 40
        assert len(told.paths) > 20
        assert not told.wrong, "\n".join(told.wrong)


def test_a_table_in_the_language_of_its_address_stays_in_it(house: House, opened: Browser) -> None:
    other = somebody(house.app.test_client())
    with page(opened, DESKTOP) as shown:
        come_in(shown, house.url)
        game = sit_down(shown, house.url, "spice_road", "open")
        speak(shown, house.url, "hu")
        told = Asked(shown)
        told.expect("en")
        shown.goto(f"{house.url}/games/{game}/play?language=en")
        other.join(game)  # the table hears of it, and of each move, by its stream
        asked(shown, "Your turn")
        shown.locator("#panel [data-move='play create_2']").click()
        expect(shown.locator("#prompt")).to_contain_text("Waiting for")
        other.move(game, "play create_2")
        asked(shown, "play a card")
        expect(shown.locator("#panel [data-move='rest']")).to_contain_text("take all played cards")
        expect(shown.locator("#log")).to_contain_text(f"{other.name} played “create 2”: took 2 turmeric")
        assert {f"/v1/games/{game}/{what}" for what in ("legal", "moves", "events")} <= told.paths
        assert not told.wrong, "\n".join(told.wrong)


def test_every_request_of_a_script_names_the_language() -> None:
    sent = {
        (str(script.relative_to(STATIC)), address)
        for script in STATIC.rglob("*.js")
        if script.parent.name != LIBRARY
        for address in SENT.findall(script.read_text("utf-8"))
    }
    assert [(script, address) for script, address in sorted(sent) if address not in WITHOUT_WORDS] == []


PARTS: Final = ("", "/legal", "/position", "/replay", "/talk")


def test_an_answer_in_another_language_is_not_the_kept_one(client: FlaskClient) -> None:
    game, _, _ = a_finished_game(client)
    for part in PARTS:
        path = f"/v1/games/{game}{part}"
        kept = client.get(f"{path}?language=hu")
        again = client.get(f"{path}?language=cs", headers={"If-None-Match": kept.headers.get("ETag", "none")})
        if again.status_code == 304:
            assert client.get(f"{path}?language=cs").data == kept.data
        else:
            assert again.headers["Content-Language"] == "cs"


def test_a_list_in_another_language_is_the_same_list(client: FlaskClient) -> None:
    assert client.get("/ratings?language=sv").status_code == 200
    assert 'id="open-title"' in client.get("/lobby?language=sv").text  # the lists, not the results of a search


def test_a_page_that_leads_on_keeps_the_language_of_its_address(client: FlaskClient) -> None:
    for path, leads_to in (
        ("/mine?language=hu", "/login?next=%2Fmine%3Flanguage%3Dhu&language=hu"),
        ("/docs/formats/playing?language=hu", "/docs/guides/playing?language=hu"),
        ("/mine", "/login?next=%2Fmine"),
    ):
        assert client.get(path).headers["Location"] == leads_to

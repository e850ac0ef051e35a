"""The pages of reports and of administrators in a browser: at every width, in every language, without barriers."""

from uuid import UUID, uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from service.moderation.administrators import AppointAdministrator, appoint_administrator
from tests.support.service.administrators import administrator, block
from tests.support.service.annotators import Study, a_finished_game, begin
from tests.support.service.browser import DESKTOP, LOCALES, PHONE, ZOOMED, barriers, page, picture
from tests.support.service.page_layout import SIZES
from tests.support.service.players import Person, somebody
from tests.support.service.running_service import House
from tests.support.service.scriptless_browser import PASSWORD

WIDTH = "document.documentElement.scrollWidth"


def come_in(shown: Page, house: House) -> None:
    """Registers a player who is appointed."""
    shown.goto(f"{house.url}/register")
    shown.fill("#name", name := f"Guðrún {uuid4().hex[:12]}x")
    shown.fill("#password", PASSWORD)
    shown.locator("main button.main").click()
    expect(shown.locator(".who")).to_have_text(name)
    player = UUID(str(shown.locator(".who").get_attribute("href")).rpartition("/")[2])
    appoint_administrator(house.app.extensions["cabildo"], AppointAdministrator(player))


def rude(house: House) -> tuple[Person, Study, int]:
    """A player who wrote a rude comment, which another one reports, the study and the comment."""
    author, reporter = somebody(house.app.test_client()), somebody(house.app.test_client())
    study = begin(author, a_finished_game(author.client)[0], title="The opening with the caravan", visibility="public")
    comment = study.say("5", f"You play like {'a' * 60} donkey, and nobody likes you.")
    for about, id, number in (("comment", study.id, comment), ("player", author.id, 0)):
        body = {"about": about, "id": id, "number": number, "kind": "abuse", "text": "He insults the players. " * 8}
        reporter.post("/v1/reports", body)
    block(administrator(house.app), author.id, "insults")
    return author, study, comment


@pytest.mark.parametrize("locale", LOCALES)
def test_pages_have_no_barriers_and_fit_every_width(house: House, opened: Browser, locale: str) -> None:
    author, study, _ = rude(house)
    with page(opened, DESKTOP, locale=locale) as shown:
        come_in(shown, house)
        for name, path in (
            ("reports", "/admin"),
            ("player", f"/admin/players?name={author.id}"),
            ("texts", f"/admin/texts?id={study.id}"),
            ("games", "/admin/games"),
            ("record", "/admin/record"),
            ("report-form", f"/reports?about=study&id={study.id}"),
        ):
            shown.goto(house.url + path)
            for closed in shown.locator("main summary").all()[:3]:
                closed.click()
            for size in (*SIZES, ZOOMED):
                shown.set_viewport_size(size)
                assert shown.evaluate(WIDTH) <= size["width"], (path, size)
                picture(shown, f"admin-{name}-{locale[:2]}-{size['width']}")
            assert barriers(shown) == [], path


def test_dark_page_has_no_barriers(house: House, opened: Browser) -> None:
    rude(house)
    with page(opened, PHONE, dark=True) as shown:
        come_in(shown, house)
        shown.goto(f"{house.url}/admin")
        picture(shown, "admin-dark")
        assert barriers(shown) == []


def test_a_study_that_is_read_shows_the_notice_within_moments(house: House, opened: Browser) -> None:
    _, study, comment = rude(house)
    admin = administrator(house.app)
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/studies/{study.id}#1/5")
        said = shown.locator("#said")
        expect(said).to_contain_text("donkey")
        body = {"about": "comment", "id": study.id, "number": comment, "reason": "insult"}
        admin.post("/v1/admin/hidden-texts", body)
        expect(said).to_contain_text("hidden by an administrator")
        expect(said).not_to_contain_text("donkey")
        admin.post("/v1/admin/shown-texts", body)
        expect(said).to_contain_text("donkey")

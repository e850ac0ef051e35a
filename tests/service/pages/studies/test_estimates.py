"""The computer's estimates on the page of a study, in a real browser."""

from playwright.sync_api import Browser, expect

from service.container import Container
from service.games.house_bots import VERSIONS
from tests.support.running_program import PATIENCE
from tests.support.service.browser import DESKTOP, barriers, page, picture
from tests.support.service.players import answer
from tests.support.service.running_service import House
from tests.support.service.study_pages import of, shown, writing
from workers import analysis_job


def test_the_computer_is_asked_and_its_estimates_are_charted(house: House, opened: Browser) -> None:
    container: Container = house.app.extensions["cabildo"]
    with page(opened, DESKTOP) as watched:
        made = writing(house, watched)
        watched.goto(f"{house.url}/studies/{made.id}#1/30")
        shown(watched, "30")
        watched.get_by_role("button", name="Let the computer analyse the game").click()
        expect(watched.locator("#estimate progress")).to_be_visible()
        with container.stores.pool.connection() as connection:
            row = connection.execute(
                "UPDATE analyses SET steps = 8 WHERE game = %s RETURNING id", (of(made),)
            ).fetchone()
        assert row is not None
        assert not analysis_job.review(container, row[0], PATIENCE)
        expect(watched.locator("#estimate .shares svg")).to_be_visible()
        expect(watched.locator("#estimate progress")).to_be_hidden()
        expect(watched.locator("#estimate .estimate")).to_contain_text("8 steps a decision")
        decisions = answer(made.person.ask("GET", f"/v1/analyses/{row[0]}"), 200)["decisions"]
        for enough, sight in (
            (False, "#estimate p:text('too few to compare the moves here')"),
            (True, "#estimate .weighed"),
        ):
            place = next(str(one["version"]) for one in decisions if one["enough"] is enough)
            watched.goto(f"{house.url}/studies/{made.id}#1/{place}")
            shown(watched, place)
            expect(watched.locator(sight)).to_have_count(1)
        expect(watched.locator("#estimate .weighed")).to_contain_text("(played)")
        assert made.chapter()["notes"] == {}
        watched.get_by_text("Ask for an analysis").click()
        watched.get_by_label("Steps a decision").fill("1000")
        watched.get_by_role("button", name="Let the computer analyse the game").click()
        watched.get_by_role("button", name="Cancel").click()
        older = watched.get_by_label("Analyses of this game").locator("option")
        expect(older).to_contain_text(["(cancelled)", f"8 steps, seed {'0' * 16}: search {VERSIONS['search']} (done)"])
        watched.get_by_label("Analyses of this game").select_option(str(row[0]))
        expect(watched.locator("#estimate .shares svg")).to_be_visible()
        picture(watched, "study-estimate")
        assert barriers(watched) == []
        for link in ("Markdown", "Take it home as Markdown"):
            address = watched.get_by_role("link", name=link, exact=True).get_attribute("href")
            told = watched.request.get(f"{house.url}{address}")
            assert (told.status, told.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
        swings = watched.locator("#estimate .swings li").count()
        for take_over in watched.get_by_role("button", name="Take the swings over").all():
            take_over.click()
        expect(watched.locator("#moves .said")).to_have_count(swings)

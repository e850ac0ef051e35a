"""A study of an imported game shows what its record says beside the moves."""

from playwright.sync_api import Browser, expect

from tests.service.games.test_written_records import record
from tests.support.service.annotators import begin
from tests.support.service.browser import DESKTOP, page
from tests.support.service.players import somebody
from tests.support.service.running_service import House


def test_a_chapter_of_an_imported_game_shows_the_records_comments(house: House, opened: Browser) -> None:
    scribe = somebody(house.app.test_client())
    game = scribe.post("/v1/games/import", {"record": record()})["id"]
    steps = scribe.client.get(f"/v1/games/{game}/replay?positions=false").get_json()["steps"]
    made = begin(scribe, game, title="Club night", visibility="public")
    with page(opened, DESKTOP) as watched:
        watched.goto(f"{house.url}/studies/{made.id}#1/{steps[1]['version']}")
        expect(watched.locator("#said .written .prose")).to_have_text(["White to begin", "a surprise"])
        expect(watched.locator("#said .written header").first).to_have_text("From the record")
        expect(watched.locator(f'#moves [data-place="{steps[1]["version"]}"] .said')).to_have_text("❝2")
        watched.get_by_role("button", name="Next annotated move").click()
        expect(watched.locator("#said .written .prose")).to_have_text(["slow"])

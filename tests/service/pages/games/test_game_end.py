"""What the pages show of a game that is over: the points of every player by what they come from."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.support.service.browser import DESKTOP, PHONE, barriers, page, picture
from tests.support.service.browser_players import PASSWORD, log_in
from tests.support.service.players import Person, in_turn
from tests.support.service.running_service import House


def table(points: Locator) -> dict[str, list[str]]:
    """Returns the rows of a table of points by their label."""
    expect(points).to_be_visible()
    rows = [row.locator("th, td").all_inner_texts() for row in points.locator("tbody tr").all()]
    return {label: numbers for label, *numbers in rows}


def final(house: House, game: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Returns the scores and the result of a game from the API."""
    client = house.app.test_client()
    steps = client.get(f"/v1/games/{game}/replay?positions=false").get_json()["steps"]
    return steps[-1]["scores"], client.get(f"/v1/games/{game}").get_json()["result"]


def told(numbers: list[int]) -> list[str]:
    """Numbers as a page shows them."""
    return [str(number) for number in numbers]


@pytest.mark.parametrize("name", ["expansions", "five", "puerto_rico"])
def test_the_end_of_puerto_rico_shows_points_by_kind(house: House, opened: Browser, name: str) -> None:
    scores, result = final(house, house.games[name])
    with page(opened, PHONE) as shown:
        shown.goto(house.replay(name))
        rows = table(shown.locator("#end .points"))
        assert rows["victory point chips"] == told([score["items"]["vp_chips"] for score in scores])
        assert rows["buildings"] == told([score["items"]["buildings"] for score in scores])
        assert rows["total"] == told(result["points"])
        assert rows["place"] == [f"{place}." for place in result["places"]]
        bonuses = {building for score in scores for building in score["bonuses"]}
        assert sum(label.startswith("bonus: ") for label in rows) == len(bonuses)
        assert ("nobles" in rows) == any(score["items"]["nobles"] for score in scores)
        tied = result["points"].count(max(result["points"])) > 1
        expect(shown.locator(".decided li").first).to_contain_text(
            re.compile("equal points|share" if tied else "won by")
        )
        chips = shown.locator('#end .made[data-kind="vp_chips"]').first
        chips.click()
        made = shown.locator("#end .made-by li")
        summed = sum(int(line.replace("−", "-")) for line in made.locator("b").all_inner_texts())
        assert str(summed) == chips.inner_text()
        assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        picture(shown, f"points-{name}-phone")
        made.first.locator("a").click()  # leads to the move
        expect(shown.locator("#end .points")).to_have_count(0)


def test_the_log_says_who_resigned_and_how_the_game_ended(house: House, table_house: str, opened: Browser) -> None:
    host, guest = Person(house.app.test_client(), "Ingunn"), Person(house.app.test_client(), "Olga of Rey")
    host.ask("PATCH", "/v1/me", {"password": PASSWORD})
    game = host.create("me", "open", leaver="forfeit")["id"]
    guest.join(game)
    guest.post(f"/v1/games/{game}/resign")
    with page(opened, DESKTOP) as shown:
        log_in(shown, table_house, host.name)
        for language, ends in (("en", "The game ended: only one player was left"), ("sv", "bara en spelare var kvar")):
            shown.goto(f"{table_house}/games/{game}/play?language={language}")
            expect(shown.locator("#log .note").first).to_contain_text("Olga of Rey")
            expect(shown.locator("#log .note").last).to_contain_text(ends)


def test_who_resigned_asks_for_a_rematch_at_the_table(house: House, table_house: str, opened: Browser) -> None:
    host, guest = (Person(house.app.test_client(), name, password=PASSWORD) for name in ("Signy", "Thorir"))
    game = host.create("me", guest.id, leaver="forfeit")["id"]
    guest.join(game)
    guest.post(f"/v1/games/{game}/resign")
    with page(opened, PHONE) as shown:
        log_in(shown, table_house, guest.name, next=f"/games/{game}/play")
        shown.locator("#end").get_by_role("button", name="Play again").click()
        shown.wait_for_url(lambda address: address.endswith("/play") and game not in address)


def test_the_end_of_spice_road_shows_points_by_kind(house: House, opened: Browser) -> None:
    scores, result = final(house, house.games["caravans"])
    with page(opened, DESKTOP) as shown:
        shown.goto(house.replay("caravans"))
        rows = table(shown.locator("#end .points"))
        kinds = {"point cards": "point_cards", "gold coins": "gold", "silver coins": "silver", "cubes": "cubes"}
        for label, kind in kinds.items():
            assert rows[label] == told([score[kind] for score in scores])
        assert rows["total"] == told(result["points"])
        assert barriers(shown) == []
        picture(shown, "points-caravans")


def test_the_play_page_ends_with_points_by_kind(house: House, table_house: str, opened: Browser) -> None:
    app = house.app.test_client()
    anna, birgir = (Person(app, f"{name} at the end", password=PASSWORD) for name in ("Anna", "Birgir"))
    game = anna.create("me", birgir.id, leaver="forfeit")["id"]
    first, second = in_turn(birgir.join(game), anna, birgir)
    for move in ("play create_2", "play upgrade_2 y>r y>r"):
        for person in (first, second):
            person.move(game, move)
    with page(opened, DESKTOP) as shown:
        log_in(shown, table_house, first.name, next=f"/games/{game}/play")
        expect(shown.locator("body.mine #prompt")).to_contain_text("play a card")
        second.post(f"/v1/games/{game}/resign")
        expect(shown.locator("#prompt")).to_have_text("You have won!")
        scores, _ = final(house, game)
        rows = table(shown.locator("#end .points"))
        assert rows["cubes"] == told([score["cubes"] for score in scores])
        assert rows["place"] == ["1.", "2."]
        picture(shown, "points-on-the-play-page")
        expect(shown.locator("#end svg .line")).to_have_count(2)  # the curve
        cubes = shown.locator('#end .made[data-kind="cubes"]').first
        cubes.click()
        made = shown.locator("#end .made-by li")
        assert sum(int(line.replace("−", "-")) for line in made.locator("b").all_inner_texts()) == int(
            cubes.inner_text()
        )
        moment = made.first.locator("a").get_attribute("href")
        assert re.fullmatch(rf"/games/{game}#\d+", moment or "")
        expect(shown.get_by_role("link", name="Study")).to_have_attribute("href", f"/studies?game={game}")
        shown.locator("#end").get_by_role("button", name="Share").click()
        expect(shown.locator("#end")).to_contain_text("✓ Link copied")
        shown.get_by_role("button", name="Analyse").click()
        shown.wait_for_url("**/studies/*")
        expect(shown.locator("h1")).to_contain_text("Century: Spice Road")
        shown.goto(f"{table_house}/games/{game}")  # the replay asks for another game, too
        shown.locator("#end").get_by_role("button", name="Play again").click()
        shown.wait_for_url(re.compile(rf"/games/(?!{game})[0-9a-f-]+/play"))


def test_guests_are_led_to_an_account_that_may_analyse(house: House, table_house: str, opened: Browser) -> None:
    with page(opened, PHONE) as shown:
        shown.goto(table_house)
        shown.locator("form[action='/play-now'] button").first.click()
        shown.wait_for_url("**/play")
        shown.goto(house.replay("spice_road"))
        for name in ("Analyse", "Study"):
            link = shown.locator("#end").get_by_role("link", name=name)
            expect(link).to_have_attribute("href", f"/keep?next=%2Fgames%2F{house.games['spice_road']}")
        shown.locator("#end").get_by_role("link", name="Analyse").click()
        expect(shown.locator("input[name=next]")).to_have_value(f"/games/{house.games['spice_road']}")

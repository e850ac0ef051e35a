"""Boards that hold more than games have shown are readable and whole, too: layouts do not depend on what is dealt."""

from playwright.sync_api import Browser, Page, Route, expect

from tests.support.service.browser import DESKTOP, page, picture
from tests.support.service.page_layout import SIZES, fits
from tests.support.service.running_service import House

GOODS = ("corn", "indigo", "sugar", "tobacco", "coffee")
SPICES = ("turmeric", "saffron", "cardamom", "cinnamon")
CROWD = 24  # people in one place
MANY = 188  # points, doubloons
ISLAND = 12  # places


def test_a_full_table_of_puerto_rico_is_readable_and_whole(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.route("**/position?*", filled_puerto_rico)
        opened_at(shown, house, "five")
        assert shown.locator("[data-part=colonist_ship] circle").count() >= CROWD
        fits(shown, "a full table of Puerto Rico")
        pictured(shown, "full-puerto-rico")


def test_a_full_table_of_spice_road_is_readable_and_whole(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.route("**/position?*", filled_spice_road)
        opened_at(shown, house, "caravans")
        fits(shown, "a full table of Spice Road")
        pictured(shown, "full-spice-road")


def opened_at(shown: Page, house: House, name: str) -> None:
    """Opens the end of a game, with its cities built."""
    shown.goto(house.replay(name))
    expect(shown.locator("#board:not([aria-busy]) .mat").first).to_be_attached()


def pictured(shown: Page, name: str) -> None:
    for size in SIZES:
        shown.set_viewport_size(size)
        picture(shown, f"{name}-{size['width']}")


def filled_puerto_rico(route: Route) -> None:
    """Answers a board with as much of everything as there is room and words for."""
    position = route.fetch().json()
    position["colonists"] = {"ship": CROWD, "supply": CROWD * 4}
    position["plantations"] |= {"quarries": 8, "forests": ISLAND}
    position["trading_house"] = list(GOODS[:4])
    for ship in position["ships"]:
        ship |= {"good": "tobacco", "loaded": ship["capacity"]}
    for card in position["roles"].values():
        card["doubloons"] = 0 if card["taken_by"] is not None else 12
    for player in position["players"]:
        player |= {"doubloons": MANY, "vp_chips": MANY, "goods": dict.fromkeys(GOODS, 11)}
        player["island"] = [{"tile": "tobacco", "colonists": 1, "nobles": 0}] * ISLAND
        player["san_juan"] = {"colonists": CROWD, "nobles": 3}
    route.fulfill(json=position)


def filled_spice_road(route: Route) -> None:
    """Answers a board with full caravans, long hands and cubes on all cards but the last."""
    position = route.fetch().json()
    cards = [spot["card"] for spot in position["merchant_row"]]
    for spot in position["merchant_row"][:-1]:
        spot["cubes"] = dict.fromkeys(SPICES, 3)
    for player in position["players"]:
        player["caravan"] = {"turmeric": 4, "saffron": 2, "cardamom": 2, "cinnamon": 2}
        player |= {"gold": 12, "silver": 12, "hand": cards * 3, "played": cards * 2}
        player["point_cards"] = position["point_row"]
        player |= {"hand_count": len(cards) * 3, "point_card_count": len(position["point_row"])}
    route.fulfill(json=position)

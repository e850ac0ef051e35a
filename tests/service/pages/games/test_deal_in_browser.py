"""Committed chance from a browser: its secret, its promises, and games of levels 2 and 3 that anybody can verify."""

import json
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from cabildo_client.secrets import ClientSecrets
from playwright.sync_api import Browser, Page, expect

from events.log.bundle import Bundle
from projections.games import chance
from projections.verify.bundle import verify
from tests.support.service.browser import DESKTOP, barriers, page, picture
from tests.support.service.browser_players import asked, come_in, first_by_mouse, log_in, step
from tests.support.service.running_service import House, keep

DERIVED = """async ([secret, game, chair]) => {
  const {chainOf, commitmentOf, entropyOf} = await import("/static/play/vault.js");
  const entropy = await entropyOf(secret, game, chair);
  return [entropy, await commitmentOf(game, chair, entropy), await chainOf(secret, game, chair)];
}"""
TURN = "play a card"


def test_a_browser_derives_what_the_python_client_derives(house: House, opened: Browser, tmp_path: Path) -> None:
    vault, game, chair = ClientSecrets(tmp_path), uuid4(), 3
    with page(opened, DESKTOP) as shown:
        shown.goto(house.url)
        secret = (tmp_path / "secret").read_bytes().hex()
        entropy, commitment, chain = shown.evaluate(DERIVED, [secret, str(game), chair])
    assert bytes.fromhex(entropy) == vault.entropy(game, chair)
    assert bytes.fromhex(commitment) == chance.entropy_commitment(game, chair, vault.entropy(game, chair))
    assert [bytes.fromhex(link) for link in chain] == vault.chain(game, chair)


@pytest.mark.parametrize("level", [2, 3])
def test_a_person_binds_the_deal_plays_reloads_and_goes_on(
    house: House, table_house: str, opened: Browser, level: int, tmp_path: Path
) -> None:
    with page(opened, DESKTOP, forgiving=["409 (CONFLICT)"]) as shown:  # asked for before the log has sealed
        name = come_in(shown, table_house)
        game = a_bound_table(shown, house, level)
        for _ in range(2):
            step(shown, first_by_mouse)
            asked(shown, TURN)
        shown.reload()
        asked(shown, TURN)
        step(shown, first_by_mouse)
        asked(shown, TURN)
        if level == chance.ChanceLevel.CHAINED:
            goes_on_elsewhere(shown, table_house, opened, name, tmp_path / "secret.txt")
        shown.get_by_role("button", name="Resign").click()
        shown.get_by_role("dialog").get_by_role("button", name="Resign").click()
        expect(shown.locator("#end")).to_contain_text("won because the others left the game")
    keep(house.environ)
    data = httpx.get(f"{house.url}/v1/games/{game}/bundle").content
    report = verify(data, None)
    assert report.failure is None
    bound = next(answer for answer in report.answers if answer.code == "V5")
    foreseen = ["level"] if level < chance.ChanceLevel.CHAINED else []
    assert [found.reason for found in bound.findings] == [*foreseen, "absent"]  # the bot of the house brings nothing
    events = [json.loads(body) for body in Bundle.read(data).events]
    assert events[0]["data"]["level"] == level
    own = [event["data"] for event in events if event["kind"] == "moved" and "bot" not in event["data"]]
    assert len(own) >= 3
    assert all(("link" in move) == (level == chance.ChanceLevel.CHAINED) for move in own)


def a_bound_table(shown: Page, house: House, level: int) -> str:
    """Creates a game against a bot with the form; the log seals the commitments, and the game starts."""
    shown.goto(f"{house.url}/games/new?game=spice_road")
    for at, chair in enumerate(("me", "bot:random", "")):
        shown.select_option(f"[name=seat{at}]", chair)
    shown.get_by_text("More options").click()
    shown.select_option("[name=chance]", str(level))
    shown.select_option("[name=leaver]", "forfeit")
    shown.get_by_role("button", name="Open the table").click()
    expect(shown.locator(".room")).to_contain_text("Waiting for what the seats bring")
    expect(shown.locator(".room")).to_contain_text("Your browser brings a secret to the deal")
    keep(house.environ)
    asked(shown, TURN)
    return shown.url.split("/")[-2]


def goes_on_elsewhere(shown: Page, house: str, opened: Browser, name: str, file: Path) -> None:
    """Save the secret, and play a move with another browser that restores it."""
    shown.locator("#secret summary").click()
    picture(shown, "play-secret")
    with shown.expect_download() as saved:
        shown.get_by_role("button", name="Save the secret").click()
    saved.value.save_as(file)
    with page(opened, DESKTOP) as elsewhere:
        log_in(elsewhere, house, name)
        elsewhere.goto(shown.url)
        expect(elsewhere.locator("#secret")).to_contain_text("does not have the secret of your seat")
        assert barriers(elsewhere) == []
        elsewhere.locator("#secret input[type=file]").set_input_files(file)
        expect(elsewhere.locator("#secret")).to_contain_text("Save the secret")
        step(elsewhere, first_by_mouse)
        asked(elsewhere, TURN)

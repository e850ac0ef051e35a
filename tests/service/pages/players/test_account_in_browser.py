"""The page of the account in a browser: at every width, for keyboard and screen reader, with its copy buttons."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.service.browser import DESKTOP, LOCALES, PHONE, ZOOMED, barriers, page, picture
from tests.support.service.page_layout import SIZES
from tests.support.service.running_service import House
from tests.support.service.scriptless_browser import PASSWORD

CLIPBOARD = ["clipboard-read", "clipboard-write"]
PUBLIC = "http://127.0.0.1:8080"  # the public address of the service, whatever port it has here
WIDTH = "document.documentElement.scrollWidth"


def come_in(shown: Page, house: House) -> str:
    """Registers; returns the name."""
    name = f"Guðrún{'m' * 14}{uuid4().hex[:12]}"  # without a place to break
    shown.goto(f"{house.url}/register")
    shown.fill("#name", name)
    shown.fill("#password", PASSWORD)
    shown.locator("main button.main").click()
    expect(shown.locator(".who")).to_have_text(name)
    return name


def open_account(shown: Page, house: House, where: str = "") -> None:
    shown.goto("about:blank")
    shown.goto(f"{house.url}/account{where}")


@pytest.mark.parametrize("locale", LOCALES)
def test_page_has_no_barriers_and_fits_every_width(house: House, opened: Browser, locale: str) -> None:
    with page(opened, DESKTOP, locale=locale) as shown:
        come_in(shown, house)
        open_account(shown, house)
        shown.locator("#second-factor button").click()
        expect(shown.locator("#second-factor .qr svg")).to_be_visible()
        for closed in shown.locator("main summary").all():
            closed.click()
        for size in (*SIZES, ZOOMED):
            shown.set_viewport_size(size)
            assert shown.evaluate(WIDTH) <= size["width"], size
            picture(shown, f"account-{locale[:2]}-{size['width']}")
        assert barriers(shown) == []


def test_dark_page_has_no_barriers(house: House, opened: Browser) -> None:
    with page(opened, PHONE, dark=True) as shown:
        come_in(shown, house)
        open_account(shown, house)
        shown.get_by_role("button", name="Make new codes").click()
        expect(shown.locator("#codes li")).to_have_count(8)
        picture(shown, "account-dark")
        assert barriers(shown) == []


def test_token_is_made_by_keyboard_and_copied(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.context.grant_permissions(CLIPBOARD)
        come_in(shown, house)
        shown.get_by_role("link", name="Account", exact=True).press("Enter")
        shown.get_by_role("link", name="Tokens", exact=True).press("Enter")
        expect(shown).to_have_url(f"{house.url}/account#tokens")
        shown.get_by_label("Label").focus()
        shown.keyboard.type("my bot")
        shown.keyboard.press("Enter")
        secret = shown.locator("#secret")
        expect(secret).to_have_text(re.compile(r"^cab_\S+$"))
        expect(secret).to_be_in_viewport()
        shown.get_by_role("button", name="Copy: the token").press("Enter")
        expect(shown.get_by_text("✓ Copied")).to_be_visible()
        assert shown.evaluate("navigator.clipboard.readText()") == secret.text_content()
        shown.get_by_role("button", name="Copy: the command").press("Enter")
        expect(shown.get_by_text("✓ Copied")).to_have_count(2)
        command = shown.evaluate("navigator.clipboard.readText()")
        assert command == f"printf 'Authorization: Bearer {secret.text_content()}\\n' | curl -s {PUBLIC}/v1/me -H @-"
        assert barriers(shown) == []
        picture(shown, "account-token")


def test_text_is_selected_where_the_browser_forbids_to_copy(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        come_in(shown, house)
        open_account(shown, house)
        shown.get_by_role("button", name="Make the token").click()
        shown.get_by_role("button", name="Copy: the token").click()
        expect(shown.get_by_text("The text is selected")).to_be_visible()
        assert shown.evaluate("getSelection().toString()") == shown.locator("#secret").text_content()


def test_fault_is_told_in_its_section_and_export_is_downloaded(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP, forgiving=("422",)) as shown:
        name = come_in(shown, house)
        open_account(shown, house)
        with shown.expect_download() as begun:
            shown.get_by_role("button", name="Download everything").click()
        assert begun.value.suggested_filename == "cabildo-account.zip"
        deletion = shown.locator("#deletion")
        deletion.get_by_text("Delete the account").last.click()
        deletion.get_by_label(f"Type your name, {name}").fill("not my name")
        deletion.get_by_label("Present password").fill(PASSWORD)
        deletion.get_by_role("button", name="Delete", exact=True).click()
        expect(deletion.get_by_role("alert")).to_be_in_viewport()
        assert barriers(shown) == []
        deletion.get_by_label(f"Type your name, {name}").fill(name)
        deletion.get_by_label("Present password").fill(PASSWORD)
        deletion.get_by_role("button", name="Delete", exact=True).click()
        expect(shown.get_by_role("link", name="Register").first).to_be_visible()

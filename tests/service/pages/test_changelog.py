"""The changelog is a page in five languages and a feed; another page says what the API promises."""

import re
from datetime import date
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser

from service.pages.docs.own_documents import DOCUMENTS, to_html
from service.pages.site.changelog import MOST_ENTRIES, changes
from service.web.openapi.deprecation import DEPRECATED
from tests.support.service.browser import PHONE, barriers, page
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]  # shared by the tests of this module
ATOM = "{http://www.w3.org/2005/Atom}"
TITLES = {"en": "Changelog", "is": "Breytingaskrá", "sv": "Ändringslogg", "cs": "Seznam změn", "hu": "Változásnapló"}


@pytest.mark.parametrize("language", TITLES)
def test_the_page_speaks_the_language_of_the_reader(client: FlaskClient, language: str) -> None:
    page = client.get("/changelog", headers={"Accept-Language": language}).text
    assert f"<h1>{TITLES[language]}</h1>" in page
    assert '<article class="written" lang="en">' in page
    assert 'id="010-not-yet-released"' in page


def test_every_page_leads_to_the_changelog(client: FlaskClient) -> None:
    assert '<a href="/changelog">Changelog</a>' in client.get("/").text


def test_every_version_has_its_day() -> None:
    text = (DOCUMENTS / "changelog.md").read_text()
    dated = re.findall(r"^## .+\n\n\*\d{4}-\d\d-\d\d\*$", text, re.MULTILINE)
    assert len(dated) == len(re.findall(r"^## ", text, re.MULTILINE)) > 0


def test_the_feed_has_every_change_and_the_deprecations(client: FlaskClient) -> None:
    answer = client.get("/changelog.atom")
    assert answer.mimetype == "application/atom+xml"
    feed, page = ET.fromstring(answer.data), client.get("/changelog").text
    entries = feed.findall(f"{ATOM}entry")
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert len(set(ids)) == len(ids)
    assert {f"urn:cabildo:changelog:deprecated:{name}" for name in DEPRECATED} <= {*ids}
    written = (DOCUMENTS / "changelog.md").read_text()
    of_versions = [id for id in ids if id and ":deprecated:" not in id]
    assert len(of_versions) == len(re.findall(r"^- ", written, re.MULTILINE)) > 100
    assert len(ids) < MOST_ENTRIES
    for entry in entries:
        link = entry.find(f"{ATOM}link")
        assert link is not None
        assert f'id="{link.get("href", "").partition("#")[2]}"' in page
        assert entry.findtext(f"{ATOM}content")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT00:00:00Z", entry.findtext(f"{ATOM}updated") or "")


def test_a_new_line_of_a_section_is_a_new_entry_and_leaves_the_others() -> None:
    written = "\n### API\n\n- One change of\n  two lines.\n\n- Another\n  change.\n\n### Pages\n\n- A page.\n"
    before = [*changes("0.1.0", date(2026, 11, 19), written)]
    after = [*changes("0.1.0", date(2026, 11, 19), written.replace("- Another", "- A `new` one.\n- Another"))]
    assert [entry.title for entry in before] == [
        "0.1.0, API: One change of two lines.", "0.1.0, API: Another change.", "0.1.0, Pages: A page."
    ]  # fmt: skip
    (new,) = (entry for entry in after if entry not in before)
    assert [entry for entry in after if entry != new] == before
    assert (new.anchor, new.html) == ("api", "<p>A <code>new</code> one.</p>\n")
    assert len({entry.id for entry in after}) == 4


def test_the_promise_is_a_page(client: FlaskClient) -> None:
    page = client.get("/compatibility").text
    assert '<h1 id="what-v1-promises">' in page
    assert 'href="/changelog"' in page


def test_links_lead_to_pages_or_nowhere() -> None:
    html = to_html("[a](changelog.md#api) [b](../deploy.sh) [c](https://example.org/) <script>")
    assert '<a href="/changelog#api">a</a> b <a href="https://example.org/">c</a>' in html
    assert "<script>" not in html


@pytest.mark.parametrize("path", ["/changelog"])
def test_the_pages_fit_a_phone_and_have_no_barriers(client: FlaskClient, opened: Browser, path: str) -> None:
    html = re.sub(r"<(?:script|link)[^>]*>(?:</script>)?", "", client.get(path).text)
    style = (Path(client.application.static_folder or "") / "site.css").read_text()
    with page(opened, PHONE) as shown:
        shown.set_content(html.replace("</head>", f"<style>{style}</style></head>"))
        assert shown.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        assert barriers(shown) == []

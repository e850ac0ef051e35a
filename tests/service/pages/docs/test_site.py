"""The documentation as a site: no link or anchor is dead, every document is served, everything can be found."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from flask.testing import FlaskClient

from projections.rules.catalogue import LANGUAGES
from service.pages.docs.contents import DEPLOY, GUIDES, SERVED
from service.pages.docs.own_documents import render, to_html
from service.web.problem_types import PROBLEMS
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]  # shared by the tests of this module
OF_THE_SITE = (
    "/docs",
    "/changelog",
    "/compatibility",
    "/problems",
    "/openapi.json",
    "/llms",
    "/schemas",
    "/v1/problems",
)
LARGEST_INDEX = 450_000  # bytes; some 110,000 as they travel
HREF = re.compile(r'\b(?:href|src)="([^"]+)"')
ID = re.compile(r'\bid="([^"]+)"')


def crawled(client: FlaskClient, begin: str) -> tuple[dict[str, set[str]], set[str]]:
    """Returns the pages of the site with their anchors, and all local addresses that they link to."""
    pages, links, coming = dict[str, set[str]](), set[str](), [begin]
    while coming:
        path = coming.pop()
        answer = client.get(path, follow_redirects=True)
        assert answer.status_code == 200, path
        pages[path] = {*map(unescape, ID.findall(answer.text))}
        if answer.mimetype == "text/html":
            found = {urljoin(path, unescape(link)) for link in HREF.findall(answer.text)}
            links |= {link for link in found if link.startswith("/")}
            for target in sorted({urlsplit(link).path for link in found if link.startswith(OF_THE_SITE)}):
                if target not in pages and target not in coming:
                    coming.append(target)
    return pages, links


def test_no_link_or_anchor_is_dead(client: FlaskClient) -> None:
    pages, links = crawled(client, "/docs")
    assert {guide.path for guide in GUIDES.values()} <= pages.keys()
    assert {f"/docs/guides/{name}.md" for name in GUIDES if name != "changelog"} - pages.keys() <= {
        "/docs/guides/errors.md"
    }
    dead = []
    for link in sorted(links):
        parts = urlsplit(link)
        if parts.path in pages:
            if parts.fragment and parts.fragment not in pages[parts.path]:
                dead.append(link)
        else:
            with client.get(link) as answer:
                dead += [] if answer.status_code < 400 else [link]
    assert dead == []


def test_every_document_is_a_guide() -> None:
    own = {path.resolve() for path in (DEPLOY / "docs").glob("*.md")}
    assert own <= SERVED.keys()
    assert {name for name, guide in GUIDES.items() if guide.file.startswith("clients/")} == {"python", "typescript"}


def test_headings_have_anchors_of_their_own() -> None:
    written = render(
        "# A\n\n## B `c`\n\n## B `c`\n\n[d](#b-c-1) [e](bots.md#typed-errors) [f](x.py)\n", DEPLOY / "docs"
    )
    assert [heading.anchor for heading in written.headings] == ["b-c", "b-c-1"]
    assert '<a href="/docs/guides/bots#typed-errors">e</a> f' in written.html


def test_documents_bring_no_markup_of_their_own() -> None:
    assert "<script>" not in to_html('<script>alert(1)</script>\n\n```x" onclick="\n<b>\n```\n')
    assert 'data-language="x&quot; onclick=&quot;"' in to_html('```x" onclick="\n<b>\n```\n')


@pytest.mark.parametrize("path", ["/docs", "/docs/errors", "/docs/reference", "/docs/reference/tables", "/docs/search"])
def test_the_frame_speaks_the_language_of_the_reader(client: FlaskClient, path: str) -> None:
    titles = set()
    for language in LANGUAGES:
        text = client.get(path, headers={"Accept-Language": language}).text
        titles.add(re.findall(r"<title>([^<]+)", text)[0])
        assert f'<html lang="{language}">' in text
    assert len(titles) >= len(LANGUAGES) - 1, titles  # two languages may share a word


def index(client: FlaskClient) -> list[list[str]]:
    return list(json.loads(client.get("/docs/search.json").text))


def test_everything_that_can_be_found_is_there(client: FlaskClient) -> None:
    anchors = dict[str, set[str]]()
    for address, title, *_ in index(client):
        path, _, anchor = address.partition("#")
        if path not in anchors:
            anchors[path] = {*map(unescape, ID.findall(client.get(path).text))}
        assert not anchor or anchor in anchors[path], address
        assert title


def test_the_index_is_bounded_and_has_a_tag(client: FlaskClient) -> None:
    answer = client.get("/docs/search.json")
    assert len(answer.data) < LARGEST_INDEX
    again = client.get("/docs/search.json", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_the_address_of_every_problem_type_leads_to_its_paragraph(client: FlaskClient) -> None:
    page = client.get("/problems", follow_redirects=True)
    assert page.request.path == "/docs/errors"
    assert {problem.name for problem in PROBLEMS.values()} <= {*ID.findall(page.text)}


def addresses(text: str) -> Iterator[str]:
    for link in re.findall(r"\]\(([^)]+)\)", text):
        yield urlsplit(link).path


def test_language_models_find_what_they_are_told_of(client: FlaskClient) -> None:
    text = client.get("/llms.txt").text
    assert text.startswith("# Cabildo\n\n> ")
    named = [*addresses(text)]
    assert len(named) > 40
    assert [path for path in named if client.get(path).status_code != 200] == []
    assert "# Quickstart" in client.get("/llms-full.txt").text


def test_examples_name_the_address_of_this_service(client: FlaskClient) -> None:
    url = client.application.extensions["cabildo"].settings.public_url.rstrip("/")
    for path in ("/docs/quickstart", "/docs/guides/quickstart.md"):
        assert f"HOST={url}" in client.get(path).text


@pytest.mark.parametrize("path", ["/docs/guides/x", "/docs/guides/x.md", "/docs/reference/x", "/docs/pictures/x.svg"])
def test_what_is_not_there_is_a_problem(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.get_json()["type"]) == (404, "/problems#not_there")


def test_every_page_links_to_the_documentation(client: FlaskClient) -> None:
    for path in ("/", "/lobby", "/docs"):
        assert '<a href="/docs">Documentation</a>' in client.get(path).text


def test_pictures_stay_in_their_folder(client: FlaskClient) -> None:
    assert client.get("/docs/pictures/load.svg").mimetype == "image/svg+xml"
    assert client.get("/docs/pictures/..%2F..%2Fdocs%2Fbots.md").status_code == 404
    assert Path(DEPLOY / "docs" / "bots.md").exists()

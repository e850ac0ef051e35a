"""The changelog as a page and as an Atom feed, and the page that says what the API promises."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from hashlib import sha256
from textwrap import shorten
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from flask import Blueprint, Response, render_template

from service.i18n.messages import translate
from service.pages.docs import own_documents
from service.pages.docs.contents import GROUPS, GUIDES
from service.web.openapi.deprecation import DEPRECATED, PAGE, Deprecated, anchor
from service.web.responses import request_language
from service.web.routing import Routes, container

CHANGELOG = "changelog.md"
VERSION: Final = re.compile(r"^## (?P<name>.+)\n\n\*(?P<day>\d{4}-\d\d-\d\d)\*$", re.MULTILINE)
SECTION: Final = re.compile(r"^### (?P<name>.+)$", re.MULTILINE)
LINE: Final = re.compile(r"^- (?P<text>.+\n(?:(?:  .*)?\n)*)", re.MULTILINE)  # a change, with its further lines
NAMESPACE: Final = "http://www.w3.org/2005/Atom"
MOST_ENTRIES: Final = 1_000  # the newest versions first
LONGEST_TITLE: Final = 100


class FeedEntry(NamedTuple):
    """An entry of the feed."""

    id: str
    title: str
    day: date
    anchor: str
    html: str


def pages(routes: tuple[Routes, ...]) -> Blueprint:
    """Returns the pages; they name the operations of these routes that are deprecated."""
    blueprint = Blueprint("changelog", __name__)

    @blueprint.get(PAGE)
    def changelog() -> str:
        written = own_documents.to_html(own_documents.text_of(CHANGELOG).partition("\n")[2])
        return render_template("changelog.html", deprecated=_deprecations(routes), written=written)

    @blueprint.get("/compatibility")
    def compatibility() -> str:
        here = GUIDES["compatibility"]
        document = own_documents.read(here.file)
        shown = {"here": here, "document": document, "written": document.html, "deprecated": _deprecations(routes)}
        return render_template("docs/compatibility.html", groups=GROUPS, **shown)

    @blueprint.get("/changelog.atom")
    def feed() -> Response:
        url = container().settings.public_url.rstrip("/")
        return Response(_feed(url, routes), mimetype="application/atom+xml")

    return blueprint


def in_force(routes: tuple[Routes, ...]) -> Mapping[str, Deprecated]:
    """Returns everything deprecated by its name: the table, and whole operations."""
    operations = (operation for subject in routes for operation in subject.operations)
    whole = {anchor(one.method, one.rule): one.deprecated for one in operations if one.deprecated is not None}
    return {**DEPRECATED, **whole}


def _deprecations(routes: tuple[Routes, ...]) -> list[tuple[str, Deprecated, str]]:
    """Returns what is deprecated: its anchor, its row, and what it is in the reader's language."""
    words = request_language()
    return [(name, row, translate(row.meaning, words)) for name, row in in_force(routes).items()]


@cache
def _feed(url: str, routes: tuple[Routes, ...]) -> bytes:
    entries = sorted(_entries(routes), key=lambda entry: entry.day, reverse=True)[:MOST_ENTRIES]
    root = ET.Element("feed", xmlns=NAMESPACE)
    _add(root, "id", f"{url}/changelog.atom")
    _add(root, "title", "Cabildo")
    _add(root, "updated", _midnight(entries[0].day))
    ET.SubElement(_add(root, "author"), "name").text = "Cabildo"
    _add(root, "link", rel="self", type="application/atom+xml", href=f"{url}/changelog.atom")
    _add(root, "link", rel="alternate", type="text/html", href=f"{url}{PAGE}")
    for entry in entries:
        row = _add(root, "entry")
        _add(row, "id", f"urn:cabildo:changelog:{entry.id}")
        _add(row, "title", entry.title)
        _add(row, "updated", _midnight(entry.day))
        _add(row, "link", rel="alternate", type="text/html", href=f"{url}{PAGE}#{entry.anchor}")
        _add(row, "content", entry.html, type="html")
    return bytes(ET.tostring(root, "utf-8", xml_declaration=True))


def _entries(routes: tuple[Routes, ...]) -> Iterator[FeedEntry]:
    """Yields the deprecations, and every change of each version, the newest version first."""
    for name, row in in_force(routes).items():
        text = f"Deprecated since {row.since}, refused from {row.sunset}: {row.meaning}."
        yield FeedEntry(f"deprecated:{name}", f"Deprecated: {name}", row.since, name, f"<p>{text}</p>")
    text = own_documents.text_of(CHANGELOG)
    versions = [*VERSION.finditer(text)]
    for version, following in zip(versions, [*versions[1:], None], strict=True):
        name, day = version["name"].partition(",")[0], date.fromisoformat(version["day"])
        yield from changes(name, day, text[version.end() : None if following is None else following.start()])


def changes(version: str, day: date, written: str) -> Iterator[FeedEntry]:
    """Yields the changes of a version; the id of each is made of its words, so that a new line is a new entry."""
    sections = [*SECTION.finditer(written)]
    for section, later in zip(sections, [*sections[1:], None], strict=True):
        anchor = own_documents.slug(section["name"])
        for line in LINE.finditer(written, section.end(), len(written) if later is None else later.start()):
            words = " ".join(line["text"].split())
            title = shorten(f"{version}, {section['name']}: {words}", LONGEST_TITLE, placeholder=" …")
            id = f"{version}:{sha256(words.encode()).hexdigest()[:16]}"
            yield FeedEntry(id, title, day, anchor, own_documents.to_html(line["text"].replace("\n  ", "\n")))


def _add(parent: ET.Element, name: str, text: str | None = None, /, **attributes: str) -> ET.Element:
    child = ET.SubElement(parent, name, attributes)
    child.text = text
    return child


def _midnight(day: date) -> str:
    return f"{day.isoformat()}T00:00:00Z"

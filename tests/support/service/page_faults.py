"""What is wrong with an opened page: what axe finds, a width beyond the screen, no way to the documentation."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize

from tests.support.service.browser import EVERYTHING, PHONE, picture
from tests.support.service.page_layout import SIZES

NODES: Final = 3  # that are shown of each fault
ROUNDED: Final = 1  # pixels by which a rounded width may be too small
WIDE: Final = "document.documentElement.scrollWidth"
WITHOUT_DOCS: Final = ("/embed",)  # pages in frames of other sites have no header and no foot
DOCS: Final = "header a[href='/docs'], footer a[href='/docs']"
HOLDING_WORDS: Final = "th, td, dt, dd, li, button, .button, .mark, label, h1, h2, h3"
KEEPING_WORDS: Final = "th, dt, button, .button, .mark, label, legend, h1, h2, h3"  # words in them stay whole
SEEN: Final = """const seen = (node) => {
    for (let at = node; at; at = at.parentElement) if (getComputedStyle(at).clipPath !== "none") return false;
    return node.checkVisibility();
  };"""
SPILLED: Final = f"""() => {{
  {SEEN}
  return [...document.querySelectorAll("main :is({HOLDING_WORDS})")].filter(seen)
    .filter((node) => getComputedStyle(node).overflowX === "visible")
    .filter(({{ clientWidth, scrollWidth }}) => clientWidth && scrollWidth > clientWidth + {ROUNDED})
    .slice(0, {NODES}).map((node) => node.outerHTML.slice(0, 200));
}}"""
BROKEN: Final = f"""() => {{
  {SEEN}
  const range = document.createRange();
  const breaks = (text, {{ index, 0: word }}) => {{
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({{ top }}) => Math.round(top))).size > 1;
  }};
  const texts = (node) => {{
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) if (!walker.currentNode.parentElement.closest("code")) found.push(walker.currentNode);
    return found;
  }};
  return [...document.querySelectorAll("main :is({KEEPING_WORDS})")].filter(seen).flatMap(texts)
    .flatMap((text) => [...text.data.matchAll(/\\p{{L}}{{2,}}/gu)].filter((word) => breaks(text, word)))
    .slice(0, {NODES}).map(([word]) => word);
}}"""
CONTRAST: Final = f"""async () => (await axe.run({{runOnly: ["color-contrast"]}})).violations.flatMap(
  ({{id, nodes}}) => nodes.slice(0, {NODES}).map(
    (node) => `${{id}}: ${{node.html.slice(0, 200)}} ${{node.failureSummary}}`))"""


def gone_through(shown: Page, paths: Iterable[str], pictured: str = "") -> tuple[int, list[str]]:
    """Goes through pages that are opened one after the other. Returns their number, and their faults.

    `pictured`: the language that the names of their pictures tell; without it none are taken.
    """
    seen, faults = 0, list[str]()
    for path in paths:
        seen += 1
        found = faults_at_every_width(shown) if EVERYTHING else faults_on_a_phone(shown)
        faults += [f"{path}: {fault}" for fault in found]
        for size in SIZES if pictured else ():
            shown.set_viewport_size(size)
            picture(shown, f"page-{page_name(path)}-{pictured}-{size['width']}")
        shown.set_viewport_size(PHONE)
    return seen, faults


def faults_on_a_phone(shown: Page) -> Iterator[str]:
    """Yields what is wrong with a page at the width of a phone in the light theme."""
    shown.set_viewport_size(PHONE)
    yield from _broad(shown, PHONE)
    yield from _barriers(shown)
    yield from _lost(shown)


def faults_at_every_width(shown: Page) -> Iterator[str]:
    """Yields what is wrong with a page at every width in the light theme, and with its contrast in the dark one."""
    yield from _lost(shown)
    for size in SIZES:
        shown.set_viewport_size(size)
        yield from _broad(shown, size)
        yield from (f"at {size['width']}: {fault}" for fault in _barriers(shown))
        shown.emulate_media(color_scheme="dark")
        yield from (f"dark at {size['width']}: {fault}" for fault in shown.evaluate(CONTRAST))
        shown.emulate_media(color_scheme="light")


def _barriers(shown: Page) -> Iterator[str]:
    for one in Axe().run(shown).response["violations"]:
        for node in one["nodes"][:NODES]:
            yield f"{one['id']}: {node['html'][:200]} {node['failureSummary']}"


def _broad(shown: Page, size: ViewportSize) -> Iterator[str]:
    if shown.evaluate(WIDE) > size["width"]:
        yield f"is wider than {size['width']} px"
    yield from (f"breaks a word at {size['width']} px: {word}" for word in shown.evaluate(BROKEN))
    yield from (f"spills at {size['width']} px: {node}" for node in shown.evaluate(SPILLED))


def _lost(shown: Page) -> Iterator[str]:
    path = shown.evaluate("location.pathname")
    if not path.endswith(WITHOUT_DOCS) and not shown.locator(DOCS).count():
        yield "does not lead to the documentation"


def page_name(path: str) -> str:
    """Returns the name of a page's picture: its path without ids."""
    return (
        re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{20,}", "id", path.partition("?")[0]).strip("/").replace("/", "-")
        or "home"
    )

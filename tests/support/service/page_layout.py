"""Measures a page in a browser: words that are too small, things that lie over each other, things cut off."""

from typing import TypedDict

from playwright.sync_api import Page, ViewportSize

SIZES: tuple[ViewportSize, ...] = (
    {"width": 1440, "height": 900},
    {"width": 1024, "height": 768},
    {"width": 390, "height": 844},
)
SMALLEST = 9  # pixels
SMALLEST_ON_BOARDS = {1440: 11}  # pixels, by the width of the page; elsewhere the same
HEADER = 60  # pixels: one line
MEASURE = """([smallest, onBoard]) => {
  const boards = [...document.querySelectorAll("#board, #mat, .example .drawn")];
  const visible = ({ width, height }) => width > 0.5 && height > 0.5;
  const texts = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const words = walker.currentNode.data.trim(), node = walker.currentNode.parentElement;
    if (!words || node.closest("title, script, option, .unseen, .skip") || !node.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const drawn = node instanceof SVGElement;
    const boxes = (drawn ? [node.getBoundingClientRect()] : [...range.getClientRects()]).filter(visible);
    const size = parseFloat(getComputedStyle(node).fontSize) * (drawn ? Math.abs(node.getScreenCTM().d) : 1);
    for (const box of boxes) texts.push({ words, node, box, size });
  }
  const onBoards = texts.filter(({ node }) => boards.some((board) => board.contains(node)));
  const shared = (one, other) => [
    Math.min(one.right, other.right) - Math.max(one.left, other.left),
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
  ];
  const all = (selector) => boards.flatMap((board) => [...board.querySelectorAll(selector)]);
  const boxed = (nodes) => nodes
    .map((node) => ({ node, box: node.getBoundingClientRect() }))
    .filter(({ box }) => visible(box));
  const name = ({ words, node }) => words ?? node.dataset.part ?? node.getAttribute("aria-label") ?? node.className;
  const pairs = (things, near) => things.flatMap((one, at) => things.slice(at + 1)
    .filter((other) => !one.node.contains(other.node) && !other.node.contains(one.node) && near(one, other))
    .map((other) => `${name(one)} / ${name(other)}`));
  const covers = (one, other) => shared(one.box, other.box).every((length) => length > 2);
  const writtenOver = (one, other) => {
    const [across, down] = shared(one.box, other.box); // the boxes of lines are higher than their letters
    return across > 1 && down > 0.35 * Math.min(one.box.height, other.box.height);
  };
  const leaves = ({ node, box }) => {
    const within = node.closest(".panel")?.getBoundingClientRect();
    return within && (box.left < within.left - 1 || box.right > within.right + 1 || box.bottom > within.bottom + 1);
  };
  const parts = boxed(all("svg[role], [data-part]"));
  return {
    words: onBoards.length,
    small: texts
      .filter((text) => text.size < (onBoards.includes(text) ? onBoard : smallest))
      .map(({ words, size }) => `${words}: ${size.toFixed(1)}`),
    covered: [...pairs(onBoards, writtenOver), ...pairs(parts, covers), ...pairs(boxed(all(".panel")), covers)],
    outside: [...onBoards, ...parts].filter(leaves).map(name),
    wide: document.documentElement.scrollWidth,
    header: document.querySelector("header.site")?.offsetHeight ?? 0,
  };
}"""


class Fit(TypedDict):
    """The measurements."""

    words: int  # on the boards
    small: list[str]
    covered: list[str]
    outside: list[str]
    wide: int
    header: int


def measured(shown: Page, *, aside: bool = False) -> Fit:
    """Measures how the contents fit into the page at its present width."""
    width = shown.viewport_size["width"] if shown.viewport_size else 0
    fit: Fit = shown.evaluate(MEASURE, [SMALLEST, SMALLEST if aside else SMALLEST_ON_BOARDS.get(width, SMALLEST)])
    return fit


def fits(shown: Page, what: str, *, aside: bool = False) -> None:
    """See that a page with a board is whole and readable at every size; `aside`: the board stands beside a text."""
    for size in SIZES:
        shown.set_viewport_size(size)
        fit = measured(shown, aside=aside)
        at = f"{what} at {size['width']}"
        assert fit["words"] > 20, at
        faults = [fit["small"][:5], fit["covered"][:5], fit["outside"][:5]]
        assert faults == [[], [], []], f"{at}: {faults}"
        assert fit["wide"] <= size["width"], at
        assert fit["header"] <= HEADER, at

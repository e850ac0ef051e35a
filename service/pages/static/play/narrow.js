// The layout of one column, as on a phone: moves and confirmations in a sheet above the bar, and a steady scroll position.

const NARROW = matchMedia("(max-width: 61.99rem)");
const APART = 8; // pixels between the picked part and the sheet

export function isNarrow() {
  return NARROW.matches;
}

// Moves less urgent panels behind the board.
export function arrange(redraw) {
  const place = () => document.querySelector(NARROW.matches ? ".desk" : ".hand").append(document.getElementById("more"));
  place();
  NARROW.addEventListener("change", () => {
    place();
    redraw();
  });
}

// Focuses a node without scrolling to it.
export function focus(node) {
  node?.focus({ preventScroll: NARROW.matches });
}

// Changes the page; the element in the middle of the screen keeps its position. A page at its top stays there.
export function steady(change) {
  const columns = NARROW.matches && scrollY > 0 ? ["board", "more"].map((id) => document.getElementById(id)) : [];
  const seen = columns.findLast((column) => column.getBoundingClientRect().top < innerHeight / 2);
  const top = seen?.getBoundingClientRect().top;
  change();
  if (seen) scrollBy(0, seen.getBoundingClientRect().top - top);
}

// Lays the panel over the foot of the screen, open or closed.
export function sheet(panel, laid, open) {
  const over = NARROW.matches && laid;
  panel.classList.toggle("sheet", over);
  panel.classList.toggle("open", over && open);
}

// Scrolls only as far as needed to show the picked part above the panel.
export function uncover(panel, picked) {
  if (!panel.classList.contains("open") || !picked) return;
  const under = picked.getBoundingClientRect().bottom + APART - panel.getBoundingClientRect().top;
  if (under > 0) scrollBy(0, under);
}

// The layout of one column, as on a phone: confirms at the foot of the screen and keeps the scroll position.

const NARROW = matchMedia("(max-width: 61.99rem)");
const APART = 8; // pixels between the picked part and the confirmation

// Moves less urgent panels behind the board.
export function arrange() {
  const place = () => document.querySelector(NARROW.matches ? ".desk" : ".hand").append(document.getElementById("more"));
  place();
  NARROW.addEventListener("change", place);
}

// Focuses a node without scrolling to it.
export function focus(node) {
  node?.focus({ preventScroll: NARROW.matches });
}

// Changes the page; the element in the middle of the screen keeps its position.
export function steady(change) {
  const columns = NARROW.matches ? ["board", "more"].map((id) => document.getElementById(id)) : [];
  const seen = columns.findLast((column) => column.getBoundingClientRect().top < innerHeight / 2);
  const top = seen?.getBoundingClientRect().top;
  change();
  if (seen) scrollBy(0, seen.getBoundingClientRect().top - top);
}

// Lays the panel over the foot of the screen during a confirmation; its place in the column keeps its height.
export function sheet(panel, asks) {
  const over = NARROW.matches && asks;
  const place = panel.parentElement;
  if (over && !panel.classList.contains("sheet")) place.style.minHeight = `${panel.offsetHeight}px`;
  if (!over) place.style.minHeight = "";
  panel.classList.toggle("sheet", over);
}

// Scrolls only as far as needed to show the picked part above the panel.
export function uncover(panel, picked) {
  if (!panel.classList.contains("sheet") || !picked) return;
  const under = picked.getBoundingClientRect().bottom + APART - panel.getBoundingClientRect().top;
  if (under > 0) scrollBy(0, under);
}

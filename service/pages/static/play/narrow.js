// A page of one column, as on a phone: what is chosen is asked about at the foot of the screen, and what the reader looks at stays.

const NARROW = matchMedia("(max-width: 61.99rem)");
const APART = 8; // pixels between what was picked and the question about it

// What is less urgent comes after the board.
export function arrange() {
  const place = () => document.querySelector(NARROW.matches ? ".desk" : ".hand").append(document.getElementById("more"));
  place();
  NARROW.addEventListener("change", place);
}

// Give the keyboard to a node; the page does not scroll to it.
export function focus(node) {
  node?.focus({ preventScroll: NARROW.matches });
}

// Change the page; the column that reaches the middle of the screen keeps its place, whatever becomes longer above it.
export function steady(change) {
  const columns = NARROW.matches ? ["board", "more"].map((id) => document.getElementById(id)) : [];
  const seen = columns.findLast((column) => column.getBoundingClientRect().top < innerHeight / 2);
  const top = seen?.getBoundingClientRect().top;
  change();
  if (seen) scrollBy(0, seen.getBoundingClientRect().top - top);
}

// Lay the panel over the foot of the screen while it asks about a choice; its place in the column keeps its height.
export function sheet(panel, asks) {
  const over = NARROW.matches && asks;
  const place = panel.parentElement;
  if (over && !panel.classList.contains("sheet")) place.style.minHeight = `${panel.offsetHeight}px`;
  if (!over) place.style.minHeight = "";
  panel.classList.toggle("sheet", over);
}

// Scroll no further than it takes to see what was picked above the sheet.
export function uncover(panel, picked) {
  if (!panel.classList.contains("sheet") || !picked) return;
  const under = picked.getBoundingClientRect().bottom + APART - panel.getBoundingClientRect().top;
  if (under > 0) scrollBy(0, under);
}

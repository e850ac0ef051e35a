// The bar at the foot of a narrow screen: whose turn it is, the chosen move, and the list of moves as a sheet above it.

import { byId } from "../elements_by_id.js";
import { say } from "../words.js";
import { isNarrow, sheet } from "./narrow.js";

let open = false; // whether the reader opened the list

// Shows the turn or the chosen move, and the sheet with what is to be decided.
export function showBar(table, view) {
  const panel = byId("panel");
  const placing = Boolean(view.mayor && !view.chosen);
  const asks = Boolean(view.chosen || view.only);
  const listed = table.mine && !placing;
  byId("bar").hidden = !table.position;
  byId("bar-text").textContent = view.chosen?.label ?? byId("prompt").textContent;
  sheet(panel, listed, asks || open);
  const button = byId("bar-open", HTMLButtonElement);
  button.hidden = !table.mine || asks || (placing && !panel.querySelector("button.main"));
  button.textContent = words(table, placing, panel);
  if (placing) button.removeAttribute("aria-expanded");
  else button.setAttribute("aria-expanded", String(open));
}

function words(table, placing, panel) {
  if (placing) return panel.querySelector("button.main")?.textContent ?? "";
  return open ? say("play_page.hide_moves") : say("play_page.show_moves", { n: table.legal?.count ?? table.legal?.moves.length ?? 0 });
}

// Closes the list; a new decision begins without it.
export function closeList() {
  open = false;
}

// Opens the list with the next redraw.
export function openList() {
  open = true;
}

// Returns whether the list is closed, so that its buttons cannot have the focus.
export function isListClosed() {
  return isNarrow() && !open;
}

// Handles the button of the bar: opens and closes the list, or places the people as planned.
export function connectBar(redraw) {
  byId("bar-open").addEventListener("click", () => {
    const placing = !byId("panel").classList.contains("sheet") && /** @type {HTMLElement | null} */ (byId("panel").querySelector("button.main"));
    if (placing) return placing.click();
    open = !open;
    redraw();
    if (open) /** @type {HTMLElement | null} */ (byId("panel").querySelector("button, input, select"))?.focus({ preventScroll: true });
  });
}

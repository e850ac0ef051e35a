// The boards of the players as tabs, where there is room for one board only.

import { say } from "../words.js";
import { html, sign } from "./elements.js";

let chosen = null; // the seat that the reader chose
let begun = null; // the decision of the reader since which it was chosen

// Puts the tabs before the boards; `shown` is the seat to begin with, anew with each decision of the reader, which
// `own` names. Wide pages show all boards and no tabs.
export function playerTabs(board, seats, shown, acting, own = null) {
  if (own !== null && own !== begun) chosen = null;
  begun = own ?? begun;
  const boards = board.querySelector(".mats");
  const tabs = html("div", { class: "players", role: "group", "aria-label": say("play_page.players") }, ...seats.map((name, seat) => tab(name, seat, acting)));
  boards.before(tabs);
  const select = (seat) => {
    for (const mat of boards.querySelectorAll(".mat")) mat.classList.toggle("behind", !mat.classList.contains(`seat-${seat}`));
    for (const button of tabs.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.seat === String(seat)));
  };
  tabs.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button) return;
    chosen = Number(button.dataset.seat);
    select(chosen);
  });
  select(chosen ?? shown ?? 0);
}

function tab(name, seat, acting) {
  const mark = seat === acting ? [html("span", { class: "acting" }, sign("▶"))] : [];
  return html("button", { type: "button", "data-seat": seat, title: name, "aria-label": name }, html("span", { class: `disc seat-${seat}` }, String(seat + 1)), html("span", { class: "short" }, name.split(/[ ,]/)[0]), ...mark);
}

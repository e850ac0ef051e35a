// The panel of the reader's decision: the list of moves, an editor, or a confirmation.

import { html } from "../replay/elements.js";
import { say } from "../words.js";
import { editors } from "./editors.js";
import { menu } from "./menu.js";
import { whyNot } from "./prompt.js";

export function panel(table, view, setting, { choose, cancel, commit, always, widen }) {
  if (!table.mine) return [];
  if (view.chosen) return confirmation(table, view.chosen, setting, { commit, always, cancel });
  if (view.mayor) return view.mayor.panel(choose);
  const { moves, slots, count } = table.legal;
  if (view.only) return [back(widen), ...menu(view.only, choose)];
  const composed = slots ? editors(slots, setting, (move) => choose({ move })) : [];
  const some = slots ? [html("p", {}, say("play.some_of", { n: count }))] : [];
  return [...menu(moves, choose), ...some, ...composed, whyNot(table, setting)];
}

function back(widen) {
  const button = html("button", { type: "button", class: "quiet" }, `‹ ${say("play.all_moves")}`);
  button.addEventListener("click", widen);
  return button;
}

// Marks the panel while a chosen move is on its way, for readers of screens too.
export function markBusy(drawn, on) {
  drawn.classList.toggle("busy", on);
  drawn.setAttribute("aria-busy", String(on));
}

// The confirmation: the effects of the move, and whether it cannot be undone.
function confirmation(table, chosen, setting, { commit, always, cancel }) {
  const yes = html("button", { type: "button", class: "main", "data-first": "", "aria-describedby": "chosen brings" }, say("play.do_it"));
  const no = html("button", { type: "button" }, say("play.cancel"));
  const ever = html("button", { type: "button", title: say("answers.always_more"), "data-always": "" }, say("answers.always"));
  yes.addEventListener("click", () => commit(chosen));
  ever.addEventListener("click", () => always(chosen));
  no.addEventListener("click", cancel);
  const { trial } = chosen;
  const notes = [
    chosen.effect,
    trial.chance === "hidden" ? say("play.draws") : "",
    trial.turn && trial.turn.seat !== table.seat ? say("play.then_acts", { name: setting.seats[trial.turn.seat] }) : "",
    chosen.final ? say("play.no_way_back") : "",
  ];
  const lines = notes.filter(Boolean).map((note) => html("li", {}, note));
  return [html("div", { class: "confirm" }, html("h3", { id: "chosen" }, chosen.label), html("ul", { id: "brings" }, ...lines), html("div", { class: "row" }, yes, ever, no))];
}

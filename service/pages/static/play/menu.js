// The legal moves as buttons with the service's labels; long lists are grouped and searchable.

import { html } from "../replay/elements.js";
import { plain, wordsOf } from "../rules/plain.js";
import { say } from "../words.js";

const MANY = 9; // from this number of moves on, the list is searchable
const GROUPED = new Set(["play", "buy", "claim", "rest", "drop"]);

export function menu(moves, choose) {
  const groups = grouped(moves).map((group) => section(group, choose));
  const list = html("div", { class: "moves" }, ...groups);
  return moves.length < MANY ? [list] : [search(list), list, guide()];
}

function grouped(moves) {
  const verbs = moves.length < MANY ? [null] : [...new Set(moves.map(verb))];
  return verbs.map((name) => ({ name, moves: name ? moves.filter((move) => verb(move) === name) : moves }));
}

function verb({ move }) {
  const first = move.split(" ")[0];
  return GROUPED.has(first) ? first : null;
}

function section({ name, moves }, choose) {
  const items = moves.map((offer) => html("li", {}, entry(offer, choose)));
  const list = html("ul", {}, ...items);
  return html("section", {}, name ? html("h3", {}, say(`play.verb_${name}`)) : "", list);
}

function entry(offer, choose) {
  const effect = offer.effect ? html("small", {}, offer.effect) : "";
  const button = html("button", { type: "button", "data-move": offer.move, class: offer.move === "pass" ? "quiet" : "" }, html("span", {}, offer.label), effect);
  button.addEventListener("click", () => choose(offer));
  return button;
}

// Returns the way to the page on the notation of moves.
function guide() {
  return html("p", { class: "guide" }, html("a", { href: "/docs/notation", target: "_blank", rel: "noopener" }, say("play.notation")));
}

function search(list) {
  const field = html("input", { type: "search", id: "search", "aria-label": say("play.search"), placeholder: say("play.search"), autocomplete: "off" });
  field.addEventListener("input", () => {
    const words = wordsOf(field.value);
    for (const item of list.querySelectorAll("li")) item.hidden = !words.every((word) => plain(item.textContent).includes(word));
    for (const group of list.querySelectorAll("section")) group.hidden = !group.querySelector("li:not([hidden])");
  });
  return field;
}

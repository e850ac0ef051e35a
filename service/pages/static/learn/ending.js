// The end of a guided game: a table of points by kind, best player first.

import { html } from "../replay/elements.js";
import { say } from "../words.js";

const CARDS = ["point_cards", "gold", "silver", "cubes"];

// Returns the table; `seats` are the names.
export function pointsTable({ scores, result: { places, points } }, { seats, names }) {
  const order = [...places.keys()].sort((one, other) => places[one] - places[other]);
  const row = (kind, label, numbers) => html("tr", { class: kind }, html("th", { scope: "row" }, label), ...order.map((seat) => html("td", {}, String(numbers[seat]))));
  const heads = order.map((seat) => html("th", { scope: "col" }, html("span", { class: `disc seat-${seat}` }, String(seat + 1)), html("span", { class: "named" }, seats[seat])));
  const kinds = ("items" in scores[0] ? puertoRico(scores, names) : spiceRoad(scores)).map(([label, numbers]) => row(null, label, numbers));
  const sums = [row("total", say("board.points_total"), points), row("place", say("board.points_place"), places.map((place) => say("common.place", { place })))];
  const title = say("board.points_title");
  const table = html("table", {}, html("caption", { class: "unseen" }, title), html("thead", {}, html("tr", {}, html("td", {}), ...heads)), html("tbody", {}, ...kinds, ...sums));
  return html("div", { class: "points scrolled", tabindex: "0", role: "group", "aria-label": title }, table);
}

// Leaves out rows of zeros, except those that every game has.
function puertoRico(scores, names) {
  const items = (name) => [say(`board.points_${name}`), scores.map(({ items: of }) => of[name])];
  const paying = [...new Set(scores.flatMap(({ bonuses }) => Object.keys(bonuses)))];
  const bonuses = paying.map((building) => [say("board.points_bonus", { building: names.buildings[building] }), scores.map(({ bonuses: of }) => of[building] ?? 0)]);
  return [items("vp_chips"), items("buildings"), ...bonuses];
}

function spiceRoad(scores) {
  return CARDS.map((kind) => [say(`board.points_${kind}`), scores.map((score) => score[kind])]);
}

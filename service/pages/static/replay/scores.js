// The points of a finished game by source: a row for each kind, a column for each seat.

import { get, Refused } from "../api.js";
import { say } from "../words.js";
import { html, panel } from "./elements.js";

// Returns the final scores of all seats; null where they are hidden.
export async function finalScores(path, version) {
  try {
    const { steps } = await get(`${path}/replay?after=${version - 1}&positions=false&as=all`);
    return steps.findLast(({ scores }) => scores.length && scores.every(Boolean))?.scores ?? null;
  } catch (refused) {
    if (refused instanceof Refused) return null;
    throw refused;
  }
}

export function scoreTable(scores, { places, points }, { seats, names }) {
  const kinds = "items" in scores[0] ? puertoRico(scores, names) : spiceRoad(scores);
  const totals = scores.map(({ total }) => total);
  const ruled = totals.some((total, seat) => total !== points[seat]);
  const sums = [["total", say("board.points_total"), totals], ...(ruled ? [["total", say("board.points_result"), points]] : [])];
  const ties = "tie_break" in scores[0] ? [["", say("board.points_tie"), scores.map(({ tie_break: tie }) => tie)]] : [];
  const rows = [...kinds.map(([label, numbers]) => ["", label, numbers]), ...sums, ...ties, ["place", say("board.points_place"), places.map((place) => say("common.place", { place }))]];
  const heads = seats.map((name, seat) => html("th", { scope: "col", class: places[seat] === 1 ? "best" : null }, html("span", { class: `disc seat-${seat}` }, String(seat + 1)), html("span", { class: "named" }, name)));
  const drawn = rows.map(([kind, label, numbers]) => html("tr", { class: kind || null }, html("th", { scope: "row" }, label), ...numbers.map((number) => html("td", {}, String(number)))));
  const title = say("board.points_title");
  const table = html("table", {}, html("caption", { class: "unseen" }, title), html("thead", {}, html("tr", {}, html("td", {}), ...heads)), html("tbody", {}, ...drawn));
  return panel(title, "points", html("div", { class: "scrolled", tabindex: "0", role: "group", "aria-label": title }, table));
}

// Leaves out rows of zeros, except rows that apply to all seats.
function puertoRico(scores, names) {
  const items = (name) => scores.map(({ items: of }) => of[name]);
  const some = (name) => (items(name).some(Boolean) ? [[say(`board.points_${name}`), items(name)]] : []);
  const paying = [...new Set(scores.flatMap(({ bonuses }) => Object.keys(bonuses)))];
  const bonuses = paying.map((building) => [say("board.points_bonus", { building: names.buildings[building] }), scores.map(({ bonuses: of }) => of[building] ?? "–")]);
  return [[say("board.points_vp_chips"), items("vp_chips")], ...some("vp_noted"), [say("board.points_buildings"), items("buildings")], ...bonuses, ...some("nobles")];
}

function spiceRoad(scores) {
  return ["point_cards", "gold", "silver", "cubes"].map((kind) => [say(`board.points_${kind}`), scores.map((score) => score[kind])]);
}

// A line for each seat over the steps; lines differ by dashes and by the number at their end, not by colour alone.

import { picture, svg, words } from "./elements.js";

const WIDE = 344;
const HIGH = 150;
const DASHES = ["", "6 3", "2 3", "9 3 2 3", "1 4"];

export function chart(rows, current, label) {
  const seats = rows[0]?.length ?? 0;
  const most = Math.max(5, ...rows.flat().filter((value) => value !== null));
  const x = (at) => 24 + (at / Math.max(1, rows.length - 1)) * (WIDE - 48);
  const y = (value) => HIGH - 14 - (value / most) * (HIGH - 26);
  const lines = Array.from({ length: seats }, (_, seat) => line(rows, seat, x, y));
  const grid = [0, 0.5, 1].map((share) => rule(Math.round(most * share), y));
  const here = svg("line", { class: "here", x1: x(current), x2: x(current), y1: 6, y2: HIGH - 14 });
  const values = (rows[current] ?? []).map((value, seat) => `seat ${seat}: ${value ?? "hidden"}`).join(", ");
  return picture(WIDE, HIGH, `${label} now: ${values}`, ...grid, here, ...lines);
}

function rule(value, y) {
  return svg("g", {}, svg("line", { class: "grid", x1: 24, x2: WIDE - 24, y1: y(value), y2: y(value) }), words(18, y(value) + 3, value, "axis", "end"));
}

function line(rows, seat, x, y) {
  const known = rows.map((row, at) => [at, row[seat]]).filter(([, value]) => value !== null);
  if (!known.length) return null;
  const d = known.map(([at, value], number) => `${number ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const [end, value] = known.at(-1);
  return svg("g", { class: `line seat-${seat}` }, svg("path", { d, "stroke-dasharray": DASHES[seat] }), words(x(end) + 4 + seat * 4, y(value) + 4, seat, "end", "start"));
}

// A line for each seat over the steps; lines differ by dashes and by the number at their end, not by colour alone.

import { say } from "../words.js";
import { picture, svg, words } from "./elements.js";

const WIDE = 344;
const HIGH = 150;
const TOP = 12;
const BOTTOM = HIGH - 14;
const APART = 15; // distance between the numbers at the ends of lines
const DASHES = ["", "6 3", "2 3", "9 3 2 3", "1 4"];

// `marks` name points of lines by their row and seat.
export function chart(rows, current, what, marks = []) {
  const seats = rows[0]?.length ?? 0;
  const most = rows.reduce((largest, row) => Math.max(largest, ...row), 5); // null counts as 0
  const x = (at) => 26 + (at / Math.max(1, rows.length - 1)) * (WIDE - 56);
  const y = (value) => BOTTOM - (value / most) * (BOTTOM - TOP);
  const known = Array.from({ length: seats }, (_, seat) => rows.map((row, at) => [at, row[seat]]).filter(([, value]) => value !== null).filter(bends));
  const ends = spread(known.map((points, seat) => ({ seat, wish: points.length ? y(points.at(-1)[1]) : null })));
  const lines = known.map((points, seat) => (points.length ? line(points, seat, ends[seat], x, y) : null));
  const grid = [0, 0.5, 1].map((share) => rule(Math.round(most * share), y));
  const here = svg("line", { class: "here", x1: x(current), x2: x(current), y1: 6, y2: BOTTOM });
  const values = (rows[current] ?? []).map((value, seat) => `${say("common.seat", { seat: seat + 1 })}: ${value ?? say("board.unknown_points")}`).join(", ");
  const nothing = lines.every((drawn) => drawn === null) ? words(WIDE / 2, HIGH / 2, say("board.unknown_points"), "axis") : null;
  return picture(WIDE, HIGH, say("replay.chart", { what, values }), ...grid, here, ...lines, ...marks.map(({ at, seat }) => svg("circle", { class: `badge swing seat-${seat}`, cx: x(at), cy: y(rows[at][seat]), r: 3.2 })), nothing);
}

// Returns whether a point is an end of a line or of a level stretch; those between are not seen.
function bends([, value], number, points) {
  return [points[number - 1], points[number + 1]].some((next) => next?.[1] !== value);
}

// Returns heights for the numbers at the ends of lines, close to the ends and apart from each other.
function spread(wishes) {
  const heights = [];
  let last = -Infinity;
  for (const { seat, wish } of wishes.filter(({ wish }) => wish !== null).sort((one, other) => one.wish - other.wish)) {
    last = heights[seat] = Math.max(wish, last + APART);
  }
  let room = BOTTOM; // keeps the numbers above the axis
  for (const [seat, height] of [...heights.entries()].filter(([, height]) => height !== undefined).sort(([, one], [, other]) => other - one)) {
    heights[seat] = Math.min(height, room);
    room = heights[seat] - APART;
  }
  return heights;
}

function rule(value, y) {
  return svg("g", {}, svg("line", { class: "grid", x1: 26, x2: WIDE - 30, y1: y(value), y2: y(value) }), words(20, y(value) + 3.5, value, "axis", "end"));
}

function line(points, seat, height, x, y) {
  const d = points.map(([at, value], number) => `${number ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const [at, value] = points.at(-1);
  const lead = svg("path", { d: `M${x(at)} ${y(value)}L${x(at) + 10} ${height}`, class: "lead-line" });
  const number = [svg("circle", { cx: x(at) + 17, cy: height, r: 8, class: `badge seat-${seat}` }), words(x(at) + 17, height + 4.2, seat + 1, "on-badge")];
  return svg("g", { class: `line seat-${seat}` }, svg("path", { d, "stroke-dasharray": DASHES[seat] }), lead, ...number);
}

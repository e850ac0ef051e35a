// The points of the seats and whose turn it is, for frames in which the board is scrolled to.

import { html, sign } from "../replay/elements.js";
import { say } from "../words.js";

// Returns a line for each seat; points that spectators may not know are left open.
export function standing(scores, seats, acting) {
  return seats.map((name, seat) => {
    const points = scores[seat] ? say("common.points", { n: scores[seat].total }) : say("board.unknown_points");
    const told = [html("span", { class: `disc seat-${seat}`, "aria-hidden": "true" }, String(seat + 1)), html("span", { class: "unseen" }, `${name}: ${points}`)];
    const seen = html("span", { "aria-hidden": "true" }, scores[seat] ? String(scores[seat].total) : "–");
    return html("li", { title: `${name}: ${points}`, class: seat === acting ? "acting" : null }, ...told, seen, seat === acting ? sign("▶") : "");
  });
}

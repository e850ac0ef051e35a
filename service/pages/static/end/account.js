// The points of a finished game from the API: parts by kind, with the events that made them.

import { get, Refused } from "../api.js";
import { say } from "../words.js";

// Returns the account of the points; null where the game has none to tell. Of a long game the steps have the curve.
export async function pointsAccount(path, long = false) {
  try {
    return await get(`${path}/points${long ? "?curve=false" : ""}`);
  } catch (refused) {
    if (refused instanceof Refused) return null;
    throw refused;
  }
}

const ORDER = ["vp_chips", "vp_noted", "buildings", "bonus", "nobles", "point_cards", "gold", "silver", "cubes"];
const ALWAYS = { puerto_rico: ["vp_chips", "buildings"], spice_road: ["point_cards", "gold", "silver", "cubes"] };

// Returns the kinds of points in the order of the table.
export function kindsOf({ seats }, game) {
  const found = new Set([...ALWAYS[game], ...seats.flatMap(({ parts }) => parts.map(({ kind }) => kind))]);
  return [...found].sort((one, other) => rank(one) - rank(other));
}

function rank(kind) {
  return ORDER.indexOf(kind.split(".")[0]);
}

// Returns a kind in words.
export function kindInWords(kind, names) {
  const [sort, building] = kind.split(".");
  return sort === "bonus" ? say("board.points_bonus", { building: names.buildings[building] }) : say(`board.points_${kind}`);
}

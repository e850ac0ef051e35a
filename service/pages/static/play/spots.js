// The parts of the board to click, with the moves that each of them stands for.

import { say } from "../words.js";
import { targets } from "./targets.js";

// Returns the legal moves by the part of the board to click.
export function movesBySpot(table, game) {
  const found = new Map();
  for (const offer of table.legal.moves) {
    for (const key of targets(game, offer.move, table.position, table.seat)) found.set(key, [...(found.get(key) ?? []), offer]);
  }
  return found;
}

// Returns each part with a function from its name to the label of a click.
export function spots(table, game) {
  return [...movesBySpot(table, game)].map(([key, offers]) => [key, offers.length > 1 ? several(offers) : () => [offers[0].label, offers[0].effect].filter(Boolean).join(": ")]);
}

// The label of a part with several moves: its name and their number.
function several(offers) {
  return (name) => `${name ?? `${offers[0].label} …`}: ${say("play.ways_here", { n: offers.length })}`;
}

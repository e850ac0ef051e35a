// The names of parts of a drawn board, with their seat.

import { fill } from "../words.js";

const PIECES = { doubloons: "doubloon", vp: "victory_point", colonists: "colonist", nobles: "noble", house: "trading_house" };

export function partName(node, names, seats) {
  const steps = node.dataset.part.split(".");
  const owner = steps[0] === "players" ? steps.splice(0, 2)[1] : null;
  const said = node.getAttribute("aria-label") ?? named(node, steps, names);
  const number = steps.find((step) => /^\d+$/.test(step)); // among several
  const numbered = number === undefined ? said : `${said} (${steps[0] === "island" ? number : Number(number) + 1})`;
  return owner === null ? numbered : `${seats[owner]}: ${numbered}`;
}

// Returns the name of a part from its path.
function named(node, steps, names) {
  const kinds = { ...names, ...names.board, ...names.pieces, ...names.goods, ...names.buildings, ...names.spices, ...(steps[0] === "island" ? names.tiles : {}) };
  const words = steps.filter((step) => !/^\d+$/.test(step)).map((step) => kinds[PIECES[step] ?? step] ?? rowName(node) ?? step);
  return fill(words.join(", "), { count: node.dataset.value });
}

// Returns the name of the row around a part.
function rowName(node) {
  return node.parentElement.closest("[aria-label]")?.getAttribute("aria-label").split(" · ")[0];
}

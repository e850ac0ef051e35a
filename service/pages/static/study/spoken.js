// What parts of a drawn board are called in the reader's language, and whose they are.

import { fill } from "../words.js";

const PIECES = { doubloons: "doubloon", vp: "victory_point", colonists: "colonist", nobles: "noble", house: "trading_house" };

export function spoken(node, names, seats) {
  const steps = node.dataset.part.split(".");
  const owner = steps[0] === "players" ? steps.splice(0, 2)[1] : null;
  const said = node.getAttribute("aria-label") ?? named(node, steps, names);
  const number = steps.find((step) => /^\d+$/.test(step)); // among several
  const told = number === undefined ? said : `${said} (${steps[0] === "island" ? number : Number(number) + 1})`;
  return owner === null ? told : `${seats[owner]}: ${told}`;
}

// By its steps: what holds it, and its kind.
function named(node, steps, names) {
  const kinds = { ...names, ...names.board, ...names.pieces, ...names.goods, ...names.buildings, ...names.spices, ...(steps[0] === "island" ? names.tiles : {}) };
  const words = steps.filter((step) => !/^\d+$/.test(step)).map((step) => kinds[PIECES[step] ?? step] ?? around(node) ?? step);
  return fill(words.join(", "), { count: node.dataset.value });
}

// The name of the row that it lies in, without what is told behind it.
function around(node) {
  return node.parentElement.closest("[aria-label]")?.getAttribute("aria-label").split(" · ")[0];
}

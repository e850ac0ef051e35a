// Which pieces the parts of a drawn board show: a part as a whole, such as a building, and pieces within it.

const WHOLE = [
  [/\.city\.(\w+)$/, "building"],
  [/^market\.(\w+)$/, "building"],
  [/\.island\.(\w+)\.\d+$/, "tile"],
  [/^stack\.(\w+)$/, "tile"],
  [/\.(?:hand|played|claimed)\.(\w+)$/, "card"],
];
const ROWS = ["merchant_row", "point_row"];
const PIECES = ".piece, .seat-of-people:not(.nobody), .coin, .shield";

/** @typedef {[kind: string, count: number, nodes: Element[]]} Shown */

// Returns what a part is as a whole; a number beside it tells how many there are.
/** @returns {Shown[]} */
export function whole(node) {
  const { part: key, row, value } = node.dataset;
  if (ROWS.includes(row)) return [[`card ${JSON.parse(value)}`, 1, [node]]];
  if (key === "drawn") return [[`tile ${JSON.parse(value)}`, 1, [node]]];
  for (const [pattern, kind] of WHOLE) {
    const name = /** @type {RegExp} */ (pattern).exec(key)?.[1];
    const many = JSON.parse(value ?? "null");
    if (name) return [[`${kind} ${name}`, typeof many === "number" ? many : 1, [node]]];
  }
  return [];
}

// Returns the pieces within a part, by kind; cards and buildings for sale only picture theirs.
/** @returns {Shown[]} */
export function within(node) {
  const { part: key, row, value } = node.dataset;
  if (ROWS.includes(row) || /^(market|stack)\.|^drawn$|\.(hand|played|claimed)\b/.test(key)) return [];
  const kinds = new Map();
  for (const one of node.querySelectorAll(PIECES)) {
    if (one.closest("[data-part]") !== node) continue;
    const kind = kindOf(one, key);
    if (kind) kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  return [...kinds].map(([kind, nodes]) => [kind, counted(kind, nodes, JSON.parse(value ?? "null")), nodes]);
}

// A tile shows its good for good.
function kindOf(node, key) {
  const [sort, kind] = [...node.classList];
  if (sort === "piece") return key.includes(".island.") ? null : kind;
  if (sort === "shield") return "points";
  return kind;
}

// How many pieces there are: as the number says where one stands for all, or as many as are drawn.
function counted(kind, nodes, value) {
  if (typeof value === "number") return value;
  if (nodes.length > 1) return nodes.length;
  if (!Array.isArray(value) || !value.every((one) => typeof one === "number")) return 1;
  if (kind === "points") return value.reduce((sum, one) => sum + one, 0);
  return value[kind === "noble" ? 1 : 0];
}

// Parts of a drawn board by the names that the document of the position gives them, and the other way round.

/** @type {[RegExp, (position: any, ...found: any[]) => string | null][]} */
const RENAMED = [
  [/^row\.(\d+)$/, (_, at) => `plantations.face_up[${at}]`],
  [/^stack\.quarry$/, () => "plantations.quarries"],
  [/^stack\.forest$/, () => "plantations.forests"],
  [/^drawn$/, () => "phase.drawn_tile"],
  [/^face_down$/, () => "plantations.face_down"],
  [/^house\.(\d+)$/, (position, at) => (at < position.trading_house.length ? `trading_house[${at}]` : "trading_house")],
  [/^supply\.vp$/, () => "supply.vp_chips"],
  [/^supply\.colonists$/, () => "colonists.supply"],
  [/^supply\.nobles$/, () => "nobles.supply"],
  [/^supply\.(\w+)$/, (_, good) => `supply.goods.${good}`],
  [/^market\.(\w+)$/, (position, building) => (building in position.supply.buildings ? `supply.buildings.${building}` : null)],
  [/^colonist_ship$/, () => "colonists.ship"],
  [/^coins\.(\w+)$/, (_, kind) => kind],
  [/^lying\.(\d+)$/, (_, at) => `merchant_row[${at}].cubes`],
  [/^players\.(\d+)\.vp$/, (_, seat) => `players[${seat}].vp_chips`],
  [/^players\.(\d+)\.claimed$/, (_, seat) => `players[${seat}].point_cards`],
  [/^players\.(\d+)\.island\.(\w+)\.(\d+)$/, (position, seat, tile, number) => indexed(`players[${seat}].island`, nth(position.players[seat].island, (space) => space.tile === tile, Number(number)))],
  [/^players\.(\d+)\.city\.(\w+)$/, (position, seat, building) => indexed(`players[${seat}].city`, position.players[seat].city.findIndex((place) => place.building === building))],
  [/^players\.(\d+)\.claimed\.(\w+)$/, (position, seat, card) => indexed(`players[${seat}].point_cards`, position.players[seat].point_cards?.indexOf(card))],
  [/^players\.(\d+)\.(hand|played)\.(\w+)$/, (position, seat, where, card) => indexed(`players[${seat}].${where}`, position.players[seat][where]?.indexOf(card))],
];

// The name in the document of a part as it is drawn; null when the document has none.
export function path(drawn, position) {
  for (const [form, name] of RENAMED) {
    const found = drawn.match(form);
    if (found) return name(position, ...found.slice(1));
  }
  return drawn.replace(/\.(\d+)(?=\.|$)/g, "[$1]");
}

function nth(list, matches, number) {
  let left = number;
  return list.findIndex((one) => matches(one) && --left === 0);
}

function indexed(list, at) {
  return at === undefined || at < 0 ? null : `${list}[${at}]`;
}

// The names of all parts that are drawn and have one, in the order in which they lie there.
export function drawnParts(board, position) {
  const names = [...board.querySelectorAll("[data-part]")].map((node) => path(node.dataset.part, position));
  return [...new Set(names.filter((name) => name !== null))];
}

// Finds what is drawn of a part by its name in the document: itself, or else the first of its own parts.
export function finder(board, position) {
  const found = new Map();
  for (const node of board.querySelectorAll("[data-part]")) {
    const name = path(node.dataset.part, position);
    if (name !== null && !found.has(name)) found.set(name, node);
  }
  const below = (name) => [...found.keys()].find((one) => one.startsWith(`${name}.`) || one.startsWith(`${name}[`));
  return (name) => found.get(name) ?? found.get(below(name));
}

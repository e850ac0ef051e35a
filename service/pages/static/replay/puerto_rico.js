// Draws the table of Puerto Rico: roles, ships, trading house, plantations, supply, buildings, and each seat's board.

import { fill, say } from "../words.js";
import { box, display, group, html, panel, part, picture, sliding, svg, words, wrapped } from "./elements.js";
import { CARD, GOODS, SPOT, building, counted, mats, people, tile } from "./mats.js";
import { choices } from "./choices.js";
import { draft } from "./draft.js";
import { badge, circle, coin, icon, piece, points } from "./pieces.js";

const COLUMNS = 4;
const LONGEST_ROW = 225; // of people aboard, who stand closer where there are many

export function board(position, setting) {
  return [html("div", { class: "table" }, ...middle(position, setting)), html("div", { class: "mats" }, ...mats(position, setting))];
}

function middle(position, setting) {
  const { names, catalogue, seats } = setting;
  const { board } = names;
  const left = [
    panel(board.ships, "harbour", ...position.ships.map((ship, hold) => cargoShip(ship, hold, names)), colonistShip(position, names)),
    panel(board.row, "plantations", ...plantations(position, names)),
    panel(board.trading_house, "house", tradingHouse(position.trading_house, names)),
  ];
  const right = [
    panel(board.supply, "supply", supply(position, names)),
    panel(board.for_sale, "buildings", market(position.supply.buildings, names, catalogue)),
  ];
  return [
    ...draft(position, setting),
    panel(board.roles, "roles", ...Object.entries(position.roles).map(([role, card]) => roleCard(role, card, names, seats))),
    html("div", { class: "column left" }, ...left),
    html("div", { class: "column right" }, ...right),
  ];
}

function roleCard(role, card, names, seats) {
  const taken = card.taken_by !== null;
  const bonus = card.doubloons ? [fill(names.counts.doubloon, { n: card.doubloons })] : [];
  const label = `${names.roles[role]}: ${[taken ? seats[card.taken_by] : say("board.free"), ...bonus].join(", ")}`;
  const drawn = [box(1, 1, 72, 76, taken ? "card taken" : "card", 8), icon(role, 25, 5, 1), wrapped(37, 42, names.roles[role], 70, "name")];
  if (taken) drawn.push(badge(37, 65, card.taken_by, 9));
  else if (card.doubloons) drawn.push(coin(37, 65, card.doubloons, "doubloon", 9));
  return part(`roles.${role}`, card, picture(74, 78, label, ...drawn));
}

function hull(width, height) {
  const side = svg("path", { d: `M2 ${height - 34}H${width - 2}L${width - 14} ${height - 4}H14Z`, class: "hull" });
  return [side, svg("path", { d: `M6 ${height - 27}H${width - 6}M9 ${height - 19}H${width - 9}M12 ${height - 11}H${width - 12}`, class: "planks" })];
}

function cargoShip(ship, hold, names) {
  const width = ship.capacity * 21 + 38;
  const load = fill(names.board.of, { n: ship.loaded, limit: ship.capacity });
  const label = `${names.pieces.cargo_ship}: ${load}${ship.good ? `, ${names.goods[ship.good]}` : ""}`;
  const places = Array.from({ length: ship.capacity }, (_, at) => {
    const x = 29 + at * 21;
    const slot = box(x - 9, 30, 18, 18, "slot", 4);
    return at < ship.loaded ? [slot, piece(ship.good, x, 39, 0.85)] : [slot];
  });
  const mast = svg("path", { d: `M12 28V2L${Math.min(width - 20, 46)} 20H12`, class: "sail" });
  const cargo = svg("g", ship.good ? { "data-piece": `goods.${ship.good}` } : {}, ...places);
  const drawn = [mast, hull(width, 62), cargo, words(width / 2, 57, load, "on-hull", "middle", width - 28)];
  return part(`ships.${hold}`, ship, picture(width, 70, label, ...drawn, sea(width)));
}

function sea(width) {
  const waves = Array.from({ length: Math.ceil(width / 16) }, () => "q4 -4 8 0t8 0").join("");
  return svg("path", { d: `M0 64${waves}`, class: "waves" });
}

function colonistShip(position, names) {
  const sailing = [...Array(position.nobles.ship).fill("noble"), ...Array(position.colonists.ship).fill("colonist")];
  const apart = Math.min(15, LONGEST_ROW / sailing.length);
  const width = Math.max(126, sailing.length * apart + 44);
  const label = `${names.board.colonist_ship}: ${aboard(position, "ship", names)}`;
  const standing = sailing.map((who, at) => circle(28 + at * apart, 40, who, 6.5));
  const drawn = [svg("path", { d: "M12 28V4L36 4L29 9L36 15H12", class: "flag" }), hull(width, 62), ...standing];
  const shown = picture(width, 70, label, ...drawn, words(width / 2, 57, names.board.colonist_ship, "on-hull", "middle", width - 28), sea(width));
  return part("colonist_ship", sailing, shown);
}

function aboard({ colonists, nobles }, where, names) {
  return people({ colonists: colonists[where], nobles: nobles[where] }, names);
}

// A row of tiles that wraps where there is little room.
function plantations({ plantations: lying, phase }, names) {
  const down = typeof lying.face_down === "number" ? lying.face_down : sum(lying.face_down);
  const stacks = [["quarry", lying.quarries], ...(lying.forests ? [["forest", lying.forests]] : [])];
  const back = [box(0.5, 0.5, SPOT.width - 1, SPOT.height - 1, "tile back"), words(SPOT.width / 2, 22, down, "count"), words(SPOT.width / 2, 37, say("board.face_down"), "small", "middle", SPOT.width - 5)];
  return [
    ...lying.face_up.map((kind, at) => sliding("row", at, kind, flat(names.tiles[kind], ...tile(kind, names)))),
    ...(phase?.drawn_tile ? [part("drawn", phase.drawn_tile, flat(`${names.board.drawn}: ${names.tiles[phase.drawn_tile]}`, ...tile(phase.drawn_tile, names, undefined, "!")))] : []),
    ...stacks.map(([kind, count]) => part(`stack.${kind}`, count, flat(`${count} × ${names.tiles[kind]}`, ...tile(kind, names, undefined, `×${count}`)))),
    part("face_down", down, flat(fill(names.board.face_down, { n: down }), ...back)),
  ];
}

function flat(label, ...drawn) {
  return picture(SPOT.width, SPOT.height, label, ...drawn);
}

function tradingHouse(sold, names) {
  const label = `${names.board.trading_house}: ${sold.map((good) => names.goods[good]).join(", ") || names.board.empty}`;
  const slots = [0, 1, 2, 3].map((at) => {
    const drawn = [box(22 + at * 36, 32, 30, 30, "slot")];
    if (sold[at]) drawn.push(piece(sold[at], 37 + at * 36, 47, 1.3));
    return part(`house.${at}`, sold[at] ?? null, svg("g", {}, ...drawn));
  });
  const roof = svg("path", { d: "M4 25L92 3L180 25Z", class: "roof" });
  const tiles = svg("path", { d: "M30 19L36 25M54 13L66 25M78 7L96 25M100 5L120 25M124 11L138 25M148 17L156 25", class: "planks" });
  return picture(184, 70, label, box(12, 25, 160, 43, "wall", 2), roof, tiles, ...slots);
}

function supply(position, names) {
  const stock = GOODS.map((good, at) => counted(`supply.${good}`, position.supply.goods[good] ?? 0, at * 40 + 18, (x) => piece(good, x, 18, 1.3)));
  const told = GOODS.map((good) => `${position.supply.goods[good] ?? 0} ${names.goods[good]}`);
  const label = [...told, fill(names.counts.victory_point, { n: position.supply.vp_chips }), aboard(position, "supply", names)].join(", ");
  const rest = [
    counted("supply.vp", position.supply.vp_chips, 18, (x) => points(x, 17, "", 1.2)),
    counted("supply.colonists", position.colonists.supply, 58, (x) => circle(x, 18, "colonist", 10)),
  ];
  if (position.nobles.supply) rest.push(counted("supply.nobles", position.nobles.supply, 98, (x) => circle(x, 18, "noble", 10)));
  return picture(196, 104, label, ...stock, group(0, 54, ...rest));
}

function market(offered, names, catalogue) {
  const rows = Array(COLUMNS + 1).fill(0);
  const cells = Object.entries(offered).map(([name, copies]) => {
    const kind = catalogue[name];
    const at = [(kind.column - 1) * CARD.across, 20 + rows[kind.column]++ * CARD.down];
    const lid = [coin(12, CARD.height - 13, kind.cost, "doubloon", 9.5), words(51, CARD.height - 9, `×${copies}`, "small")];
    const drawn = group(...at, ...building(name, kind, names, null), ...lid);
    const said = `${names.buildings[name]}: ${fill(names.counts.doubloon, { n: kind.cost })}, ${fill(names.counts.victory_point, { n: kind.vp })}, ×${copies}`;
    for (const [attribute, value] of Object.entries(copies ? { role: "img", "aria-label": said } : { class: "sold-out", "aria-hidden": "true" })) drawn.setAttribute(attribute, value);
    return part(`market.${name}`, copies, drawn);
  });
  const heads = Array.from({ length: COLUMNS }, (_, at) => discount(at));
  return display(CARD.wide, 20 + Math.max(1, ...rows) * CARD.down - 4, ...heads, ...cells);
}

// The number of quarries that count for each column.
function discount(at) {
  const middle = at * CARD.across + CARD.width / 2;
  const quarries = Array.from({ length: at + 1 }, (_, number) => piece("quarry", middle - at * 8 + number * 16, 9, 0.6));
  return svg("g", {}, svg("title", {}, say("board.quarry_column", { n: at + 1 })), ...quarries);
}

function sum(counts) {
  return Object.values(counts).reduce((total, number) => total + number, 0);
}

export const TABLES = { roles: choices };

// What a seat holds on a board, and the names of its gains in a step.
export const SERIES = {
  doubloons: { held: ({ doubloons }) => doubloons ?? null, gains: /^doubloons$/ },
  goods: { held: ({ goods }) => sum(goods), gains: /^goods\./ },
};

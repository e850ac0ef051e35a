// The table of Puerto Rico: roles, ships, trading house, plantations, supply, buildings for sale; islands and cities.

import { box, group, html, panel, part, picture, svg, words, wrapped } from "./elements.js";
import { circle, coin, icon, piece, points } from "./pieces.js";

const GOODS = ["corn", "indigo", "sugar", "tobacco", "coffee"];
const WIDE = 344;
const TILE = { width: 54, height: 46, step: 58 };
const CITY = { width: 83, height: 46, across: 87, down: 50 };

export function board(position, setting) {
  return [html("div", { class: "table" }, ...middle(position, setting)), html("div", { class: "mats" }, ...mats(position, setting))];
}

function middle(position, { names, catalogue }) {
  return [
    panel("Roles", "roles", ...Object.entries(position.roles).map(([role, card]) => roleCard(role, card, names))),
    panel("Harbour", "harbour", ...position.ships.map((ship, hold) => cargoShip(ship, hold, names)), colonistShip(position)),
    panel("Plantations", "plantations", plantations(position.plantations, names)),
    panel("Trading house", "house", tradingHouse(position.trading_house, names)),
    panel("Supply", "supply", supply(position, names)),
    panel("Buildings", "buildings", market(position.supply.buildings, names, catalogue)),
  ];
}

function roleCard(role, card, names) {
  const taken = card.taken_by !== null;
  const label = `${names.roles[role]}, ${taken ? `taken by seat ${card.taken_by}` : "free"}, ${card.doubloons} doubloons`;
  const drawn = [box(1, 1, 68, 68, taken ? "card taken" : "card"), icon(role, 23, 6, 1), words(35, 46, names.roles[role], "name")];
  if (taken) drawn.push(badge(35, 58, card.taken_by, 8));
  else if (card.doubloons) drawn.push(coin(35, 58, card.doubloons, "doubloon", 8));
  return part(`roles.${role}`, card, picture(70, 70, label, ...drawn));
}

export function badge(x, y, seat, radius = 10) {
  const disc = svg("circle", { cx: x, cy: y, r: radius, class: `badge seat-${seat}` });
  return [disc, words(x, y + radius * 0.38, seat, "on-badge")];
}

function hull(width, height) {
  return svg("path", { d: `M2 ${height - 34}H${width - 2}L${width - 14} ${height - 4}H14Z`, class: "hull" });
}

function cargoShip(ship, hold, names) {
  const width = ship.capacity * 21 + 38;
  const label = ship.good ? `ship for ${ship.capacity}: ${ship.loaded} ${names.goods[ship.good]}` : `ship for ${ship.capacity}: empty`;
  const places = Array.from({ length: ship.capacity }, (_, at) => {
    const x = 29 + at * 21;
    const slot = box(x - 9, 26, 18, 18, "slot", 4);
    return at < ship.loaded ? [slot, piece(ship.good, x, 35, 0.85)] : [slot];
  });
  const mast = svg("path", { d: `M12 24V2L${Math.min(width - 20, 44)} 16H12`, class: "sail" });
  const drawn = [mast, hull(width, 58), ...places, words(width / 2, 52, `${ship.loaded} of ${ship.capacity}`, "on-hull")];
  return part(`ships.${hold}`, ship, picture(width, 66, label, ...drawn, sea(width)));
}

function sea(width) {
  const waves = Array.from({ length: Math.ceil(width / 16) }, () => "q4 -4 8 0t8 0").join("");
  return svg("path", { d: `M0 60${waves}`, class: "waves" });
}

function colonistShip(position) {
  const people = [
    ...Array(position.nobles.ship).fill("noble"),
    ...Array(position.colonists.ship).fill("colonist"),
  ];
  const width = Math.max(110, people.length * 14 + 44);
  const label = `colonist ship: ${position.colonists.ship} colonists, ${position.nobles.ship} nobles`;
  const aboard = people.map((who, at) => circle(27 + at * 14, 35, who));
  const drawn = [svg("path", { d: "M12 24V2L34 2L28 7L34 12H12", class: "flag" }), hull(width, 58), ...aboard];
  const shown = picture(width, 66, label, ...drawn, words(width / 2, 52, "colonists", "on-hull"), sea(width));
  return part("colonist_ship", people, shown);
}

function tile(kind, names, person, extra) {
  const drawn = [box(0, 0, TILE.width, TILE.height, `tile land-${kind}`), piece(kind, 17, 18, 1.05)];
  drawn.push(words(TILE.width / 2, 42, names.tiles_short[kind] ?? kind, "small"));
  if (person !== undefined) drawn.push(circle(41, 18, person, 7));
  if (extra !== undefined) drawn.push(words(42, 23, extra, "count"));
  return drawn;
}

function plantations(lying, names) {
  const down = typeof lying.face_down === "number" ? lying.face_down : sum(lying.face_down);
  const faces = lying.face_up.map((good, at) => [good, undefined, `row.${at}`, good]);
  const stacks = [["quarry", lying.quarries], ...(lying.forests ? [["forest", lying.forests]] : [])];
  const cells = [...faces, ...stacks.map(([kind, count]) => [kind, `×${count}`, `stack.${kind}`, count])];
  const rows = Math.ceil((cells.length + 1) / 6);
  const label = `face up: ${lying.face_up.map((good) => names.goods[good]).join(", ") || "none"}; face down: ${down}; quarries: ${lying.quarries}`;
  const drawn = cells.map(([kind, extra, key, value], at) => part(key, value, group(...spot(at), ...tile(kind, names, undefined, extra))));
  const back = group(...spot(cells.length), box(0, 0, TILE.width, TILE.height, "tile back"), words(27, 22, down, "count"), words(27, 37, "face down", "small"));
  return picture(WIDE, rows * 50 - 4, label, ...drawn, part("face_down", down, back));
}

function spot(at) {
  return [(at % 6) * TILE.step, Math.floor(at / 6) * 50];
}

function tradingHouse(sold, names) {
  const label = `trading house: ${sold.map((good) => names.goods[good]).join(", ") || "empty"}`;
  const slots = [0, 1, 2, 3].map((at) => {
    const drawn = [box(18 + at * 34, 26, 28, 28, "slot")];
    if (sold[at]) drawn.push(piece(sold[at], 32 + at * 34, 40, 1.2));
    return part(`house.${at}`, sold[at] ?? null, svg("g", {}, ...drawn));
  });
  const roof = svg("path", { d: "M4 20L80 3L156 20Z", class: "roof" });
  return picture(160, 62, label, box(10, 20, 140, 40, "wall", 2), roof, ...slots);
}

function supply(position, names) {
  const goods = GOODS.map((good, at) => counted(`supply.${good}`, position.supply.goods[good] ?? 0, at * 34 + 14, (x) => piece(good, x, 16, 1.1)));
  const label = `supply: ${GOODS.map((good) => `${position.supply.goods[good] ?? 0} ${names.goods[good]}`).join(", ")}, ${position.supply.vp_chips} victory points, ${position.colonists.supply} colonists`;
  const rest = [
    counted("supply.vp", position.supply.vp_chips, 190, (x) => points(x, 15, "VP", 0.95)),
    counted("supply.colonists", position.colonists.supply, 228, (x) => circle(x, 16, "colonist", 9)),
  ];
  if (position.nobles.supply) rest.push(counted("supply.nobles", position.nobles.supply, 266, (x) => circle(x, 16, "noble", 9)));
  return picture(290, 46, label, ...goods, ...rest);
}

function counted(key, number, x, draw) {
  return part(key, number, svg("g", { class: number ? "" : "none-left" }, draw(x), words(x, 42, number ?? "?", "count")));
}

function market(display, names, catalogue) {
  const rows = [0, 0, 0, 0];
  const cells = Object.entries(display).map(([name, copies]) => {
    const kind = catalogue[name];
    const at = [(kind.column - 1) * CITY.across, rows[kind.column - 1]++ * CITY.down];
    const lid = [coin(12, 34, kind.cost, "doubloon", 9), words(68, 38, `×${copies}`, "small")];
    const drawn = group(...at, ...building(name, kind, names, null), ...lid);
    if (!copies) drawn.classList.add("sold-out");
    return part(`market.${name}`, copies, drawn);
  });
  const left = Object.entries(display).filter(([, copies]) => copies);
  const label = `for sale: ${left.map(([name, copies]) => `${names.buildings[name]} (${copies})`).join(", ")}`;
  return picture(WIDE, Math.max(...rows) * CITY.down - 4, label, ...cells);
}

function building(name, kind, names, place, height = CITY.height) {
  const drawn = [box(0, 0, CITY.width, height, `building ${kind.produces ? `makes-${kind.produces}` : "violet"}`)];
  drawn.push(wrapped(CITY.width / 2, 14, names.buildings[name], 14, "name-of-building"));
  if (place) {
    const people = [...Array(place.nobles).fill("noble"), ...Array(place.colonists).fill("colonist")];
    for (let at = 0; at < kind.circles; at++) drawn.push(circle(12 + at * 16, height - 11, people[at]));
  }
  drawn.push(place ? points(72, height - 13, kind.vp, 0.8) : null);
  return drawn;
}

function mats(position, setting) {
  return position.players.map((player, seat) => {
    const marks = [];
    if (seat === position.governor) marks.push(html("span", { class: "mark" }, "⚑ governor"));
    if (seat === position.turn?.seat) marks.push(html("span", { class: "mark act" }, "▶ to act"));
    for (const role of player.role) marks.push(html("span", { class: "mark" }, setting.names.roles[role]));
    const heading = html("h2", {}, html("span", { class: `disc seat-${seat}` }, String(seat)), ` ${setting.seats[seat]} `, ...marks);
    const drawn = [treasure(player, seat, setting.names), island(player, seat, setting.names), city(player, seat, setting)];
    return html("section", { class: "panel mat", "aria-label": setting.seats[seat] }, heading, ...drawn);
  });
}

function treasure(player, seat, names) {
  const key = `players.${seat}`;
  const shown = (number) => number ?? "?";
  const label = `${player.doubloons} doubloons, ${shown(player.vp_chips)} victory points, ${GOODS.map((good) => `${player.goods[good] ?? 0} ${names.goods[good]}`).join(", ")}`;
  const own = [
    part(`${key}.doubloons`, player.doubloons, svg("g", {}, coin(20, 20, player.doubloons, "doubloon", 14))),
    part(`${key}.vp`, [player.vp_chips, player.vp_noted], svg("g", {}, points(58, 19, shown(player.vp_chips), 1.35))),
  ];
  const goods = GOODS.map((good, at) => counted(`${key}.goods.${good}`, player.goods[good] ?? 0, 106 + at * 36, (x) => piece(good, x, 16, 1.15)));
  const waiting = player.san_juan.colonists + player.san_juan.nobles;
  const sanJuan = counted(`${key}.san_juan`, waiting, 316, (x) => [svg("path", { d: `M${x - 16} 8L${x} -1L${x + 16} 8Z`, class: "roof" }), circle(x, 19, waiting ? "colonist" : undefined, 8)]);
  return picture(WIDE, 46, `${label}; in San Juan: ${waiting}`, ...own, ...goods, sanJuan);
}

function island(player, seat, names) {
  const seen = {};
  const tiles = player.island.map((space, at) => {
    const number = (seen[space.tile] = (seen[space.tile] ?? 0) + 1);
    const who = space.nobles ? "noble" : space.colonists ? "colonist" : undefined;
    const drawn = tile(space.tile, names);
    if (space.tile !== "forest") drawn.push(circle(41, 18, who, 7));
    return part(`players.${seat}.island.${space.tile}.${number}`, who ?? null, group(...spot(at), ...drawn));
  });
  const empty = Array.from({ length: 12 - tiles.length }, (_, at) => group(...spot(tiles.length + at), box(0.5, 0.5, 53, 45, "space")));
  const label = `island: ${player.island.map((space) => `${names.tiles[space.tile]}${space.colonists + space.nobles ? " occupied" : ""}`).join(", ") || "empty"}`;
  return framed("island", picture(WIDE, 96, label, ...tiles, ...empty));
}

function framed(kind, drawing) {
  return html("div", { class: kind }, drawing);
}

function city(player, seat, { names, catalogue }) {
  const free = new Set(Array.from({ length: 12 }, (_, at) => at)); // column by column, three to a column
  let right = 3;
  const built = player.city.map((place) => {
    const kind = catalogue[place.building];
    const at = kind.large ? right-- * 3 : Math.min(...free);
    for (const taken of kind.large ? [at, at + 1] : [at]) free.delete(taken);
    return [place, kind, at];
  });
  const drawn = built.map(([place, kind, at]) => {
    const height = kind.large ? CITY.height * 2 + 4 : CITY.height;
    const key = `players.${seat}.city.${place.building}`;
    return part(key, [place.colonists, place.nobles], group(...lot(at), ...building(place.building, kind, names, place, height)));
  });
  const empty = [...free].map((at) => group(...lot(at), box(0.5, 0.5, 82, 45, "space")));
  const label = `city: ${player.city.map((place) => `${names.buildings[place.building]} (${place.colonists + place.nobles} of ${place.circles})`).join(", ") || "empty"}`;
  return framed("city", picture(WIDE, 146, label, ...drawn, ...empty));
}

function lot(at) {
  return [Math.floor(at / 3) * CITY.across, (at % 3) * CITY.down];
}

function sum(counts) {
  return Object.values(counts).reduce((total, number) => total + number, 0);
}

export const SERIES = {
  points: (_, scores, seat) => scores[seat]?.total ?? null,
  doubloons: (position, _, seat) => position?.players[seat].doubloons ?? null,
  goods: (position, _, seat) => (position ? sum(position.players[seat].goods) : null),
};

// Draws the board of each seat in Puerto Rico: treasure, goods, island, city.

import { fill, say } from "../words.js";
import { lots } from "./city.js";
import { box, group, html, part, picture, sign, svg, words, wrapped } from "./elements.js";
import { circle, coin, piece, points } from "./pieces.js";

export const GOODS = ["corn", "indigo", "sugar", "tobacco", "coffee"];
export const SPOT = { width: 54, height: 46, across: 58, down: 50 };
export const CARD = { width: 83, height: 52, across: 87, down: 56, wide: 344 };
const ISLAND = 12;

export function tile(kind, names, person, extra) {
  const drawn = [box(0.5, 0.5, SPOT.width - 1, SPOT.height - 1, `tile land-${kind}`), furrows(kind), piece(kind, 16, 18, 1.15)];
  drawn.push(words(SPOT.width / 2, 42, names.tiles_short[kind] ?? kind, "small", "middle", SPOT.width - 5));
  if (person !== undefined) drawn.push(circle(41, 18, person, 7.5));
  if (extra !== undefined) drawn.push(words(42, 23, extra, "count"));
  return drawn;
}

// A field is ploughed, a quarry and a forest are not.
function furrows(kind) {
  if (kind === "quarry" || kind === "forest") return null;
  return svg("path", { d: "M3 11C18 5 34 14 51 8M3 20C18 14 34 23 51 17M3 29C18 23 34 32 51 26", class: "furrow" });
}

export function building(name, kind, names, place, [down, across] = [1, 1]) {
  const width = CARD.width + (across - 1) * CARD.across;
  const height = CARD.height + (down - 1) * CARD.down;
  const drawn = [box(0.5, 0.5, width - 1, height - 1, `building ${kind.produces ? `makes-${kind.produces}` : "violet"}`)];
  if (kind.large) drawn.push(box(3.5, 3.5, width - 7, height - 7, "inlay", 3));
  drawn.push(wrapped(width / 2, down > 1 ? height / 2 - 8 : 17, names.buildings[name], width - 6, "name-of-building"));
  drawn.push(points(width - 12, height - 14, kind.vp));
  if (kind.produces && !place) drawn.push(piece(kind.produces, 32, height - 13, 0.65));
  if (!place) return drawn;
  const people = [...Array(place.nobles).fill("noble"), ...Array(place.colonists).fill("colonist")];
  for (let at = 0; at < kind.circles; at++) drawn.push(circle(13 + at * 17, height - 12, people[at], 6.5));
  return drawn;
}

export function mats(position, setting) {
  return position.players.map((player, seat) => {
    const marks = [];
    if (seat === position.governor) marks.push(html("span", { class: "mark", "data-piece": "places.governor" }, sign("⚑"), setting.names.pieces.governor));
    if (seat === position.turn?.seat) marks.push(html("span", { class: "mark act" }, sign("▶"), say("board.to_act")));
    for (const role of player.role) marks.push(html("span", { class: "mark", "data-piece": `roles.${role}` }, setting.names.roles[role]));
    const heading = html("h2", {}, html("span", { class: `disc seat-${seat}` }, String(seat + 1)), html("span", { class: "named" }, setting.seats[seat]), ...marks);
    const drawn = [treasure(player, seat, setting.names), island(player, seat, setting.names), city(player, seat, setting)];
    return html("section", { class: `panel mat seat-${seat}`, "aria-label": setting.seats[seat] }, heading, ...drawn);
  });
}

function treasure(player, seat, names) {
  const key = `players.${seat}`;
  const known = player.vp_chips ?? null;
  const worth = known === null ? names.board.hidden_points : fill(names.counts.victory_point, { n: known });
  const goods = GOODS.map((good) => `${player.goods[good] ?? 0} ${names.goods[good]}`);
  const label = [fill(names.counts.doubloon, { n: player.doubloons }), worth, ...goods, `${names.board.san_juan}: ${people(player.san_juan, names)}`].join(", ");
  const own = [
    part(`${key}.doubloons`, player.doubloons, svg("g", {}, coin(20, 21, player.doubloons, "doubloon", 15))),
    part(`${key}.vp`, [player.vp_chips, player.vp_noted], svg("g", {}, points(60, 20, known ?? "?", 1.45))),
  ];
  const stock = GOODS.map((good, at) => counted(`${key}.goods.${good}`, player.goods[good] ?? 0, 108 + at * 37, (x) => piece(good, x, 17, 1.25)));
  return picture(CARD.wide, 48, label, ...own, ...stock, sanJuan(`${key}.san_juan`, player.san_juan, 318));
}

// The people on a tile or in a building; nobles only when there are some.
function sanJuan(key, { colonists, nobles }, x) {
  const sorts = nobles ? [["colonist", colonists, x - 11], ["noble", nobles, x + 11]] : [["colonist", colonists, x]];
  const waiting = sorts.map(([sort, n, at]) => svg("g", { class: n ? "" : "none-left" }, circle(at, 20, n ? sort : undefined, 8), words(at, 45, n, "count")));
  return part(key, [colonists, nobles], svg("g", {}, area(x), svg("path", { d: `M${x - 22} 9L${x} -1L${x + 22} 9Z`, class: colonists + nobles ? "roof" : "roof none-left" }), ...waiting));
}

// The whole area of a place: it is framed and clicked.
function area(x) {
  return box(x - 17, 0, 34, 47, "area");
}

export function counted(key, count, x, draw) {
  const kind = count ? "" : "none-left";
  return part(key, count, svg("g", { class: kind }, area(x), draw(x), words(x, 45, count, "count")));
}

export function people({ colonists, nobles }, { counts }) {
  return [fill(counts.colonist, { n: colonists }), ...(nobles ? [fill(counts.noble, { n: nobles })] : [])].join(", ");
}

function island(player, seat, names) {
  const seen = {};
  const tiles = player.island.map((space, at) => {
    seen[space.tile] = (seen[space.tile] ?? 0) + 1;
    const number = seen[space.tile];
    const who = space.nobles ? "noble" : space.colonists ? "colonist" : undefined;
    const drawn = tile(space.tile, names);
    if (space.tile !== "forest") drawn.push(circle(41, 18, who, 7.5));
    return part(`players.${seat}.island.${space.tile}.${number}`, who ?? null, group(...spot(at), ...drawn));
  });
  const empty = Array.from({ length: ISLAND - tiles.length }, (_, at) => group(...spot(tiles.length + at), box(0.5, 0.5, SPOT.width - 1, SPOT.height - 1, "space")));
  const people = (space) => [...Array(space.nobles).fill(names.pieces.noble), ...Array(space.colonists).fill(names.pieces.colonist)];
  const label = player.island.map((space) => [names.tiles[space.tile], ...people(space)].join(" + ")).join(", ") || names.board.none;
  return framed("island", picture(CARD.wide, 96, `${names.board.island}: ${label}`, ...tiles, ...empty));
}

function spot(at) {
  return [(at % 6) * SPOT.across, Math.floor(at / 6) * SPOT.down];
}

function framed(kind, drawing) {
  return html("div", { class: kind }, drawing);
}

function city(player, seat, { names, catalogue, built }) {
  const owned = player.city.map((place) => place.building);
  const known = built?.[seat] ?? [];
  const { placed } = lots([...known, ...owned.filter((name) => !known.includes(name))], catalogue);
  const lot = ([column, row]) => [column * CARD.across, row * CARD.down];
  const drawn = player.city.map((place) => {
    const [column, row, ...size] = placed.get(place.building);
    const shown = building(place.building, catalogue[place.building], names, place, size);
    return part(`players.${seat}.city.${place.building}`, [place.colonists, place.nobles], group(...lot([column, row]), ...shown));
  });
  const grid = Array.from({ length: ISLAND }, (_, at) => group(...lot([Math.floor(at / 3), at % 3]), box(0.5, 0.5, CARD.width - 1, CARD.height - 1, "space")));
  const told = player.city.map((place) => `${names.buildings[place.building]} (${fill(names.board.of, { n: place.colonists + place.nobles, limit: place.circles })})`);
  return framed("city", picture(CARD.wide, CARD.down * 3 - 4, `${names.board.city}: ${told.join(", ") || names.board.none}`, ...grid, ...drawn));
}

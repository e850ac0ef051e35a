// The table of Spice Road: point cards under their coins, the merchant row, and every caravan with its cards.

import { box, html, panel, part, picture, svg, words } from "./elements.js";
import { coin, piece, points } from "./pieces.js";

const SPICES = ["turmeric", "saffron", "cardamom", "cinnamon"];
const LETTERS = { y: "turmeric", r: "saffron", g: "cardamom", b: "cinnamon" };
const LIMIT = 10;

export function board(position, setting) {
  return [
    html("div", { class: "table" }, pointRow(position), merchantRow(position)),
    html("div", { class: "mats" }, ...position.players.map((player, seat) => mat(position, player, seat, setting))),
  ];
}

function spices(letters) {
  return [...letters].map((letter) => LETTERS[letter]);
}

function said(letters) {
  const counts = {};
  for (const spice of spices(letters)) counts[spice] = (counts[spice] ?? 0) + 1;
  return Object.entries(counts).map(([spice, count]) => `${count} ${spice}`).join(", ");
}

// Cubes in rows of at most three around a point.
function heap(kinds, x, y, scale = 0.8, across = 3) {
  const rows = Math.ceil(kinds.length / across);
  return kinds.map((kind, at) => {
    const row = Math.floor(at / across);
    const inRow = Math.min(across, kinds.length - row * across);
    const dx = (at % across) - (inRow - 1) / 2;
    return piece(kind, x + dx * 20 * scale * 1.15, y + (row - (rows - 1) / 2) * 20 * scale * 1.1, scale);
  });
}

export function merchantCard(card, scale = 1) {
  const [kind, first, second] = card.split("_");
  if (kind === "trade") return face(card, "trade", `trade ${said(first)} for ${said(second)}`, scale, ...trade(first, second));
  if (kind === "upgrade") return face(card, "upgrade", `upgrade ${first} times`, scale, ...upgrade(Number(first)));
  const cubes = kind === "create" ? "y".repeat(Number(first)) : first;
  return face(card, "spice", `take ${said(cubes)}`, scale, heap(spices(cubes), 36, 52, 1, 2));
}

function face(card, kind, label, scale, ...drawn) {
  const shown = picture(72, 96, label, box(1, 1, 70, 94, `merchant ${kind}`, 7), words(36, 13, kind, "small"), ...drawn);
  shown.setAttribute("width", 72 * scale);
  shown.setAttribute("height", 96 * scale);
  return shown;
}

function trade(give, receive) {
  const arrow = svg("path", { d: "M36 50V60M31 56L36 61L41 56", class: "arrow" });
  return [heap(spices(give), 36, 32, 0.62), arrow, heap(spices(receive), 36, 78, 0.62)];
}

function upgrade(steps) {
  return Array.from({ length: steps }, (_, at) => {
    const y = 72 - at * (steps > 2 ? 20 : 26);
    return [box(14, y - 9, 16, 16, "blank", 3), svg("path", { d: `M34 ${y}H42M39 ${y - 4}L43 ${y}L39 ${y + 4}`, class: "arrow" }), box(46, y - 12, 16, 16, "blank better", 3)];
  });
}

function pointCard(card, scale = 1) {
  const [, worth, cost] = card.split("_");
  const shown = picture(72, 96, `${worth} points for ${said(cost)}`, box(1, 1, 70, 94, "point-card", 7), points(36, 22, worth, 1.4), heap(spices(cost), 36, 66, 0.78));
  shown.setAttribute("width", 72 * scale);
  shown.setAttribute("height", 96 * scale);
  return shown;
}

function pointRow(position) {
  const coins = position.gold ? ["gold", position.silver ? "silver" : null] : [position.silver ? "silver" : null];
  const cards = position.point_row.map((card, at) => {
    const kind = coins[at];
    const pile = html("div", { class: "above" });
    if (kind) pile.append(part(`coins.${kind}`, position[kind], picture(60, 26, `${position[kind]} ${kind} coins here`, coin(18, 13, kind === "gold" ? 3 : 1, kind, 11), words(44, 18, `×${position[kind]}`, "count"))));
    return html("div", { class: "spot" }, pile, part(`point_row.${at}`, card, pointCard(card)));
  });
  return panel(`Point cards (${position.point_deck_count ?? position.point_deck.length} in the deck)`, "row", ...cards);
}

function merchantRow(position) {
  const cards = position.merchant_row.map(({ card, cubes }, at) => {
    const lying = SPICES.flatMap((spice) => Array(cubes[spice] ?? 0).fill(spice));
    const below = html("div", { class: "below" });
    if (lying.length) below.append(picture(72, Math.ceil(lying.length / 4) * 18, `${lying.length} cubes lie here`, heap(lying, 36, (Math.ceil(lying.length / 4) * 18) / 2, 0.75, 4)));
    const price = html("div", { class: "above" }, at ? `pay ${at}` : "free");
    return html("div", { class: "spot" }, price, part(`merchant_row.${at}`, card, merchantCard(card)), part(`lying.${at}`, lying, below));
  });
  return panel(`Merchant cards (${position.merchant_deck_count ?? position.merchant_deck.length} in the deck)`, "row", ...cards);
}

function mat(position, player, seat, setting) {
  const marks = seat === position.turn?.seat ? [html("span", { class: "mark act" }, "▶ to act")] : [];
  const heading = html("h2", {}, html("span", { class: `disc seat-${seat}` }, String(seat)), ` ${setting.seats[seat]} `, ...marks);
  const body = [
    caravan(player, seat),
    cards("Hand", player.hand, player.hand_count ?? player.hand.length, `players.${seat}.hand`, merchantCard),
    cards("Played", player.played, player.played.length, `players.${seat}.played`, merchantCard),
    cards("Claimed", player.point_cards, player.point_card_count ?? player.point_cards.length, `players.${seat}.claimed`, pointCard),
  ];
  return html("section", { class: "panel mat wide", "aria-label": setting.seats[seat] }, heading, ...body);
}

function caravan(player, seat) {
  const cubes = SPICES.flatMap((spice) => Array(player.caravan[spice]).fill(spice));
  const places = Math.max(LIMIT, cubes.length);
  const slots = Array.from({ length: places }, (_, at) => box(2 + (at % 10) * 24, 2 + Math.floor(at / 10) * 24, 22, 22, "slot", 4));
  const lying = cubes.map((spice, at) => [spice, piece(spice, 13 + (at % 10) * 24, 13 + Math.floor(at / 10) * 24, 0.95)]);
  const grouped = SPICES.map((spice) => part(`players.${seat}.caravan.${spice}`, player.caravan[spice], svg("g", {}, ...lying.filter(([kind]) => kind === spice).map(([, drawn]) => drawn))));
  const money = ["gold", "silver"].map((kind, at) => part(`players.${seat}.${kind}`, player[kind], svg("g", { class: player[kind] ? "" : "none-left" }, coin(264 + at * 48, 13, kind === "gold" ? 3 : 1, kind, 10), words(284 + at * 48, 18, `×${player[kind]}`, "count"))));
  const label = `caravan: ${SPICES.map((spice) => `${player.caravan[spice]} ${spice}`).join(", ")}; ${player.gold} gold, ${player.silver} silver`;
  return html("div", { class: "caravan" }, picture(344, Math.ceil(places / 10) * 24 + 4, label, ...slots, ...grouped, ...money));
}

function cards(title, held, count, key, draw) {
  const line = html("div", { class: "cards" }, html("h3", {}, `${title} ${count}`));
  for (const card of held ?? []) line.append(part(`${key}.${card}`, 1, draw(card, 0.72)));
  if (held === null) line.append(html("p", {}, "face down"));
  return part(key, count, line);
}

function sum(counts) {
  return Object.values(counts).reduce((total, number) => total + number, 0);
}

export const SERIES = {
  points: (_, scores, seat) => scores[seat]?.total ?? null,
  coins: (position, _, seat) => (position ? position.players[seat].gold + position.players[seat].silver : null),
  spices: (position, _, seat) => (position ? sum(position.players[seat].caravan) : null),
};

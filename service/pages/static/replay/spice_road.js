// Draws the table of Spice Road: point cards and coins, the merchant row, each caravan with its cards.

import { fill, say } from "../words.js";
import { box, html, panel, part, picture, sign, sliding, svg, words } from "./elements.js";
import { coin, piece, points } from "./pieces.js";

const SPICES = ["turmeric", "saffron", "cardamom", "cinnamon"];
const LETTERS = { y: "turmeric", r: "saffron", g: "cardamom", b: "cinnamon" };
const LIMIT = 10;
const WIDE = 76;
const HIGH = 104;
const CAPTION = 13.4; // its type, as replay.css sets it: cards are drawn small

export function board(position, setting) {
  const { names } = setting;
  return [
    html("div", { class: "table" }, pointRow(position, names), merchantRow(position, names)),
    html("div", { class: "mats" }, ...position.players.map((player, seat) => mat(position, player, seat, setting))),
  ];
}

function spices(letters) {
  return [...letters].map((letter) => LETTERS[letter]);
}

function said(counts, names) {
  const told = SPICES.filter((spice) => counts[spice]).map((spice) => fill(names.amount, { count: counts[spice], spice: names.spices[spice] }));
  return told.join(", ") || names.nothing;
}

function tally(letters) {
  const counts = {};
  for (const spice of spices(letters)) counts[spice] = (counts[spice] ?? 0) + 1;
  return counts;
}

// Cubes in rows around a point.
function heap(kinds, x, y, scale = 0.8, across = 3) {
  const rows = Math.ceil(kinds.length / across);
  return kinds.map((kind, at) => {
    const row = Math.floor(at / across);
    const inRow = Math.min(across, kinds.length - row * across);
    const dx = (at % across) - (inRow - 1) / 2;
    return piece(kind, x + dx * 23 * scale, y + (row - (rows - 1) / 2) * 22 * scale, scale);
  });
}

function merchantCard(card, names, scale = 1) {
  const [kind, first, second] = card.split("_");
  if (kind === "trade") return face("trade", names.cards[card], scale, ...trade(first, second));
  if (kind === "upgrade") return face("upgrade", names.cards[card], scale, ...upgrade(Number(first)));
  const cubes = kind === "create" ? "y".repeat(Number(first)) : first;
  return face("spice", names.cards[card], scale, heap(spices(cubes), WIDE / 2, 60, 1, 2));
}

function face(kind, label, scale, ...drawn) {
  const band = svg("path", { d: `M1.5 8.5a7 7 0 0 1 7 -7H${WIDE - 8.5}a7 7 0 0 1 7 7V19H1.5Z`, class: `band ${kind}` });
  return sized(picture(WIDE, HIGH, label, box(1, 1, WIDE - 2, HIGH - 2, `merchant ${kind}`, 8), band, words(WIDE / 2, 15, say(`board.${kind}`), "caption", "middle", WIDE - 6, CAPTION), ...drawn), scale);
}

function sized(drawing, scale) {
  drawing.setAttribute("width", WIDE * scale);
  drawing.setAttribute("height", HIGH * scale);
  return drawing;
}

function trade(give, receive) {
  const arrow = svg("path", { d: "M38 54V65M33 61L38 66L43 61", class: "arrow" });
  return [heap(spices(give), WIDE / 2, 37, 0.68), arrow, heap(spices(receive), WIDE / 2, 84, 0.68)];
}

function upgrade(steps) {
  return Array.from({ length: steps }, (_, at) => {
    const y = 62 + ((steps - 1) / 2 - at) * (steps > 2 ? 23 : 28);
    return [box(15, y - 8, 17, 17, "blank", 3), svg("path", { d: `M36 ${y}H44M41 ${y - 4}L45 ${y}L41 ${y + 4}`, class: "arrow" }), box(48, y - 11, 17, 17, "blank better", 3)];
  });
}

function pointCard(card, names, scale = 1) {
  const [, worth, cost] = card.split("_");
  const label = say("board.point_card", { points: worth, cost: said(tally(cost), names) });
  const drawn = [box(1, 1, WIDE - 2, HIGH - 2, "point-card", 8), svg("path", { d: `M6 44H${WIDE - 6}`, class: "rule" }), points(WIDE / 2, 23, worth, 1.6)];
  return sized(picture(WIDE, HIGH, label, ...drawn, heap(spices(cost), WIDE / 2, 73, 0.84)), scale);
}

function pointRow(position, names) {
  const coins = position.gold ? ["gold", position.silver ? "silver" : null] : [position.silver ? "silver" : null];
  const cards = position.point_row.map((card, at) => {
    const pile = html("div", { class: "above" });
    if (coins[at]) pile.append(coinPile(coins[at], position[coins[at]]));
    return html("div", { class: "spot" }, pile, sliding("point_row", at, card, pointCard(card, names)));
  });
  return withDeck("point_deck", say("board.point_cards"), position.point_deck_count ?? position.point_deck.length, cards);
}

function coinPile(kind, count) {
  const label = say(kind === "gold" ? "board.gold_pile" : "board.silver_pile", { n: count });
  const drawn = [coin(20, 14, "", kind, 11), coin(16, 14, kind === "gold" ? 3 : 1, kind, 11), words(45, 19, `×${count}`, "count")];
  return part(`coins.${kind}`, count, picture(60, 28, label, ...drawn));
}

function merchantRow(position, names) {
  const cards = position.merchant_row.map(({ card, cubes }, at) => {
    const below = html("div", { class: "below" }, lying(cubes, names));
    const price = html("div", { class: "above" }, at ? say("board.price", { n: at }) : say("board.price_free"));
    return html("div", { class: "spot" }, price, sliding("merchant_row", at, card, merchantCard(card, names)), sliding("lying", at, [card, cubes], below));
  });
  return withDeck("merchant_deck", say("board.merchant_cards"), position.merchant_deck_count ?? position.merchant_deck.length, cards);
}

// A row of cards whose heading tells how many are left in its deck.
function withDeck(key, title, left, cards) {
  const deck = say("board.deck", { n: left });
  const row = panel(`${title} · ${deck}`, "row", ...cards);
  row.querySelector("h2").replaceChildren(`${title} · `, html("span", { "data-piece": `places.${key}` }, deck));
  return row;
}

function lying(cubes, names) {
  const kinds = SPICES.flatMap((spice) => Array(cubes[spice] ?? 0).fill(spice));
  if (!kinds.length) return null;
  const high = Math.ceil(kinds.length / 4) * 18;
  return picture(WIDE, high, say("board.lying", { cubes: said(cubes, names) }), heap(kinds, WIDE / 2, high / 2, 0.75, 4));
}

function mat(position, player, seat, setting) {
  const { names } = setting;
  const marks = seat === position.turn?.seat ? [html("span", { class: "mark act" }, sign("▶"), say("board.to_act"))] : [];
  const heading = html("h2", {}, html("span", { class: `disc seat-${seat}` }, String(seat + 1)), html("span", { class: "named" }, setting.seats[seat]), ...marks);
  const key = `players.${seat}`;
  const body = [
    caravan(player, seat, names),
    cards(names.hand, player.hand, player.hand_count ?? player.hand.length, `${key}.hand`, names, merchantCard),
    cards(names.played, player.played, player.played.length, `${key}.played`, names, merchantCard),
    cards(names.claimed, player.point_cards, player.point_card_count ?? player.point_cards.length, `${key}.claimed`, names, pointCard),
  ];
  return html("section", { class: `panel mat wide seat-${seat}`, "aria-label": setting.seats[seat] }, heading, ...body);
}

function caravan(player, seat, names) {
  const cubes = SPICES.flatMap((spice) => Array(player.caravan[spice]).fill(spice));
  const places = Math.max(LIMIT, cubes.length);
  const spot = (at) => [3 + (at % 10) * 24, 4 + Math.floor(at / 10) * 24];
  const slots = Array.from({ length: places }, (_, at) => box(...spot(at), 22, 22, at < LIMIT ? "slot" : "slot over", 4));
  const laid = cubes.map((spice, at) => [spice, piece(spice, spot(at)[0] + 11, spot(at)[1] + 11, 1)]);
  const grouped = SPICES.map((spice) => part(`players.${seat}.caravan.${spice}`, player.caravan[spice], svg("g", {}, ...laid.filter(([kind]) => kind === spice).map(([, drawn]) => drawn))));
  const money = ["gold", "silver"].map((kind, at) => purse(player, seat, kind, 266 + at * 48));
  const coins = ["gold", "silver"].map((kind) => fill(names[kind], { count: player[kind] }));
  const label = `${names.caravan}: ${said(player.caravan, names)}; ${coins.join(", ")}`;
  const high = Math.ceil(places / 10) * 24 + 6;
  return html("div", { class: "caravan" }, picture(344, high, label, box(0.5, 0.5, 244, high - 1, "wagon", 6), ...slots, ...grouped, ...money));
}

function purse(player, seat, kind, x) {
  const drawn = [coin(x, 15, kind === "gold" ? 3 : 1, kind, 10), words(x + 20, 20, `×${player[kind]}`, "count")];
  return part(`players.${seat}.${kind}`, player[kind], svg("g", { class: player[kind] ? "" : "none-left" }, ...drawn));
}

function cards(title, held, count, key, names, draw) {
  const fan = html("div", { class: "fan" }, ...(held ?? []).map((card) => part(`${key}.${card}`, 1, draw(card, names, 0.7))));
  if (held === null) fan.append(html("p", {}, say("board.hidden")));
  return part(key, count, html("div", { class: "cards" }, html("h3", {}, `${title} ${count}`), fan));
}

function sum(counts) {
  return Object.values(counts).reduce((total, number) => total + number, 0);
}

// What a seat holds on a board, and the names of its gains in a step.
export const SERIES = {
  coins: { held: ({ gold, silver }) => gold + silver, gains: /^(gold|silver)$/ },
  spices: { held: ({ caravan }) => sum(caravan), gains: /^caravan\./ },
};

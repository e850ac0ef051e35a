// Which piece a part of a drawn board shows, and what the board itself tells about it: how many are left, who owns it.

import { say } from "../words.js";

// Returns { piece, lines } of a part by its name; null for a part that is no piece.
export function pieceAt(key, { game, position, seats }) {
  const [first, ...rest] = key.split(".");
  return PARTS[game][first]?.(rest, position, seats) ?? null;
}

function told(piece, ...lines) {
  return { piece, lines: lines.filter(Boolean) };
}

function left(n) {
  return say("rules.left", { n });
}

/** @type {Record<string, Record<string, (rest: string[], position: any, seats: string[]) => any>>} */
const PARTS = {
  puerto_rico: {
    roles: ([role], { roles }, seats) => told(`roles.${role}`, roles[role].taken_by === null ? say("rules.free") : say("rules.taken_by", { name: seats[roles[role].taken_by] }), roles[role].doubloons ? say("rules.on_card", { n: roles[role].doubloons }) : ""),
    ships: ([hold], { ships }) => told("places.cargo_ship", say("rules.loaded", { n: ships[hold].loaded, of: ships[hold].capacity })),
    colonist_ship: (_, { colonists, nobles }) => told("places.colonist_ship", say("rules.people", { n: colonists.ship + nobles.ship })),
    row: ([at], { plantations }) => told(`tiles.${plantations.face_up[at]}`, faceDown(plantations, plantations.face_up[at])),
    drawn: (_, { phase, plantations }) => phase.drawn_tile && told(`tiles.${phase.drawn_tile}`, faceDown(plantations, phase.drawn_tile)),
    stack: ([tile], { plantations }) => told(`tiles.${tile}`, left(tile === "quarry" ? plantations.quarries : plantations.forests)),
    face_down: (_, { plantations }) => told("places.face_down", faceDown(plantations)),
    house: ([at], { trading_house: house, supply }) => (house[at] ? told(`goods.${house[at]}`, say("rules.in_house"), left(supply.goods[house[at]] ?? 0)) : told("places.trading_house", say("rules.loaded", { n: house.length, of: 4 }))),
    supply: ([kind], position) => supplied(kind, position),
    market: ([building], position, seats) => told(`buildings.${building}`, building in position.supply.buildings ? left(position.supply.buildings[building]) : "", owners(building, position, seats)),
    players: ([seat, what, ...which], position, seats) => ownPart(position.players[seat], what, which, position, seats, Number(seat)),
  },
  spice_road: {
    point_row: ([at], { point_row: row }) => told(`point_cards.${row[at]}`),
    coins: ([coin], position) => told(`coins.${coin}`, left(position[coin])),
    merchant_row: ([at], { merchant_row: row }) => told(`cards.${row[at].card}`, Number(at) ? say("rules.pay", { n: Number(at) }) : say("rules.pay_nothing")),
    lying: () => told("places.lying"),
    players: ([seat, ...own], { players }, seats) => travelling(players[seat], own, say("rules.owner", { name: seats[seat] })),
  },
};

// How many tiles lie face down: of a kind, or all.
function faceDown({ face_down: down }, kind) {
  const n = kind ? (down[kind] ?? 0) : Object.values(down).reduce((total, count) => total + count, 0);
  return say("rules.face_down", { n });
}

function supplied(kind, { supply, colonists, nobles }) {
  if (kind === "vp") return told("places.vp_supply", left(supply.vp_chips));
  if (kind === "colonists") return told("places.colonist_supply", left(colonists.supply));
  if (kind === "nobles") return told("places.noble", left(nobles.supply));
  return told(`goods.${kind}`, left(supply.goods[kind] ?? 0));
}

function owners(building, { players }, seats) {
  const names = seats.filter((_, seat) => players[seat]?.city.some((place) => place.building === building));
  return names.length ? say("rules.owners", { names: names.join(", ") }) : "";
}

function ownPart(player, what, which, position, seats, seat) {
  const [kind, number] = which;
  const owner = say("rules.owner", { name: seats[seat] });
  if (what === "doubloons") return told("places.doubloon", owner);
  if (what === "vp") return told("places.victory_point", owner);
  if (what === "san_juan") return told("places.san_juan", owner);
  if (what === "goods") return told(`goods.${kind}`, owner, say("rules.stock", { n: player.goods[kind] ?? 0 }), left(position.supply.goods[kind] ?? 0));
  if (what === "island") return told(`tiles.${kind}`, owner, kind === "forest" ? "" : occupied(player.island.filter(({ tile }) => tile === kind)[Number(number) - 1], 1));
  const place = player.city.find(({ building }) => building === kind);
  return told(`buildings.${kind}`, owner, occupied(place, place?.circles), left(position.supply.buildings[kind] ?? 0));
}

// Whether people make a tile or building work.
function occupied(place, circles) {
  if (!place || !circles) return "";
  const n = place.colonists + place.nobles;
  return n ? say("rules.standing", { n, of: circles }) : say("rules.idle");
}

function travelling(player, own, owner) {
  const [what, which] = own;
  if (what === "gold" || what === "silver") return told(`coins.${what}`, owner, say("rules.stock", { n: player[what] }));
  if (what === "caravan") return told(`spices.${which}`, owner, say("rules.stock", { n: player.caravan[which] }));
  if (!which) return told(`places.${what}`, owner);
  return told(`${what === "claimed" ? "point_cards" : "cards"}.${which}`, owner);
}

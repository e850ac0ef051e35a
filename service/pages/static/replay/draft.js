// Draws the draft of the violet buildings: the places of each cost, and every kind with its cost, points and effect.

import { facts } from "../rules/facts.js";
import { say } from "../words.js";
import { html, panel, part, svg } from "./elements.js";
import { CARD, building } from "./mats.js";
import { coin } from "./pieces.js";

const WIDE = 14; // of a card, with its gap
const EXCLUSIVE = ["office", "trading_post"]; // of which an option admits one

// Returns the panel of the draft; an empty list when no draft is on.
export function draft(position, { names, catalogue, draft_places: places }) {
  if (position.turn?.decision !== "D-DRAFT") return [];
  const kinds = candidates(position.options, catalogue);
  const groups = Object.keys(places).map(Number).map((cost) => group(cost, kinds.filter((name) => catalogue[name].cost === cost), places[cost], position, { names, catalogue }));
  const drawn = panel(say("rules.draft"), "draft", html("p", { class: "lead" }, say("rules.draft_lead")), ...groups, effects(kinds, names));
  tellEffects(drawn);
  return [drawn];
}

// Returns the kinds that may come into the game.
export function candidates({ expansions, nobles_setup: setup }, catalogue) {
  const sources = ["base", ...expansions.filter((name) => name !== "nobles" || setup === "draft")];
  return Object.keys(catalogue).filter((name) => catalogue[name].violet && sources.includes(catalogue[name].expansion));
}

function group(cost, kinds, places, position, { names, catalogue }) {
  const chosen = kinds.filter((name) => name in position.supply.buildings);
  const heading = html("h3", {}, say("rules.draft_cost", { cost }), " ", html("small", {}, say("rules.draft_places", { n: chosen.length, of: places })));
  const full = chosen.length >= places;
  const cards = kinds.map((name) => card(name, state(name, position, full), names, catalogue[name]));
  const drawn = html("div", { class: "draft-cost" }, heading, html("div", { class: "draft-cards" }, ...cards));
  drawn.style.flex = `${kinds.length} 1 ${kinds.length * WIDE}rem`; // as many costs beside each other as there is room
  return drawn;
}

// Returns what the kinds do, to unfold on a phone: there the cards have no room for it.
function effects(kinds, names) {
  const lines = kinds.flatMap((name) => [html("dt", {}, names.buildings[name]), html("dd", { "data-effect": `buildings.${name}` })]);
  return html("details", { class: "draft-effects" }, html("summary", {}, say("rules.draft_effects")), html("dl", {}, ...lines));
}

function state(name, { supply, options }, full) {
  if (name in supply.buildings) return "chosen";
  const rival = options.exclude_office_and_trading_post && EXCLUSIVE.includes(name) && EXCLUSIVE.some((other) => other in supply.buildings);
  return full || rival ? "closed" : "open";
}

function card(name, stands, names, kind) {
  const label = names.buildings[name];
  const drawing = svg("svg", { viewBox: `0 0 ${CARD.width} ${CARD.height}`, "aria-hidden": "true" }, ...building(name, kind, names, null), ...coin(12, CARD.height - 13, kind.cost, "doubloon", 9.5));
  const sign = stands === "open" ? null : html("strong", {}, stands === "chosen" ? `✓ ${say("rules.draft_chosen")}` : `✕ ${say("rules.draft_closed")}`);
  const numbers = `${say("rules.cost", { n: kind.cost })} · ${say("rules.points", { n: kind.vp })}`;
  const words = html("div", {}, html("span", { class: "unseen" }, `${label} · ${numbers}`), html("small", { "aria-hidden": "true" }, numbers), sign);
  const effect = html("p", { "data-effect": `buildings.${name}` });
  const drawn = html("div", { class: `draft-card ${stands}`, "data-told": "" }, drawing, words, effect);
  if (stands === "open") return part(`market.${name}`, stands, drawn);
  drawn.dataset.piece = `buildings.${name}`;
  return drawn;
}

// Writes the effects as soon as they are known.
function tellEffects(drawn) {
  const tell = (known) => {
    for (const line of drawn.querySelectorAll("[data-effect]")) line.textContent = known[line.dataset.effect]?.effect ?? "";
  };
  facts("puerto_rico").then(tell, () => null); // without them the cards still have names and numbers
}

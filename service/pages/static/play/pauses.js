// Pauses by agreement, and who is away: the clocks stand, and the page says until when.

import { localTime } from "../local_times.js";
import { html } from "../replay/elements.js";
import { say } from "../words.js";

const LENGTHS = [600, 3600, 86_400, 259_200, 604_800, 1_209_600, 2_592_000]; // seconds
const USUAL = 86_400;
const NOTED = ["clock_paused", "clock_resumed", "away_began", "away_ended"];

// Fills the place below the clocks: the pause that is on with its end, or the form that proposes one.
export function fillPause(place, table, act) {
  const { clock, pauses } = table.summary;
  const stops = clock.kind !== "none" && pauses && !table.over && table.position;
  const shown = stops ? JSON.stringify([clock.paused_until, table.seat !== undefined, Boolean(table.summary.offer)]) : "";
  if (place.dataset.shown === shown) return; // a form that is being filled in stays
  place.dataset.shown = shown;
  place.replaceChildren(...(stops ? parts(clock, table, act) : []));
}

function parts({ paused_until: until }, table, act) {
  const seated = table.seat !== undefined;
  if (until) return [html("p", { class: "standing" }, `‖ ${say("pauses.stand", { time: localTime(until) })}`), ...(seated ? [button("pauses.resume", () => act("pause/end"))] : [])];
  if (!seated || table.summary.offer) return [];
  const length = /** @type {HTMLSelectElement} */ (html("select", {}, ...LENGTHS.map((seconds) => html("option", { value: seconds }, say(`pauses.for_${seconds}`)))));
  length.value = String(USUAL);
  const label = html("label", { class: "pick" }, html("span", {}, say("pauses.how_long")), length);
  const propose = button("pauses.propose", () => act("pause", { seconds: Number(length.value) }));
  return [html("details", {}, html("summary", {}, say("pauses.title")), label, html("p", {}, say("pauses.about")), propose)];
}

function button(words, act) {
  const node = html("button", { type: "button" }, say(words));
  node.addEventListener("click", act);
  return node;
}

// Returns the sentence of a proposed pause.
export function proposed({ seconds }, name) {
  const days = Math.floor(seconds / 86_400);
  const [hours, minutes] = [Math.floor(seconds / 3600) % 24, Math.ceil(seconds / 60) % 60];
  const clock = `${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
  return say("pauses.offers", { name, time: LENGTHS.includes(seconds) ? say(`pauses.for_${seconds}`) : `${days ? `${days}d ` : ""}${clock}` });
}

// Returns the sentence of the log about a clock that stopped or goes on; null for other events.
export function noted({ kind, seat, until }, name) {
  if (!NOTED.includes(kind)) return null;
  const what = kind === "clock_resumed" && seat === null ? "pause_over" : kind;
  return say(`pauses.noted_${what}`, { name, time: until ? localTime(until) : "" });
}

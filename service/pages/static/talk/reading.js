// How the reader reads table talk: covered words, muted players and tables; for hosts, closed rooms.

import { html } from "../replay/elements.js";
import { say } from "../words.js";

// Returns the controls; `own` are the reader's settings, null for a visitor.
export function controls(talk, own) {
  const { state, about, id } = talk;
  const parts = [html("p", { class: "hint" }, say("talk.beside"))];
  if (!own) return parts;
  parts.push(box(say("talk.cover"), own.covers, (on) => talk.change({ covers: on })));
  parts.push(box(say(`talk.mute_${about}`), state.muted, (on) => talk.change({ about, id, mutes: on })));
  const muted = own.mutes.filter((one) => one.about === "player");
  if (muted.length) parts.push(html("p", {}, say("talk.mutes")), html("ul", {}, ...muted.map((one) => heardAgain(talk, one))));
  if (state.may_close) parts.push(...rooms(about).map((room) => box(say(`talk.close_${room}`), state.closed.includes(room), (on) => talk.close(room, on))));
  return parts;
}

function rooms(about) {
  return about === "game" ? ["players", "spectators"] : ["tournament"];
}

function heardAgain(talk, { about, id, name }) {
  const button = html("button", { type: "button" }, say("talk.unmute"));
  button.addEventListener("click", () => talk.change({ about, id, mutes: false }));
  return html("li", {}, `${name ?? say("talk.forgotten")} `, button);
}

function box(label, on, change) {
  const field = html("input", { type: "checkbox", checked: on ? "" : null });
  field.addEventListener("change", () => change(field.checked));
  return html("label", { class: "switch" }, field, ` ${label}`);
}

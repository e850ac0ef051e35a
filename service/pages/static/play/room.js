// The waiting room before a game: chairs, awaited players, buttons to take a free chair.

import { html } from "../replay/elements.js";
import { localTime } from "../local_times.js";
import { person } from "../replay/seats.js";
import { confirmed } from "../confirmation.js";
import { say } from "../words.js";
import { send } from "../api.js";
import { terms } from "./clocks.js";
import { invitations } from "./invitation.js";
import { able } from "./vault.js";

const SEALED = 2; // from this level on, seats commit to their entropy

export function room({ summary, deal, path, player }, invited, changed, fail) {
  const seat = deal.seat(summary);
  const seated = seat !== undefined;
  const rows = summary.seats.map((seat) => html("li", {}, html("span", { class: `disc seat-${seat.chair}` }, String(seat.chair + 1)), html("span", { class: "sitter" }, sitter(seat))));
  const clock = terms(summary);
  const parts = [html("h2", {}, say("play.waiting_room")), html("ul", { class: "seats" }, ...rows), clock ? html("p", {}, clock) : "", html("p", {}, say(`play.waits_for_${summary.chance.waits_for ?? "players"}`))];
  if (clock && !summary.pauses) parts.push(html("p", {}, say("pauses.never")));
  if (summary.silent) parts.push(html("p", {}, say("talk.silent")));
  if (summary.expires) parts.push(html("p", { class: "expires" }, say("play.expires", { at: localTime(summary.expires) })));
  parts.push(...invitations(summary));
  if (summary.chance.level >= SEALED) parts.push(html("p", {}, say(able && (!seat || seat.promised || seat.commitment) ? "play.brings_secret" : "play.brings_nothing")));
  const actionButton = (words, action, kind) => {
    const button = html("button", { type: "button", class: kind }, words);
    button.addEventListener("click", () => action().then(changed, fail));
    return button;
  };
  if (!seated && summary.seats.some((chair) => free(chair, player, invited))) parts.push(actionButton(say("play.sit_down"), () => takeSeat(path, deal.seatFields(summary)), "main"));
  if (!seated) return html("section", { class: "panel room" }, ...parts);
  if (summary.host?.id === player) parts.push(actionButton(say("play.cancel_game"), () => cancel(path), ""));
  else if (summary.chance.waits_for !== "entropies") parts.push(actionButton(say("play.get_up"), () => send(`${path}/seats/mine`, {}, "DELETE"), ""));
  return html("section", { class: "panel room" }, ...parts);
}

// Returns whether the reader may take a chair; `invited` is the one that the link is for.
function free({ player: sitting, bot, kept_for: kept, chair }, player, invited) {
  return !sitting && !bot && (kept === "open" || kept === `player:${player}` || (kept === "invite" && chair === invited));
}

function sitter({ player, program, name, kept_for: kept }) {
  if (player) return person(player, program);
  if (name) return name;
  return say(kept === "invite" ? "common.invited" : "common.open_chair");
}

// Asks for confirmation, because a cancelled game cannot be restored.
async function cancel(path) {
  if (await confirmed(say("play.sure_cancel_game"), say("play.then_cancel_game"), say("play.cancel_game"), say("play.keep_game"))) await send(`${path}/abort`, {});
}

// Takes a seat with its contribution to the deal.
function takeSeat(path, contribution) {
  const invite = new URLSearchParams(location.search).get("invite");
  return send(`${path}/seats`, { ...contribution, ...(invite ? { invite } : {}) });
}

// Notices of an open tab: of what the player chose, outside of quiet hours, while no page of the service is in view.

import { get } from "../api.js";
import { say } from "../words.js";

const KINDS = { your_turn: "turn", seat_kept: "turn", time_runs_out: "time", table_expires: "expires", game_over: "over", round_published: "round" };
const IN_VIEW = "cabildo-in-view"; // a lock that every page shares while it is in view
let leave = null;

// Notes whether this page is in view, for the tab that tells.
export function noteView() {
  document.addEventListener("visibilitychange", look);
  look();
}

function look() {
  if (document.hidden) {
    leave?.();
    leave = null;
  } else if (!leave) navigator.locks?.request(IN_VIEW, { mode: "shared" }, () => new Promise((done) => (document.hidden ? done(null) : (leave = done))));
}

// Tells of an event of a game, or of a tournament.
/** @param {{ event: string, game?: string, tournament?: string }} news */
export async function tell({ event, game, tournament }) {
  const kind = KINDS[event];
  if (!kind || globalThis.Notification?.permission !== "granted" || (await inView())) return;
  const { notify, quiet_hours: quiet, time_zone: zone } = await get("/v1/me/settings");
  if (!notify[kind].includes("tab") || isQuiet(quiet, zone, new Date())) return;
  const path = kind === "round" ? `/tournaments/${tournament}` : kind === "over" ? `/games/${game}` : `/games/${game}/play`;
  const notice = new Notification(say(`play.told_${kind}`), { tag: path, icon: "/static/mark.svg" });
  notice.addEventListener("click", () => {
    notice.close();
    window.focus();
    location.assign(path);
  });
}

async function inView() {
  if (!navigator.locks) return !document.hidden;
  return (await navigator.locks.query()).held.some(({ name }) => name === IN_VIEW);
}

// Returns whether a time falls into the quiet hours, by the clock of their zone.
/**
 * @param {{ from: string, until: string } | null} quiet
 * @param {string} zone
 * @param {Date} at
 */
export function isQuiet(quiet, zone, at) {
  if (!quiet) return false;
  const now = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone }).format(at);
  return quiet.from <= quiet.until ? quiet.from <= now && now < quiet.until : now >= quiet.from || now < quiet.until;
}

// The clocks of the table; the page counts down between two answers of the service.

import { localTime } from "../local_times.js";
import { html, sign } from "../replay/elements.js";
import { robot } from "../replay/seats.js";
import { say } from "../words.js";

const LOW = 60; // seconds

// The seats with their players, the turn, the roles of the round and the clocks.
export function seats(summary, names, roles) {
  return summary.seats.map((seat, at) => {
    const acts = summary.turn?.seat === at;
    const why = seat.absent ? "absent" : seat.forfeited ? "forfeited" : seat.stand_in && "stand_in";
    const away = why ? html("small", {}, ` ${say(`play.${why}`)}`) : seat.away_until ? html("small", { class: "away" }, ` ${say("pauses.away", { time: localTime(seat.away_until) })}`) : "";
    const mark = acts ? html("span", { class: "mark act" }, sign("▶"), say("play.acts")) : "";
    return html("li", { class: acts ? "acts" : "" }, html("span", { class: `disc seat-${at}` }, String(at + 1)), html("span", { class: "sitter" }, names[at], away, ...roles(at).map((role) => html("span", { class: "mark role" }, role))), mark, clock(summary.clock, at));
  });
}

// The rules of the clock and the consequence of running out of time; nothing without a clock.
export function terms({ clock: { kind, seconds: given, increment }, leaver }) {
  if (kind === "none") return "";
  const counted = say(`play.clock_${kind}`, { time: spelled(given), more: spelled(increment ?? 0) });
  return `${counted} ${leaver === "forfeit" ? say("play.falls_forfeit") : say("play.falls_bot", { bot: robot(leaver) })}`;
}

function clock(setting, seat) {
  if (!setting || setting.kind === "none") return "";
  const shown = html("time", { class: "clock" });
  const tick = () => {
    const left = seconds(setting, seat);
    const mark = setting.running !== seat ? "" : stands(setting) ? "‖ " : left < LOW ? "⚠ " : "";
    shown.textContent = left === null ? "" : `${mark}${spelled(left)}`;
    shown.classList.toggle("low", left !== null && left < LOW && setting.running === seat);
    if (shown.isConnected || !ticking) setTimeout(tick, 1000);
  };
  let ticking = false;
  tick();
  ticking = true;
  return shown;
}

function seconds(setting, seat) {
  const bank = setting.banks?.[seat];
  if (setting.running !== seat) return bank === undefined ? null : bank;
  const now = stands(setting) ? Date.parse(setting.stands_until) : Date.now();
  if (setting.deadline) return Math.max(0, (Date.parse(setting.deadline) - now) / 1000);
  return bank === undefined ? null : bank;
}

// Returns whether the running clock stands, in a pause or on days away.
function stands({ stands_until: until }) {
  return Boolean(until) && Date.parse(until) > Date.now();
}

function spelled(total) {
  const whole = Math.floor(total);
  const [days, hours, minutes, rest] = [Math.floor(whole / 86400), Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60];
  if (days) return `${days}d ${hours}h`;
  return `${hours ? `${hours}:` : ""}${String(minutes).padStart(hours ? 2 : 1, "0")}:${String(rest).padStart(2, "0")}`;
}

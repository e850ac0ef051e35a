// The log of the game: each step with its gains; a line marks the reader's last move.

import { html } from "../replay/elements.js";
import { forced, gained, stepSentence } from "../replay/tale.js";
import { say } from "../words.js";
import { noted } from "./pauses.js";

// Causes that have sentences of their own.
const CAUSES = {
  resigned: { bot: "resigned_bot" },
  flag_fell: { bot: "flag_fell_bot" },
  game_ended: { forfeit: "ended_forfeit" },
  game_aborted: {
    early: "aborted_early",
    agreement: "aborted_agreed",
    maker: "aborted_maker",
    administrator: "aborted_administrator",
    expired: "aborted_expired",
  },
};

export class Log {
  constructor(list, setting) {
    this.list = list;
    this.setting = setting;
    this.steps = [];
    this.seats = "";
  }

  // `own`: the step of the reader's own last move. Steps that are listed already stay; after a return
  // to an earlier board, and when a seat has another name, everything is listed anew.
  show(steps, own) {
    const seats = this.setting.seats.join("\n");
    const older = steps.length - this.steps.length;
    const kept = seats === this.seats && this.steps.every((step, at) => step === steps[at]);
    if (kept && !older) return;
    if (!kept && seats === this.seats && this.steps.length && this.steps.every((step, at) => step === steps[at + older])) return this.showOlder(steps, older);
    this.list.querySelector(".own")?.remove();
    if (!kept) this.list.replaceChildren();
    this.list.append(...steps.slice(kept ? this.steps.length : 0).map((step) => this.item(step)));
    this.steps = [...steps];
    this.seats = seats;
    if (steps.includes(own)) this.list.children[steps.indexOf(own)].after(html("li", { class: "own" }, say("play.since")));
    this.list.scrollTop = this.list.scrollHeight;
  }

  // Lists older steps that were read; what is in sight stays where it is.
  showOlder(steps, older) {
    const below = this.list.scrollHeight - this.list.scrollTop;
    this.list.prepend(...steps.slice(0, older).map((step) => this.item(step)));
    this.list.scrollTop = this.list.scrollHeight - below;
    this.steps = [...steps];
  }

  item(step) {
    if (!step.then) return html("li", { class: "note" }, noteSentence(step, this.setting.seats));
    const link = html("a", { href: `/games/${this.setting.id}#${step.version}` }, stepSentence(step, this.setting.seats));
    const more = [gained(step, this.setting), ...forced(step, this.setting.seats)].filter(Boolean);
    return html("li", { class: "step" }, link, ...more.map((said) => html("small", {}, said)));
  }
}

// Returns the sentence of a note: an event that is no step, with the player and a director's reason.
function noteSentence(note, seats) {
  const { kind, seat, cause, absent, player, bot, reason } = note;
  const stopped = noted(note, seats[seat] ?? "");
  if (stopped) return stopped;
  const names = { name: seats[seat] ?? "", by: player?.name ?? (bot && seats[seat]) ?? say("common.forgotten") };
  const what = absent ? "absent" : (CAUSES[kind]?.[cause] ?? kind);
  const sentence = say(`play.noted_${what}`, names);
  return reason ? `${sentence} (${reason})` : sentence;
}

// A step as an announcement: the move, its gains, the automatic moves.
export function announcement(step, setting) {
  if (!step.then) return `${noteSentence(step, setting.seats)}.`;
  const sentences = [stepSentence(step, setting.seats), gained(step, setting)].filter(Boolean).map((said) => `${said}.`);
  return [...sentences, ...forced(step, setting.seats)].join(" ");
}

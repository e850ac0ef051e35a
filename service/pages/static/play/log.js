// What has happened in the game, every step with what it brought; a line shows where the reader's own last move was.

import { html } from "../replay/elements.js";
import { forced, gained, told } from "../replay/tale.js";
import { say } from "../words.js";

export class Log {
  constructor(list, setting) {
    Object.assign(this, { list, setting, steps: [], seats: "" });
  }

  // `own`: how many steps there are up to the reader's own last move. Steps that are listed already stay; after a return
  // to an earlier board, and when a seat has another name, everything is listed anew.
  show(steps, own) {
    const seats = this.setting.seats.join("\n");
    const kept = seats === this.seats && this.steps.every((step, at) => step === steps[at]);
    if (kept && steps.length === this.steps.length) return;
    this.list.querySelector(".own")?.remove();
    if (!kept) this.list.replaceChildren();
    this.list.append(...steps.slice(kept ? this.steps.length : 0).map((step) => this.item(step)));
    Object.assign(this, { steps: [...steps], seats });
    if (own) this.list.children[own - 1].after(html("li", { class: "own" }, say("play.since")));
    this.list.scrollTop = this.list.scrollHeight;
  }

  item(step) {
    const link = html("a", { href: `/games/${this.setting.id}#${step.version}` }, told(step, this.setting.seats));
    const more = [gained(step, this.setting), ...forced(step, this.setting.seats)].filter(Boolean);
    return html("li", { class: "step" }, link, ...more.map((said) => html("small", {}, said)));
  }
}

// A step for the ear: what was done, what it brought, what followed by itself.
export function spoken(step, setting) {
  const sentences = [told(step, setting.seats), gained(step, setting)].filter(Boolean).map((said) => `${said}.`);
  return [...sentences, ...forced(step, setting.seats)].join(" ");
}

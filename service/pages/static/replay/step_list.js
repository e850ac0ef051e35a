// The list of steps beside the board: of a long game the part near the shown step, which grows where one scrolls.

import { say } from "../words.js";
import { LONG } from "./outline.js";
import { list as items } from "./tale.js";

const AROUND = 100; // steps before and after the shown one
const MARGIN = 8; // steps that stay in sight beyond the shown one
const MORE = 200; // steps
const EDGE = 40; // pixels

export class StepList {
  // `read` gives the steps from a number until another one their words.
  constructor(list, [earlier, later], read, fail) {
    this.list = list;
    this.earlier = earlier; // the buttons for more steps
    this.later = later;
    this.read = read;
    this.steps = [];
    this.seats = [];
    this.rounds = [];
    this.from = 0; // of the steps that are listed
    this.until = 0;
    this.at = 0;
    this.growing = false;
    const grow = (way, focused) => this.grow(way, focused).catch(fail);
    earlier.addEventListener("click", () => grow(-1, true));
    later.addEventListener("click", () => grow(1, true));
    list.addEventListener("scroll", () => {
      if (list.scrollTop < EDGE) grow(-1, false);
      else if (list.scrollHeight - list.scrollTop - list.clientHeight < EDGE) grow(1, false);
    });
  }

  // Takes the steps of the game; the list is drawn with the step that is shown next.
  take(steps, seats, rounds) {
    Object.assign(this, { steps, seats, rounds, from: 0, until: 0 });
  }

  // Reads the words of the steps that are listed with a step.
  ready(at) {
    return this.read(...this.part(at));
  }

  // Marks the step that is shown, and scrolls to it.
  show(at) {
    const [from, until] = this.part(at);
    if (from !== this.from || until !== this.until) this.draw(from, until);
    this.at = at;
    const link = this.mark();
    this.list.scrollTop = link.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }

  // Returns the part of the steps that is listed with a step: all of them, the listed part, or a new one.
  part(at) {
    const { length } = this.steps;
    if (length <= LONG && !this.steps.some(({ unread }) => unread)) return [0, length];
    const listed = at >= this.from + (this.from && MARGIN) && at < this.until - (this.until < length ? MARGIN : 0);
    return listed ? [this.from, this.until] : [Math.max(0, at - AROUND), Math.min(length, at + AROUND)];
  }

  draw(from, until) {
    Object.assign(this, { from, until });
    this.list.replaceChildren(...items(this.steps, this.seats, this.rounds, from, until));
    offerMore(this.earlier, "replay.earlier", from);
    offerMore(this.later, "replay.later", this.steps.length - until);
  }

  mark() {
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = this.list.querySelector(`[data-at="${this.at}"]`);
    link?.setAttribute("aria-current", "step");
    return link;
  }

  // Lists more steps at an end; what is in sight stays where it is. The focus goes to the nearest new step.
  async grow(way, focused) {
    const { list, steps, from, until } = this;
    const [first, last] = way < 0 ? [Math.max(0, from - MORE), until] : [from, Math.min(steps.length, until + MORE)];
    if (this.growing || !until || (first === from && last === until)) return;
    this.growing = true;
    try {
      await this.read(first, last);
    } finally {
      this.growing = false;
    }
    if (this.steps !== steps || this.from !== from || this.until !== until) return; // another part was listed meanwhile
    const below = list.scrollHeight - list.scrollTop;
    const { scrollTop } = list;
    this.draw(first, last);
    this.mark();
    list.scrollTop = way < 0 ? list.scrollHeight - below : scrollTop;
    if (focused) list.querySelector(`[data-at="${way < 0 ? from - 1 : until}"]`).focus();
  }
}

// Shows the button for more steps, where there are some.
export function offerMore(button, name, n) {
  button.hidden = n === 0;
  button.textContent = n ? say(name, { n }) : "";
}

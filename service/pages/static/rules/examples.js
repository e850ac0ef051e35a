// Draws the worked examples of the rules as boards when they come into sight; buttons step through their moves.

import { get } from "../api.js";
import { html } from "../replay/elements.js";
import { mark } from "../replay/marks.js";
import * as puertoRico from "../replay/puerto_rico.js";
import * as spiceRoad from "../replay/spice_road.js";
import { say } from "../words.js";
import { explain } from "./popovers.js";

const BOARDS = { puerto_rico: puertoRico, spice_road: spiceRoad };
const NEAR = "400px"; // below the window

export function drawExamples(setting) {
  const watched = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) {
      if (!isIntersecting) continue;
      watched.unobserve(target);
      new Example(setting, target).draw().catch(() => target.remove());
    }
  }, { rootMargin: NEAR });
  for (const name of setting.examples) {
    const paragraph = document.getElementById(name);
    if (!paragraph) continue;
    const box = html("div", { class: "example", lang: document.documentElement.lang, "data-example": name, role: "group", "aria-label": say("rules.example", { name }) }, html("div", { class: "drawn" }));
    after(paragraph, name).after(box);
    watched.observe(box);
  }
}

// Returns the last paragraph or table of an example.
function after(paragraph, name) {
  let last = paragraph;
  for (let next = last.nextElementSibling; next && !next.id && !/^H[1-6]$/.test(next.tagName); next = next.nextElementSibling) {
    if (next.classList.contains("example") || next.dataset.example === name) break;
    last = next;
  }
  return last;
}

class Example {
  constructor(setting, box) {
    this.setting = setting;
    this.box = box;
    this.at = 0;
  }

  async draw() {
    this.told = await get(`/v1/rules/${this.setting.game}/examples/${this.box.dataset.example}`);
    this.setting = { ...this.setting, seats: this.told.steps[0].position.players.map((_, seat) => String.fromCharCode(65 + seat)) };
    this.drawn = this.box.querySelector(".drawn");
    this.said = html("span", { role: "status" });
    this.back = this.stepper("◀", "rules.step_back", -1);
    this.on = this.stepper("▶", "rules.step_on", 1);
    const steps = this.told.steps.length > 1 ? [this.back, this.on, this.said] : [];
    const ask = explain(this.drawn, () => ({ game: this.setting.game, position: this.told.steps[this.at].position, seats: this.setting.seats }));
    this.box.prepend(html("div", { class: "steps" }, ...steps, ask));
    this.show(0);
  }

  stepper(sign, name, step) {
    const button = html("button", { type: "button", "aria-label": say(name) }, sign);
    button.addEventListener("click", () => this.show(this.at + step));
    return button;
  }

  show(at) {
    this.at = Math.min(Math.max(at, 0), this.told.steps.length - 1);
    const { seat, report } = this.told.steps[this.at];
    const step = say("rules.step", { at: this.at + 1, of: this.told.steps.length });
    this.said.textContent = (report ? `${step}: ${this.setting.seats[seat]} ${report}` : `${step}: ${say("rules.begins")}`) + this.points();
    this.back.disabled = this.at === 0;
    this.on.disabled = this.at === this.told.steps.length - 1;
    this.drawn.replaceChildren(...this.parts(this.at));
    if (this.at) mark(this.drawn, html("div", {}, ...this.parts(this.at - 1)));
  }

  // Returns the points of the seats after the last move of an example about points.
  points() {
    if (!this.told.points || this.at < this.told.steps.length - 1) return "";
    const list = this.told.points.map((points, seat) => `${this.setting.seats[seat]} ${points}`).join(", ");
    return `. ${say("rules.points", { n: list })}`;
  }

  // Returns the parts of the board that matter for the example.
  parts(at) {
    const whole = BOARDS[this.setting.game].board(this.told.steps[at].position, this.setting);
    const shown = new Set(this.told.show);
    for (const part of whole.flatMap((node) => [...node.querySelectorAll(".panel")])) {
      if (![...part.classList].some((kind) => shown.has(kind))) part.remove();
      else part.removeAttribute("aria-label"); // landmarks of one name would be many on the page
    }
    for (const part of ["island", "city"]) {
      for (const [seat, mat] of [...this.setting.seats.keys()].map((number) => [number, whole[1].querySelector(`.mat.seat-${number}`)])) {
        if (this.told.steps.every(({ position }) => !position.players[seat][part]?.length)) mat?.querySelector(`.${part}`)?.remove();
      }
    }
    for (const column of whole.flatMap((node) => [...node.querySelectorAll(".column")])) if (!column.childElementCount) column.remove();
    return whole.filter((node) => node.childElementCount);
  }
}

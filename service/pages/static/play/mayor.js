// The mayor's placement on the board and in the panel: by drag, click, or steps for each place.

import { html } from "../replay/elements.js";
import { say } from "../words.js";
import { hold, open } from "./clickable.js";
import { counter } from "./editors.js";
import { Placement } from "./placement.js";

export class Mayor {
  constructor(table, setting, board, show) {
    this.table = table;
    this.setting = setting;
    this.board = board;
    this.show = show;
    this.kind = "colonists";
    this.plan = new Placement(table.legal.slots, table.position, table.seat);
    this.own = `players.${table.seat}.`;
  }

  preview() {
    return this.plan.preview();
  }

  // Returns the place of a part of the board; null: none, "": San Juan.
  place(key) {
    if (!key?.startsWith(this.own)) return null;
    const [area, name] = key.slice(this.own.length).split(".");
    if (area === "san_juan") return "";
    return (area === "island" || area === "city") && name in this.plan.room ? name : null;
  }

  grabs(key) {
    const place = this.place(key);
    return place === "" ? this.plan.left("colonists") + this.plan.left("nobles") > 0 : place !== null && this.plan.count(place) > 0;
  }

  drop(from, to) {
    const [taken, put] = [this.place(from), this.place(to)];
    if (taken === null || put === null) return;
    this.plan.move(taken || null, put || null);
    this.show();
  }

  // Every circle of the own board is a button; a click fills it, or empties a full one.
  open() {
    const keys = [...this.board.querySelectorAll(`[data-part^="${this.own}"]`)].map((node) => node.dataset.part);
    const places = keys.filter((key) => this.place(key));
    open(this.board, places.map((key) => [key, () => this.said(this.place(key))]), (key) => {
      this.plan.toggle(this.place(key), this.kind);
      this.show();
    });
    hold(this.board.querySelector(`[data-part="${this.own}san_juan"]`));
  }

  said(place) {
    return `${this.name(place)}: ${say("play.people_of", { n: this.plan.count(place), most: this.plan.room[place] })}`;
  }

  name(place) {
    return this.setting.names.buildings[place] ?? this.setting.names.tiles[place];
  }

  // The people still to place.
  get state() {
    const left = this.plan.wanted - this.plan.placed;
    return left ? say("play.still_to_place", { n: left }) : say("play.all_placed");
  }

  panel(choose) {
    const done = this.button(say("play.place_so"), () => choose({ move: this.plan.text, label: say("play.place_so"), effect: this.summary() }), "main");
    done.disabled = this.plan.placed !== this.plan.wanted;
    const helps = [
      this.button(say("play.as_before"), () => this.plan.suggest()),
      this.button(say("play.empty_all"), () => this.plan.clear()),
      this.button(say("play.fill_up"), () => this.plan.fill()),
    ];
    return [html("p", {}, say("play.place_how")), ...this.kinds(), html("div", { class: "row" }, done, ...helps), this.steps()];
  }

  summary() {
    return Object.keys(this.plan.room).filter((place) => this.plan.count(place)).map((place) => `${this.name(place)} ${this.plan.count(place)}`).join(", ");
  }

  button(words, act, kind = "") {
    const node = html("button", { type: "button", class: kind, "data-key": words }, words);
    node.addEventListener("click", () => {
      act();
      if (kind !== "main") this.show();
    });
    return node;
  }

  kinds() {
    if (!this.plan.own.nobles) return [];
    const choice = (kind) => {
      const radio = html("input", { type: "radio", name: "kind", value: kind, "data-key": kind, checked: this.kind === kind ? "" : null });
      radio.addEventListener("change", () => (this.kind = kind));
      return html("label", { class: "choice" }, radio, ` ${say(`play.${kind}`)} (${this.plan.left(kind)})`);
    };
    return [html("fieldset", {}, html("legend", {}, say("play.who_goes")), choice("colonists"), choice("nobles"))];
  }

  // The same in steps, place by place.
  steps() {
    const kinds = ["colonists", ...(this.plan.own.nobles ? ["nobles"] : [])];
    const rows = Object.entries(this.plan.room).flatMap(([place, most]) => kinds.map((kind) => this.step(place, kind, most)));
    const steps = html("details", { class: "steps-of-places" }, html("summary", {}, say("play.by_steps")), ...rows);
    steps.open = this.stepwise ?? false;
    steps.addEventListener("toggle", () => (this.stepwise = steps.open));
    return steps;
  }

  step(place, kind, most) {
    const label = kind === "nobles" ? `${this.name(place)}, ${say("play.nobles")}` : this.name(place);
    return counter(label, most, this.plan.at[place][kind], (number) => this.count(place, kind, number)).node;
  }

  // Room and people limit each step.
  count(place, kind, number) {
    const here = this.plan.at[place][kind];
    const most = here + Math.min(this.plan.free(place), this.plan.left(kind));
    this.plan.set(place, kind, Math.min(number, most));
    this.show();
  }
}

// A lesson: the reader is asked to find the move, and sees no further before it is found or given up.

import { send } from "../play/api.js";
import { html } from "../replay/elements.js";
import { say } from "../words.js";
import { button } from "./notes.js";

export class Lesson {
  constructor(store, go) {
    this.store = store;
    this.go = go;
    this.solved = new Set();
  }

  key(place) {
    return `${this.store.number}/${place}`;
  }

  // The first place along the game that asks and has not been answered; null: nothing is hidden.
  stop(tree) {
    const { chapter } = this.store;
    if (!chapter.lesson || this.store.writes) return null;
    return tree.trunk.find((place) => chapter.notes[place]?.question && !this.solved.has(this.key(place))) ?? null;
  }

  panel(place, tree) {
    const question = this.store.chapter.notes[place]?.question;
    if (!question) return [];
    const body = html("div", { class: "prose" });
    body.innerHTML = question.html ?? ""; // made harmless by the service, which alone writes it
    const reply = html("div", { class: "prose reply", role: "status" });
    const form = this.form(place, tree, reply);
    const hints = question.hints.map((hint, at) => html("details", {}, html("summary", {}, say("study.hint", { number: at + 1 })), hint));
    const given = this.stop(tree) === place ? button(say("study.give_up"), () => this.pass(place, tree)) : null;
    return [html("section", { class: "question" }, html("h3", {}, say("study.find_the_move")), body, ...hints, form, given, reply)];
  }

  form(place, tree, reply) {
    const choice = html("select", { "aria-label": say("study.your_move") });
    this.fill(place, choice);
    const sent = html("form", {}, choice, html("button", { type: "submit" }, say("study.answer")));
    sent.addEventListener("submit", (event) => {
      event.preventDefault();
      this.answer(place, choice.value, tree, reply).catch((refused) => (reply.textContent = refused.message));
    });
    return sent;
  }

  async fill(place, choice) {
    const { legal } = await this.store.board(place, "", true);
    const moves = legal?.moves ?? legal?.suggested ?? [];
    choice.append(...moves.map(({ move, label }) => html("option", { value: move }, label)));
  }

  async answer(place, move, tree, reply) {
    const found = await send(`${this.store.path}/chapters/${this.store.number}/answers`, { at: place, move });
    reply.classList.toggle("right", found.right);
    if (found.html) reply.innerHTML = found.html;
    else reply.textContent = say(found.right ? "study.right" : "study.wrong");
    if (found.right && !this.solved.has(this.key(place))) {
      this.solved.add(this.key(place));
      reply.append(button(say("study.go_on"), () => this.pass(place, tree)));
    }
  }

  pass(place, tree) {
    this.solved.add(this.key(place));
    this.go(tree.next(place) ?? place);
  }
}


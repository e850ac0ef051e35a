// A lesson: asks the reader to find a move and hides what follows until it is answered.

import { html } from "../replay/elements.js";
import { say } from "../words.js";
import { button } from "./notes.js";

export class Lesson {
  constructor(store, go) {
    this.store = store;
    this.go = go;
  }

  // Returns whether a place has an unanswered question; the service hides what is behind it.
  open(place) {
    return this.store.chapter.notes[place]?.question?.open ?? false;
  }

  // Returns the first place with an unanswered question; null: nothing is hidden.
  stop(tree) {
    return tree.trunk.find((place) => this.open(place)) ?? null;
  }

  panel(place, tree) {
    const question = this.store.chapter.notes[place]?.question;
    if (!question) return [];
    const body = html("div", { class: "prose" });
    body.innerHTML = question.html ?? ""; // sanitised by the service
    const reply = html("div", { class: "prose reply", role: "status" });
    const form = this.form(place, tree, reply);
    const hints = question.hints.map((hint, at) => html("details", {}, html("summary", {}, say("study.hint", { number: at + 1 })), hint));
    const given = this.open(place) ? button(say("study.give_up"), () => this.giveUp(place).catch((refused) => (reply.textContent = refused.message))) : null;
    return [html("section", { class: "question" }, html("h3", {}, say("study.find_the_move")), body, ...hints, form, given, reply, this.solution(question))];
  }

  // The right moves with their replies, when the question is answered.
  solution({ answers }) {
    if (!answers) return null;
    const moves = answers.map(({ move, reply }) => html("li", {}, html("b", {}, move), reply ? ` ${reply}` : ""));
    return html("details", {}, html("summary", {}, say("study.solution")), html("ul", {}, ...moves));
  }

  form(place, tree, reply) {
    const choice = html("select", { "aria-label": say("study.your_move") });
    const text = html("input", { type: "text", "aria-label": say("study.move_text"), placeholder: say("study.move_text"), hidden: "" });
    this.fill(place, choice, text).catch(this.store.fail);
    const sent = html("form", {}, choice, text, html("button", { type: "submit" }, say("study.answer")));
    sent.addEventListener("submit", (event) => {
      event.preventDefault();
      this.answer(place, text.value.trim() || choice.value, reply).catch((refused) => (reply.textContent = refused.message));
    });
    return sent;
  }

  // The moves to choose from, and a field for moves that are not listed.
  async fill(place, choice, text) {
    const { legal } = await this.store.board(place, "", true);
    text.hidden = !legal || legal.complete;
    const moves = legal?.moves ?? [];
    choice.append(...moves.map(({ move, label }) => html("option", { value: move }, label)));
  }

  async answer(place, move, reply) {
    const found = await this.store.answer(place, move);
    reply.classList.toggle("right", found.right);
    if (found.html) reply.innerHTML = found.html;
    else reply.textContent = say(found.right ? "study.right" : "study.wrong");
    if (found.right && this.open(place)) reply.append(button(say("study.go_on"), () => this.pass(place).catch((refused) => (reply.textContent = refused.message))));
  }

  async giveUp(place) {
    await this.store.answer(place, null);
    await this.pass(place);
  }

  // Goes on: loads what is behind the question.
  async pass(place) {
    await this.store.load();
    await this.go(place);
  }
}


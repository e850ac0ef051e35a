// Answers that the player leaves for the own seat: passing until something ends, always the same move, the list to clear.

import { Away, get, send } from "../api.js";
import { html } from "../replay/elements.js";
import { told } from "../rules/paragraph.js";
import { say } from "../words.js";
import { mark, offer, selected } from "./regions.js";

const NAME = "answers"; // of the region
const PASS = "pass";
const WITHOUT_TURN = { puerto_rico: [PASS], spice_road: ["rest"] }; // moves that are offered while others act
const OTHER = ""; // the choice of a move that is written in notation

export class Answers {
  constructor(section, table, setting) {
    this.section = section;
    this.table = table;
    this.setting = setting;
    this.path = `/v1/games/${setting.id}/answers`;
    this.state = null; // the newest answer of the service
    this.version = 0; // of the game, when it was asked for
    this.formed = null; // what the forms were drawn for
    this.status = html("p", { class: "told", role: "status" });
    this.trouble = html("p", { class: "trouble", role: "alert" });
    this.forms = html("div", { class: "forms" });
    this.others = html("div", {});
    this.list = html("ul", { class: "left", "aria-label": say("answers.title") });
    this.all = button(say("answers.clear_all"), () => this.clear(null), "quiet");
    section.append(html("p", { class: "hint" }, say("answers.hint")), this.forms, this.status, this.trouble, this.list, this.all, this.others);
    section.classList.add("answers");
    section.addEventListener("shown", () => this.attempt(() => this.follow()));
  }

  // Reads the answers when the game has moved on; while there are none, only where they are looked at.
  async follow() {
    const { summary, seat } = this.table;
    if (this.version && this.state && !this.state.answers.length && selected() !== NAME) return;
    if (seat === null || !this.table.position || this.version === summary.version || (this.table.over && !this.state)) return;
    this.version = summary.version;
    try {
      this.take(await get(this.path));
    } catch (problem) {
      this.version = 0;
      if (problem.status !== 403) throw problem; // the seat has a stand-in by now
    }
  }

  take(state) {
    const gone = this.state?.answers.some(({ id }) => !state.answers.some((one) => one.id === id));
    if (gone || !state.answers.length) this.tell(""); // what was told of an answer is not true any more
    this.state = state;
    if (state.reason !== "over" || state.answers.length) offer(NAME);
    this.drawForms();
    this.list.replaceChildren(...state.answers.map((one) => this.item(one)));
    if (!state.answers.length && !state.reason) this.list.append(html("li", { class: "none" }, say("answers.none")));
    this.all.hidden = state.answers.length < 2;
    if (selected() !== NAME) mark(NAME, state.answers.length);
  }

  // Leaves the chosen move for every time that it is legal at this kind of decision.
  async always({ move, label }) {
    await this.leave({ move, decision: this.table.summary.turn.decision, until: "game", span: null }, label);
  }

  async leave(answer, label) {
    await send(this.path, answer);
    await this.reread();
    this.tell(say("answers.was_left", { move: label }));
  }

  async reread() {
    this.version = 0;
    await this.follow();
  }

  clear(answer) {
    return this.attempt(async () => {
      const at = this.state.answers.indexOf(answer);
      await send(answer ? `${this.path}/${answer.id}` : this.path, null, "DELETE");
      await this.reread();
      const buttons = this.list.querySelectorAll("button");
      (buttons[Math.min(Math.max(at, 0), buttons.length - 1)] ?? this.forms.querySelector("select"))?.focus();
      this.tell(answer ? say("answers.was_cleared", { move: answer.label }) : say("answers.all_cleared"));
    });
  }

  async attempt(deed) {
    this.trouble.textContent = "";
    try {
      await deed();
    } catch (problem) {
      this.tell("");
      this.trouble.replaceChildren(...told(problem));
      if (!(problem instanceof Away)) await this.reread();
    }
  }

  tell(sentence) {
    this.status.textContent = sentence;
  }

  item(answer) {
    const where = answer.decision === null ? say("answers.any") : this.decision(answer.decision);
    const more = [where, say("answers.until_end", { end: say(`answers.end_${answer.until}`) }), answer.played ? say("answers.played", { n: answer.played }) : ""];
    const clear = button(say("answers.clear"), () => this.clear(answer));
    clear.setAttribute("aria-label", say("answers.clear_one", { move: answer.label }));
    return html("li", {}, html("span", {}, html("strong", {}, answer.label), html("small", {}, more.filter(Boolean).join(" · "))), clear);
  }

  decision(name) {
    return this.setting.decisions[name] ?? name;
  }

  // Draws the forms when what may be left has changed; what is being filled in stays otherwise.
  drawForms() {
    const { reason, ends } = this.state;
    const moves = this.moves();
    const shape = JSON.stringify([reason, ends, moves.map(({ move }) => move), this.table.mine && this.table.summary.turn.decision]);
    if (shape === this.formed) return;
    this.formed = shape;
    const refused = reason && reason !== "over" ? [html("p", {}, say(`answers.no_${reason}`))] : [];
    this.forms.replaceChildren(...(!reason && this.setting.game === "puerto_rico" ? [this.passing()] : refused));
    this.others.replaceChildren(...(reason ? [] : [this.another(moves)]));
  }

  // The moves to choose from: the legal ones on the own turn, else what is always meant the same.
  moves() {
    const always = WITHOUT_TURN[this.setting.game].map((move) => ({ move, label: say(`answers.${move}`) }));
    const now = this.table.mine ? this.table.legal.moves : [];
    return [...now, ...always.filter(({ move }) => !now.some((one) => one.move === move))];
  }

  passing() {
    const until = this.ends(say("answers.pass_until"), false);
    const form = html("form", { class: "row" }, until, html("button", {}, say("answers.pass")));
    this.onSubmit(form, () => ({ answer: { move: PASS, decision: null, ...chosenEnd(until) }, label: say("answers.pass") }));
    return form;
  }

  another(moves) {
    const { turn } = this.table.summary;
    const here = this.table.mine ? [[turn.decision, this.decision(turn.decision)]] : [];
    const rest = this.state.decisions.filter((name) => name !== here[0]?.[0]).map((name) => [name, this.decision(name)]);
    const move = select(say("answers.move"), [...moves.map((one) => [one.move, one.label]), [OTHER, say("answers.notation")]]);
    const written = html("input", { type: "text", maxlength: 512, autocomplete: "off", spellcheck: "false", hidden: "", "aria-label": say("answers.notation") });
    const at = select(say("answers.at"), [...here, ["*", say("answers.any")], ...rest]);
    const until = this.ends(say("answers.until"), true);
    const choice = move.querySelector("select");
    choice.addEventListener("change", () => {
      written.hidden = choice.value !== OTHER;
      if (!written.hidden) written.focus();
    });
    const form = html("form", {}, move, written, at, until, html("button", {}, say("answers.leave")));
    this.onSubmit(form, () => {
      const text = choice.value === OTHER ? written.value.trim() : choice.value;
      const decision = at.querySelector("select").value;
      const label = choice.value === OTHER ? text : choice.selectedOptions[0].textContent;
      return text && { answer: { move: text, decision: decision === "*" ? null : decision, ...chosenEnd(until) }, label };
    });
    const isOpen = this.setting.game !== "puerto_rico" || Boolean(this.others.querySelector("details[open]"));
    return html("details", { open: isOpen && "" }, html("summary", {}, say("answers.other")), form);
  }

  // Sends a form once at a time; the focus goes to what it has left.
  onSubmit(form, read) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const filled = read();
      const send = form.querySelector("button");
      if (!filled || send.disabled) return;
      send.disabled = true;
      await this.attempt(() => this.leave(filled.answer, filled.label).finally(() => (send.disabled = false))); // a refused text is written anew at once
      if (!document.activeElement || document.activeElement === document.body) this.section.querySelector("select, button")?.focus();
    });
  }

  ends(label, once) {
    const offered = this.state.ends.filter(({ until }) => once || until !== "once");
    const options = offered.map(({ until, span }) => [JSON.stringify({ until, span }), say(`answers.end_${until}`)]);
    return select(label, options);
  }
}

function chosenEnd(until) {
  return JSON.parse(until.querySelector("select").value);
}

function select(label, options) {
  const choices = options.map(([value, text]) => html("option", { value }, text));
  return html("label", { class: "pick" }, html("span", {}, label), html("select", {}, ...choices));
}

function button(words, act, kind = "") {
  const node = html("button", { type: "button", class: kind }, words);
  node.addEventListener("click", act);
  return node;
}

// The forms of writers at a place: comment, glyphs, markers, variation, question.

import { html } from "../replay/elements.js";
import { confirmed } from "../confirmation.js";
import { say } from "../words.js";
import * as markers from "./markers.js";
import { button, glyphs, named, ownMarks } from "./notes.js";
import { drawnParts, path } from "./parts.js";
import * as typed from "./typed.js";

export class Editor {
  // `desk` is the page: its store, tree, place, setting, and how it goes to a place and fails.
  constructor(desk) {
    this.desk = desk;
    this.brush = null; // the kind of marker that a click on the board makes
    this.from = null; // where an arrow begins
    this.arrows = false; // whether clicks make arrows, as they do with the shift key
    this.written = null; // the comment that is being edited
  }

  get where() {
    return { chapter: this.desk.store.number, at: this.desk.place };
  }

  get note() {
    return this.desk.store.chapter.notes[this.desk.place];
  }

  // Sends edits based on a version; shows refusals and keeps the typed text.
  try(edit, saw) {
    return this.attempt(() => this.desk.store.edit([edit], saw));
  }

  async attempt(act) {
    try {
      return await act();
    } catch (refused) {
      this.desk.fail(refused);
      if (refused.type === "edit_conflict") await this.desk.store.renew(refused.problem.version).catch(this.desk.fail);
      return null;
    }
  }

  panel() {
    const over = !this.desk.store.chapter.runs;
    const more = over ? [this.section("variation", this.variation()), this.section("question", this.question())] : [html("p", { class: "soft" }, say("study.runs"))];
    return [this.comment(), this.section("glyphs", [html("div", { class: "glyphs" }, ...this.marks())]), this.section("markers", this.brushes()), ...more, ...this.node()];
  }

  section(name, inside) {
    const made = html("details", { class: "tool", "data-tool": name }, html("summary", {}, say(`study.tool_${name}`)), ...inside);
    made.open = this.desk.opened.has(name);
    made.addEventListener("toggle", () => this.desk.opened[made.open ? "add" : "delete"](name));
    return made;
  }

  comment() {
    const text = html("textarea", { rows: 3, maxlength: 10000, "aria-label": say("study.comment"), placeholder: say("study.markdown") });
    const as = this.desk.eyesChoice(say("study.as"));
    const form = html("form", { class: "write" }, text, html("div", { class: "row" }, as, html("button", { type: "submit", class: "main" }, say("study.save"))));
    text.value = this.desk.drafts.get(this.key()) ?? "";
    text.addEventListener("input", () => this.desk.drafts.set(this.key(), text.value));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.say(text, as.value).catch(this.desk.fail);
    });
    return form;
  }

  key() {
    return `${this.desk.store.number}/${this.desk.place}`;
  }

  async say(text, as) {
    if (!text.value.trim()) return;
    const seen = as === "" ? null : /^\d$/.test(as) ? Number(as) : as;
    const written = this.written?.place === this.desk.place ? this.written : null;
    const key = this.key();
    const said = text.value;
    this.desk.drafts.delete(key);
    const anew = written ? { comment: written.comment } : {};
    const made = await this.try({ do: "comment", ...this.where, text: said, eyes: seen, ...anew }, written?.saw);
    if (made) this.written = null;
    else this.desk.storeDraft(key, said);
    if (!made && written) written.saw = this.desk.store.heading.version; // saving again overwrites on purpose
  }

  write(comment) {
    this.written = { place: this.desk.place, comment: comment.comment, saw: this.desk.store.heading.version };
    this.desk.storeDraft(this.key(), comment.text ?? "");
    document.querySelector(".write textarea")?.focus();
  }

  // Asks for confirmation of what cannot be restored.
  certain(what, values = {}) {
    return confirmed(say(`study.sure_${what}`, values), say(`study.then_${what}`, values), say("study.delete"), say("study.keep_it"));
  }

  async removed(what, edit, values) {
    if (await this.certain(what, values)) await this.try(edit);
  }

  // Deletes a chapter or a variation, which places of the page name.
  remove(edit) {
    return this.attempt(() => this.desk.store.remove(edit));
  }

  removeComment(comment) {
    return this.removed("comment", { do: "delete_comment", ...this.where, comment: comment.comment });
  }

  // Removes the marks of another author.
  wipe(mark) {
    return this.removed("marks", { do: "mark", ...this.where, glyphs: [], markers: [], by: mark.author.id }, { name: named(mark) });
  }

  marks() {
    const { glyphs: chosen, markers: kept } = ownMarks(this.note, this.desk.setting.player);
    const plain = kept.map(({ on, kind, to }) => ({ on, kind, to }));
    return glyphs(this.desk.setting.glyphs, chosen, (number) => {
      const next = chosen.includes(number) ? chosen.filter((one) => one !== number) : [...chosen, number];
      this.try({ do: "mark", ...this.where, glyphs: next, markers: plain });
    });
  }

  brushes() {
    const buttons = markers.KINDS.map((kind) => button(say(`study.marker_${kind}`), () => this.take(kind), { "aria-pressed": String(this.brush === kind) }));
    const clear = ownMarks(this.note, this.desk.setting.player).markers.length ? [button(say("study.clear"), () => this.put([]))] : [];
    const arrows = button(say("study.arrow"), () => this.point(), { "aria-pressed": String(this.arrows) });
    return [html("p", { class: "soft" }, say("study.how_to_mark")), html("div", { class: "row" }, ...buttons, arrows, ...clear), this.naming()];
  }

  point() {
    this.arrows = !this.arrows;
    this.from = null;
    this.desk.side();
  }

  // Marks by keyboard: the parts of the board by name.
  naming() {
    const board = document.getElementById("board");
    const said = this.desk.partNamer();
    const parts = drawnParts(board, this.desk.position).map((name) => [name, said(name)]);
    const choice = (label, options) => html("select", { "aria-label": label }, ...options.map(([value, text]) => html("option", { value }, text)));
    const kind = choice(say("study.tool_markers"), markers.KINDS.map((name) => [name, say(`study.marker_${name}`)]));
    const on = choice(say("study.part"), parts);
    const to = choice(say("study.arrow_to"), [["", say("study.no_arrow")], ...parts]);
    const form = html("form", { class: "vary", "data-form": "marker" }, kind, on, to, html("button", { type: "submit" }, say("study.mark")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (event.submitter) event.submitter.focus(); // so that the form is renewed
      await this.set({ on: on.value, kind: kind.value, to: to.value && to.value !== on.value ? to.value : null });
      document.querySelector("[data-form=marker] button")?.focus();
    });
    return form;
  }

  // Sets or removes a marker.
  set(made) {
    const { markers: kept } = ownMarks(this.note, this.desk.setting.player);
    const others = kept.filter((one) => one.on !== made.on || one.to !== made.to);
    return this.put(others.length < kept.length ? others : [...kept, made]);
  }

  take(kind) {
    this.brush = this.brush === kind ? null : kind;
    this.from = null;
    document.getElementById("board").classList.toggle("marking", this.brush !== null);
    this.desk.side();
  }

  put(all) {
    const { glyphs: chosen } = ownMarks(this.note, this.desk.setting.player);
    return this.try({ do: "mark", ...this.where, glyphs: chosen, markers: all.map(({ on, kind, to }) => ({ on, kind, to })) });
  }

  // A click on the board sets or removes a marker; two clicks with shift, or in arrow mode, draw an arrow.
  press(event) {
    const node = event.target.closest("[data-part]");
    if (!this.brush || !node) return;
    event.preventDefault();
    const on = path(node.dataset.part, this.desk.position);
    if (on === null) return;
    if ((event.shiftKey || this.arrows) && !this.from) {
      this.from = on;
      return;
    }
    const made = this.from && this.from !== on ? { on: this.from, kind: this.brush, to: on } : { on, kind: this.brush, to: null };
    this.from = null;
    this.set(made);
  }

  variation() {
    const choice = html("select", { "aria-label": say("study.move") });
    const chance = html("select", { "aria-label": say("study.chance") }, ...["random", "same", "declared"].map((kind) => html("option", { value: kind }, say(`study.chance_${kind}`))));
    const draws = html("input", { type: "text", "aria-label": say("study.draws"), placeholder: say("study.draws"), hidden: "" });
    const text = html("input", { type: "text", "aria-label": say("study.move_text"), placeholder: say("study.move_text") });
    chance.addEventListener("change", () => (draws.hidden = chance.value !== "declared"));
    this.fill(choice).catch(this.desk.fail);
    const guide = html("a", { href: "/docs/notation", target: "_blank", rel: "noopener" }, say("study.notation"));
    const inside = [choice, text, guide, html("div", { class: "row" }, chance, draws, html("button", { type: "submit" }, say("study.add")))];
    return [typed.form("variation", this.key(), { class: "vary" }, inside, () => this.play(text.value.trim() || choice.value, chance.value, draws.value).catch(this.desk.fail))];
  }

  async fill(choice) {
    const { legal } = await this.desk.store.board(this.desk.place, "", true);
    const moves = legal?.moves ?? [];
    choice.append(...moves.map(({ move, label }) => html("option", { value: move }, label)));
  }

  async play(move, chance, draws) {
    const declared = chance === "declared" ? { draws: draws.split(/[\s,]+/).filter(Boolean) } : {};
    const made = await this.try({ do: "play", ...this.where, moves: [move], chance, ...declared });
    if (made) await this.desk.go(made[0].nodes.at(-1));
    return made;
  }

  node() {
    const node = this.desk.tree.nodes.get(this.desk.place);
    if (!node) return [];
    const { chapter } = this.where;
    const rank = (to) => this.try({ do: "rank", chapter, node: node.node, rank: to });
    const away = async () => {
      if (await this.certain("line")) await this.remove({ do: "delete_node", chapter, node: node.node });
    };
    return [html("div", { class: "row", role: "group", "aria-label": say("study.this_variation") }, button(say("study.promote"), () => rank(Math.max(0, node.rank - 1))), button(say("study.demote"), () => rank(node.rank + 1)), button(say("study.delete_line"), away))];
  }

  question() {
    const asked = this.note?.question;
    const saw = this.desk.store.heading.version;
    const area = (name, value, rows) => html("textarea", { rows, name, "aria-label": say(`study.${name}`), placeholder: say(`study.${name}`) }, value ?? "");
    const answers = (asked?.answers ?? []).map(({ move, reply }) => [move, reply].filter(Boolean).join(" | ")).join("\n");
    const buttons = [html("button", { type: "submit" }, say("study.save")), asked ? button(say("study.delete"), () => this.removed("question", { do: "ask", ...this.where, question: null })) : null];
    const areas = [area("ask", asked?.text, 2), area("answers", answers, 2), area("hints", asked?.hints.join("\n"), 2), area("otherwise", asked?.otherwise, 1)];
    return [typed.form("question", this.key(), { class: "ask" }, [...areas, html("div", { class: "row" }, ...buttons)], (data) => this.ask(data, saw).catch(this.desk.fail))];
  }

  ask(said, saw) {
    const lines = (name) => said.get(name).split("\n").map((line) => line.trim()).filter(Boolean);
    const answers = lines("answers").map((line) => {
      const [move, ...reply] = line.split("|").map((one) => one.trim());
      return { move, reply: reply.join(" | ") || null };
    });
    return this.try({ do: "ask", ...this.where, question: { text: said.get("ask"), answers, hints: lines("hints"), otherwise: said.get("otherwise").trim() || null } }, saw);
  }
}

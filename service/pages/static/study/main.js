// The page of a study: board, moves with variations, and notes, live for all readers.

import { byId } from "../elements_by_id.js";
import { released } from "../pressed.js";
import { bought } from "../replay/city.js";
import { html } from "../replay/elements.js";
import { mark } from "../replay/marks.js";
import * as puertoRico from "../replay/puerto_rico.js";
import { named } from "../replay/seats.js";
import * as spiceRoad from "../replay/spice_road.js";
import * as tale from "../replay/tale.js";
import { told } from "../rules/paragraph.js";
import { explain } from "../rules/popovers.js";
import { say } from "../words.js";
import { Editor } from "./editor.js";
import { Estimate } from "./estimate.js";
import { Heads } from "./heads.js";
import { Lesson } from "./lesson.js";
import { List } from "./list.js";
import * as markers from "./markers.js";
import * as notes from "./notes.js";
import { finder } from "./parts.js";
import { partName } from "./part_names.js";
import { Gone, Store } from "./store.js";
import { Tree } from "./tree.js";
import * as typed from "./typed.js";

const TABLES = { puerto_rico: puertoRico, spice_road: spiceRoad };
const setting = JSON.parse(byId("setting").textContent);

class Desk {
  constructor() {
    this.setting = setting;
    this.fail = (problem) => problem instanceof Gone || this.complain(problem);
    this.store = new Store(setting, () => this.render(), this.fail);
    this.list = new List(setting.glyphs);
    this.editor = new Editor(this);
    this.heads = new Heads(this, this.editor);
    this.lesson = new Lesson(this.store, (place) => this.reveal(place));
    this.estimate = new Estimate(this.store, this.fail);
    this.drafts = new Map(); // unsaved comments by place
    this.opened = new Set(["glyphs"]); // the unfolded tools
    this.eyes = "";
    this.entered = undefined; // the chapter whose viewpoint and analyses are chosen
    this.listed = undefined; // the chapter whose moves are listed
    this.asked = 0;
  }

  async start() {
    const { number, place } = this.addressed();
    const shown = () => this.position && this.store.chapter && { game: this.store.chapter.game, position: this.position, seats: this.seats };
    document.querySelector(".title")?.append(explain(byId("board"), shown, { taps: false })); // before what stands below it
    await this.store.open(number);
    this.connect();
    await this.enter(place);
  }

  // The chapter and the place that the address names.
  addressed() {
    const [number, place] = location.hash.slice(1).split("/");
    return { number: Number(number) || undefined, place };
  }

  // Begin with a chapter.
  async enter(place) {
    this.entered = undefined;
    this.place = place;
    if (byId("keeping")?.contains(document.activeElement)) document.activeElement.blur();
    await this.render();
  }

  // Renders all that depends on the contents of the study.
  async render() {
    await released();
    while (this.entered !== this.store.number) await this.turnTo(this.store.number); // also when the former chapter was deleted
    const { heading, chapter, game } = this.store;
    this.seats = game.seats.length ? named(game.seats) : Array.from({ length: chapter?.position?.players.length ?? 0 }, (_, at) => say("common.seat", { seat: at + 1 }));
    byId("title").firstChild.textContent = `${heading.title ?? say("study.erased")} `;
    byId("kept").textContent = say(`study.${heading.visibility}`);
    byId("chapters").replaceChildren(...this.heads.chapters());
    if (!byId("keeping")?.contains(document.activeElement)) this.renderForms();
    if (!chapter || chapter.withheld) return this.nothing(chapter);
    document.body.classList.remove("puerto_rico", "spice_road");
    document.body.classList.add(chapter.game);
    this.tree = new Tree(chapter, game);
    this.listed = chapter;
    this.drawing = { ...setting.games[chapter.game], seats: this.seats, built: game.steps.length ? bought(game.steps, this.seats.length) : undefined };
    this.stop = this.lesson.stop(this.tree);
    this.fillEyes();
    byId("moves").replaceChildren(...this.list.rows(this.store.number, this.tree, chapter.notes, this.seats, this.stop));
    await this.show(this.tree.has(this.place) ? this.place : this.tree.trunk[0]);
  }

  // Looks at a chapter as its author wants, with the analyses of its game.
  async turnTo(number) {
    this.entered = number;
    this.eyes = this.store.chapter?.eyes ?? "";
    await this.estimate.load().catch(this.fail);
  }

  // Renders the forms of owners and writers.
  renderForms() {
    this.furnish("keeping", this.heads.panel().filter(Boolean));
  }

  // Fills a panel, which embedded pages do not have; hides an empty one.
  furnish(id, inside) {
    const panel = byId(id);
    if (!panel) return;
    typed.renew(panel, inside);
    panel.closest(".panel").hidden = !inside.length;
  }

  nothing(chapter) {
    byId("moves").replaceChildren();
    byId("said").replaceChildren();
    byId("tools")?.replaceChildren();
    byId("board").replaceChildren();
    byId("board").removeAttribute("aria-busy");
    this.furnish("estimate", []);
    byId("now").textContent = say(chapter ? "study.withheld_more" : "study.empty");
  }

  fillEyes() {
    const choice = this.eyesChoice(say("replay.seen_by"), this.eyes);
    byId("eyes").replaceChildren(...choice.options);
    byId("eyes", HTMLSelectElement).value = String(this.eyes);
  }

  // A choice of a viewpoint.
  eyesChoice(label, chosen = "") {
    const options = [["", say("study.as_anybody")], ...this.seats.map((name, seat) => [String(seat), say("study.as_seat", { name })]), ["spectator", say("study.as_spectator")], ["all", say("study.as_all")]];
    const choice = html("select", { "aria-label": label }, ...options.map(([value, text]) => html("option", { value }, text)));
    choice.value = String(chosen ?? "");
    return choice;
  }

  go(place) {
    return this.show(place);
  }

  // Goes on behind an answered question.
  async reveal(place) {
    this.place = place;
    await this.render();
    await this.show(this.tree.next(place));
  }

  // A lesson shows nothing behind its question.
  hidden(place) {
    return this.stop !== null && this.tree.line(place).slice(0, -1).includes(this.stop);
  }

  async show(place) {
    if (place === undefined || place === null || this.overtaken()) return;
    if (!this.tree.has(place) || this.hidden(place)) place = this.stop ?? this.tree.trunk[0];
    const moved = this.place !== place;
    this.place = place;
    const mine = ++this.asked;
    if (!setting.embed || moved) history.replaceState(null, "", `#${this.store.number}/${place}`);
    const before = this.tree.parent(place);
    const [shown, was] = await Promise.all([this.store.board(place, this.eyes), before ? this.store.board(before, this.eyes) : null]);
    await released();
    if (mine !== this.asked || this.overtaken()) return; // the reader has moved on meanwhile
    this.position = shown.position;
    this.lay(shown, was);
    this.label();
    this.side();
    const next = this.tree.next(place);
    if (next && !this.hidden(next)) this.store.board(next, this.eyes).catch(() => null);
  }

  // Returns whether the store has loaded other contents than those that are listed: they are about to be rendered.
  overtaken() {
    return this.listed !== this.store.chapter;
  }

  lay(shown, was) {
    const table = TABLES[this.store.chapter.game];
    const drawn = byId("board");
    drawn.replaceChildren(...table.board(shown.position, this.drawing));
    performance.mark("board");
    drawn.removeAttribute("aria-busy");
    drawn.dataset.place = this.place;
    if (was) mark(drawn, html("div", {}, ...table.board(was.position, this.drawing)));
    this.over();
  }

  over() {
    if (!this.position || this.overtaken()) return;
    const said = this.partNamer();
    markers.draw(byId("board"), this.position, notes.markers(this.store.chapter.notes[this.place]), ({ on, kind, to }) => say(to ? "study.arrow_said" : "study.marker_said", { kind: say(`study.marker_${kind}`), on: said(on), to: to && said(to) }));
  }

  // Returns the function that names a part of the board.
  partNamer() {
    const find = finder(byId("board"), this.position);
    return (name) => {
      const node = find(name);
      return node ? partName(node, this.drawing.names, this.seats) : name;
    };
  }

  label() {
    const step = this.tree.steps.get(this.place);
    const node = this.tree.nodes.get(this.place);
    const chance = node && node.chance !== "none" ? ` (${say(`study.chance_${node.chance}`)}: ${node.drew.join(", ")})` : "";
    const said = node ? `${tale.did(this.seats[node.seat], node.label)}${chance}` : step ? tale.stepSentence(step, this.seats) : say("study.beginning");
    byId("now").replaceChildren(html("strong", {}, said, " ", html("b", { class: "signs" }, this.list.signs(this.store.chapter.notes[this.place]))), node ? html("span", {}, say("study.in_variation", { name: node.author.name ?? say("common.forgotten") })) : "");
    byId("moves").querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = byId("moves").querySelector(`[data-place="${this.place}"]`);
    link?.setAttribute("aria-current", "step");
    const list = byId("moves");
    if (link) list.scrollTop = link.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  // Renders the panels beside the board: comments, question, forms, analysis.
  side() {
    const note = this.store.chapter.notes[this.place];
    const act = { look: (eyes) => this.setViewpoint(String(eyes)), write: (comment) => this.editor.write(comment), remove: (comment) => this.editor.removeComment(comment) };
    const said = [...notes.marks(note, setting.glyphs, setting.player, this.store.owns, (mark) => this.editor.wipe(mark)), ...notes.written(this.tree.steps.get(this.place)), ...notes.comments(note, this.seats, setting.player, this.store.owns, act)];
    byId("said").replaceChildren(...(said.length ? said : [html("p", { class: "soft" }, say("study.nothing_said"))]), ...this.lesson.panel(this.place, this.tree));
    const tools = byId("tools");
    if (tools && this.store.writes && !tools.contains(document.activeElement?.closest("textarea, input, select"))) typed.renew(tools, this.editor.panel());
    if (this.stop === null && byId("estimate")) this.estimate.draw(byId("estimate"), this.place, this.tree, this.seats);
    else this.furnish("estimate", []);
  }

  // Stores the unsaved comment of a place.
  storeDraft(key, text) {
    this.drafts.set(key, text);
    document.activeElement?.blur();
    this.side();
  }

  setViewpoint(eyes) {
    this.eyes = eyes;
    byId("eyes", HTMLSelectElement).value = eyes;
    return this.show(this.place).catch(this.fail);
  }

  complain(problem) {
    const current = problem.problem?.current?.text;
    const words = problem.type === "edit_conflict" && current ? [say("study.conflict", { text: current })] : told(problem);
    byId("verdict").replaceChildren(html("p", {}, ...words), notes.button("✕", () => byId("verdict").replaceChildren(), { "aria-label": say("study.dismiss") }));
  }

  connect() {
    byId("eyes").addEventListener("change", () => this.setViewpoint(byId("eyes", HTMLSelectElement).value));
    byId("board").addEventListener("click", (event) => this.editor.press(event));
    byId("clone")?.addEventListener("click", () => this.heads.clone().catch(this.fail));
    for (const key of document.querySelectorAll("[data-go]")) key.addEventListener("click", () => this.navigate(key.dataset.go)?.catch(this.fail));
    addEventListener("hashchange", () => this.moved().catch(this.fail));
    addEventListener("resize", () => this.over());
    document.addEventListener("keydown", (event) => this.press(event));
  }

  async moved() {
    const { number, place } = this.addressed();
    if (number === undefined || (number === this.store.number && number === this.store.chosen)) return place && this.show(place);
    await this.store.open(number);
    await this.enter(place);
  }

  navigate(name) {
    const targets = {
      first: () => this.show(this.tree.trunk[0]),
      last: () => this.show(this.stop ?? this.tree.trunk.at(-1)),
      back: () => this.show(this.tree.parent(this.place)),
      on: () => this.show(this.tree.next(this.place)),
      up: () => this.show(this.tree.sibling(this.place, -1)),
      down: () => this.show(this.tree.sibling(this.place, 1)),
      noted: () => this.show(this.tree.noted(this.place, this.store.chapter.notes)),
    };
    return this.tree ? targets[name]() : null;
  }

  press(event) {
    const name = { Home: "first", End: "last", ArrowLeft: "back", ArrowRight: "on", ArrowUp: "up", ArrowDown: "down" }[event.key];
    if (!name || event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select, textarea, input")) return;
    event.preventDefault();
    this.navigate(name)?.catch(this.fail);
  }
}

const desk = new Desk();
desk.start().catch(desk.fail);

// Computer analysis: requests, chooses, follows and cancels analyses; shows shares and swings.

import { localTime } from "../local_times.js";
import { get, send } from "../api.js";
import { html } from "../replay/elements.js";
import { say } from "../words.js";
import { figures } from "./figures.js";
import { button } from "./notes.js";

const EVERY = 2000; // milliseconds between two requests for a running analysis
const LEAST = 50; // thousandths of the win: the smallest loss that is called doubtful
const USUAL = { steps: 100, seed: "0000000000000000" };

export class Estimate {
  // `fail` gets refusals.
  constructor(store, fail) {
    this.store = store;
    this.fail = fail;
    this.listed = new Map(); // game -> its analyses, the newest first
    this.chosen = new Map(); // game -> which of them is shown
    this.read = new Map(); // game -> that one, with its figures
  }

  async load() {
    const { of, runs } = this.store.chapter ?? {};
    if (!of || runs || this.listed.has(of)) return;
    this.listed.set(of, []);
    await this.list(of);
    const [newest] = this.listed.get(of);
    if (newest) await this.follow(of, newest.id);
  }

  async list(game) {
    this.listed.set(game, (await get(`/v1/games/${game}/analyses`)).analyses);
  }

  // Loads an analysis repeatedly while it runs and is chosen.
  async follow(game, id) {
    this.chosen.set(game, id);
    const analysis = await get(`/v1/analyses/${id}`);
    if (this.chosen.get(game) !== id) return;
    this.read.set(game, analysis);
    this.listed.set(game, this.listed.get(game).map((one) => (one.id === id ? analysis : one)));
    if (works(analysis)) setTimeout(() => this.chosen.get(game) === id && this.turn(game, id).catch(this.fail), EVERY);
  }

  async turn(game, id) {
    await this.follow(game, id);
    await this.store.changed();
  }

  async ask(game, wish) {
    const asked = await send(`/v1/games/${game}/analyses`, wish);
    await this.list(game);
    await this.turn(game, asked.id);
  }

  async cancel({ game, id }) {
    await send(`/v1/analyses/${id}`, null, "DELETE");
    await this.turn(game, id);
  }

  async takeOver({ id }) {
    const told = await send(`${this.store.path}/chapters/${this.store.number}/estimates`, { analysis: id, least: LEAST });
    await this.store.renew(told.version);
  }

  // Renders the panel; creates forms and buttons once for each game, so that they keep the focus.
  draw(root, place, tree, seats) {
    const { of, runs } = this.store.chapter;
    const analysis = this.read.get(of);
    root.closest(".panel").hidden = !of || runs;
    if (!of || runs) return root.replaceChildren();
    if (root.dataset.of !== of || !root.firstChild) this.furnish(root, of);
    const { choice, none, told, work, ask, found } = this.parts;
    this.fill(choice, of);
    none.hidden = Boolean(analysis);
    told.replaceChildren(...(analysis ? this.label(analysis) : []));
    work.hidden = !analysis || !works(analysis);
    if (analysis) Object.assign(work.firstChild, { max: analysis.total, value: analysis.done });
    work.lastChild.hidden = !analysis?.yours;
    ask.hidden = !this.store.writes;
    const held = found.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    found.replaceChildren(...(analysis?.decisions.length ? figures(analysis, place, tree, this.store.number, seats) : []), ...this.offer(analysis));
    if (held) found.querySelector(`[href="${held}"]`)?.focus();
  }

  furnish(root, of) {
    const tried = (act) => () => act().catch(this.fail);
    const choice = html("select", { "aria-label": say("study.analyses") });
    choice.addEventListener("change", tried(() => this.turn(of, choice.value)));
    const none = html("p", {}, say("study.no_analysis"));
    const told = html("p", { class: "estimate" });
    const cancel = button(say("study.cancel"), tried(() => this.cancel(this.read.get(of))));
    const work = html("div", { class: "work" }, html("progress", { "aria-label": say("study.progress") }), cancel);
    this.parts = { choice, none, told, work, ask: this.form(of), found: html("div", {}) };
    root.dataset.of = of;
    root.replaceChildren(...Object.values(this.parts));
  }

  // The analyses to choose from, when there are several.
  fill(choice, of) {
    const listed = this.listed.get(of);
    choice.hidden = listed.length < 2;
    const names = listed.map(({ id, created, bot, status }) => [id, say("study.analysis_named", { ...bot, bot: `${bot.level} ${bot.version}`, at: localTime(created), status: say(`study.status_${status}`) })]);
    const known = JSON.stringify(names);
    if (choice.dataset.known !== known) choice.replaceChildren(...names.map(([value, text]) => html("option", { value }, text)));
    choice.dataset.known = known;
    choice.value = this.chosen.get(of) ?? "";
  }

  label({ id, bot: { level, version, steps, seed } }) {
    const home = html("a", { href: `/analyses/${id}/report`, download: `${id}.md` }, say("study.analysis_report"));
    return [say("study.estimate", { bot: `${level} ${version}`, steps, seed }), " ", home];
  }

  form(of) {
    const steps = html("input", { type: "number", name: "steps", min: 8, max: 1000, required: "", value: USUAL.steps });
    const seed = html("input", { type: "text", name: "seed", pattern: "[0-9a-f]{16}", required: "", value: USUAL.seed });
    const fields = [html("label", {}, say("study.steps"), steps), html("label", {}, say("study.seed"), seed)];
    const form = html("form", { class: "write" }, html("div", { class: "row" }, ...fields), html("button", { type: "submit" }, say("study.analyse")));
    const ask = html("details", { class: "tool" }, html("summary", {}, say("study.ask_analysis")), form);
    ask.open = !this.listed.get(of).length;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask(of, { steps: Number(steps.value), seed: seed.value })
        .then(() => (ask.open = false))
        .catch(this.fail);
    });
    return ask;
  }

  // The button that copies swings into the study.
  offer(analysis) {
    const worth = analysis?.status === "done" && this.store.writes && analysis.decisions.some(({ swing }) => swing);
    return worth ? [button(say("study.take_over"), () => this.takeOver(analysis).catch(this.fail))] : [];
  }
}

function works({ status }) {
  return status === "waiting" || status === "running";
}

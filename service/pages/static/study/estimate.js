// Computer analysis: asked for, watched, cancelled; a chart of who is expected to win, and swings to jump to.

import { get, send } from "../api.js";
import { chart } from "../replay/chart.js";
import { html } from "../replay/elements.js";
import { say } from "../words.js";
import { button } from "./notes.js";

const EVERY = 1000; // milliseconds between two looks at an analysis that is worked on
const LEAST = 50; // thousandths of the win that a move gave away to be called doubtful at least

export class Estimate {
  constructor(store, go) {
    this.store = store;
    this.go = go;
    this.found = new Map(); // game -> analysis
  }

  async look() {
    const { of, runs } = this.store.chapter ?? {};
    if (!of || runs || this.found.has(of)) return;
    const { analyses } = await get(`/v1/games/${of}/analyses`);
    if (analyses.length) await this.read(of, analyses[0].id);
  }

  async read(game, id) {
    const analysis = await get(`/v1/analyses/${id}`);
    this.found.set(game, analysis);
    if (analysis.status === "waiting" || analysis.status === "running") {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.read(game, id).then(() => this.store.hear()).catch(this.store.fail), EVERY);
    }
  }

  async ask() {
    const { of } = this.store.chapter;
    const asked = await send(`/v1/games/${of}/analyses`, {});
    await this.read(of, asked.id);
    await this.store.hear();
  }

  async cancel(analysis) {
    await send(`/v1/analyses/${analysis.id}`, null, "DELETE");
    await this.read(analysis.game, analysis.id);
    await this.store.hear();
  }

  panel(place, tree, fail) {
    const { of, runs } = this.store.chapter;
    if (!of || runs) return [];
    const analysis = this.found.get(of);
    const tried = (work) => () => work().catch(fail);
    if (!analysis) return this.store.writes ? [button(say("study.analyse"), tried(() => this.ask()))] : [html("p", {}, say("study.no_analysis"))];
    const { level, version, steps, seed } = analysis.bot;
    const parts = [html("p", { class: "estimate" }, say("study.estimate", { bot: `${level} ${version}`, steps, seed }))];
    if (analysis.status === "waiting" || analysis.status === "running") {
      parts.push(html("progress", { max: analysis.total, value: analysis.done, "aria-label": say("study.progress") }), button(say("study.cancel"), tried(() => this.cancel(analysis))));
    } else if (analysis.status === "cancelled" && this.store.writes) parts.push(button(say("study.analyse"), tried(() => this.ask())));
    if (analysis.decisions.length) parts.push(...this.figures(analysis, place, tree));
    const swings = analysis.decisions.some(({ swing }) => swing);
    if (analysis.status === "done" && swings && this.store.writes) parts.push(button(say("study.take_over"), tried(() => this.takeOver(analysis))));
    return parts;
  }

  figures(analysis, place, tree) {
    const trunk = tree.line(place).filter((at) => !at.startsWith("v")).at(-1);
    const at = Math.max(0, analysis.decisions.findLastIndex(({ version }) => version <= Number(trunk)));
    const drawn = chart(analysis.decisions.map(({ shares }) => shares.map((share) => Math.round(share / 10))), at, say("study.expected"));
    const swings = analysis.decisions.filter(({ swing }) => swing).map((one) => html("li", {}, html("a", { href: `#${this.store.number}/${one.version}` }, say("study.swing", { what: say(`study.swing_${one.swing}`), move: one.move, loss: Math.round(one.loss / 10), best: one.best }))));
    return [html("div", { class: "shares" }, drawn), swings.length ? html("details", {}, html("summary", {}, say("study.swings", { n: swings.length })), html("ol", { class: "swings" }, ...swings)) : null];
  }

  async takeOver(analysis) {
    const told = await send(`${this.store.path}/chapters/${this.store.number}/estimates`, { analysis: analysis.id, least: LEAST });
    await this.store.renew(told.version);
  }
}

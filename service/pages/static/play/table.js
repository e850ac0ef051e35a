// A game as somebody at its table knows it: summary, board, what may be done, and every step so far.

import { get, Refused, send } from "../api.js";
import { boardAfter, isOfAnotherHistory, keptSteps, patched } from "../live_steps.js";
import { released } from "../pressed.js";
import { finalScores } from "../replay/scores.js";
import { Deal } from "./deal.js";

export const STALE = "stale_version";

export class Table {
  constructor({ id, player, revealing }) {
    this.path = `/v1/games/${id}`;
    this.player = player;
    this.revealing = revealing; // facts that make known to all what one seat knew
    this.deal = new Deal(this.path, player);
    this.steps = [];
    this.notes = []; // what happened besides the steps: who left, what was ruled, how the game ended
    this.told = 0; // the version up to which steps are known
    this.complete = false; // whether all steps are known
    this.scores = null; // of a finished game
  }

  // Everything as it is now; asked again while it changes under way.
  async refresh() {
    for (;;) {
      const summary = await get(this.path);
      await released(); // a click is about what was seen
      if (summary.status === "open" || !summary.seats.some((seat) => seat.seat !== null)) return this.take(summary, null, null);
      const seat = seatOf(summary, this.player);
      const mine = summary.turn !== null && summary.turn.seat === seat;
      const [position, legal] = await Promise.all([get(`${this.path}/position`), mine ? this.offered() : null, this.follow()]);
      await released();
      if (summary.status === "finished") this.scores ??= await finalScores(this.path, this.steps.at(-1).version);
      this.complete = this.told > 0;
      if (position.version === summary.version && (!legal || legal.version === summary.version)) return this.take(summary, position, legal);
    }
  }

  // Applies live steps: what each event changed. Whether that was enough; else everything is to be read again.
  async apply(messages) {
    let { summary, position, steps, notes } = this;
    let moved = false;
    for (const message of messages) {
      steps = keptSteps(steps, message);
      if (message.version <= summary.version) continue;
      if (!this.complete || message.version !== summary.version + 1 || isOfAnotherHistory(summary, message)) return false;
      summary = message.summary ? patched(summary, message.summary) : await get(this.path);
      if (summary.version !== message.version) return false;
      position = boardAfter(position, message);
      if (message.step && typeof message.step.back_to !== "number") steps = [...steps, message.step];
      if (message.note) notes = [...notes, message.note];
      moved ||= Boolean(message.step);
    }
    const legal = summary === this.summary ? this.legal : await this.legalIn(summary, moved);
    if (legal === undefined) return false;
    if (summary.status === "finished") this.scores ??= await finalScores(this.path, steps.at(-1).version);
    await released(); // a click is about what was seen
    Object.assign(this, { steps, notes, told: Math.max(this.told, summary.version) });
    this.take(summary, position, legal);
    return true;
  }

  // The own legal moves, null in another seat's turn, undefined where the turn has gone on. An event that is no step changes none.
  async legalIn(summary, moved) {
    if (!summary.turn || summary.turn.seat !== seatOf(summary, this.player)) return null;
    if (!moved && this.legal) return { ...this.legal, version: summary.version };
    const legal = await this.offered();
    return legal?.version === summary.version ? legal : undefined;
  }

  // What may be done; null when the turn has gone on meanwhile.
  async offered() {
    try {
      return await get(`${this.path}/legal`);
    } catch (refused) {
      if (refused instanceof Refused) return null;
      throw refused;
    }
  }

  // Why moves are not open, in the words of the rules.
  async refusals(moves) {
    const asked = new URLSearchParams(moves.map((move) => ["why_not", move]));
    return (await get(`${this.path}/legal?${asked}`)).refused;
  }

  take(summary, position, legal) {
    this.summary = summary;
    this.position = position;
    this.legal = legal;
    this.seat = seatOf(summary, this.player);
  }

  async follow() {
    const from = this.told;
    const { steps, notes } = await get(`${this.path}/replay?after=${from}&positions=false`);
    if (this.told !== from) return; // forgotten meanwhile: the next round asks for everything
    this.steps.push(...steps);
    this.notes.push(...notes);
    this.told = Math.max(from, ...[...steps, ...notes].map(({ version }) => version));
  }

  // All steps are to be read again.
  forget() {
    this.steps = [];
    this.notes = [];
    this.told = 0;
    this.complete = false;
  }

  // Steps and notes in the order of events.
  get story() {
    return [...this.steps, ...this.notes].sort((one, other) => one.version - other.version);
  }

  get over() {
    return this.summary.status === "finished" || this.summary.status === "aborted";
  }

  get mine() {
    return this.legal !== null && this.legal !== undefined && this.legal.seat === this.seat && !this.over;
  }

  // What happened since the own last move, oldest first; everything when there was none.
  since() {
    return this.steps.slice(this.own);
  }

  // How many steps there are up to the own last move, with it.
  get own() {
    return this.steps.findLastIndex((step) => step.seat === this.seat && step.kind === "moved") + 1;
  }

  // The version of the board before the own last move, when there is one; what a take-back would return to.
  before() {
    const last = this.steps.findLastIndex((step) => step.seat === this.seat && step.kind === "moved");
    return last > 0 ? this.steps[last - 1].version : null;
  }

  // Whether the own last move can still be taken back alone.
  get undoable() {
    const last = this.steps.at(-1);
    return !this.over && last?.kind === "moved" && last.seat === this.seat && last.drew.length === 0 && !last.facts.some(([fact]) => this.revealing.includes(fact));
  }

  // Whether the own last move could be returned to by consent: nothing was drawn since.
  get returnable() {
    const from = this.before();
    return !this.over && from !== null && this.steps.every((step) => step.version <= from || step.drew.length === 0);
  }

  try(move) {
    return send(`${this.path}/moves?dry_run=true`, { move, expected: this.summary.version });
  }

  async play(move) {
    return this.act("moves", { move, ...(await this.deal.link(this.summary)) });
  }

  act(what, more = {}) {
    return send(`${this.path}/${what}`, { expected: this.summary.version, ...more });
  }

  board(version) {
    return get(`${this.path}/position?at=${version}`);
  }
}

function seatOf(summary, player) {
  return summary.seats.find((seat) => seat.player?.id === player && !seat.stand_in && !seat.forfeited)?.seat ?? null;
}

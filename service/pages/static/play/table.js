// A game as a player sees it: summary, board, legal moves, and all steps.

import { get, Refused, send } from "../api.js";
import { pointsAccount } from "../end/account.js";
import { boardAfter, isOfAnotherHistory, keptSteps, patched } from "../live_steps.js";
import { released } from "../pressed.js";
import { FACTS, LONG, outlined, partOf, Parts } from "../replay/outline.js";
import { Deal } from "./deal.js";

export const STALE = "stale_version";
const SINCE = 4; // parts of a long game that are read at once, so that they begin before the own last move

export class Table {
  constructor({ id, player, revealing }) {
    this.path = `/v1/games/${id}`;
    this.player = player;
    this.revealing = revealing; // facts that reveal what one seat knew
    this.deal = new Deal(this.path, player);
    this.steps = [];
    this.notes = []; // events that are no steps: leavers, rulings, the end
    this.parts = null; // of the words of a long game
    this.oldest = 0; // the number of the oldest part that was read
    this.olderNotes = [];
    this.known = 0; // the version up to which steps are known
    this.complete = false; // whether all steps are known
    this.account = null; // of the points of a finished game
  }

  // Reads the table; repeats it when the game changes meanwhile.
  async refresh() {
    for (;;) {
      const summary = await get(this.path);
      await released(); // a click is for the board that was shown
      if (summary.status === "open" || !summary.seats.some((seat) => seat.seat !== null)) return this.take(summary, null, null);
      const seat = seatOf(summary, this.player);
      const mine = summary.turn !== null && summary.turn.seat === seat;
      const [position, legal] = await Promise.all([get(`${this.path}/position`), mine ? this.offered() : null, this.follow(summary)]);
      await released();
      if (summary.status === "finished") this.account ??= await pointsAccount(this.path, Boolean(this.parts));
      this.complete = this.known > 0;
      if (position.version === summary.version && (!legal || legal.version === summary.version)) return this.take(summary, position, legal);
    }
  }

  // Applies live steps; returns false when the table has to be read again.
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
    if (summary.status === "finished") this.account ??= await pointsAccount(this.path, Boolean(this.parts));
    await released(); // a click is for the board that was shown
    Object.assign(this, { steps, notes, known: Math.max(this.known, summary.version) });
    this.take(summary, position, legal);
    return true;
  }

  // Returns the own legal moves, null in another seat's turn, undefined when the turn has changed. Only steps change them.
  async legalIn(summary, moved) {
    if (!summary.turn || summary.turn.seat !== seatOf(summary, this.player)) return null;
    if (!moved && this.legal) return { ...this.legal, version: summary.version };
    const legal = await this.offered();
    return legal?.version === summary.version ? legal : undefined;
  }

  // Returns the legal moves; null when the turn has changed meanwhile.
  async offered() {
    try {
      return await get(`${this.path}/legal`);
    } catch (refused) {
      if (refused instanceof Refused) return null;
      throw refused;
    }
  }

  // Returns the reasons why moves are not legal.
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

  // Reads the steps that are not known: of a long game first the outline, with the words of the newest.
  async follow(summary) {
    const from = this.known;
    const begun = !from && summary.version > LONG ? await this.begun(seatOf(summary, this.player)) : { ...(await this.replayed(from)), known: from };
    if (this.known !== from) return; // forgotten meanwhile: the next reading loads all steps
    const { steps, notes, known, ...more } = begun;
    Object.assign(this, more);
    this.steps.push(...steps);
    this.notes.push(...notes);
    this.known = Math.max(known, ...[...steps.slice(-1), ...notes].map(({ version }) => version));
  }

  replayed(after, until = null) {
    return get(`${this.path}/replay?after=${after}${until === null ? "" : `&until=${until}`}&positions=false`);
  }

  // Returns the steps of a long game; those since the own last move have words, if that is not long ago.
  async begun(seat) {
    const outline = await get(`${this.path}/outline?facts=${FACTS}`);
    const steps = outlined(outline);
    const parts = new Parts((after, until) => this.replayed(after, until), outline.version);
    const last = partOf(outline);
    const own = steps.findLast((step) => step.seat === seat && step.kind === "moved");
    const oldest = own && last - partOf(own) < SINCE ? Math.min(partOf(own), last - 1) : last - 1;
    const notes = await parts.read(steps.filter((step) => partOf(step) >= oldest), numbers(oldest, last + 1));
    return { steps, notes, parts, oldest, olderNotes: [], known: outline.version };
  }

  // Whether the log has all of its words.
  get whole() {
    return this.oldest === 0;
  }

  // Returns the number of the steps without words that are left out of the log.
  get unread() {
    return this.whole ? 0 : this.steps.filter((step) => partOf(step) < this.oldest).length;
  }

  // Reads the words of older parts of the log: of one more, or of all.
  async readOlder(number = this.oldest - 1) {
    const { parts, oldest } = this;
    if (oldest === 0) return;
    const notes = await parts.read(this.steps.filter((step) => step.unread && partOf(step) >= number), numbers(number, oldest));
    if (this.parts !== parts || this.oldest !== oldest) return; // forgotten, or read meanwhile
    this.olderNotes = [...notes, ...this.olderNotes];
    this.oldest = number;
  }

  // Reads the words of the steps of these versions.
  async readVersions(versions) {
    await this.parts?.read(this.steps.filter(({ version }) => versions.includes(version)));
  }

  // Forgets the steps, so that they are read again.
  forget() {
    this.steps = [];
    this.notes = [];
    this.parts = null;
    this.oldest = 0;
    this.known = 0;
    this.complete = false;
  }

  // Steps and notes in the order of events; of a long game the parts that were read.
  get story() {
    const steps = this.whole ? this.steps : this.steps.filter((step) => partOf(step) >= this.oldest);
    return [...(this.parts ? this.olderNotes : []), ...steps, ...this.notes].sort((one, other) => one.version - other.version);
  }

  get over() {
    return this.summary.status === "finished" || this.summary.status === "aborted";
  }

  get mine() {
    return this.legal !== null && this.legal !== undefined && this.legal.seat === this.seat && !this.over;
  }

  // Whether the reader has sat down here; who resigned has no seat any more, and is asked for a rematch all the same.
  get joined() {
    return this.summary.seats.some(({ player }) => player?.id === this.player);
  }

  // Returns the steps since the own last move, oldest first; all when there was none.
  since() {
    return this.steps.slice(this.own).filter(({ unread }) => !unread);
  }

  // Returns the number of steps up to and with the own last move.
  get own() {
    return this.steps.findLastIndex((step) => step.seat === this.seat && step.kind === "moved") + 1;
  }

  // Returns the version before the own last move, to which a take-back returns.
  before() {
    const last = this.steps.findLastIndex((step) => step.seat === this.seat && step.kind === "moved");
    return last > 0 ? this.steps[last - 1].version : null;
  }

  // Returns whether the own last move can be undone alone.
  get undoable() {
    const last = this.steps.at(-1);
    return !this.over && last?.kind === "moved" && last.seat === this.seat && last.drew.length === 0 && !last.facts.some(([fact]) => this.revealing.includes(fact));
  }

  // Returns whether the own last move can be taken back by consent: nothing was drawn since.
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

// Returns the whole numbers from one until another.
function numbers(from, until) {
  return Array.from({ length: until - from }, (_, at) => from + at);
}

function seatOf(summary, player) {
  return summary.seats.find((seat) => seat.player?.id === player && !seat.stand_in && !seat.forfeited)?.seat ?? null;
}

// A study from the public API: its heading, one chapter at a time, and the boards of its places.

import { get, send } from "../api.js";
import { Stream } from "../stream.js";

const MOST_TICKETS = 200; // limit of the service

export class Store {
  // `changed` is called after a change, `fail` when the stream has ended.
  constructor(setting, changed, fail) {
    this.path = `/v1/studies/${setting.id}`;
    this.changed = changed;
    this.stream = null;
    this.fail = fail;
    this.games = new Map(); // game -> its steps and seats
    this.boards = new Map(); // place and eyes -> board
    this.answered = new Map(); // chapter -> tickets of answered questions
  }

  async open(number) {
    this.heading = await get(this.path);
    const known = this.heading.chapters.map(({ chapter }) => chapter);
    this.number = known.includes(number) ? number : known[0];
    await this.read();
    this.stream ??= new Stream(`${this.path}/changes`, this.heading.version, (kind, change) => (kind === "closed" ? this.closed(change) : this.change(change)).catch(this.fail));
    this.stream.reread = () => this.reread(); // unsaved comments outlive it
    this.stream.start();
  }

  async read() {
    this.boards.clear();
    this.chapter = this.number === undefined ? null : await get(`${this.path}/chapters/${this.number}?${new URLSearchParams(this.ticketQuery())}`);
    this.game = this.chapter?.of ? await this.follow(this.chapter.of) : { steps: [], seats: [] };
  }

  // Returns the tickets of the answered questions of the chapter.
  get tickets() {
    return this.answered.get(this.number) ?? [];
  }

  // Returns the newest tickets of all chapters.
  get passed() {
    return [...this.answered.values()].flat().slice(-MOST_TICKETS);
  }

  /** @returns {Record<string, string>} */
  ticketQuery() {
    return this.tickets.length ? { tickets: this.tickets.join(",") } : {};
  }

  // Answers a question with a move, or gives up with null; returns the verdict.
  async answer(at, move) {
    const found = await send(`${this.path}/chapters/${this.number}/answers`, { at, move, tickets: this.tickets });
    if (found.ticket && !this.tickets.includes(found.ticket)) this.answered.set(this.number, [...this.tickets, found.ticket].slice(-MOST_TICKETS));
    return found;
  }

  async follow(id) {
    if (!this.games.has(id)) {
      const path = `/v1/games/${id}`;
      const summary = await get(path);
      const over = summary.status === "finished" || summary.status === "aborted";
      const { steps } = await get(`${path}/replay?positions=false&undone=true${over ? "&as=all" : ""}`);
      const found = { steps, seats: summary.seats };
      if (!over) return found; // the game still runs: load again next time
      this.games.set(id, found);
    }
    return this.games.get(id);
  }

  get writes() {
    return this.heading.role === "owner" || this.heading.role === "writer";
  }

  get owns() {
    return this.heading.role === "owner";
  }

  async board(place, eyes, legal = false) {
    const key = `${place} ${eyes} ${legal}`;
    const query = new URLSearchParams({ at: String(place), ...this.ticketQuery(), ...(eyes === "" ? {} : { as: eyes }), ...(legal ? { legal: "true" } : {}) });
    if (!this.boards.has(key)) this.boards.set(key, get(`${this.path}/chapters/${this.number}/board?${query}`));
    return this.boards.get(key);
  }

  // Sends edits, all or none, based on a version; returns their results. Renews the page at once.
  async edit(edits, saw = this.heading.version) {
    const answer = await send(`${this.path}/edits`, { edits, saw });
    await this.renew(answer.version);
    return answer.made;
  }

  async change({ version }) {
    if (version > this.heading.version) await this.renew(version);
  }

  // The stream has ended: reloads the study, or shows why it cannot be read any more.
  async closed({ closed }) {
    if (closed !== "access_ended") return;
    this.stream.stop();
    await get(this.path).catch(this.fail);
  }

  // Renews one after the other; skips overtaken renewals.
  async renew(version) {
    this.wanted = Math.max(this.wanted ?? 0, version);
    this.renewing ??= this.catchUp().finally(() => (this.renewing = null));
    await this.renewing;
  }

  async catchUp() {
    while ((this.heading.version ?? 0) < this.wanted) await this.load();
    await this.changed();
  }

  async reread() {
    await this.load();
    await this.changed();
  }

  async load() {
    this.heading = await get(this.path);
    if (!this.heading.chapters.some(({ chapter }) => chapter === this.number)) this.number = this.heading.chapters[0]?.chapter;
    await this.read();
  }
}

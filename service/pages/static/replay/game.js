// A game as the public API tells it: its steps at once, its boards as they are needed.

import { get, lines, text } from "../api.js";

export class Game {
  constructor({ id, over }) {
    this.path = `/v1/games/${id}`;
    this.summary = { status: over ? "finished" : "running" };
    this.eyes = "";
    this.undone = false; // whether moves that were taken back are shown
    this.steps = [];
    this.boards = new Map(); // version -> position, as the eyes see it
  }

  // What was hidden is hidden no more when the game is over.
  async open() {
    [this.summary] = await Promise.all([get(this.path), this.look(this.over ? "all" : "")]);
  }

  get over() {
    return this.summary.status === "finished" || this.summary.status === "aborted";
  }

  // Look through other eyes, or at what was taken back too: nothing that was seen before is kept.
  async look(eyes, undone = this.undone) {
    const told = await get(this.address("replay", { positions: false, undone }, eyes));
    this.eyes = eyes;
    this.undone = undone;
    this.steps = told.steps;
    this.boards = new Map();
  }

  address(what, query, eyes = this.eyes) {
    const asked = new URLSearchParams(query);
    if (eyes !== "") asked.set("as", eyes);
    return `${this.path}/${what}?${asked}`;
  }

  async board(version) {
    if (!this.boards.has(version)) this.boards.set(version, await get(this.address("position", { at: version })));
    return this.boards.get(version);
  }

  text(version) {
    return text(this.address("position", { at: version }));
  }

  // All boards in one answer, line by line, so that every later step is there before it is asked for.
  async fetchBoards() {
    const boards = this.boards;
    for await (const step of lines(this.address("replay", { undone: this.undone }))) boards.set(step.version, step.position);
  }

  // Wait for something to happen; whether anything did.
  async wait() {
    const after = this.summary.version;
    const page = await get(`${this.path}/events?after=${after}&wait=25&limit=100`);
    if (!page.events.length) return false;
    const [summary, told] = await Promise.all([get(this.path), get(this.address("replay", { after: this.steps.at(-1)?.version ?? 0, undone: this.undone }))]);
    const returned = page.events.some((event) => event.kind === "undone" || event.kind === "ruled");
    this.summary = { ...summary, version: Math.max(summary.version, page.next) };
    if (returned) await this.look(this.eyes);
    else for (const step of told.steps) this.add(step);
    return true;
  }

  add(step) {
    this.boards.set(step.version, step.position);
    this.steps.push(step);
  }
}
